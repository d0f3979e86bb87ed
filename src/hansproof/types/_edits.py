"""What edits return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ._items import Benchmark, Displayable
from ._results import Estimate, Table


@dataclass(frozen=True, slots=True, repr=False)
class EditReport(Displayable):
    """What an edit did: numbers, tables, and the ids of the items concerned."""

    summary: str  # in words a person understands
    estimates: tuple[Estimate, ...] = ()
    tables: dict[str, Table] = field(default_factory=dict)
    evidence: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what was seen -> item ids
    notes: tuple[str, ...] = ()  # what was left alone or deserves care


@dataclass(frozen=True, slots=True, repr=False)
class EditResult(Displayable):
    """What an edit gives: the changed benchmark, and an account of how it was changed."""

    benchmark: Benchmark
    report: EditReport


class Edit(Protocol):
    """A change to a benchmark; `meta` of a changed item states its origin. Fields are flags."""

    needs: ClassVar[tuple[str, ...]]  # as a probe's

    def __call__(self, benchmark: Benchmark, *args: Any, **inputs: Any) -> EditResult: ...
