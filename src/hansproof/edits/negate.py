"""Adds partners with the claim negated and the other choice right, from a list of negated claims.

Niven and Kao 2019, on ARCT: of two choices, the one that does not support a claim supports its
negation. Every choice is then right once and wrong once, and none gives itself away. `hansproof
worksheet negate` writes the list of claims to negate.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from .._infra.plural import plural
from ..errors import BadInput
from ..records.lines import read_utf8
from ..records.location import file_extension, truncate
from ..records.msgspec_json import decode_json
from ..records.spreadsheet import read_sheet
from ..text.ngrams import normalise_text
from ..types import Benchmark, EditReport, EditResult, Item, Table
from ._partners import add_partners, index_by_id, rewritten_field
from ._parts import select_labelled

COLUMNS = ("id", "claim", "negation", "what")
NO_NEGATION = "claim without a negation"
CLAIM_UNCHANGED = "claim not changed: a contradictory pair"
PARTNER_EXISTS = "partner is in the data already: not added"
PARTNER_CONTRADICTS = "partner is in the data with the other answer: a contradictory pair"
SPELLED_DIFFERENTLY = "claim is spelled differently in the list"

QuestionKey = tuple[frozenset[tuple[str, str]], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Negate:
    """Adds an item with the negated claim right after its original, where there is a negation."""

    needs: ClassVar[tuple[str, ...]] = ()

    map: str | None = None  # claims and negations: CSV or TSV (claim, negation), or JSON object
    split: str | None = None  # the split to negate; default: every split that has answers
    rewrite: str = "claim"  # the field to negate
    suffix: str = "-adversarial"  # suffix of the ids of partners

    def __call__(self, benchmark: Benchmark) -> EditResult:
        parts = select_labelled(benchmark, self.split)
        items = index_by_id(parts)
        _require_two_choices(items.values())
        field = rewritten_field(items.values(), self.rewrite)
        if self.map is None:
            hint = "write the claims with `hansproof worksheet negate BENCH -o claims.csv`"
            raise BadInput("--map", f"this edit needs negated claims: {hint}, and fill them in")
        negations = Negations(self.map)
        existing = _ExistingAnswers(
            item for split_items in benchmark.splits.values() for item in split_items
        )
        partners: dict[str, tuple[Item, ...]] = {}
        remarks: dict[str, list[Item]] = defaultdict(list)
        for item in items.values():
            negation = negations.find_negation(item.fields[field])
            if negation is None:
                remarks[NO_NEGATION].append(item)
                continue
            partner = self._make_partner(item, field, negation)
            remark = _partner_remark(item, partner, field, existing)
            if remark:
                remarks[remark].append(item)
            if remark != PARTNER_EXISTS:
                partners[item.id] = (partner,)
            if item.fields[field].strip() not in negations.exact:
                remarks[SPELLED_DIFFERENTLY].append(item)
        edited = add_partners(benchmark, parts, partners)
        return EditResult(
            edited, _build_report(len(items), len(partners), field, remarks, negations)
        )

    def worksheet(self, benchmark: Benchmark) -> list[dict[str, str]]:
        """Return a row for each claim to negate, most frequent first; with `map`, the missing."""
        items = index_by_id(select_labelled(benchmark, self.split))
        _require_two_choices(items.values())
        field = rewritten_field(items.values(), self.rewrite)
        negations = Negations(self.map) if self.map else None
        claim_counts = Counter(item.fields[field].strip() for item in items.values())
        return [
            {"claim": claim, "items": str(count), "negation": ""}
            for claim, count in claim_counts.most_common()
            if negations is None or negations.find_negation(claim) is None
        ]

    def _make_partner(self, item: Item, field: str, negation: str) -> Item:
        return replace(
            item,
            id=item.id + self.suffix,
            fields={**item.fields, field: negation},
            answer=1 - (item.answer or 0),
            meta={**item.meta, "negated_from": item.id, "edit": "negate"},
        )


class Negations:
    """Negated claims from a file, looked up by the exact claim, else by its normalised words."""

    def __init__(self, path: str) -> None:
        self.exact: dict[str, str] = {}
        self.by_words: dict[str, str] = {}
        for line, claim, negation in _read_rows(path):
            if not claim or not negation:
                continue
            earlier = self.exact.get(claim) or self.by_words.get(normalise_text(claim))
            if earlier is not None and normalise_text(earlier) != normalise_text(negation):
                message = (
                    f'the claim has two negations: "{truncate(earlier)}" and "{truncate(negation)}"'
                )
                raise BadInput(path, message, line=line, field="negation")
            self.exact.setdefault(claim, negation)
            if normalise_text(claim):
                self.by_words.setdefault(normalise_text(claim), negation)

    def find_negation(self, claim: str) -> str | None:
        """Return the negation of a claim, if there is one."""
        claim = claim.strip()
        return self.exact.get(claim) or self.by_words.get(normalise_text(claim))


def _read_rows(path: str) -> list[tuple[int | None, str, str]]:
    """Read rows of line number (None in JSON), claim and negation."""
    if file_extension(path) != "json":
        sheet = read_sheet(path)
        sheet.require_columns(("claim", "negation"))
        for row in sheet.rows:
            if nul := row.column_with_nul():
                raise BadInput(
                    path, "contains a NUL character", line=row.number, field=truncate(nul)
                )
        return [
            (row.number, row.cells.get("claim", "").strip(), row.cells.get("negation", "").strip())
            for row in sheet.rows
        ]
    text = read_utf8(path)
    value = decode_json(text, object, path)
    if not isinstance(value, dict) or not all(isinstance(entry, str) for entry in value.values()):
        raise BadInput(path, "is not an object of claims and their negations")
    return [(None, claim.strip(), negation.strip()) for claim, negation in value.items()]


class _ExistingAnswers:
    """The right answers of existing items, by question."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.answers_by_question: dict[QuestionKey, set[str]] = defaultdict(set)
        for item in items:
            if item.answer is not None:
                self.answers_by_question[_question_key(item)].add(
                    _fold_text(item.choices[item.answer])
                )

    def right_answers(self, item: Item) -> set[str]:
        """Return the right choices of existing items with the same question."""
        return self.answers_by_question.get(_question_key(item), set())


