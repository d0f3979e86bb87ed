"""A ColumnMapping takes names as text or lists, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hansproof.errors import BadInput
from hansproof.records.column_mapping import ColumnMapping

Mapping: Any = ColumnMapping


def test_a_single_name_may_be_text() -> None:
    assert Mapping(fields="Frage", choices="list").fields == ("Frage",)
    assert Mapping(choices=["a", "b"]).choices == ("a", "b")
    assert Mapping(labels=Path("labels.txt")).labels == "labels.txt"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"answer": 3}, "ColumnMapping: answer: is 3, must be text"),
        ({"fields": 3}, "ColumnMapping: fields: is 3, must be a list of names of columns"),
        ({"choices": ["a", 1]}, "must be a list of names of columns"),
    ],
)
def test_other_values_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Mapping(**arguments)
