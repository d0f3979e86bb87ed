"""Texts of one or two segments on their way to an encoder: in batches, as tokens."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from ._inputs import Segments

LONGEST = 512  # tokens; what is beyond is cut off


def batches(texts: Iterable[Segments], size: int) -> Iterator[list[Segments]]:
    """Each text once, those of as many segments together, from short to long."""
    order = sorted(set(texts), key=lambda text: (len(text), sum(map(len, text)), text))
    for _, alike in groupby(order, key=len):
        some = list(alike)
        yield from (some[at : at + size] for at in range(0, len(some), size))


def tokens(model: Any, tokenizer: Any, texts: Sequence[Segments]) -> Any:
    """What the model takes, on its device; all texts have as many segments."""
    places = getattr(model.config, "max_position_embeddings", None) or LONGEST
    most = min(tokenizer.model_max_length, places - 2, LONGEST)
    columns = [[clean(text) for text in column] for column in zip(*texts, strict=True)]
    coded = numbers(tokenizer, columns)
    cut = sum(len(ids) > most for ids, _ in coded)
    if not cut:
        return {name: one.to(model.device) for name, one in _filled(tokenizer, coded).items()}
    what = f"{cut} of {len(texts)} texts were longer than {most} tokens and were cut"
    warnings.warn(f"{tokenizer.name_or_path}: {what}", stacklevel=2)
    return tokenizer(
        *columns, padding=True, truncation=True, return_tensors="pt", max_length=most
    ).to(model.device)  # fmt: skip


def numbers(tokenizer: Any, columns: Sequence[list[str]]) -> list[tuple[list[int], list[int]]]:
    """Texts, by segment, as tokens and the segment of each, however long they are.

    A tokenizer in Rust is asked itself: through transformers it takes half as long again, and what
    is on top runs on one core however many there are.
    """
    if not tokenizer.is_fast:
        made = tokenizer(*columns, return_token_type_ids=True, verbose=False)
        return list(zip(made["input_ids"], made["token_type_ids"], strict=True))
    inner = tokenizer.backend_tokenizer
    inner.no_padding()
    inner.no_truncation()
    rows = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    return [(one.ids, one.type_ids) for one in inner.encode_batch_fast(rows)]


def _filled(tokenizer: Any, coded: Sequence[tuple[list[int], list[int]]]) -> dict[str, Any]:
    """What a model takes: short texts filled up on the right."""
    import torch

    lengths = np.array([len(ids) for ids, _ in coded])
    there = np.arange(max(1, lengths.max())) < lengths[:, None]
    filled = {
        "input_ids": np.full(there.shape, tokenizer.pad_token_id or 0),
        "token_type_ids": np.full(there.shape, tokenizer.pad_token_type_id),
        "attention_mask": there.astype(np.int64),
    }
    filled["input_ids"][there] = [one for ids, _ in coded for one in ids]
    filled["token_type_ids"][there] = [one for _, kinds in coded for one in kinds]
    asked = tokenizer.model_input_names
    return {name: torch.from_numpy(one) for name, one in filled.items() if name in asked}


def opened(tokenizer: Any) -> Any:
    """A tokenizer that can fill up short texts, on the right: the first token stays the first."""
    tokenizer.padding_side = "right"
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return tokenizer


def clean(text: str) -> str:
    """A text that can be written as UTF-8, which tokenizers insist on."""
    return text.encode("utf-8", "replace").decode("utf-8")
