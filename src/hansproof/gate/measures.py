"""What a limit is held against: the numbers of an audit by the names that limits have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..errors import BadInput
from ..types import Cell, Estimate, Result

LARGEST = 2**53  # no count of ours is near it
ROUNDED = 12  # decimals of a difference: 0.55 - 0.5 is 0.05, not a little more

# as the probes call them
BY_CONSTRUCTION = "by construction"
DUPLICATES = "duplicate items (exact)"
CONTRADICTIONS = "same input, different answers (exact)"

Row = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Measured:
    """One number that a limit may be held against."""

    raw: Estimate  # as the probe gives it
    beyond: Estimate  # what the limit is about: often what is beyond chance
    where: str  # split, or where several were looked at together
    what: str  # in words
    things: str = "items"  # what n counts
    subject: str = ""  # the cue, the view: what it is about, where there are several


@dataclass(frozen=True, slots=True)
class Measure:
    """A kind of number that can be limited by name."""

    probe: str
    title: str  # for people
    found: Callable[[Result], list[Measured]]
    most: float | None = None  # a limit above that could not be broken


def cue_lifts(result: Result) -> list[Measured]:
    """How far each significant cue is from chance; 0 where there is none.

    Where the verdict is clear the audit holds flagged cues for luck, and so does this.
    """
    rows = _rows(result, "cues")
    flagged = [row for row in rows if row.get("flag")] if result.verdict != "clear" else []
    if flagged:
        return [_lift(row) for row in flagged]
    none = Estimate("significant cues", 0)
    if not any(_number(row, "testable") for row in _rows(result, "summary")):
        # what could not be found may well be there
        unknown = Estimate("cue lift", 0.0, 0.0, 1.0)
        return [Measured(none, unknown, "", "too few items for any cue to be significant")]
    return [Measured(none, Estimate("cue lift", 0.0), "", "no cue is significant")]


def _lift(row: Row) -> Measured:
    chance, n = _number(row, "chance"), int(_number(row, "applicability"))
    productivity, low, high = (_number(row, name) for name in ("productivity", "low", "high"))
    raw = Estimate("cue lift", productivity, low, high, n, chance)
    beyond = _minus(raw, chance)
    if productivity < chance:  # points to a wrong choice, which tells as much
        ends = _minus(raw, chance)
        beyond = replace(ends, value=-ends.value, low=-(ends.high or 0), high=-(ends.low or 0))
    split, hits = str(row["split"]), int(_number(row, "hits"))
    what = f"the choice with “{row['cue']}” is right {hits} of {n} times in {split}"
    return Measured(raw, beyond, split, what, "items with this cue", str(row["cue"]))


def blind_accuracies(result: Result) -> list[Measured]:
    """What each view without the question answers beyond chance.

    Views that the probe judges, and those that are at chance by construction; not its controls.
    """
    judged = [
        row
        for row in _rows(result, "views")
        if row["q"] is not None or row["flag"] == BY_CONSTRUCTION
    ]
    return [_blind(row) for row in judged]


def _blind(row: Row) -> Measured:
    split, view, model = str(row["split"]), str(row["view"]), str(row["model"])
    learnt = row["trained_on"] if row["protocol"] == "train-test" else None
    where = f"{learnt} → {split}" if learnt else split
    value, low, high, chance, n = (
        _number(row, name) for name in ("accuracy", "low", "high", "chance", "n")
    )
    raw = Estimate("blind accuracy", value, low, high, int(n), chance)
    what = f"{model} sees only {view} of {where}: {value:.1%} right (chance {chance:.1%})"
    what += ", by construction" if row["flag"] == BY_CONSTRUCTION else ""
    return Measured(raw, _minus(raw, chance), where, what, subject=f"{view} ({model})")


def class_imbalances(result: Result) -> list[Measured]:
    """What always naming the most frequent position gains, split by split."""
    return [
        Measured(e, _minus(e, e.chance), _split(e), f"always the same position of {_split(e)}: "
                 f"{e.value:.1%} right (chance {e.chance:.1%})")
        for e in result.estimates
        if e.chance is not None
    ]  # fmt: skip


def duplicates(result: Result) -> list[Measured]:
    """How many items stand more than once, with the same answer."""
    return [_counted(result, DUPLICATES, "items that stand more than once")]


def contradictions(result: Result) -> list[Measured]:
    """How many inputs stand with different answers."""
    return [_counted(result, CONTRADICTIONS, "inputs with two answers")]


def _counted(result: Result, finding: str, words: str) -> Measured:
    rows = [row for row in _rows(result, "findings") if row["finding"] == finding]
    estimate = Estimate(finding, sum(int(_number(row, "count")) for row in rows))
    where = ", ".join(str(row["splits"]) for row in rows)
    return Measured(estimate, estimate, where, f"{words} in {where}" if rows else f"no {words}")


def contaminations(result: Result) -> list[Measured]:
    """The share of items that stood in the text, split by split: counted, not drawn."""
    return [
        Measured(e, Estimate(e.name, e.value, n=e.n), _split(e), f"{_split(e)}: {e.value:.1%} of "
                 "the items that could be searched for stood in the text", subject=_split(e))
        for e in result.estimates
        if e.name.endswith(": contaminated")
    ]  # fmt: skip


def as_they_are(result: Result) -> list[Measured]:
    """Every estimate of a probe, as it stands."""
    return [Measured(e, e, _split(e), e.name) for e in result.estimates]


def _split(estimate: Estimate) -> str:
    """The split that an estimate's name begins with."""
    split, colon, _ = estimate.name.partition(": ")
    return split if colon else ""


def _minus(estimate: Estimate, chance: float | None) -> Estimate:
    """The same beyond chance."""
    value, low, high = (
        None if x is None else round(x - (chance or 0.0), ROUNDED)
        for x in (estimate.value, estimate.low, estimate.high)
    )
    assert value is not None
    return Estimate(estimate.name, value, low, high, estimate.n, 0.0)


def _rows(result: Result, name: str) -> list[Row]:
    """A table's rows by column; an audit is somebody's file and may lack anything."""
    if name not in result.tables:
        raise BadInput("audit", "is not there", field=f"{result.probe}/{name}")
    table = result.tables[name]
    lacking = _COLUMNS[name] - set(table.columns)
    if lacking:
        raise BadInput("audit", f"no column {min(lacking)}", field=f"{result.probe}/{name}")
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _number(row: Row, column: str) -> float:
    value = row[column]
    if isinstance(value, str) or value is None:
        raise BadInput("audit", f"{value!r} is not a number", field=column)
    if not abs(value) <= LARGEST:
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
    "cue_lift": Measure("cues", "largest lift of a significant cue", cue_lifts, 1.0),
    "blind_accuracy": Measure(
        "partial_input", "accuracy without the question", blind_accuracies, 1.0
    ),
    "class_imbalance": Measure("class_balance", "most frequent position", class_imbalances, 1.0),
    "duplicates": Measure("integrity", "items that stand more than once", duplicates),
    "contradictions": Measure("integrity", "inputs with different answers", contradictions),
    "contamination": Measure(
        "contamination", "items that stood in training text", contaminations, 1.0
    ),
}
