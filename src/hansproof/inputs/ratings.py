"""Reads answers of people: a table of item, rater and choice.

    item,rater,choice
    501,anna,A

CSV, TSV, JSON or JSON lines; choices as in `logs/table.py`; an empty cell is not a rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .._infra.atomic_io import expand_paths
from ..errors import BadInput
from ..records import choice_cells
from ..records.answers import RawAnswer
from ..records.by_content import read_records
from ..records.location import Location, Record, truncate
from ..records.prediction_columns import CHOICE_NAMES, ID_NAMES, find_first, find_required
from ..types import Benchmark, Displayable, Item

_RATER = ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id", "user", "person")
_CHOICE = (*CHOICE_NAMES, "rating", "vote", "answer", "response", "label")


@dataclass(frozen=True, slots=True, repr=False)
class Ratings(Displayable):
    """The ratings of one file."""

    source: str
    rows: tuple[tuple[str, str, int], ...]  # item, rater, choice


def read_all(patterns: Sequence[str], benchmark: Benchmark) -> list[Ratings]:
    """Read all files that match the patterns; raise if a rater rates an item in two files."""
    paths = dict.fromkeys(path for pattern in patterns for path in expand_paths(pattern))
    tables = [read_ratings(path, benchmark) for path in paths]
    source_by_rating: dict[tuple[str, str], str] = {}
    for table in tables:
        for item, rater, _ in table.rows:
            other_source = source_by_rating.setdefault((item, rater), table.source)
            if other_source != table.source:
                raise BadInput(
                    table.source,
                    f"{truncate(rater)} also rates {truncate(item)} in {other_source}: remove one "
                    "of the two",
                )
    return tables


def read_ratings(path: str, benchmark: Benchmark, first_number: int | None = None) -> Ratings:
    """Read the ratings of a file.

    `first_number` is the number of the first choice, needed if choices are numbers that may count
    from 0 or from 1.
    """
    rows = [(Location(path, line), record) for line, record in read_records(path)]
    if not rows:
        raise BadInput(path, "contains no ratings")
    columns = list(dict.fromkeys(name for _, record in rows for name in record))
    column_names = _find_columns(columns, path)
    items = _items_by_id(benchmark)
    parsed = [_parse_rating(location, record, column_names, items) for location, record in rows]
    chosen_indices, _ = choice_cells.resolve_choices(
        [raw for _, _, raw in parsed], (), first_number
    )
    ratings = _require_unique(parsed, chosen_indices)
    if not ratings:
        raise BadInput(path, "contains no ratings: every cell is empty", field=column_names[2])
    return Ratings(path, ratings)


def _find_columns(columns: Sequence[str], path: str) -> tuple[str, str, str]:
    """Find the columns for item, rater and choice."""
    item = find_required(columns, ID_NAMES, "the item", path)
    rater = find_required(columns, _RATER, "the rater", path)
    return (
        item,
        rater,
        find_first(columns, _CHOICE) or find_required(columns, ("choice",), "the choice", path),
    )


def _items_by_id(benchmark: Benchmark) -> dict[str, Item | None]:
    """Map ids to items of all splits; None if two splits use an id for different items.

    If ids restart in every split, so that the benchmark has them as `split/id`, both are known.
    """
    items_by_id: dict[str, Item | None] = {}
    for split, items in benchmark.splits.items():
        for item in items:
            for id in {item.id, item.id.removeprefix(f"{split}/")}:
                is_same = id not in items_by_id or items_by_id[id] == item
                items_by_id[id] = item if is_same else None
    return items_by_id


def _parse_rating(
    location: Location,
    record: Record,
    column_names: tuple[str, str, str],
    items: dict[str, Item | None],
) -> tuple[str, str, RawAnswer]:
    id, rater = (location.require_name(record.get(name), name) for name in column_names[:2])
    if id not in items:
        count = sum(item is not None and item.id == name for name, item in items.items())
        raise location.error(
            column_names[0], f"{truncate(id)} is not an item of the benchmark ({count} items)"
        )
    item = items[id]
    if item is None:
        raise location.error(
            column_names[0], f"{truncate(id)} is in several splits: load only one of them"
        )
    text = choice_cells.cell_text(record.get(column_names[2]), column_names[2], location)
    return item.id, rater, choice_cells.parse_choice(text, column_names[2], item.choices, location)


def _require_unique(
    parsed: Sequence[tuple[str, str, RawAnswer]], chosen_indices: Sequence[int | None]
) -> tuple[tuple[str, str, int], ...]:
    """Return the ratings that are not empty; raise if a rater rates an item twice."""
    rated: set[tuple[str, str]] = set()
    rows = []
    for (id, rater, raw), index in zip(parsed, chosen_indices, strict=True):
        if index is None:
            continue
        if (id, rater) in rated:
            raise raw.location.error("item", f"{truncate(rater)} rates {truncate(id)} twice")
        rated.add((id, rater))
        rows.append((id, rater, index))
    return tuple(rows)
