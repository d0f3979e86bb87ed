"""Findings about items in words."""

from __future__ import annotations

import pytest

from hansproof.flag_words import describe_finding, describe_flag
from hansproof.types import Result, Table

TELLS = Table(
    ("split", "slice", "tell", "accuracy", "chance"),
    (("dev", "", "longest choice", 0.7, 0.5), ("dev", "", "negation", 0.2, 0.5)),
)

RULES = Table(
    ("rule", "kind"),
    (("the longest choice", "eliminating"), ("the only choice with “a: b”", "telling")),
)


@pytest.mark.parametrize(
    ("probe", "key", "item_text", "flag_text"),
    [
        ("cues", "dev: don't", "only one choice contains “don't”",
         "cues: “don't” predicts answers (dev)"),
        ("partial_input", "dev: bow sees choices", "a bag of words answers it from the choices",
         "partial input: bow answers from the choices (dev)"),
        ("partial_input", "a → dev: gpt sees reason+choices",
         "gpt answers it from the reason and choices",
         "partial input: gpt answers from the reason and choices (a → dev)"),
        ("surface", "dev: longest choice", "right choice is the longest",
         "surface: longest choice predicts answers (dev)"),
        ("surface", "dev: negation", "right choice is not the one with a negation",
         "surface: negation predicts answers (dev)"),
        ("surface", "dev: most overlap with premise",
         "right choice is the one with the most overlap with premise",
         "surface: most overlap with premise predicts answers (dev)"),
        ("shortcuts", "the only choice with “a: b”",
         "a rule picks the right choice: the only choice with “a: b”",
         "shortcuts: a rule predicts answers: the only choice with “a: b”"),
        ("shortcuts", "the longest choice", "a rule rules out a wrong choice: the longest choice",
         "shortcuts: a rule predicts answers: the longest choice"),
        ("integrity", "duplicate items (exact): dev", "duplicate items",
         "integrity: duplicate items (dev)"),
        ("my_probe", "dev: odd", "my probe: odd", "my probe: dev: odd"),
        ("priority", "mirror first", "priority: mirror first", "priority: mirror first"),
    ],
)  # fmt: skip
def test_findings_are_sentences_and_not_keys(
    probe: str, key: str, item_text: str, flag_text: str
) -> None:
    result = Result(probe, {}, "exposed", "", tables={"tells": TELLS, "rules": RULES})
    assert describe_finding(result, key) == item_text
    assert describe_flag(f"{probe}/{key}") == flag_text