def _question_key(item: Item) -> QuestionKey:
    fields = frozenset((name, _fold_text(text)) for name, text in item.fields.items())
    return fields, frozenset(map(_fold_text, item.choices))


def _fold_text(text: str) -> str:
    """Fold case and whitespace; punctuation stays, since a negation may consist of it."""
    return " ".join(text.casefold().split())


def _partner_remark(
    item: Item, partner: Item, field: str, existing: _ExistingAnswers
) -> str | None:
    """Return a remark about a partner, if there is one to make."""
    answers = existing.right_answers(partner)
    if _fold_text(partner.choices[partner.answer or 0]) in answers:
        return PARTNER_EXISTS
    if _fold_text(item.fields[field]) == _fold_text(partner.fields[field]):
        return CLAIM_UNCHANGED
    return PARTNER_CONTRADICTS if answers else None


def _require_two_choices(items: Iterable[Item]) -> None:
    for item in items:
        if len(item.choices) != 2:
            message = f"has {len(item.choices)} choices: a negated claim needs exactly two"
            raise BadInput(f"item {truncate(item.id)}", message)


def _build_report(
    n_items: int, n_added: int, field: str, remarks: dict[str, list[Item]], negations: Negations
) -> EditReport:
    rows = tuple(
        (item.id, item.fields[field], negations.find_negation(item.fields[field]), remark)
        for remark in (
            CLAIM_UNCHANGED,
            PARTNER_CONTRADICTS,
            PARTNER_EXISTS,
            SPELLED_DIFFERENTLY,
            NO_NEGATION,
        )
        for item in remarks.get(remark, ())
    )
    evidence = {
        remark: tuple(item.id for item in remark_items) for remark, remark_items in remarks.items()
    }
    notes = [
        f"{remark}: {plural(len(remark_items), 'item')}" for remark, remark_items in remarks.items()
    ]
    if NO_NEGATION in remarks or PARTNER_EXISTS in remarks:
        notes.append("items without a new partner are unchanged and get no new group")
    return EditReport(
        f"Added {plural(n_added, 'item')} with a negated claim to {plural(n_items, 'item')}.",
        tables={"pairs": Table(COLUMNS, rows)} if rows else {},
        evidence=evidence,
        notes=tuple(notes),
    )
