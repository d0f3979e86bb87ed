"""Short names of models."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.inputs.model_names import distinct_names, is_valid_unicode, short_name


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("HuggingFaceTB/SmolLM2-135M", "SmolLM2-135M"), ("gpt2", "gpt2"),
        ("/models/smollm2/", "smollm2"), ("packages/minilm/model", "minilm/model"), ("", ""),
        ("a\x1bb", "a?b"), ("x" * 99, "x" * 60),
    ],
)  # fmt: skip
def test_the_last_part_names_a_model(source: str, name: str) -> None:
    assert short_name(source) == name


def test_a_folder_is_named_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert short_name(".") == tmp_path.name


def test_equal_names_get_a_digest() -> None:
    assert distinct_names(["a", "b"], ["1", "2"]) == ["a", "b"]
    first, second, third = distinct_names(["a", "a", "b"], ["1", "2", "3"])
    assert third == "b"
    assert len({first, second}) == 2
    assert first.startswith("a ")


def test_half_a_character_is_no_unicode() -> None:
    assert is_valid_unicode("café \U0001f600")
    assert not is_valid_unicode("\ud83d")
