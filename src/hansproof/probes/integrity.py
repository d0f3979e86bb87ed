"""Are there duplicates, contradictions, equal choices or empty texts?

Two items are the same when their fields and their choices are, in whatever order the choices
stand; `normalised` takes case, punctuation and blanks as nothing. Niven and Kao's adversarial ARCT
has items that stand with both answers: no model can get both right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from ..text import normalised
from ..types import Benchmark, Item, Result, Table, Verdict

COLUMNS = ("finding", "splits", "count", "note", "severity")

Entry = tuple[str, Item]  # split, item


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of flaw, where it is, and in which items."""

    name: str
    splits: str
    count: int
    note: str
    severity: str  # problem, or notice
    ids: tuple[str, ...]
    across: bool = False  # over several splits


@dataclass(frozen=True, slots=True)
class Integrity:
    """Flaws of the items themselves, in all splits, labelled or not."""

    needs: ClassVar[tuple[str, ...]] = ()

    def __call__(self, benchmark: Benchmark) -> Result:
        entries = [(split, item) for split, items in benchmark.splits.items() for item in items]
        found = [
            *_repeats(entries),
            *_equal_choices(entries),
            *_empty_texts(entries),
            *_torn_groups(entries),
        ]
        rows = tuple((f.name, f.splits, f.count, f.note, f.severity) for f in found)
        return Result(
            probe="integrity",
            params={},
            verdict=_verdict(found),
            sentence=_sentence(found, len(entries)),
            tables={"findings": Table(COLUMNS, rows)},
            evidence={f"{f.name}: {f.splits}": f.ids for f in found},
        )


def exact(text: str) -> str:
    """A text as it stands, outer blanks aside."""
    return text.strip()


def _key(item: Item, form: Callable[[str], str]) -> tuple[object, ...]:
    fields = tuple(sorted((name, form(text)) for name, text in item.fields.items()))
    return fields, tuple(sorted(map(form, item.choices)))


def _repeats(entries: list[Entry]) -> Iterator[Finding]:
    """The same item twice, with the same answer or with another."""
    for form in (exact, normalised):
        same: dict[tuple[object, ...], list[Entry]] = defaultdict(list)
        for entry in entries:
            same[_key(entry[1], form)].append(entry)
        kinds: dict[tuple[bool, tuple[str, ...]], list[list[Entry]]] = defaultdict(list)
        for copies in same.values():
            if len(copies) < 2 or (
                form is normalised and len({_key(item, exact) for _, item in copies}) == 1
            ):
                continue  # nothing, or found in the exact round
            answers = {form(i.choices[i.answer]) for _, i in copies if i.answer is not None}
            splits = tuple(dict.fromkeys(split for split, _ in copies))
            kinds[len(answers) > 1, splits].append(copies)
        for (contradictory, splits), groups in kinds.items():
            yield _repeat(contradictory, splits, groups, form is exact)


def _repeat(
    contradictory: bool, splits: tuple[str, ...], groups: list[list[Entry]], same: bool
) -> Finding:
    note = f"{sum(map(len, groups))} items"
    if contradictory and same:
        note += "; no model can be right on all"
    across = len(splits) > 1
    return Finding(
        f"{'same input, different answers' if contradictory else 'duplicate items'} "
        f"({'exact' if same else 'normalised'})",
        " + ".join(splits),
        len(groups),
        note,
        # what differs in case or punctuation may well be meant to differ
        "problem" if same and (contradictory or across) else "notice",
        tuple(item.id for group in groups for _, item in group),
        across,
    )


def _equal_choices(entries: list[Entry]) -> Iterator[Finding]:
    for form in (exact, normalised):
        hit: dict[tuple[str, bool], list[str]] = defaultdict(list)
        for split, item in entries:
            forms = [form(choice) for choice in item.choices]
            twice = {text for text in forms if text and forms.count(text) > 1}
            exactly = len(set(map(exact, item.choices))) < len(forms)
            if not twice or (form is normalised and exactly):
                continue
            both = item.answer is not None and forms[item.answer] in twice
            hit[split, both].append(item.id)
        for (split, both), ids in hit.items():
            note = "the right choice among them" if both else "wrong choices only"
            severity = "problem" if both and form is exact else "notice"
            name = f"equal choices, {note} ({form.__name__})"
            yield Finding(name, split, len(ids), note, severity, tuple(ids))


def _empty_texts(entries: list[Entry]) -> Iterator[Finding]:
    hit: dict[tuple[str, str], list[str]] = defaultdict(list)
    for split, item in entries:
        for name, text in item.fields.items():
            if not text.strip():
                hit[f"empty {name}", split].append(item.id)
        if not all(choice.strip() for choice in item.choices):
            hit["empty choice", split].append(item.id)
    for (name, split), ids in hit.items():
        severity = "problem" if name == "empty choice" else "notice"
        yield Finding(name, split, len(ids), "", severity, tuple(ids))


def _torn_groups(entries: list[Entry]) -> Iterator[Finding]:
    """Items that belong together but lie in different splits, so that one can teach the other."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for split, item in entries:
        if item.group is not None:
            groups[item.group].append((split, item))
    torn: dict[str, list[list[Entry]]] = defaultdict(list)
    for members in groups.values():
        splits = dict.fromkeys(split for split, _ in members)
        if len(splits) > 1:
            torn[" + ".join(splits)].append(members)
    for where, found in torn.items():
        ids = tuple(item.id for members in found for _, item in members)
        note = f"{len(ids)} items; keep these splits together when training and testing"
        yield Finding("group in several splits", where, len(found), note, "notice", ids, True)


def _verdict(found: list[Finding]) -> Verdict:
    # a test item that also stands in the training split can be answered from memory
    if any(f.severity == "problem" and f.across for f in found):
        return "exposed"
    return "caution" if any(f.severity == "problem" for f in found) else "clear"


def _sentence(found: list[Finding], items: int) -> str:
    problems = [f for f in found if f.severity == "problem"]
    if not found:
        return f"No duplicates, contradictions, equal choices or empty texts in {items} items."
    if not problems:
        return f"Nothing serious in {items} items; {len(found)} kinds of oddity are listed."
    named = "; ".join(f"{f.count} × {f.name} in {f.splits}" for f in problems[:3])
    more = f" and {len(problems) - 3} more" if len(problems) > 3 else ""
    return f"Found {named}{more}."
