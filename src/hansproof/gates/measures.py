"""What a limit is held against: the numbers of an audit by the names that limits have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..errors import BadInput
from ..probes.class_balance import MOST_FREQUENT
from ..probes.contamination import CONTAMINATED
from ..probes.integrity import CONTRADICTIONS, DUPLICATES, finding_name
from ..probes.partial_input.view_result import BY_CONSTRUCTION, name_part
from ..types import Cell, Estimate, Result

MAX_COUNT = 2**53  # no count of ours is near it
DECIMALS = 12  # decimals of a difference: 0.55 - 0.5 is 0.05, not a little more

TableRow = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number that a limit may be held against."""

    raw: Estimate  # as the probe gives it
    excess: Estimate  # what the limit is about: often what is beyond chance
    split: str  # split, or where several were looked at together
    description: str  # in words
    unit: str = "items"  # what n counts
    subject: str = ""  # the cue, the view: what it is about, where there are several


@dataclass(frozen=True, slots=True)
class Measure:
    """A kind of number that can be limited by name."""

    probe: str
    title: str  # for people
    extract: Callable[[Result], list[Measurement]]
    maximum: float | None = None  # a limit above that could not be broken


def measure_cue_lifts(result: Result) -> list[Measurement]:
    """How far each significant cue is from chance; 0 where there is none.

    Where the verdict is clear the audit holds flagged cues for luck, and so does this.
    """
    rows = _table_rows(result, "cues")
    flagged_rows = [row for row in rows if row.get("flag")] if result.verdict != "clear" else []
    if flagged_rows:
        return [_measure_cue(row) for row in flagged_rows]
    no_cues = Estimate("significant cues", 0, kind="count")
    if not any(_read_number(row, "testable") for row in _table_rows(result, "summary")):
        # what could not be found may well be there
        unknown_lift = Estimate("cue lift", 0.0, 0.0, 1.0)
        return [
            Measurement(no_cues, unknown_lift, "", "too few items for any cue to be significant")
        ]
    return [Measurement(no_cues, Estimate("cue lift", 0.0), "", "no cue is significant")]


def _measure_cue(row: TableRow) -> Measurement:
    chance, n = _read_number(row, "chance"), int(_read_number(row, "applicability"))
    productivity, low, high = (_read_number(row, name) for name in ("productivity", "low", "high"))
    raw = Estimate("cue lift", productivity, low, high, n, chance)
    excess = _subtract_chance(raw, chance)
    if productivity < chance:  # points to a wrong choice, which tells as much
        signed_excess = _subtract_chance(raw, chance)
        excess = replace(
            signed_excess,
            value=-signed_excess.value,
            low=-(signed_excess.high or 0),
            high=-(signed_excess.low or 0),
        )
    split, hits = str(row["split"]), int(_read_number(row, "hits"))
    description = f"the choice with “{row['cue']}” is right {hits} of {n} times in {split}"
    return Measurement(raw, excess, split, description, "items with this cue", str(row["cue"]))


def measure_blind_accuracies(result: Result) -> list[Measurement]:
    """What each view without the question answers beyond chance.

    Views that the probe judges, and those that are at chance by construction; not its controls.
    """
    judged_rows = [
        row
        for row in _table_rows(result, "views")
        if row["q"] is not None or row["flag"] == BY_CONSTRUCTION
    ]
    return [_measure_view(row) for row in judged_rows]


def _measure_view(row: TableRow) -> Measurement:
    split, view, model = str(row["split"]), str(row["view"]), str(row["model"])
    trained_on = None if row["trained_on"] is None else str(row["trained_on"])
    part = name_part(split, str(row["protocol"]), trained_on)
    value, low, high, chance, n = (
        _read_number(row, name) for name in ("accuracy", "low", "high", "chance", "n")
    )
    raw = Estimate("blind accuracy", value, low, high, int(n), chance)
    description = f"{model} sees only {view} of {part}: {value:.1%} right (chance {chance:.1%})"
    description += ", by construction" if row["flag"] == BY_CONSTRUCTION else ""
    return Measurement(
        raw, _subtract_chance(raw, chance), part, description, subject=f"{view} ({model})"
    )


