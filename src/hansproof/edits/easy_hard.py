"""Parts a split into Easy, what a blind model gets right in all its runs, and Hard, the rest.

Kavumba et al. 2019. Blind runs are those of the view `choices`; a published list of ids will do as
well. Easy is chosen by one model's success on these very items: see the probe's controls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ..benchmarks import take
from ..errors import BadInput
from ..formats._decode import decode
from ..formats._lines import document
from ..stats import credit
from ..types import Benchmark, Items, Predictions

PARTS = ("easy", "hard")


@dataclass(frozen=True, slots=True)
class EasyHard:
    """Two splits where there was one; every item's meta says in which part it is."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    split: str = "test"  # the split to part
    ids: str | None = None  # file of published ids: JSON {"easy": [...]}, or one id a line
    view: str = "choices"  # without such a file: the view whose runs decide

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Benchmark:
        items = take(benchmark, self.split).splits[self.split]
        if self.ids is not None:
            easy = published(self.ids, items)
        else:
            easy = right_in_all(items, blind(predictions, self.split, self.view))
        parts = {part: _marked(items, easy, part) for part in PARTS}
        rest = {name: kept for name, kept in benchmark.splits.items() if name != self.split}
        named = {f"{self.split}_{part}": some for part, some in parts.items() if some}
        aliases = benchmark.aliases | {self.split: tuple(named)}
        return replace(benchmark, splits=rest | named, aliases=aliases)


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
        what = f"no run on {split} has the view {view}: give blind predictions, or --ids"
        raise BadInput("--predictions", what)
    return found


def right_in_all(items: Items, runs: Iterable[Predictions]) -> frozenset[str]:
    """The items that every run gets right, alone ahead: a tie is no success."""
    runs = list(runs)
    return frozenset(
        item.id
        for item in items
        if all(credit(run.scores[item.id], item.answer or 0) == 1 for run in runs)
    )


def published(path: str, items: Items) -> frozenset[str]:
    """The ids of the Easy items in a file; a list of the Hard ones beside them must fit."""
    known = {item.id for item in items}
    found = _lists(path)
    for part, ids in found.items():
        strange = [id for id in ids if id not in known]
        if strange:
            what = f"{strange[0][:60]} is no item of this split ({len(known)} items)"
            raise BadInput(path, what, field=part)
    easy = frozenset(found["easy"])
    if "hard" in found and (easy & {*found["hard"]} or easy | {*found["hard"]} != known):
        raise BadInput(path, "easy and hard are not the two parts of this split", field="hard")
    return easy


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
