"""What must be known of a table of runs, in a sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..types import Benchmark, Items
from ..views import CHOICES, fields_of, named
from ._plan import part_of
from ._rows import Row


def notes(benchmark: Benchmark, found: Sequence[Row]) -> tuple[str, ...]:
    """Views without choices, runs that learnt nothing, texts that were cut."""
    return (*_ties(benchmark, found), *_failures(found), *_cuts(found))


def _ties(benchmark: Benchmark, found: Sequence[Row]) -> Iterator[str]:
    for split, view in dict.fromkeys((row.split, row.view) for row in found):
        items = part_of(benchmark, split)
        if CHOICES not in named(view, fields_of(items)).keep:
            alike = [row for row in found if (row.split, row.view) == (split, view)]
            yield _without_choices(f"{view} of {split}", items, alike)


def _without_choices(name: str, items: Items, found: Sequence[Row]) -> str:
    told = [row.model for row in found if row.tie_rate < 1]
    if told:
        return f"{name} shows no choices, yet {', '.join(told)} told them apart: by position alone"
    first = sum(item.answer == 0 for item in items) / len(items)
    return (
        f"{name} shows no choices, so all tie by construction and score 1/m ({found[0].chance:.1%})"
        f"; an argmax would print {first:.1%}, the share of items whose first choice is right"
    )


def _failures(found: Sequence[Row]) -> Iterator[str]:
    for row in found:
        if row.degenerate:
            one = row.degenerate == 1
            seeds = ", ".join(map(str, row.degenerate_seeds))
            yield (
                f"{_name(row)}: {row.degenerate} of {row.seeds} runs {'is' if one else 'are'} "
                f"degenerate, not above chance on the items learnt from (seed{'s' * (not one)} "
                f"{seeds})"
            )


def _cuts(found: Sequence[Row]) -> Iterator[str]:
    for row in found:
        if row.cut:
            of = f" of {row.sequences:,}" if row.sequences else ""
            limit = f"{row.length} tokens" if row.length else "the limit"
            yield f"{_name(row)}: {row.cut:,}{of} sequences were longer than {limit} and were cut"


def _name(row: Row) -> str:
    return f"{row.model}, {row.view} of {row.split}"
