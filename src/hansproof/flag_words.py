"""The findings about items in words: `right choice is the longest` for `test: longest choice`."""

from __future__ import annotations

import re

from .cues.significance import ELIMINATING
from .probes.partial_input.view_result import BOW
from .probes.surface.tells import PICKED_CHOICES, describe_likelihood_tell, list_models
from .types import Result

_FORM = re.compile(r" \(exact\)$")  # the usual form in which texts are compared


def describe_finding(result: Result, key: str) -> str:
    """Say of one item what a finding of a result says about all of its items.

    `key` names the finding in `result.evidence`.
    """
    place, name = _split_key(key)
    if result.probe == "cues":
        return f"only one choice contains “{name}”"
    if result.probe == "partial_input":
        model, _, view = name.partition(" sees ")
        return f"{'a bag of words' if model == BOW else model} answers it from {_view_words(view)}"
    if result.probe == "surface":
        is_or_not = "is not" if _is_avoided(result, place, name) else "is"
        return f"right choice {is_or_not} {_describe_tell(result, name)}"
    if result.probe == "shortcuts":  # the finding is the rule itself
        is_wrong = _is_eliminating(result, key)
        return f"a rule {'rules out a wrong' if is_wrong else 'picks the right'} choice: {key}"
    if result.probe == "integrity":  # here the finding comes first
        return _FORM.sub("", place)
    return f"{result.probe.replace('_', ' ')}: {name}"


def describe_flag(flag: str) -> str:
    """Say what a flag of an audit means; `flag` is `probe/finding`, as in an AuditDiff."""
    probe, _, key = flag.partition("/")
    place, name = _split_key(key)
    label = probe.replace("_", " ")
    if probe == "cues":
        return f"{label}: “{name}” predicts answers ({place})"
    if probe == "partial_input":
        model, _, view = name.partition(" sees ")
        return f"{label}: {model} answers from {_view_words(view)} ({place})"
    if probe == "surface":
        return f"{label}: {name} predicts answers ({place})"
    if probe == "shortcuts":
        return f"{label}: a rule predicts answers: {key}"
    if probe == "integrity":
        return f"{label}: {_FORM.sub('', place)} ({name})"
    return f"{label}: {key}"


def _split_key(key: str) -> tuple[str, str]:
    """Divide `test: longest choice` into its two parts."""
    place, separator, name = key.partition(": ")
    return (place, name) if separator else ("", key)


def _view_words(view: str) -> str:
    return f"the {' and '.join(view.split('+'))}" if view.replace("+", "").isalnum() else view


def _describe_tell(result: Result, tell: str) -> str:
    text = PICKED_CHOICES.get(tell) or describe_likelihood_tell(tell, list_models(result))
    text = text or f"the choice with the {tell}"
    return text.removesuffix(" choice").replace("the choice", "the one")


def _is_eliminating(result: Result, rule: str) -> bool:
    """Tell whether the choice that a rule picks is rather wrong."""
    table = result.tables.get("rules")
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows] if table else []
    return any(row.get("rule") == rule and row.get("kind") == ELIMINATING for row in rows)


def _is_avoided(result: Result, split: str, tell: str) -> bool:
    """Tell whether a tell answers items because its choices are rarely right."""
    table = result.tables.get("tells")
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows] if table else []
    for row in rows:
        accuracy, chance = row.get("accuracy"), row.get("chance")
        is_same = (row.get("split"), row.get("tell")) == (split, tell) and not row.get("slice")
        if is_same and isinstance(accuracy, float) and isinstance(chance, float):
            return accuracy < chance
    return False
