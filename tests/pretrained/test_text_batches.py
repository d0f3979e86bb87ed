"""Texts as tokens: what the Rust tokenizer says itself is what transformers makes of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hansproof.pretrained import text_batches
from tests.support import checkpoints
from tests.support.markers import minilm_folder

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

ONE = ["w1 w2", "", "w3 w59 w4 unheard", "[SEP] w1 </s> <s>", "  w5\n\tw6 ", "naïve \u0130 🐎 w7"]
TWO = ["w9", "w8 w9 w10", "", "w1", "w2 w3", "w4"]
REAL = "MiniLM"


def tokenizer(style: str, folder: Path) -> Any:
    if style == REAL:
        return text_batches.enable_padding(
            transformers.AutoTokenizer.from_pretrained(minilm_folder())
        )
    return text_batches.enable_padding(checkpoints.tokenizer(folder, style))


@pytest.mark.parametrize("columns", [[ONE], [ONE, TWO]], ids=["one", "two"])
@pytest.mark.parametrize("style", [*checkpoints.STYLES, REAL])
def test_as_transformers_has_them(style: str, columns: list[list[str]], tmp_path: Path) -> None:
    by = tokenizer(style, tmp_path)
    by(*columns, padding="max_length", truncation=True, max_length=7)  # which it must not remember
    said = text_batches.encode_segments(by, columns)
    made = by(*columns, return_token_type_ids=True, verbose=False)
    assert said == list(zip(made["input_ids"], made["token_type_ids"], strict=True))


@pytest.mark.parametrize("columns", [[ONE], [ONE, TWO]], ids=["one", "two"])
@pytest.mark.parametrize("style", [*checkpoints.STYLES, REAL])
def test_filled_up_as_transformers_does(
    style: str, columns: list[list[str]], tmp_path: Path
) -> None:
    by = tokenizer(style, tmp_path)
    config = SimpleNamespace(max_position_embeddings=checkpoints.PLACES)
    model = SimpleNamespace(config=config, device=torch.device("cpu"))
    texts = list(zip(*columns, strict=True))
    said = text_batches.tokenize_batch(model, by, texts)
    made = by(*columns, padding=True, return_tensors="pt")
    assert said.keys() == made.keys()
    assert all(torch.equal(said[name], made[name]) for name in made)
