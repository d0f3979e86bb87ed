"""A section for a dataset card: key numbers, the method, and metadata.

Names and texts of a benchmark are untrusted: they are escaped in Markdown and written as JSON
strings in YAML, which reads JSON unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..auditing import overall_verdict
from ..cues.decision_list import CUE_CEILING
from ..gates.limits import MEASURES, Measurement, raw_measurements
from ..types import Audit, Result
from .escape import reveal_hidden
from .format_numbers import format_number, format_share
from .headline import build_headline
from .probe_order import sort_results

COLUMNS = ("measure", "value", "95% interval", "chance", "n", "where")
DECIMALS = 4  # of numbers in the metadata
NOTHING_TO_TEST = "nothing to test"
# params that the section mentions
REPORTED_PARAMS = ("tokenizer", "ngram", "folds", "cuts", "randomisations", "seed")

# special characters of Markdown, including GitHub's tables, links and formulas
_SPECIAL = re.compile(r"([\\`*_\[\]|~$@])")
_LEADING = re.compile(r"^(\d*)([-+=#.)])")  # begins a list, a heading or a rule
_LINKS = re.compile(r"(?i)(https?|ftp|mailto|xmpp)(:)|\b(www)(\.)")


@dataclass(frozen=True, slots=True)
class CardNumber:
    """One number of the card: a row of its table."""

    key: str  # in the metadata
    label: str
    worst_of: int  # how many numbers it is the worst of
    measurement: Measurement


def render_card(audit: Audit) -> str:
    """Render the section as Markdown."""
    numbers = [*_worst_numbers(audit)]
    parts = [
        "## Shortcuts (hansproof)",
        escape_markdown(build_headline(audit)),
        _markdown_table(numbers),
        "\n".join(_method_notes(audit)),
        _yaml_block(audit, numbers),
    ]
    return "\n\n".join(parts) + "\n"


def _worst_numbers(audit: Audit) -> Iterator[CardNumber]:
    """Yield the key numbers of the audit, each the worst of all views, cues and splits."""
    by_name = {result.probe: result for result in audit.results if result.verdict != "skipped"}
    for key, probe, extract, label in _CARD_ROWS:
        measurements = extract(by_name[probe]) if probe in by_name else []
        if measurements:
            worst = _select_worst(measurements, by_name[probe])
            yield CardNumber(key, label(worst, len(measurements)), len(measurements), worst)


def _select_worst(measurements: list[Measurement], result: Result) -> Measurement:
    """Return the number that the summary is about, or else the one farthest above chance."""
    summarized = [
        measurement
        for measurement in measurements
        if result.key in (measurement.raw.name, f"{measurement.split}: {measurement.subject}")
    ]
    return max(summarized or measurements, key=lambda measurement: measurement.excess.value)


def _cue_ceilings(result: Result) -> list[Measurement]:
    """Return the accuracies of rules over cues on items that they were not learnt from."""
    return [
        measurement
        for measurement in raw_measurements(result)
        if measurement.raw.metric == CUE_CEILING
    ]


def _select_kind(measure: str, is_count: bool) -> Callable[[Result], list[Measurement]]:
    """Make a function that extracts a measure's numbers, or the count where there are none."""
    return lambda result: [
        measurement
        for measurement in MEASURES[measure].extract(result)
        if (measurement.raw.kind == "count") == is_count
    ]


def _count_label(title: str) -> Callable[[Measurement, int], str]:
    """Make a function that labels a count of 0, with the reason if it is no clear verdict."""

    def label_count(worst: Measurement, n: int) -> str:
        reason = worst.description.partition(", but ")[2]
        return f"{title} ({reason})" if reason else title

    return label_count


def _tell_label(worst: Measurement, n: int) -> str:
    return f"answered from the surface tell “{worst.subject}”"


def _cue_label(worst: Measurement, n: int) -> str:
    cues = (
        f"largest distance from chance among {n} significant cues"
        if n > 1
        else "the only significant cue"
    )
    return f"choice with “{worst.subject}” right ({cues})"


def _measure_label(name: str) -> Callable[[Measurement, int], str]:
    return lambda worst, n: MEASURES[name].title


# key, probe, extraction of its numbers, label
_CARD_ROWS: tuple[
    tuple[str, str, Callable[[Result], list[Measurement]], Callable[[Measurement, int], str]], ...
] = (
    (
        "blind_accuracy", "partial_input", MEASURES["blind_accuracy"].extract,
        lambda worst, n: f"answered from {worst.subject} alone",
    ),
    (
        "shortcut_accuracy", "shortcuts", _select_kind("shortcut_gain", False),
        lambda worst, n: "answered from features of the choices alone",
    ),
    (
        "significant_features", "shortcuts", _select_kind("shortcut_gain", True),
        _count_label("significant features of the choices"),
    ),
    ("cue_ceiling", "cues", _cue_ceilings, lambda worst, n: "answered by rules over cues"),
    ("cue_productivity", "cues", _select_kind("cue_lift", False), _cue_label),
    ("significant_cues", "cues", _select_kind("cue_lift", True), _count_label("significant cues")),
    ("surface_tell", "surface", _select_kind("surface_gain", False), _tell_label),
    (
        "significant_tells", "surface", _select_kind("surface_gain", True),
        _count_label("significant surface properties"),
    ),
    (
        "best_fixed_position", "class_balance", MEASURES["class_imbalance"].extract,
        _measure_label("class_imbalance"),
    ),
    ("duplicates", "integrity", MEASURES["duplicates"].extract, _measure_label("duplicates")),
    (
        "contradictions", "integrity", MEASURES["contradictions"].extract,
        _measure_label("contradictions"),
    ),
)  # fmt: skip


