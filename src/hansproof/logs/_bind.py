"""Holds the runs of a log against a benchmark: every item once, in its order, answers agreeing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..errors import BadInput, UnknownName
from ..formats import _answers as answers
from ..formats._record import Where, shown
from ..predictions import Said, Splits, Unfinished, checked, complete
from ..types import Predictions
from . import _picks
from ._given import Given
from ._place import Placed, Shelf
from ._run import Run


class Binder:
    """A benchmark and what the user says, for many logs."""

    def __init__(self, splits: Splits, given: Given) -> None:
        self._splits, self._given = splits, given
        self._shelves: dict[str, Shelf] = {}

    def bind(self, runs: Sequence[Run], file: str) -> list[Predictions | Unfinished]:
        """What the runs of one log said, checked."""
        pairs = [(run, self._find(run, file)) for run in self._asked(runs) or runs]
        placed = [[shelf.place(entry, file) for entry in run.entries] for run, shelf in pairs]
        read = iter(_read([one for run in placed for one in run], file, self._given.first))
        return [
            self._bound(run, shelf, [next(read) for _ in run.entries], file) for run, shelf in pairs
        ]

    def _asked(self, runs: Sequence[Run]) -> list[Run]:
        """Those on the split that is asked for, or else on splits that are loaded."""
        if self._given.split is not None:
            return [run for run in runs if run.split == self._given.split]
        return [run for run in runs if not self._elsewhere(run)]

    def _elsewhere(self, run: Run) -> bool:
        """Whether a run is on a split that is not loaded: neither its name nor any item is here."""
        if run.split is None or self._named(run.split) is not None:
            return False
        return not any(shelf.holds(run.entries) for shelf in self._labelled())

    def _labelled(self) -> list[Shelf]:
        return [self._shelf(split) for split in self._splits.benchmark.labelled()]

    def _named(self, split: str | None) -> Shelf | None:
        """The split of that name; None where the name is the log's own."""
        try:
            return None if split is None else self._shelf(split)
        except UnknownName:
            return None

    def _shelf(self, split: str) -> Shelf:
        if split not in self._shelves:
            self._shelves[split] = Shelf(split, *self._splits.take(split))
        return self._shelves[split]

    def _find(self, run: Run, file: str) -> Shelf:
        """The split that is named, or the one that has the items."""
        if not run.entries:
            raise BadInput(file, run.unfinished or "says nothing about any item")
        if self._given.split is not None:
            return self._shelf(self._given.split)
        named = self._named(run.split)
        if named is not None:
            return named
        held = {shelf.name: shelf.holds(run.entries) for shelf in self._labelled()}
        full = [name for name, count in held.items() if count == len(run.entries)]
        if len(full) > 1:
            raise BadInput(file, f"may be about {' or '.join(full)}: say which with --split")
        best = max(held, key=held.__getitem__, default=None)
        if best is None:
            what = f"no split of {self._splits.benchmark.name} has answers: name one with --split"
            raise BadInput(file, what)
        return self._shelf(best)

    def _bound(
        self, run: Run, shelf: Shelf, placed: Sequence[Placed], file: str
    ) -> Predictions | Unfinished:
        for one in placed:
            _agree(one, run, file)
        said = [
            (one.entry.line, one.item.id, _ordered(one, file))
            for one in placed
            if one.entry.said != ""  # says nothing: missing
        ]
        found = Predictions(
            benchmark=self._splits.benchmark.name,
            split=shelf.name,
            sha256=shelf.sha256,
            model=shown(run.model) or "unnamed",
            view=run.view or "full",
            scores=checked(said, shelf.items, file),
            seed=run.seed,
            trained_on=run.trained_on and shown(run.trained_on),
            train_accuracy=run.train_accuracy,
            params=run.params,
            tokenizer=run.tokenizer,
            device=run.device,
        )
        found = stated(found, self._given)
        if run.unfinished is not None:
            done = f"{len(found.scores)} of {len(shelf.items)} items are there"
            return Unfinished(file, f"{run.unfinished}; {done}", found)
        try:
            return complete(found, shelf.items, file)
        except Unfinished as error:
            return error


def stated(run: Predictions, given: Given) -> Predictions:
    """The run with what the user says about it; its split is found before."""
    names = ("model", "view", "seed", "trained_on", "protocol")
    said = {name: getattr(given, name) for name in names}
    return replace(run, **{name: value for name, value in said.items() if value is not None})


def _read(placed: Sequence[Placed], file: str, first: int | None) -> list[Placed]:
    """The same entries, texts in them read as what they mean in all of the file."""
    texts = [
        (place, column, text)
        for place, one in enumerate(placed)
        for column in ("said", "picked", "answer")
        if isinstance(text := getattr(one.entry, column), str)
    ]

    def picks(right: bool) -> dict[tuple[int, str], answers.Given]:
        return {
            (place, column): _pick(placed[place], text, column, file)
            for place, column, text in texts
            if (column == "answer") == right
        }

    said, right = picks(False), picks(True)
    chosen, stated = _picks.read(tuple(said.values()), tuple(right.values()), first)
    found = [one.entry for one in placed]
    for (place, column), index in zip((*said, *right), (*chosen, *stated), strict=True):
        change: dict[str, Any] = {column: "" if index is None else index}
        found[place] = replace(found[place], **change)
    return [replace(one, entry=entry) for one, entry in zip(placed, found, strict=True)]


def _pick(one: Placed, text: str, column: str, file: str) -> answers.Given:
    field = "answer" if column == "answer" else "choice"
    where = Where(file, one.entry.line or 0)
    return _picks.pick(text, field, one.entry.choices or one.item.choices, where)


def _ordered(one: Placed, file: str) -> Said:
    """What was said, in the order of the benchmark's choices."""
    said = one.entry.said
    assert not isinstance(said, str)  # read by now
    if isinstance(said, int):
        return one.index(said)
    picked = one.entry.picked
    if isinstance(picked, int) and picked < len(said) and said[picked] < max(said):
        what = f"{shown(one.entry.id)}: the choice does not have the highest score"
        raise BadInput(file, what, line=one.entry.line, field="scores")
    return tuple(said[i] for i in one.order) if len(said) == len(one.order) else said


def _agree(one: Placed, run: Run, file: str) -> None:
    """An answer that the log states must be the benchmark's."""
    answer, item = one.entry.answer, one.item
    if not isinstance(answer, int) or item.answer is None or one.index(answer) == item.answer:
        return
    where = f" (in {run.split}; to do without it, load another split alone)" if run.split else ""
    what = (
        f"says choice {one.index(answer)} is right for {shown(item.id)}, the benchmark says "
        f"{item.answer}: another version, or choices in another order{where}"
    )
    raise BadInput(file, what, line=one.entry.line)
