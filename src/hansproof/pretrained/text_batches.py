"""Batches texts of one or two segments and tokenizes them for an encoder."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from .input_formats import Segments

MAX_TOKENS = 512  # longer texts are truncated


def batch_texts(texts: Iterable[Segments], size: int) -> Iterator[list[Segments]]:
    """Yield batches of distinct texts with equally many segments, from short to long."""
    order = sorted(set(texts), key=lambda text: (len(text), sum(map(len, text)), text))
    for _, group in groupby(order, key=len):
        group_texts = list(group)
        yield from (group_texts[start : start + size] for start in range(0, len(group_texts), size))


def tokenize_batch(model: Any, tokenizer: Any, texts: Sequence[Segments]) -> Any:
    """Return the model's inputs, on its device; all texts have the same number of segments."""
    n_positions = getattr(model.config, "max_position_embeddings", None) or MAX_TOKENS
    max_length = min(tokenizer.model_max_length, n_positions - 2, MAX_TOKENS)
    columns = [[to_valid_utf8(text) for text in column] for column in zip(*texts, strict=True)]
    encodings = encode_segments(tokenizer, columns)
    n_cut = sum(len(ids) > max_length for ids, _ in encodings)
    if not n_cut:
        return {
            name: tensor.to(model.device)
            for name, tensor in _pad_batch(tokenizer, encodings).items()
        }
    message = (
        f"{n_cut} of {len(texts)} texts were longer than {max_length} tokens and were truncated"
    )
    warnings.warn(f"{tokenizer.name_or_path}: {message}", stacklevel=2)
    return tokenizer(
        *columns, padding=True, truncation=True, return_tensors="pt", max_length=max_length
    ).to(model.device)  # fmt: skip


def encode_segments(
    tokenizer: Any, columns: Sequence[list[str]]
) -> list[tuple[list[int], list[int]]]:
    """Return the token ids and segment ids of texts, given by segment, without truncating them.

    A fast tokenizer is called directly: through transformers it takes half as long again, and that
    overhead runs on a single core.
    """
    if not tokenizer.is_fast:
        encoding = tokenizer(*columns, return_token_type_ids=True, verbose=False)
        return list(zip(encoding["input_ids"], encoding["token_type_ids"], strict=True))
    backend = tokenizer.backend_tokenizer
    backend.no_padding()
    backend.no_truncation()
    rows = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    return [(encoded.ids, encoded.type_ids) for encoded in backend.encode_batch_fast(rows)]


def _pad_batch(tokenizer: Any, encodings: Sequence[tuple[list[int], list[int]]]) -> dict[str, Any]:
    """Return the model's inputs, with short texts padded on the right."""
    import torch

    lengths = np.array([len(ids) for ids, _ in encodings])
    is_token = np.arange(max(1, lengths.max())) < lengths[:, None]
    arrays = {
        "input_ids": np.full(is_token.shape, tokenizer.pad_token_id or 0),
        "token_type_ids": np.full(is_token.shape, tokenizer.pad_token_type_id),
        "attention_mask": is_token.astype(np.int64),
    }
    arrays["input_ids"][is_token] = [token_id for ids, _ in encodings for token_id in ids]
    arrays["token_type_ids"][is_token] = [
        segment_id for _, segment_ids in encodings for segment_id in segment_ids
    ]
    input_names = tokenizer.model_input_names
    return {name: torch.from_numpy(array) for name, array in arrays.items() if name in input_names}


def enable_padding(tokenizer: Any) -> Any:
    """Make a tokenizer pad on the right, so that the first token stays first; return it."""
    tokenizer.padding_side = "right"
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return tokenizer


def to_valid_utf8(text: str) -> str:
    """Replace characters that cannot be written as UTF-8, which tokenizers require."""
    return text.encode("utf-8", "replace").decode("utf-8")
