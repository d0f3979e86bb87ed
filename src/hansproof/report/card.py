"""A section for a dataset card: the numbers that matter, how they were obtained, and metadata.

Names and words of a benchmark are somebody else's: in Markdown they are escaped, in YAML they are
JSON strings, which YAML reads as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..gate.measures import MEASURES, Measured, as_they_are
from ..types import Audit, Result
from .headline import headline
from .numbers import number, share
from .visible import visible

COLUMNS = ("measure", "value", "95 % interval", "chance", "n", "where")
DECIMALS = 4  # of numbers in the metadata
TOLD = ("tokenizer", "ngram", "folds", "cuts", "randomisations", "seed")  # params worth a word

# in Markdown, with GitHub's tables, links and formulas
_SPECIAL = re.compile(r"([\\`*_\[\]|~$@])")
_LEADING = re.compile(r"^(\d*)([-+=#.)])")  # at the start of a line: a list, a heading, a rule
_LINKS = re.compile(r"(?i)(https?|ftp|mailto|xmpp)(:)|\b(www)(\.)")


@dataclass(frozen=True, slots=True)
class Number:
    """One row of the table."""

    key: str  # in the metadata
    label: str
    of: int  # numbers that it is the worst of
    found: Measured


def card(audit: Audit) -> str:
    """The section, ready to be pasted."""
    numbers = [*_numbers(audit)]
    parts = [
        "## Shortcuts (hansproof)",
        escaped(headline(audit)),
        _table(numbers),
        "\n".join(_obtained(audit)),
        _metadata(audit, numbers),
    ]
    return "\n\n".join(parts) + "\n"


def _numbers(audit: Audit) -> Iterator[Number]:
    """What is there of what matters; of several views, cues and splits the worst."""
    by_name = {result.probe: result for result in audit.results}
    for key, probe, found, label in _WANTED:
        measured = found(by_name[probe]) if probe in by_name else []
        if measured:
            worst = max(measured, key=lambda one: one.beyond.value)
            yield Number(key, label(worst, len(measured)), len(measured), worst)


def _ceilings(result: Result) -> list[Measured]:
    """What rules over cues answer of items they were not learnt from."""
    return [one for one in as_they_are(result) if one.raw.name.endswith(": cue ceiling")]


def _significant(result: Result) -> list[Measured]:
    return [one for one in MEASURES["cue_lift"].found(result) if one.raw.chance is not None]


def _none_significant(result: Result) -> list[Measured]:
    return [one for one in MEASURES["cue_lift"].found(result) if one.raw.chance is None]


def _of_cue(worst: Measured, of: int) -> str:
    cues = f"largest lift of {of} significant cues" if of > 1 else "the only significant cue"
    return f"choice with “{worst.subject}” right ({cues})"


def _titled(name: str) -> Callable[[Measured, int], str]:
    return lambda worst, of: MEASURES[name].title


# key, probe, numbers of it, label
_WANTED: tuple[
    tuple[str, str, Callable[[Result], list[Measured]], Callable[[Measured, int], str]], ...
] = (
    (
        "blind_accuracy", "partial_input", MEASURES["blind_accuracy"].found,
        lambda worst, of: f"answered from {worst.subject} alone",
    ),
    ("cue_ceiling", "cues", _ceilings, lambda worst, of: "answered by rules over cues"),
    ("cue_productivity", "cues", _significant, _of_cue),
    ("significant_cues", "cues", _none_significant, lambda worst, of: worst.what),
    (
        "most_frequent_position", "class_balance", MEASURES["class_imbalance"].found,
        _titled("class_imbalance"),
    ),
    ("duplicates", "integrity", MEASURES["duplicates"].found, _titled("duplicates")),
    ("contradictions", "integrity", MEASURES["contradictions"].found, _titled("contradictions")),
)  # fmt: skip


def _table(numbers: list[Number]) -> str:
    if not numbers:
        return "Nothing was measured."
    rows = [COLUMNS, ("---",) * len(COLUMNS), *map(_row, numbers)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(one: Number) -> tuple[str, ...]:
    raw = one.found.raw
    write = share if raw.chance is not None else _count
    known = raw.low is not None and raw.high is not None and raw.chance is not None
    interval = f"{write(raw.low or 0).removesuffix(' %')} to {write(raw.high or 0)}"
    return (
        escaped(one.label),
        write(raw.value),
        interval if known else "–",
        "–" if raw.chance is None else share(raw.chance),
        "–" if raw.n is None else f"{raw.n:,}",
        escaped(one.found.where) or "–",
    )


def _count(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else number(value)


def _obtained(audit: Audit) -> Iterator[str]:
    """How, with what; and what is missing."""
    shown = [result for result in audit.results if result.probe in {row[1] for row in _WANTED}]
    settings = "; ".join(f"{r.probe}: {used}" for r in shown if (used := _used(r)))
    yield escaped(
        f"Measured with hansproof {audit.version}; of several views, cues or splits the worst is "
        f"shown{f' ({settings})' if settings else ''}. That items can be answered so does not "
        "show that a given model answers them so."
    )
    missing = _missing(audit)
    if missing:
        said = ", ".join(f"{name}{f' ({why})' if why else ''}" for name, why in missing.items())
        yield escaped(f"Not measured: {said}.")


def _used(result: Result) -> str:
    """The settings that numbers depend on."""
    return ", ".join(f"{name} {result.params[name]}" for name in TOLD if name in result.params)


def _missing(audit: Audit) -> dict[str, str]:
    """What a reader may look for in vain: by name, with the reason where it is known."""
    there = {result.probe for result in audit.results}
    failed = {failure.probe: failure.error for failure in audit.failures}
    wanted = dict.fromkeys(measure.probe for measure in MEASURES.values())
    return {name: failed.get(name, "") for name in [*wanted, *failed] if name not in there}


def _metadata(audit: Audit, numbers: list[Number]) -> str:
    """A block that programs read; it may stand in the card's front matter as well."""
    lines = [
        "```yaml",
        "hansproof:",
        f"  version: {_scalar(audit.version)}",
        f"  benchmark: {_scalar(audit.benchmark)}",
        "  splits:",
        *(
            f"    - {_mapping({'split': s, 'items': n, 'sha256': audit.sha256.get(s)})}"
            for s, n in audit.sizes.items()
        ),
        "  results:" if numbers else "  results: []",
        *(f"    - {_mapping(_record(one))}" for one in numbers),
        f"  not_measured: [{', '.join(map(_scalar, _missing(audit)))}]",
        "```",
    ]
    return "\n".join(lines)


def _record(one: Number) -> dict[str, object]:
    raw = one.found.raw
    return {
        "measure": one.key, "about": one.found.subject, "value": raw.value, "low": raw.low,
        "high": raw.high, "chance": raw.chance, "n": raw.n, "where": one.found.where,
        "worst_of": one.of if one.of > 1 else None,
    }  # fmt: skip


def _mapping(values: dict[str, object]) -> str:
    """A YAML mapping in one line, without what is not known."""
    known = {key: value for key, value in values.items() if value not in (None, "")}
    return "{" + ", ".join(f"{key}: {_scalar(value)}" for key, value in known.items()) + "}"


def _scalar(value: object) -> str:
    """JSON that YAML reads the same."""
    if isinstance(value, float):
        return repr(round(value, DECIMALS))
    text = json.dumps(visible(value) if isinstance(value, str) else value, ensure_ascii=False)
    # the two characters that neither `visible` writes out nor YAML takes
    return text.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")


def escaped(text: str) -> str:
    """Plain text as one line of Markdown that shows just that."""
    line = " ".join(visible(text).split())
    line = _LEADING.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", line))
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINKS.sub(lambda found: f"{found[1] or found[3]}\\{found[2] or found[4]}", line)
