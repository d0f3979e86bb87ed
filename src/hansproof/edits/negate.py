"""Adds partners with the claim negated and the other choice right, from a list of negated claims.

Niven and Kao 2019, on ARCT: two choices, so that what speaks for a claim speaks against its
negation. Every choice is then right once and wrong once, and none is telling by itself.
`hansproof worksheet negate` writes the list of claims to be negated.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from ..errors import BadInput
from ..formats._decode import decode
from ..formats._lines import document
from ..formats._record import shown, suffix
from ..formats._spreadsheet import read
from ..text import normalised
from ..types import Account, Benchmark, Edited, Item, Table
from ._pairs import by_id, field_of, paired
from ._parts import chosen

COLUMNS = ("id", "claim", "negation", "what")
LEFT = "claim without a negation"
SAME = "claim not changed: a contradictory pair"
THERE = "partner is in the data already: not added"
OTHERWISE = "partner is in the data with the other answer: a contradictory pair"
SPELLED = "claim is spelled otherwise in the list"

Asked = tuple[frozenset[tuple[str, str]], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Negate:
    """For each claim that has a negation an item with that one, right after its original."""

    needs: ClassVar[tuple[str, ...]] = ()

    map: str | None = None  # claims and negations: CSV or TSV (claim, negation), or JSON object
    split: str | None = None  # the part to negate; without it every split that has answers
    rewrite: str = "claim"  # the field that is negated
    suffix: str = "-adversarial"  # what the ids of partners end in

    def __call__(self, benchmark: Benchmark) -> Edited:
        parts = chosen(benchmark, self.split)
        items = by_id(parts)
        _two_choices(items.values())
        field = field_of(items.values(), self.rewrite)
        if self.map is None:
            how = "get the claims with `hansproof worksheet negate BENCH -o claims.csv`"
            raise BadInput("--map", f"negated claims are needed: {how}, and fill them in")
        negations = Negations(self.map)
        there = _Known(item for some in benchmark.splits.values() for item in some)
        partners: dict[str, tuple[Item, ...]] = {}
        seen: dict[str, list[Item]] = defaultdict(list)
        for item in items.values():
            negation = negations.of(item.fields[field])
            if negation is None:
                seen[LEFT].append(item)
                continue
            partner = self._partner(item, field, negation)
            what = _about(item, partner, field, there)
            if what:
                seen[what].append(item)
            if what != THERE:
                partners[item.id] = (partner,)
            if item.fields[field].strip() not in negations.exact:
                seen[SPELLED].append(item)
        edited = paired(benchmark, parts, partners)
        return Edited(edited, _account(len(items), len(partners), field, seen, negations))

    def worksheet(self, benchmark: Benchmark) -> list[dict[str, str]]:
        """A row for each claim to be negated, of most items first; with `map`, what is left."""
        items = by_id(chosen(benchmark, self.split))
        _two_choices(items.values())
        field = field_of(items.values(), self.rewrite)
        negations = Negations(self.map) if self.map else None
        counted = Counter(item.fields[field].strip() for item in items.values())
        return [
            {"claim": claim, "items": str(many), "negation": ""}
            for claim, many in counted.most_common()
            if negations is None or negations.of(claim) is None
        ]

    def _partner(self, item: Item, field: str, negation: str) -> Item:
        return replace(
            item,
            id=item.id + self.suffix,
            fields={**item.fields, field: negation},
            answer=1 - (item.answer or 0),
            meta={**item.meta, "negated_from": item.id, "edit": "negate"},
        )


class Negations:
    """Negated claims from a file; a claim is found as it stands, else by its words."""

    def __init__(self, path: str) -> None:
        self.exact: dict[str, str] = {}
        self.by_words: dict[str, str] = {}
        for line, claim, negation in _rows(path):
            if not claim or not negation:
                continue
            before = self.exact.get(claim) or self.by_words.get(normalised(claim))
            if before is not None and normalised(before) != normalised(negation):
                what = f'"{shown(negation)}" is a second negation of a claim, "{shown(before)}" one'
                raise BadInput(path, what, line=line, field="negation")
            self.exact.setdefault(claim, negation)
            if normalised(claim):
                self.by_words.setdefault(normalised(claim), negation)

    def of(self, claim: str) -> str | None:
        """The negation of a claim, if there is one."""
        claim = claim.strip()
        return self.exact.get(claim) or self.by_words.get(normalised(claim))


def _rows(path: str) -> list[tuple[int | None, str, str]]:
    """Line (where there are lines), claim, negation."""
    if suffix(path) != "json":
        sheet = read(path)
        sheet.require(("claim", "negation"))
        for row in sheet.rows:
            if nul := row.nul():
                raise BadInput(path, "holds a NUL character", line=row.number, field=shown(nul))
        return [
            (row.number, row.cells.get("claim", "").strip(), row.cells.get("negation", "").strip())
            for row in sheet.rows
        ]
    text = document(path)
    found = decode(text, object, path)
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise BadInput(path, "is no object of claims and their negations")
    # read once more as pairs: of a claim that stands there twice an object keeps only the last
    pairs = json.loads(text, object_pairs_hook=list)
    return [(None, claim.strip(), negation.strip()) for claim, negation in pairs]


class _Known:
    """What items ask, and which texts are right there."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.right: dict[Asked, set[str]] = defaultdict(set)
        for item in items:
            if item.answer is not None:
                self.right[_asked(item)].add(_plain(item.choices[item.answer]))

    def answers(self, item: Item) -> set[str]:
        """The right choices of items that ask the same."""
        return self.right.get(_asked(item), set())


def _asked(item: Item) -> Asked:
    fields = frozenset((name, _plain(text)) for name, text in item.fields.items())
    return fields, frozenset(map(_plain, item.choices))


def _plain(text: str) -> str:
    """A text without case and needless blanks; signs stay, which may be all that is negated."""
    return " ".join(text.casefold().split())


def _about(item: Item, partner: Item, field: str, there: _Known) -> str | None:
    """What deserves to be said of a partner."""
    answers = there.answers(partner)
    if _plain(partner.choices[partner.answer or 0]) in answers:
        return THERE
    if _plain(item.fields[field]) == _plain(partner.fields[field]):
        return SAME
    return OTHERWISE if answers else None


def _two_choices(items: Iterable[Item]) -> None:
    for item in items:
        if len(item.choices) != 2:
            what = (
                f"has {len(item.choices)} choices: with a negated claim the other of two is right"
            )
            raise BadInput(f"item {shown(item.id)}", what)


def _account(
    items: int, added: int, field: str, seen: dict[str, list[Item]], negations: Negations
) -> Account:
    rows = tuple(
        (item.id, item.fields[field], negations.of(item.fields[field]), what)
        for what in (SAME, OTHERWISE, THERE, SPELLED, LEFT)
        for item in seen.get(what, ())
    )
    evidence = {what: tuple(item.id for item in some) for what, some in seen.items()}
    notes = [f"{what}: {len(some)} items" for what, some in seen.items()]
    if LEFT in seen or THERE in seen:
        notes.append("items without a new partner are as they were, in no new group")
    return Account(
        f"{added} items with a negated claim were added to {items}.",
        tables={"pairs": Table(COLUMNS, rows)} if rows else {},
        evidence=evidence,
        notes=tuple(notes),
    )
