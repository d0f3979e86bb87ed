"""Errors keep their type, text and notes when a process sends them to another."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import pytest

from hansproof.errors import BadInput, HansproofError, MissingExtra, ModelError, UnknownName
from hansproof.predictions import IncompleteRun
from hansproof.records.item_schema import UnknownShape
from hansproof.types import Predictions

ERRORS: list[HansproofError] = [
    HansproofError("wrong"),
    UnknownName("probe", "cue", ["cues"]),
    BadInput("items.csv", "is empty", line=3, field="answer"),
    MissingExtra("xlsx", "quiz.xlsx"),
    ModelError("cannot be loaded"),
    UnknownShape("items.csv", "no columns"),
    IncompleteRun("runs.jsonl", "is short", Predictions("b", "s", "", "m", "full", {}), 4, True),
]


def list_subclasses(error_class: type[HansproofError]) -> Iterator[type[HansproofError]]:
    yield error_class
    for subclass in error_class.__subclasses__():
        yield from list_subclasses(subclass)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_errors_can_be_pickled(error: HansproofError, protocol: int) -> None:
    noted = copy.copy(error)
    noted.add_note("columns: a, b")
    loaded = pickle.loads(pickle.dumps(noted, protocol))
    assert type(loaded) is type(error)
    assert str(loaded) == str(error)
    assert loaded.__dict__ == noted.__dict__


def test_every_error_is_tried() -> None:
    classes = {c for c in list_subclasses(HansproofError) if c.__module__.startswith("hansproof.")}
    assert classes <= {type(error) for error in ERRORS}
