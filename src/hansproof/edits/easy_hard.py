"""Divides a split into Easy items, which a model without the question gets right, and Hard ones.

Kavumba et al. 2019: Easy are the items that all runs with the view `choices` get right; a published
list of ids can be used instead. Easy items are selected by one model's success on these very items:
see the controls of the probe easy_hard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from .._infra.plural import plural
from ..benchmarks import take_split
from ..errors import BadInput
from ..inputs.unknown_views import drop_unknown_views
from ..records.lines import read_utf8
from ..records.location import truncate
from ..records.msgspec_json import decode_json
from ..scoring import run_credits
from ..types import Benchmark, EditReport, EditResult, Items, Predictions

PARTS = ("easy", "hard")


@dataclass(frozen=True, slots=True)
class EasyHardEdit:
    """Replaces a split by two; the meta of every item says whether it is easy or hard."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    split: str | None = None  # the split to divide; default: the test split, or the only one
    easy: str | None = None  # file with published ids: JSON {"easy": [...]}, or one id per line
    view: str = "choices"  # without a file of ids: the view of the runs that decide

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> EditResult:
        split = self.split or _default_split(benchmark)
        items = take_split(benchmark, split).splits[split]
        if self.easy is not None:
            easy = read_easy_ids(self.easy, {split: items})[split]
        else:
            easy = solved_by_all(items, select_blind_runs(predictions, split, self.view))
        parts = {part: _mark_items(items, easy, part) for part in PARTS}
        other_splits = {
            name: split_items for name, split_items in benchmark.splits.items() if name != split
        }
        new_splits = {
            f"{split}_{part}": part_items for part, part_items in parts.items() if part_items
        }
        aliases = benchmark.aliases | {split: tuple(new_splits)}
        sizes = " and ".join(f"{len(part_items)} {part}" for part, part_items in parts.items())
        return EditResult(
            replace(benchmark, splits=other_splits | new_splits, aliases=aliases),
            EditReport(f"{split} is now {sizes} items."),
        )


def _default_split(benchmark: Benchmark) -> str:
    """Return the test split, or the only split."""
    only = next(iter(benchmark.splits)) if len(benchmark.splits) == 1 else None
    split = benchmark.roles.get("test", only)
    if split is None:
        raise BadInput(benchmark.name, "has several splits: name one with --split")
    return split


def _mark_items(items: Items, easy: frozenset[str], part: str) -> Items:
    return tuple(
        replace(item, meta={**item.meta, "easy_hard": part})
        for item in items
        if (item.id in easy) == (part == "easy")
    )


def select_blind_runs(
    predictions: Iterable[Predictions], split: str, view: str
) -> list[Predictions]:
    """Return the runs on a split that used this view; raise BadInput if there are none."""
    split_runs = [run for run in predictions if run.split == split]
    blind_runs = [run for run in split_runs if run.view == view]
    if not blind_runs:
        message = (
            f"no run on {split} has the view {view}: give predictions with this view, or --easy"
        )
        _, notes = drop_unknown_views(split_runs)
        raise BadInput("--predictions", f"{message}. {notes[0]}" if notes else message)
    not_asked = {
        id for run in blind_runs for id, reason in run.unanswered.items() if reason == "not asked"
    }
    if not_asked:
        message = (
            f"a run with the view {view} lacks {plural(len(not_asked), 'item')} of {split}: "
            "give runs on all items"
        )
        raise BadInput("--predictions", message)
    return blind_runs


def solved_by_all(items: Items, runs: Iterable[Predictions]) -> frozenset[str]:
    """Return the ids of items that every run gets right; a tie or no answer is not right."""
    if any(item.answer is None for item in items):
        raise BadInput("--split", "has no answers to score runs with")
    credits = [run_credits(run, items) for run in runs]
    return frozenset(
        item.id
        for index, item in enumerate(items)
        if all(item_credits[index] == 1 for item_credits in credits)
    )


def read_easy_ids(path: str | None, splits: dict[str, Items]) -> dict[str, frozenset[str]]:
    """Read the ids of Easy items from a file and return them for each split that they fit.

    Raises BadInput if they fit no split. If the file also lists Hard items, they must be the rest.
    """
    if path is None:
        return {}
    id_lists = _read_id_lists(path)
    easy_ids, error = {}, None
    for split, items in splits.items():
        error = _mismatch_error(id_lists, {item.id for item in items}, path)
        if error is None:
            easy_ids[split] = frozenset(id_lists["easy"])
    if not easy_ids and error is not None:
        raise error
    return easy_ids


def _mismatch_error(
    id_lists: dict[str, list[str]], known_ids: set[str], path: str
) -> BadInput | None:
    """Return an error if lists of ids do not fit these items."""
    for part, ids in id_lists.items():
        unknown_ids = [item_id for item_id in ids if item_id not in known_ids]
        if unknown_ids:
            message = (
                f"{truncate(unknown_ids[0])} is not an item of this split ({len(known_ids)} items)"
            )
            return BadInput(path, message, field=part)
    easy, hard = set(id_lists["easy"]), set(id_lists.get("hard", known_ids - set(id_lists["easy"])))
    if easy & hard or easy | hard != known_ids:
        return BadInput(
            path, "easy and hard together are not the items of this split", field="hard"
        )
    return None


def _read_id_lists(path: str) -> dict[str, list[str]]:
    text = read_utf8(path)
    if not text.lstrip().startswith((b"{", b"[")):
        return {"easy": text.decode().split()}
    value = decode_json(text, object, path)
    parts = value if isinstance(value, dict) else {"easy": value}
    if "easy" not in parts:
        raise BadInput(path, "has no list of ids", field="easy")
    return {part: _parse_ids(parts[part], part, path) for part in PARTS if part in parts}


def _parse_ids(value: object, part: str, path: str) -> list[str]:
    if not isinstance(value, list) or not all(type(item_id) in (str, int) for item_id in value):
        raise BadInput(path, "is not a list of ids", field=part)
    return [str(item_id) for item_id in value]
