"""What people said: a table of item, rater and choice.

    item,rater,choice
    501,anna,A

CSV, TSV, JSON or JSON lines; choices as in `logs/table.py`, an empty one is no rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import BadInput
from .files import matching
from .formats._answers import Given
from .formats._open import records
from .formats._record import Record, Where, shown
from .logs import _picks
from .logs._columns import ID, SAID, first, needed
from .types import Benchmark, Item

_RATER = ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id", "user", "person")
_CHOICE = (*SAID, "rating", "vote", "answer", "response", "label")


@dataclass(frozen=True, slots=True)
class Ratings:
    """Who chose what, as the file has it."""

    source: str
    rows: tuple[tuple[str, str, int], ...]  # item, rater, choice


def read_all(patterns: Sequence[str], benchmark: Benchmark) -> list[Ratings]:
    """The ratings in all files that the patterns mean; nobody rates an item in two of them."""
    paths = dict.fromkeys(path for pattern in patterns for path in matching(pattern))
    found = [read(path, benchmark) for path in paths]
    seen: dict[tuple[str, str], str] = {}
    for one in found:
        for item, rater, _ in one.rows:
            other = seen.setdefault((item, rater), one.source)
            if other != one.source:
                raise BadInput(one.source, f"{shown(rater)} rates {shown(item)} in {other}, too")
    return found


def read(path: str, benchmark: Benchmark, first: int | None = None) -> Ratings:
    """The ratings in a file.

    `first` is the number of the first choice, where choices are numbers and none of them shows
    whether they count from 0 or from 1.
    """
    rows = [(Where(path, line), record) for line, record in records(path)]
    if not rows:
        raise BadInput(path, "holds no ratings")
    columns = list(dict.fromkeys(name for _, record in rows for name in record))
    names = _columns(columns, path)
    items = _items(benchmark)
    found = [_rating(where, record, names, items) for where, record in rows]
    chosen, _ = _picks.read([pick for _, _, pick in found], (), first)
    kept = _once(found, chosen)
    if not kept:
        raise BadInput(path, "holds no ratings: every cell is empty", field=names[2])
    return Ratings(path, kept)


def _columns(columns: Sequence[str], path: str) -> tuple[str, str, str]:
    """Those for item, rater and choice."""
    item = needed(columns, ID, "the item", path)
    rater = needed(columns, _RATER, "the rater", path)
    return item, rater, first(columns, _CHOICE) or needed(columns, ("choice",), "the choice", path)


def _items(benchmark: Benchmark) -> dict[str, Item | None]:
    """The items of all splits by id; None where two splits use the same id for different items."""
    found: dict[str, Item | None] = {}
    for items in benchmark.splits.values():
        for item in items:
            same = item.id not in found or found[item.id] == item
            found[item.id] = item if same else None
    return found


def _rating(
    where: Where, record: Record, names: tuple[str, str, str], items: dict[str, Item | None]
) -> tuple[str, str, Given]:
    id, rater = (where.name(record.get(name), name) for name in names[:2])
    if id not in items:
        raise where.bad(names[0], f"{shown(id)} is no item of the benchmark ({len(items)} items)")
    item = items[id]
    if item is None:
        raise where.bad(names[0], f"{shown(id)} is in several splits: load one of them")
    text = _picks.cell(record.get(names[2]), names[2], where)
    return id, rater, _picks.pick(text, names[2], item.choices, where)


def _once(
    found: Sequence[tuple[str, str, Given]], chosen: Sequence[int | None]
) -> tuple[tuple[str, str, int], ...]:
    """The ratings that are there; nobody rates an item twice."""
    seen: set[tuple[str, str]] = set()
    rows = []
    for (id, rater, pick), index in zip(found, chosen, strict=True):
        if index is None:
            continue
        if (id, rater) in seen:
            raise pick.where.bad("item", f"{shown(rater)} rates {shown(id)} twice")
        seen.add((id, rater))
        rows.append((id, rater, index))
    return tuple(rows)
