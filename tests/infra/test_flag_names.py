"""Errors in Python name keyword arguments, not flags."""

from __future__ import annotations

import pytest

from hansproof._infra.flag_names import format_mapping, keywords_in_errors, name_keywords
from hansproof.errors import BadInput


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("--predictions: no such file", "`predictions`: no such file"),
        ("name it with --answers-from", "name it with `answers_from`"),
        ("add --answers-from 1", 'add ColumnMapping(answers_from="1")'),
        ("add --list-separator ';' or not", 'add ColumnMapping(list_separator=";") or not'),
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


def test_flags_become_a_mapping_of_columns() -> None:
    flags = "--no-header --field 1 --choices 'a b' --choices c --answer key --list-separator ';'"
    assert format_mapping(flags) == (
        'ColumnMapping(fields=("1",), choices=("a b", "c"), header=False, answer="key", '
        'list_separator=";")'
    )


def test_commands_in_notes_become_calls() -> None:
    error = BadInput("a b.csv", "columns not recognised")
    error.add_note("columns: --x, y")
    error.add_note("try: hansproof validate 'a b.csv' --field x --answer COLUMN")
    with pytest.raises(BadInput) as caught, keywords_in_errors():
        raise error
    assert caught.value.__notes__ == [
        "columns: --x, y",
        'try: hansproof.load("a b.csv", hansproof.ColumnMapping(fields=("x",), answer="COLUMN"))',
    ]
