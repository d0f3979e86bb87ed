"""Are there duplicates, contradictions, identical choices or empty texts?

Two items are duplicates if their fields and their choices are the same, in any order of the
choices; `normalised` ignores case, punctuation and spaces. Copies are counted over all items, so a
benchmark has as many in one file as in a folder of splits. Niven and Kao's adversarial ARCT
contains items twice, with different answers: no model can get both right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from .._infra.plural import plural
from ..text.ngrams import normalise_text
from ..types import Benchmark, Item, Result, Table, Verdict

COLUMNS = ("finding", "splits", "count", "note", "severity")

FORMS: dict[str, Callable[[str], str]] = {"exact": str.strip, "normalised": normalise_text}
DUPLICATES = "duplicate items"
CONTRADICTIONS = "same input, different answers"
EMPTY_CHOICE = "empty choice"
TORN_GROUP = "group in several splits"
PROBLEM, NOTICE = "problem", "notice"
MAX_KINDS = 3  # kinds of problem that the summary names
MAX_PLACES = 3  # splits, or combinations of them, that it names for a kind

SplitItem = tuple[str, Item]  # split, item


@dataclass(frozen=True, slots=True)
class Flaw:
    """A kind of flaw in one or several splits, and the items that have it."""

    name: str
    splits: str
    count: int
    note: str
    severity: str  # PROBLEM or NOTICE
    ids: tuple[str, ...]
    across: bool = False  # over several splits


@dataclass(frozen=True, slots=True)
class Integrity:
    """Flaws of the items themselves, in all splits, labelled or not."""

    needs: ClassVar[tuple[str, ...]] = ()

    def __call__(self, benchmark: Benchmark) -> Result:
        entries = [(split, item) for split, items in benchmark.splits.items() for item in items]
        flaws = [
            *_find_repeats(entries),
            *_find_equal_choices(entries),
            *_find_empty_texts(entries),
            *_find_torn_groups(entries),
        ]
        rows = tuple((f.name, f.splits, f.count, f.note, f.severity) for f in flaws)
        summary = _write_summary(flaws, benchmark)
        return Result(
            probe="integrity",
            params={},
            verdict=_decide_verdict(flaws),
            summary=summary,
            tables={"findings": Table(COLUMNS, rows)},
            evidence={evidence_key(f.name, f.splits): f.ids for f in flaws},
        )


def finding_name(kind: str, form: str) -> str:
    """Name a finding by its kind and the form in which texts are compared (see FORMS)."""
    return f"{kind} ({form})"


def evidence_key(finding: str, splits: str) -> str:
    """Name the evidence of a row of the table of findings."""
    return f"{finding}: {splits}"


def _is_exact(item: Item) -> bool:
    """Whether two choices of an item are equal as they stand."""
    return len(set(map(FORMS["exact"], item.choices))) < len(item.choices)


def item_key(item: Item, form: Callable[[str], str]) -> tuple[object, ...]:
    """Return what two items have in common if one repeats the other."""
    fields = tuple(sorted((name, form(text)) for name, text in item.fields.items()))
    return fields, tuple(sorted(map(form, item.choices)))


def _find_repeats(entries: list[SplitItem]) -> Iterator[Flaw]:
    """Find items that occur more than once, with the same answer or with another."""
    for form_name, form in FORMS.items():
        entries_by_key: dict[tuple[object, ...], list[SplitItem]] = defaultdict(list)
        for entry in entries:
            entries_by_key[item_key(entry[1], form)].append(entry)
        kinds: dict[tuple[bool, tuple[str, ...]], list[list[SplitItem]]] = defaultdict(list)
        for copies in entries_by_key.values():
            n_exact = len({item_key(item, FORMS["exact"]) for _, item in copies})
            if len(copies) < 2 or (form_name != "exact" and n_exact == 1):
                continue  # no copies, or found in the exact round
            answers = {form(i.choices[i.answer]) for _, i in copies if i.answer is not None}
            splits = tuple(dict.fromkeys(split for split, _ in copies))
            kinds[len(answers) > 1, splits].append(copies)
        for (contradictory, splits), groups in kinds.items():
            yield _build_repeat(contradictory, splits, groups, form_name)


def _build_repeat(
    contradictory: bool, splits: tuple[str, ...], groups: list[list[SplitItem]], form_name: str
) -> Flaw:
    note, is_exact = f"{sum(map(len, groups))} items", form_name == "exact"
    if contradictory and is_exact:
        note += "; no model can get all of them right"
    return Flaw(
        finding_name(CONTRADICTIONS if contradictory else DUPLICATES, form_name),
        " + ".join(splits),
        len(groups),
        note,
        # what differs in case or punctuation may well be meant to differ
        PROBLEM if is_exact else NOTICE,
        tuple(item.id for group in groups for _, item in group),
        across=len(splits) > 1,
    )


def _find_equal_choices(entries: list[SplitItem]) -> Iterator[Flaw]:
    for form_name, form in FORMS.items():
        ids_by_kind: dict[tuple[str, bool], list[str]] = defaultdict(list)
        for split, item in entries:
            forms = [form(choice) for choice in item.choices]
            repeated = {text for text in forms if text and forms.count(text) > 1}
            if not repeated or (form_name != "exact" and _is_exact(item)):
                continue
            answer_repeated = item.answer is not None and forms[item.answer] in repeated
            ids_by_kind[split, answer_repeated].append(item.id)
        for (split, answer_repeated), ids in ids_by_kind.items():
            note = "the right choice among them" if answer_repeated else "wrong choices only"
            severity = PROBLEM if answer_repeated and form_name == "exact" else NOTICE
            name = finding_name(f"equal choices, {note}", form_name)
            yield Flaw(name, split, len(ids), note, severity, tuple(ids))


def _find_empty_texts(entries: list[SplitItem]) -> Iterator[Flaw]:
    ids_by_kind: dict[tuple[str, str], list[str]] = defaultdict(list)
    for split, item in entries:
        for name, text in item.fields.items():
            if not text.strip():
                ids_by_kind[f"empty {name}", split].append(item.id)
        if not all(choice.strip() for choice in item.choices):
            ids_by_kind[EMPTY_CHOICE, split].append(item.id)
    for (name, split), ids in ids_by_kind.items():
        severity = PROBLEM if name == EMPTY_CHOICE else NOTICE
        yield Flaw(name, split, len(ids), "", severity, tuple(ids))


def _find_torn_groups(entries: list[SplitItem]) -> Iterator[Flaw]:
    """Find groups with items in several splits, where one item can give away another."""
    groups: dict[str, list[SplitItem]] = defaultdict(list)
    for split, item in entries:
        if item.group is not None:
            groups[item.group].append((split, item))
    torn: dict[str, list[list[SplitItem]]] = defaultdict(list)
    for members in groups.values():
        splits = dict.fromkeys(split for split, _ in members)
        if len(splits) > 1:
            torn[" + ".join(splits)].append(members)
    for split_names, torn_groups in torn.items():
        ids = tuple(item.id for members in torn_groups for _, item in members)
        note = f"{len(ids)} items; do not train on one of these splits and test on another"
        yield Flaw(TORN_GROUP, split_names, len(torn_groups), note, NOTICE, ids, True)


def _decide_verdict(flaws: list[Flaw]) -> Verdict:
    # a test item that also stands in the training split can be answered from memory
    if any(f.severity == PROBLEM and f.across for f in flaws):
        return "exposed"
    return "caution" if any(f.severity == PROBLEM for f in flaws) else "clear"


def _write_summary(flaws: list[Flaw], benchmark: Benchmark) -> str:
    problems = [f for f in flaws if f.severity == PROBLEM]
    n_items = sum(map(len, benchmark.splits.values()))
    if not flaws:
        return (
            "No duplicates, contradictions, identical choices or empty texts in "
            f"{plural(n_items, 'item')}."
        )
    if not problems:
        listing = _list_flaws(flaws, len(benchmark.splits))
        return f"No serious flaws in {plural(n_items, 'item')}; minor flaws: {listing}."
    return f"{_list_flaws(problems, len(benchmark.splits))}."


def _list_flaws(flaws: list[Flaw], n_splits: int) -> str:
    """List the most frequent kinds of flaws, with their numbers and splits."""
    flaws_by_name: dict[str, list[Flaw]] = defaultdict(list)
    for flaw in flaws:
        flaws_by_name[flaw.name].append(flaw)
    totals = {name: sum(f.count for f in kind) for name, kind in flaws_by_name.items()}
    names = sorted(totals, key=lambda name: (-totals[name], name))
    listing = "; ".join(
        f"{_count_flaws(flaws_by_name[name])}{_list_places(flaws_by_name[name], n_splits)}"
        for name in names[:MAX_KINDS]
    )
    more = f"; and {len(names) - MAX_KINDS} more kinds" if len(names) > MAX_KINDS else ""
    return f"{listing}{more}"


def _count_flaws(flaws: list[Flaw]) -> str:
    """Say how many items, pairs or groups have a kind of flaw: `6 duplicate items`."""
    count = sum(flaw.count for flaw in flaws)
    kind, _, form = flaws[0].name.partition(" (")
    suffix = "" if form in ("", "exact)") else f" ({form}"
    if kind == DUPLICATES:
        return plural(count, "duplicate item") + suffix
    if kind == CONTRADICTIONS:
        are_pairs = sum(len(flaw.ids) for flaw in flaws) == 2 * count
        groups = plural(count, "pair" if are_pairs else "group")
        return f"{groups} of items with the same input and different answers{suffix}"
    if kind == TORN_GROUP:
        return f"{plural(count, 'group')} in several splits"
    article = "an " if kind.startswith("empty") else ""
    return f"{plural(count, 'item')} with {article}{kind}{suffix}"


def _list_places(flaws: list[Flaw], n_splits: int) -> str:
    """Say in which splits a flaw occurs, and how often if in several."""
    if n_splits == 1:
        return ""
    if len(flaws) == 1:
        return f" in {flaws[0].splits}"
    largest = sorted(flaws, key=lambda flaw: -flaw.count)[:MAX_PLACES]
    places = [f"{flaw.count:,} in {flaw.splits}" for flaw in largest]
    if len(flaws) > MAX_PLACES:
        places.append(f"{sum(f.count for f in flaws) - sum(f.count for f in largest):,} elsewhere")
    return f": {', '.join(places)}"
