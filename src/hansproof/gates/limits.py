"""Measures: the numbers of an audit that can be limited, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..errors import BadInput
from ..probes.class_balance import BEST_FIXED
from ..probes.contamination import CONTAMINATED
from ..probes.integrity import CONTRADICTIONS, DUPLICATES, finding_name
from ..probes.partial_input.view_result import BY_CONSTRUCTION, name_part
from ..probes.shortcuts.tables import BLIND_SCORE
from ..results import name_items
from ..text.token_check import UNSPLIT_NOTE
from ..types import FINDINGS, Cell, Estimate, Result

MAX_COUNT = 2**53  # far above all counts in audits
DECIMALS = 12  # differences are rounded, so that 0.55 - 0.5 is exactly 0.05

TableRow = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number that can be compared with a limit."""

    raw: Estimate  # as the probe reports it
    excess: Estimate  # the number that is limited, mostly the excess over chance
    split: str  # one split, or several joined
    description: str  # for people
    unit: str = "items"  # what n counts
    subject: str = ""  # the cue or the view, if there are several


@dataclass(frozen=True, slots=True)
class Measure:
    """A kind of number that limits refer to by name."""

    probe: str
    title: str  # for people
    extract: Callable[[Result], list[Measurement]]
    maximum: float | None = None  # of a useful limit: no number exceeds it


def measure_cue_lifts(result: Result) -> list[Measurement]:
    """Measure the distance of each significant cue from chance.

    If the verdict is clear or undecided, flagged cues count as chance findings, as in the audit.
    Without a single significant cue, it is what rules over all cues gain, mostly 0.
    """
    rows = [row for row in _table_rows(result, "cues") if row["flag"]]
    if rows and result.verdict in FINDINGS:
        return [_measure_cue(row) for row in rows]
    no_cues = Estimate("significant cues", 0, kind="count")
    if result.verdict in FINDINGS:
        gain = round(result.gain or 0.0, DECIMALS)
        joint_lift = Estimate("cue lift", gain, chance=0.0, kind="difference")
        description = "no single cue is significant, but all of them together are"
        return [Measurement(no_cues, joint_lift, "", description)]
    return [_measure_absence(result, no_cues, "no cue is significant")]


def _measure_absence(result: Result, count: Estimate, description: str) -> Measurement:
    """Measure 0 where nothing was found, or anything from 0 to 1 if there are too few items."""
    if result.verdict == "undecided":
        unknown = Estimate(count.name, 0.0, 0.0, 1.0)
        reason = "there are too few items for a verdict"
        if UNSPLIT_NOTE in result.notes:
            reason = "the tokenizer does not find the words of this script"
        description += f", but {reason}"
        return Measurement(count, unknown, "", description)
    return Measurement(count, Estimate(count.name, 0.0), "", description)


def _measure_cue(row: TableRow) -> Measurement:
    chance, n = _read_number(row, "chance"), int(_read_number(row, "applicability"))
    productivity, low, high = (_read_number(row, name) for name in ("productivity", "low", "high"))
    raw = Estimate("cue lift", productivity, low, high, n, chance)
    excess = _subtract_chance(raw, chance)
    if productivity < chance:  # points to a wrong choice, which is as informative
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


def measure_surface_gains(result: Result) -> list[Measurement]:
    """Measure what the most useful significant surface tell gains over guessing."""
    rows = _table_rows(result, "tells")
    row = next((row for row in rows if _tell_name(row) == result.key), None)
    if row is not None and result.gain is not None:
        sizes = [_read_number(r, "n") for r in rows if r["split"] == row["split"]]
        return [_measure_tell(row, _read_number(row, "n") / max(sizes))]
    no_tells = Estimate("significant tells", 0, kind="count")
    return [_measure_absence(result, no_tells, "no surface property is significant")]


def _tell_name(row: TableRow) -> str:
    """Return the name of the estimate of a row, by which a result refers to it."""
    return f"{row['split']}: {row['tell']}" + (f", {row['slice']}" if row["slice"] else "")


def _measure_tell(row: TableRow, share: float) -> Measurement:
    """Measure the gain of a tell over its split, of whose items its slice has a share."""
    accuracy, low, high, chance, n = (
        _read_number(row, name) for name in ("accuracy", "low", "high", "chance", "n")
    )
    location = name_items(str(row["split"])) + (f" with {row['slice']}" if row["slice"] else "")
    description = f"“{row['tell']}” is right in {accuracy:.1%} of {location} (chance {chance:.1%})"
    if accuracy < chance < 1:  # avoiding its picks leaves fewer choices to guess among
        odds = chance / (1 - chance)
        accuracy, low, high = (chance - (x - chance) * odds for x in (accuracy, high, low))
        description += f"; avoiding its choice answers {accuracy:.1%}"
    raw = Estimate("surface gain", accuracy, low, high, int(n), chance)
    gain = _subtract_chance(raw, chance)
    low, high = ((end or 0.0) * share for end in (gain.low, gain.high))
    excess = replace(gain, value=gain.value * share, low=low, high=high)
    return Measurement(raw, excess, str(row["split"]), description, subject=str(row["tell"]))


