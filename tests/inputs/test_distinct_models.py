"""Models of an input, each once and with a name of its own."""

from __future__ import annotations

import numpy as np

from hansproof.inputs.choice_vectors import ChoiceVectors
from hansproof.inputs.distinct_models import distinct_models
from hansproof.inputs.likelihoods import ChoiceLikelihoods

MATRIX = np.zeros((0, 0), np.float32)


def test_equal_fingerprints_are_one_model() -> None:
    first, copy, other = (ChoiceLikelihoods("lm:x", mark, "cpu", {}) for mark in "aab")
    assert distinct_models([first, copy]) == [first]
    names = [model.model for model in distinct_models([first, copy, other])]
    assert len(names) == len({*names}) == 2
    assert all(name.startswith("lm:x ") for name in names)
    assert distinct_models(distinct_models([first, other])) == distinct_models([first, other])


def test_another_pooling_is_another_model() -> None:
    mean = ChoiceVectors("x", "a", "cpu", {}, MATRIX)
    first = ChoiceVectors("x (first token)", "a", "cpu", {}, MATRIX, "first")
    assert distinct_models([mean, first, mean]) == [mean, first]