def _markdown_table(numbers: list[CardNumber]) -> str:
    if not numbers:
        return "Nothing was measured."
    rows = [COLUMNS, ("---",) * len(COLUMNS), *map(_markdown_row, numbers)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _markdown_row(entry: CardNumber) -> tuple[str, ...]:
    raw = entry.measurement.raw
    format_value = _format_count if raw.kind == "count" else format_share
    has_interval = raw.low is not None and raw.high is not None and raw.chance is not None
    interval = f"{format_value(raw.low or 0).removesuffix('%')} to {format_value(raw.high or 0)}"
    return (
        escape_markdown(entry.label),
        format_value(raw.value),
        interval if has_interval else "–",
        "–" if raw.chance is None else format_share(raw.chance),
        "–" if raw.n is None else f"{raw.n:,}",
        escape_markdown(entry.measurement.split) or "–",
    )


def _format_count(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else format_number(value)


def _method_notes(audit: Audit) -> Iterator[str]:
    """Yield sentences on the method, and on what was not measured."""
    probes = {probe for _, probe, _, _ in _CARD_ROWS}
    results = [result for result in audit.results if result.probe in probes]
    settings = "; ".join(
        f"{result.probe}: {params_text}"
        for result in results
        if (params_text := _describe_params(result))
    )
    yield escape_markdown(
        f"Measured with hansproof {audit.version}; the largest value over views, cues and "
        f"splits is shown{f' ({settings})' if settings else ''}. That items can be answered this "
        "way does not show that a given model answers them this way."
    )
    verdicts = ", ".join(
        f"{result.probe.replace('_', ' ')} {result.verdict}" for result in sort_results(audit)
    )
    if verdicts:
        yield escape_markdown(f"Verdicts: {verdicts}.")
    missing = _missing_probes(audit)
    if missing:
        listing = ", ".join(
            f"{name}{f' ({reason})' if reason else ''}" for name, reason in missing.items()
        )
        yield escape_markdown(f"Not measured: {listing}.")


def _describe_params(result: Result) -> str:
    """Format the params that the numbers depend on."""
    return ", ".join(
        f"{name} {result.params[name]}" for name in REPORTED_PARAMS if name in result.params
    )


def _missing_probes(audit: Audit) -> dict[str, str]:
    """Map probes that are missing in the audit to the reason, if known."""
    present = {result.probe for result in audit.results if result.verdict != "skipped"}
    errors = {failure.probe: failure.error for failure in audit.failures}
    skipped = {r.probe: NOTHING_TO_TEST for r in audit.results if r.verdict == "skipped"}
    names = dict.fromkeys([*(measure.probe for measure in MEASURES.values()), *errors])
    return {name: (errors | skipped).get(name, "") for name in names if name not in present}


def _yaml_block(audit: Audit, numbers: list[CardNumber]) -> str:
    """Build the block of metadata, which may also be moved to the front matter of the card."""
    lines = [
        "```yaml",
        "hansproof:",
        f"  version: {_yaml_scalar(audit.version)}",
        f"  benchmark: {_yaml_scalar(audit.benchmark)}",
        "  splits:",
        *(
            f"    - {_yaml_mapping({'split': s, 'items': n, 'sha256': audit.sha256.get(s)})}"
            for s, n in audit.sizes.items()
        ),
        f"  verdict: {_yaml_scalar(overall_verdict(audit))}",
        f"  verdicts: {_yaml_verdicts(audit)}",
        "  results:" if numbers else "  results: []",
        *(f"    - {_yaml_mapping(_yaml_record(entry))}" for entry in numbers),
        f"  not_measured: [{', '.join(map(_yaml_scalar, _missing_probes(audit)))}]",
        "```",
    ]
    return "\n".join(lines)


def _yaml_verdicts(audit: Audit) -> str:
    """Format the verdicts by probe; names of probes are untrusted, so that they are quoted."""
    pairs = (f"{_yaml_scalar(r.probe)}: {_yaml_scalar(r.verdict)}" for r in audit.results)
    return f"{{{', '.join(pairs)}}}"


def _yaml_record(entry: CardNumber) -> dict[str, object]:
    raw = entry.measurement.raw
    return {
        "measure": entry.key, "about": entry.measurement.subject, "value": raw.value,
        "low": raw.low, "high": raw.high, "chance": raw.chance, "n": raw.n,
        "where": entry.measurement.split,
        "worst_of": entry.worst_of if entry.worst_of > 1 else None,
    }  # fmt: skip


def _yaml_mapping(values: dict[str, object]) -> str:
    """Format a YAML mapping in one line, without unknown values."""
    present = {key: value for key, value in values.items() if value not in (None, "")}
    return "{" + ", ".join(f"{key}: {_yaml_scalar(value)}" for key, value in present.items()) + "}"


def _yaml_scalar(value: object) -> str:
    """Format a value as JSON that YAML reads unchanged."""
    if isinstance(value, float):
        return repr(round(value, DECIMALS))
    text = json.dumps(reveal_hidden(value) if isinstance(value, str) else value, ensure_ascii=False)
    # the two characters that `reveal_hidden` leaves and YAML rejects
    return text.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")


def escape_markdown(text: str) -> str:
    """Escape plain text as one line of Markdown."""
    line = " ".join(reveal_hidden(text).split())
    line = _LEADING.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", line))
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINKS.sub(lambda match: f"{match[1] or match[3]}\\{match[2] or match[4]}", line)
