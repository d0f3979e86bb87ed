"""Errors in Python name keyword arguments, not flags."""

from __future__ import annotations

import pytest

from hansproof._infra.flag_names import keywords_in_errors, name_keywords
from hansproof.errors import BadInput


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("--predictions: no such file", "`predictions`: no such file"),
        ("name it with --answers-from 1", "name it with `answers_from` 1"),
        ("add --no-header, or --field", "add `header=False`, or `fields`"),
        ("give --bench", "give `benchmark`"),
        (
            "run `hansproof index --near`, then --scans",
            "run `hansproof index --near`, then `scans`",
        ),
        ("data/a--b.csv: no such file", "data/a--b.csv: no such file"),
        ("2 -- 3", "2 -- 3"),
    ],
)
def test_flags_become_keyword_arguments(message: str, expected: str) -> None:
    assert name_keywords(message) == expected


def test_errors_keep_their_type_and_other_errors_pass() -> None:
    with pytest.raises(BadInput) as caught, keywords_in_errors():
        raise BadInput("--ratings", "is empty", line=3)
    assert str(caught.value) == "`ratings`:3: is empty"
    with pytest.raises(ValueError, match="--ratings"), keywords_in_errors():
        raise ValueError("--ratings")
