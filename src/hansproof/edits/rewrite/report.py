"""The report on rewritten choices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from ..._infra.plural import plural
from ...rules.phrases import finish_subject
from ...rules.portable import PortableRule
from ...stats import binomial_p
from ...types import Cell, EditReport, Table
from .._blind_estimate import estimate_blind
from .._filled_sheets import ROW_COLUMNS, RowProblem, SheetResult
from .._worksheets import ChoiceTask
from .outcome import Outcome

RULE_COLUMNS = (
    "rule", "right_before", "n_before", "right_after", "n_after", "chance", "p_after",
)  # fmt: skip
FOUND_COLUMNS = ("rule", "right", "n", "chance", "p")
NEXT_NOTE = (
    "The search now finds other rules (table found_now): `hansproof worksheet rewrite` on the new "
    "benchmark says how to rewrite its choices next."
)
PLACE_NOTE = "{} gives answers away as well: `hansproof edit permute` evens out places"
OPEN_NOTE = "choices that are still to be rewritten give answers away as before"


def build_report(
    rewritten: Collection[str],
    result: SheetResult[ChoiceTask],
    outcome: Outcome,
    level: float,
) -> EditReport:
    """Describe what was rewritten, what the rules pick now, and what is still to be done."""
    refused, n_items = result.refused_rows, len(outcome.climb.items)
    n_unfit = len({row.id for row in outcome.unfit_rows})
    new_rules = outcome.climb.significant_rules(level)
    problems = [
        *refused, *(problem for problem in result.problems if problem.status == "read"),
        *outcome.unfit_rows,
    ]  # fmt: skip
    tables = {"rules": Table(RULE_COLUMNS, tuple(_rule_rows(outcome)))}
    if new_rules:
        tables["found_now"] = Table(FOUND_COLUMNS, tuple(_found_rows(outcome, level)))
    if problems:
        tables["rows"] = Table(ROW_COLUMNS, tuple(problem.table_row() for problem in problems))
    return EditReport(
        summary=f"Rewrote {plural(len(result.written), 'choice')} of "
        f"{plural(len(rewritten), 'item')} (of {n_items:,}); still to write: "
        f"{len(outcome.open_tasks)}, rows refused: {len(refused)}, rewritten items that still fit "
        f"a rule: {n_unfit}.",
        estimates=(
            estimate_blind(outcome.diagnosis.climb, "blind accuracy before", level),
            estimate_blind(outcome.climb, "blind accuracy after", level),
        ),
        tables=tables,
        evidence=_build_evidence(outcome, refused),
        notes=tuple(_write_notes(result, outcome, bool(new_rules))),
    )


def _write_notes(
    result: SheetResult[ChoiceTask], outcome: Outcome, has_new_rules: bool
) -> list[str]:
    """Say how many rows were used, what is still to write, and what gives answers away now."""
    notes = [
        f"rows: {len(result.written)} accepted, {len(result.refused_rows)} refused; "
        f"{len(outcome.open_tasks)} still to write"
    ]
    notes += [OPEN_NOTE] if outcome.open_tasks else []
    notes += [f"rows replaced by a later sheet: {result.n_replaced}"] if result.n_replaced else []
    notes += [NEXT_NOTE] if has_new_rules else []
    subjects = [finish_subject(rule.describe()) for rule in outcome.diagnosis.place_rules]
    return notes + [PLACE_NOTE.format(subject) for subject in subjects]


def _rule_rows(outcome: Outcome) -> list[tuple[Cell, ...]]:
    """Return what each rule from before picks in all items, before and after."""
    rows: list[tuple[Cell, ...]] = []
    layout = outcome.climb.columns.layout
    for k, rule in enumerate(outcome.diagnosis.rules):
        hits, n = outcome.count_hits(k)
        chance = float(layout.chance[outcome.picks[k] >= 0].mean()) if n else None
        p = None if chance is None else float(binomial_p(hits, n, chance))
        rows.append((rule.describe(), *outcome.diagnosis.count_hits(k), hits, n, chance, p))
    return rows


def _found_rows(outcome: Outcome, level: float) -> list[tuple[Cell, ...]]:
    return [
        (
            PortableRule.from_tested(rule, outcome.climb.columns).describe(), rule.hits, rule.n,
            rule.chance, rule.p,
        )
        for rule in outcome.climb.significant_rules(level)
    ]  # fmt: skip


def _build_evidence(outcome: Outcome, refused: list[RowProblem]) -> dict[str, tuple[str, ...]]:
    all_ids = {item.id for item in outcome.climb.items}
    ids: dict[str, dict[str, None]] = defaultdict(dict)
    ids["to do"] = dict.fromkeys(task.item.id for task in outcome.open_tasks)
    ids["refused"] = dict.fromkeys(problem.id for problem in refused if problem.id in all_ids)
    ids["still fits a rule"] = dict.fromkeys(row.id for row in outcome.unfit_rows)
    return {name: tuple(item_ids) for name, item_ids in ids.items() if item_ids}
