"""Settings that are given in Python are checked by the types of their fields."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from hansproof._infra.value_types import convert_value
from hansproof.errors import BadInput


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        (3, int, 3),
        (np.int64(3), int, 3),
        (3, float, 3),
        (0.5, float, 0.5),
        ("a", str, "a"),
        (Path("a"), str, "a"),
        (None, str | None, None),
        (True, bool, True),
        ("cv", Literal["train-test", "cv"] | None, "cv"),
        (["a", "b"], str | Sequence[str] | None, ("a", "b")),
        ((1, 2), tuple[int, ...], (1, 2)),
        (Path, Any, Path),
        ("of a type that is not plain", Path, "of a type that is not plain"),
    ],
)
def test_values_of_the_type_are_returned(value: object, hint: Any, expected: object) -> None:
    converted = convert_value("x", value, hint)
    assert converted == expected
    assert type(converted) is type(expected)


@pytest.mark.parametrize(
    ("value", "hint", "message"),
    [
        ("1", int, "--min-items: is '1', must be of type int"),
        (True, int, "is True, must be of type int"),
        (1.0, int, "is 1.0, must be of type int"),
        ("x", float, "is 'x', must be of type float"),
        (1, bool, "is 1, must be of type bool"),
        (3, str | None, "is 3, must be of type str or None"),
        ("no", Literal["mean", "pooled"], "is 'no', must be mean or pooled"),
        ([1], str | Sequence[str] | None, "must be of type str or a list of str or None"),
    ],
)
def test_other_values_are_refused(value: object, hint: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        convert_value("min_items", value, hint)