def measure_class_imbalances(result: Result) -> list[Measurement]:
    """What always naming the most frequent position gains, split by split."""
    return [
        Measurement(
            e,
            _subtract_chance(e, e.chance),
            e.split,
            f"always the same position of {e.split}: {e.value:.1%} right (chance {e.chance:.1%})",
        )
        for e in result.estimates
        if e.metric == MOST_FREQUENT and e.chance is not None
    ]


def measure_duplicates(result: Result) -> list[Measurement]:
    """How many items stand more than once, with the same answer."""
    finding = finding_name(DUPLICATES, "exact")
    return [_count_findings(result, finding, "items that stand more than once")]


def measure_contradictions(result: Result) -> list[Measurement]:
    """How many inputs stand with different answers."""
    finding = finding_name(CONTRADICTIONS, "exact")
    return [_count_findings(result, finding, "inputs with two answers")]


def _count_findings(result: Result, finding: str, phrase: str) -> Measurement:
    rows = [row for row in _table_rows(result, "findings") if row["finding"] == finding]
    count = sum(int(_read_number(row, "count")) for row in rows)
    estimate = Estimate(finding, count, kind="count")
    splits = ", ".join(str(row["splits"]) for row in rows)
    return Measurement(
        estimate, estimate, splits, f"{phrase} in {splits}" if rows else f"no {phrase}"
    )


def measure_contamination(result: Result) -> list[Measurement]:
    """The share of items that stood in the text, split by split: counted, not drawn."""
    return [
        Measurement(
            e,
            Estimate(e.name, e.value, n=e.n),
            e.split,
            f"{e.split}: {e.value:.1%} of the items that could be searched for stood in the text",
            subject=e.split,
        )
        for e in result.estimates
        if e.metric == CONTAMINATED
    ]


def raw_measurements(result: Result) -> list[Measurement]:
    """Every estimate of a probe, as it stands."""
    return [Measurement(e, e, e.split, e.name) for e in result.estimates]


def _subtract_chance(estimate: Estimate, chance: float | None) -> Estimate:
    """The same beyond chance."""
    value, low, high = (
        None if x is None else round(x - (chance or 0.0), DECIMALS)
        for x in (estimate.value, estimate.low, estimate.high)
    )
    assert value is not None
    return Estimate(estimate.name, value, low, high, estimate.n, 0.0, kind="difference")


def _table_rows(result: Result, name: str) -> list[TableRow]:
    """A table's rows by column; an audit is somebody's file and may lack anything."""
    if name not in result.tables:
        raise BadInput("audit", "is not there", field=f"{result.probe}/{name}")
    table = result.tables[name]
    missing_columns = _COLUMNS[name] - set(table.columns)
    if missing_columns:
        raise BadInput("audit", f"no column {min(missing_columns)}", field=f"{result.probe}/{name}")
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _read_number(row: TableRow, column: str) -> float:
    value = row[column]
    if isinstance(value, str) or value is None:
        raise BadInput("audit", f"{value!r} is not a number", field=column)
    if not abs(value) <= MAX_COUNT:
        raise BadInput("audit", "is beyond all that can be counted", field=column)
    return float(value)


_COLUMNS = {
    "cues": {
        "split", "cue", "applicability", "hits", "productivity", "low", "high", "chance", "flag",
    },
    "summary": {"testable"},
    "views": {
        "split", "view", "model", "accuracy", "low", "high", "chance", "q", "flag", "protocol",
        "trained_on", "n",
    },
    "findings": {"finding", "splits", "count"},
}  # fmt: skip

MEASURES = {
    "cue_lift": Measure("cues", "largest lift of a significant cue", measure_cue_lifts, 1.0),
    "blind_accuracy": Measure(
        "partial_input", "accuracy without the question", measure_blind_accuracies, 1.0
    ),
    "class_imbalance": Measure(
        "class_balance", "most frequent position", measure_class_imbalances, 1.0
    ),
    "duplicates": Measure("integrity", "items that stand more than once", measure_duplicates),
    "contradictions": Measure("integrity", "inputs with different answers", measure_contradictions),
    "contamination": Measure(
        "contamination", "items that stood in training text", measure_contamination, 1.0
    ),
}
