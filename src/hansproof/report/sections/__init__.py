"""Sections: how the result of a probe is shown, by default or by the module of its name here."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...types import POOLED, UNNAMED_SPLIT, Estimate, Item, Result, Table
from ..charts import ReportChart
from ..html.evidence import Marker, TextSpans
from ..schema import ResultSchema


def no_marks(key: str, item: Item, choice: int) -> TextSpans:
    return []


@dataclass(frozen=True, slots=True)
class EvidenceLink:
    """Describes how the rows of a table open evidence."""

    column: str  # the clickable column, shown first
    key: Callable[[dict[str, Any]], str]  # row -> its evidence key
    # row -> ids of its items, if the row contains them and the result has no such evidence
    items: Callable[[dict[str, Any]], tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class ExampleSource:
    """Items of which one may be shown as the example of a finding."""

    key: str  # of their evidence, by which they are marked
    ids: tuple[str, ...]
    caption: str
    # items with the same key are shown together, such as duplicates of each other
    twin_key: Callable[[Item], object] | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence about a row of a table, with the number that it states."""

    sentence: str
    estimate: Estimate
    table: str
    row: int


@dataclass(frozen=True, slots=True)
class Section:
    """What the default rendering does not know about a result."""

    charts: tuple[ReportChart, ...] = ()
    statements_title: str = ""
    statements: tuple[Statement, ...] = ()  # shown below the charts
    links: Mapping[str, EvidenceLink] = field(default_factory=dict)  # by table
    # table -> column -> explanation
    meanings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    mark: Marker = no_marks
    notes: tuple[str, ...] = ()
    show_estimates: bool = True  # False where the tables contain them
    tables: Mapping[str, Table] = field(default_factory=dict)  # shown instead of the result's
    ordered: tuple[str, ...] = ()  # tables that are not sorted by q
    examples: tuple[ExampleSource, ...] = ()  # the best first; without any, the first evidence


# explanations of columns that several tables have
CHANCE = "accuracy of guessing"
RUN_COUNT = "number of runs, each with its own seed"
SHARE_RIGHT = "share of items answered correctly, mean over runs; a tie of t choices counts 1/t"
AT_FLOOR = "≤: the smallest value that so many randomisations can show"
SEED = "the number that training started from"
TIE_RATE = "share of items in which several choices have the highest score"
INTERVAL = "where the true value lies with 95% confidence"
SCHEMA_MISMATCH = Section(
    notes=("Shown without pictures: this version of hansproof writes other tables.",)
)


def key_split(result: Result) -> str:
    """Return the split that the summary is about, pooled if it is about no estimate."""
    return next((e.split for e in result.estimates if e.name == result.key), POOLED)


def describe_one_of(n: int, split: str) -> str:
    """Begin the caption of an example: `One of the 74 items in test`."""
    location = "" if split in (POOLED, UNNAMED_SPLIT) else f" in {split}"
    return f"One of the {n:,} items{location}" if n > 1 else f"The only item{location}"


def list_examples(
    result: Result,
    rows: Iterable[dict[str, Any]],
    find_key: Callable[[dict[str, Any]], str],
    describe: Callable[[dict[str, Any], tuple[str, ...]], str],
) -> tuple[ExampleSource, ...]:
    """List the evidence of rows, each with the caption that describes a row and its items."""
    return tuple(
        ExampleSource(key, result.evidence[key], describe(row, result.evidence[key]))
        for row in rows
        if (key := find_key(row)) in result.evidence
    )


def build_section(result: Result) -> Section:
    """Build the section of a result: a default one for external probes and unexpected tables."""
    if result.probe not in {module.name for module in pkgutil.iter_modules(__path__)}:
        return Section()
    module: Any = importlib.import_module(f".{result.probe}", __name__)
    schema: ResultSchema = module.SCHEMA
    built_section: Section = module.section(result) if schema.matches(result) else SCHEMA_MISMATCH
    return built_section
