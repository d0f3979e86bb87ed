from __future__ import annotations

import pytest

from hansproof._infra.join_names import join_names


@pytest.mark.parametrize(
    ("names", "phrase"),
    [(["a"], "a"), (["a", "b"], "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_names_are_joined_as_in_a_sentence(names: list[str], phrase: str) -> None:
    assert join_names(names) == phrase
    assert join_names(names, "or") == phrase.replace(" and ", " or ")
