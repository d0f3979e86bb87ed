"""Parameters of models: the first may do without its name, and flags may set one in all."""

from __future__ import annotations

import pytest

from hansproof import models
from hansproof.errors import BadInput, UnknownName

from ..support.sweep_factories import MULTI_FIT


@pytest.mark.parametrize(
    ("given", "source"),
    [
        ("bert-base-uncased", "bert-base-uncased"),
        ("bert-base-uncased,recipe=branco", "bert-base-uncased"),
        ("google/electra-small.v1,tells=true", "google/electra-small.v1"),
        ("./folder/of-mine", "./folder/of-mine"),
        (" /a/b:c ,nap=1", "/a/b:c"),
        ("source=/a=b/c", "/a=b/c"),
        ("recipe=x,source=y", "y"),
    ],
)
def test_what_follows_the_colon_is_the_first_parameter(given: str, source: str) -> None:
    made = models.load(f"{MULTI_FIT}:{given}")
    assert made.source == source
    if "recipe=branco" in given:
        assert made.recipe == "branco"


def test_it_is_read_as_what_the_field_holds() -> None:
    assert models.load("bow:1").ngram == 1
    with pytest.raises(BadInput, match="bow:ngram: is 'x', must be of type int"):
        models.load("bow:x")


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("recipe", "recipe has no value"),
        ("source", "source has no value"),
        ("a/b,recipe", "recipe has no value"),
        ("./a=b", "a value with = in it needs its name: .*multi_fit.py:source=./a=b"),
        ("x,source=y", "source is given twice"),
        ("nap=1,nap=2", "nap is given twice"),
    ],
)
def test_a_wrong_spec_is_one_line(given: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        models.load(f"{MULTI_FIT}:{given}")


@pytest.mark.parametrize("given", ["x,y", "rcipe=x", "recipe=x,y"])
def test_only_the_first_may_do_without(given: str) -> None:
    with pytest.raises(UnknownName, match=r"unknown parameter of .*multi_fit\.py"):
        models.load(f"{MULTI_FIT}:{given}")


def test_a_model_without_parameters_takes_none() -> None:
    with pytest.raises(UnknownName, match="unknown parameter of chance 'x'"):
        models.load("chance:x")


def test_a_parameter_is_set_unless_it_is_given() -> None:
    def added(spec: str) -> str | None:
        return models.with_parameter(spec, "recipe", "new")

    assert added(MULTI_FIT) == f"{MULTI_FIT}:recipe=new"
    assert added(f"{MULTI_FIT}:") == f"{MULTI_FIT}:recipe=new"
    assert added(f"{MULTI_FIT}:a/b,nap=1") == f"{MULTI_FIT}:a/b,nap=1,recipe=new"
    assert added(f"{MULTI_FIT}:recipe=old") == f"{MULTI_FIT}:recipe=old"
    assert added("bow") is None
    assert models.with_parameter(MULTI_FIT, "deterministic", "true", bool) is not None
    assert models.with_parameter(MULTI_FIT, "recipe", "true", bool) is None
