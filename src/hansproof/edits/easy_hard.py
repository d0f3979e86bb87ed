"""Parts a split into Easy, what a blind model gets right in all its runs, and Hard, the rest.

Kavumba et al. 2019. Blind runs are those of the view `choices`; a published list of ids will do as
well. Easy is chosen by one model's success on these very items: see the probe's controls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ..benchmarks import take
from ..credit import credit
from ..errors import BadInput
from ..formats._decode import decode
from ..formats._lines import document
from ..formats._record import shown
from ..types import Account, Benchmark, Edited, Items, Predictions

PARTS = ("easy", "hard")


@dataclass(frozen=True, slots=True)
class EasyHard:
    """Two splits where there was one; every item's meta says in which part it is."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    split: str | None = None  # the split to part; without it the one for testing, or the only one
    easy: str | None = None  # file of published ids: JSON {"easy": [...]}, or one id a line
    view: str = "choices"  # without such a file: the view whose runs decide

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Edited:
        split = self.split or _for_testing(benchmark)
        items = take(benchmark, split).splits[split]
        if self.easy is not None:
            easy = fitting(self.easy, {split: items})[split]
        else:
            easy = right_in_all(items, blind(predictions, split, self.view))
        parts = {part: _marked(items, easy, part) for part in PARTS}
        rest = {name: kept for name, kept in benchmark.splits.items() if name != split}
        named = {f"{split}_{part}": some for part, some in parts.items() if some}
        aliases = benchmark.aliases | {split: tuple(named)}
        sizes = " and ".join(f"{len(some)} {part}" for part, some in parts.items())
        return Edited(
            replace(benchmark, splits=rest | named, aliases=aliases),
            Account(f"{split} is now {sizes} items."),
        )


def _for_testing(benchmark: Benchmark) -> str:
    """The split that is for testing, or the only one there is."""
    only = next(iter(benchmark.splits)) if len(benchmark.splits) == 1 else None
    split = benchmark.roles.get("test", only)
    if split is None:
        raise BadInput(benchmark.name, "has several splits: name one with --split")
    return split


def _marked(items: Items, easy: frozenset[str], part: str) -> Items:
    return tuple(
        replace(item, meta={**item.meta, "easy_hard": part})
        for item in items
        if (item.id in easy) == (part == "easy")
    )


def blind(predictions: Iterable[Predictions], split: str, view: str) -> list[Predictions]:
    """The runs on a split that saw no more than that view."""
    found = [run for run in predictions if run.split == split and run.view == view]
    if not found:
        what = f"no run on {split} has the view {view}: give blind predictions, or --easy"
        raise BadInput("--predictions", what)
    return found


def right_in_all(items: Items, runs: Iterable[Predictions]) -> frozenset[str]:
    """The items that every run gets right, alone ahead: a tie is no success."""
    runs = list(runs)
    if any(item.answer is None for item in items):
        raise BadInput("--split", "has no answers, so nothing can be right or wrong")
    return frozenset(
        item.id
        for item in items
        if all(credit(run.scores[item.id], item.answer or 0) == 1 for run in runs)
    )


def fitting(path: str | None, splits: dict[str, Items]) -> dict[str, frozenset[str]]:
    """The Easy items of each split that a file of ids is about; it must be about one of them.

    A list of the Hard ones beside them must be the rest.
    """
    if path is None:
        return {}
    found = _lists(path)
    fits, wrong = {}, None
    for split, items in splits.items():
        wrong = _misfit(found, {item.id for item in items}, path)
        if wrong is None:
            fits[split] = frozenset(found["easy"])
    if not fits and wrong is not None:
        raise wrong
    return fits


def _misfit(found: dict[str, list[str]], known: set[str], path: str) -> BadInput | None:
    """Why lists are not about these items."""
    for part, ids in found.items():
        strange = [id for id in ids if id not in known]
        if strange:
            what = f"{shown(strange[0])} is no item of this split ({len(known)} items)"
            return BadInput(path, what, field=part)
    easy, hard = set(found["easy"]), set(found.get("hard", known - set(found["easy"])))
    if easy & hard or easy | hard != known:
        return BadInput(path, "easy and hard are not the two parts of this split", field="hard")
    return None


def _lists(path: str) -> dict[str, list[str]]:
    text = document(path)
    if not text.lstrip().startswith((b"{", b"[")):
        return {"easy": text.decode().split()}
    found = decode(text, object, path)
    parts = found if isinstance(found, dict) else {"easy": found}
    if "easy" not in parts:
        raise BadInput(path, "no list of ids there", field="easy")
    return {part: _ids(parts[part], part, path) for part in PARTS if part in parts}


def _ids(found: object, part: str, path: str) -> list[str]:
    if not isinstance(found, list) or not all(type(id) in (str, int) for id in found):
        raise BadInput(path, "is no list of ids", field=part)
    return [str(id) for id in found]