def measure_shortcut_gains(result: Result) -> list[Measurement]:
    """Measure what all features of the choices together gain over guessing, if that is significant.

    The model that combines them is trained on other items.
    """
    estimate = next((e for e in result.estimates if e.metric == BLIND_SCORE), None)
    if estimate is None or result.verdict not in FINDINGS:
        none_found = Estimate("features of the choices", 0, kind="count")
        return [_measure_absence(result, none_found, "no feature of the choices is significant")]
    description = (
        f"features of the choices answer {estimate.value:.1%} of {name_items(estimate.split)} "
        f"without the question (chance {estimate.chance or 0:.1%})"
    )
    excess = _subtract_chance(estimate, estimate.chance)
    return [Measurement(estimate, excess, estimate.split, description)]


def measure_blind_accuracies(result: Result) -> list[Measurement]:
    """Measure the accuracy above chance of each view without the question.

    Includes the views that the probe judges and those at chance by construction, not the controls.
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
    answered = name_items(split) + (f" after training on {trained_on}" if part != split else "")
    value, low, high, chance, n = (
        _read_number(row, name) for name in ("accuracy", "low", "high", "chance", "n")
    )
    raw = Estimate("blind accuracy", value, low, high, int(n), chance)
    description = (
        f"{model} sees only {view} and is right in {value:.1%} of {answered} (chance {chance:.1%})"
    )
    description += ", by design" if row["flag"] == BY_CONSTRUCTION else ""
    return Measurement(
        raw, _subtract_chance(raw, chance), part, description, subject=f"{view} ({model})"
    )


def measure_class_imbalances(result: Result) -> list[Measurement]:
    """Measure, for each split, the gain from always choosing the same position."""
    return [
        Measurement(
            e,
            _subtract_chance(e, e.chance),
            e.split,
            f"always picking the same position is right in {e.value:.1%} of {name_items(e.split)} "
            f"(chance {e.chance:.1%})",
        )
        for e in result.estimates
        if e.metric == BEST_FIXED and e.chance is not None
    ]


def measure_duplicates(result: Result) -> list[Measurement]:
    """Count the items that occur more than once with the same answer."""
    finding = finding_name(DUPLICATES, "exact")
    return [_count_findings(result, finding, "duplicate items")]


def measure_contradictions(result: Result) -> list[Measurement]:
    """Count the inputs that occur with different answers."""
    finding = finding_name(CONTRADICTIONS, "exact")
    return [_count_findings(result, finding, "inputs with different answers")]


def _count_findings(result: Result, finding: str, phrase: str) -> Measurement:
    rows = [row for row in _table_rows(result, "findings") if row["finding"] == finding]
    count = sum(int(_read_number(row, "count")) for row in rows)
    estimate = Estimate(finding, count, kind="count")
    splits = ", ".join(str(row["splits"]) for row in rows)
    return Measurement(
        estimate, estimate, splits, f"{phrase} in {splits}" if rows else f"no {phrase}"
    )


def measure_contamination(result: Result) -> list[Measurement]:
    """Measure the share of contaminated items of each split; a full count, without interval."""
    return [
        Measurement(
            e,
            Estimate(e.name, e.value, n=e.n),
            e.split,
            f"{e.value:.1%} of the searchable items of {e.split} were found in the text",
            subject=e.split,
        )
        for e in result.estimates
        if e.metric == CONTAMINATED
    ]


def raw_measurements(result: Result) -> list[Measurement]:
    """Return every estimate of a probe unchanged."""
    return [Measurement(e, e, e.split, e.name) for e in result.estimates]


def _subtract_chance(estimate: Estimate, chance: float | None) -> Estimate:
    """Subtract chance from the value and the interval of an estimate."""
    value, low, high = (
        None if x is None else round(x - (chance or 0.0), DECIMALS)
        for x in (estimate.value, estimate.low, estimate.high)
    )
    assert value is not None
    return Estimate(estimate.name, value, low, high, estimate.n, 0.0, kind="difference")


def _table_rows(result: Result, name: str) -> list[TableRow]:
    """Return the rows of a table by column; an untrusted audit may lack the table or columns."""
    if name not in result.tables:
        raise BadInput("audit", "the table is missing", field=f"{result.probe}/{name}")
    table = result.tables[name]
    missing_columns = _COLUMNS[name] - set(table.columns)
    if missing_columns:
        message = f"the column {min(missing_columns)} is missing"
        raise BadInput("audit", message, field=f"{result.probe}/{name}")
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _read_number(row: TableRow, column: str) -> float:
    value = row[column]
    if isinstance(value, str) or value is None:
        raise BadInput("audit", f"{value!r} is not a number", field=column)
    if not abs(value) <= MAX_COUNT:
        raise BadInput("audit", "the number is too large", field=column)
    return float(value)


_COLUMNS = {
    "cues": {
        "split", "cue", "applicability", "hits", "productivity", "low", "high", "chance", "flag",
    },
    "tells": {"split", "slice", "tell", "accuracy", "low", "high", "chance", "n", "flag"},
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
    "surface_gain": Measure(
        "surface", "gain of a significant surface property", measure_surface_gains, 1.0
    ),
    "shortcut_gain": Measure(
        "shortcuts", "gain of features of the choices", measure_shortcut_gains, 1.0
    ),
    "class_imbalance": Measure(
        "class_balance", "best fixed position", measure_class_imbalances, 1.0
    ),
    "duplicates": Measure("integrity", "duplicate items", measure_duplicates),
    "contradictions": Measure("integrity", "inputs with different answers", measure_contradictions),
    "contamination": Measure(
        "contamination", "items found in training text", measure_contamination, 1.0
    ),
}
