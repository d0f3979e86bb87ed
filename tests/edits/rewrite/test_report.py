"""The report on rewritten choices."""

from __future__ import annotations

from dataclasses import replace

from hansproof.edits._filled_sheets import SheetResult
from hansproof.edits.rewrite.diagnosis import diagnose_items
from hansproof.edits.rewrite.outcome import assess_rewriting
from hansproof.edits.rewrite.plan import plan_rewriting
from hansproof.edits.rewrite.report import build_report
from hansproof.rules.portable import PortableRule
from hansproof.text.tokenizers import get_tokenizer

from ...support.quiz_factories import uneven_quiz


def test_a_rule_with_a_clause_is_the_subject_of_its_note() -> None:
    features = (("place", "is the first"), ("words", "has “not”"))
    place_rule = PortableRule(features, (False, False), "and", True)
    items = uneven_quiz(9, 60, share=0.0)
    plan = plan_rewriting(diagnose_items(items, get_tokenizer("word"), 0.05, 0))
    plan = replace(plan, diagnosis=replace(plan.diagnosis, place_rules=[place_rule]))
    outcome = assess_rewriting(plan, {item.id: item for item in items}, {}, SheetResult())
    report = build_report([], SheetResult(), outcome, 0.05)
    assert (
        "the first choice, if it has “not”, gives answers away as well: `hansproof edit permute` "
        "evens out places"
    ) in report.notes
