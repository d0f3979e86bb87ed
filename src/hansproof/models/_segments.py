"""Texts of one or two segments on their way to an encoder: in batches, as tokens."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

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
    cut = sum(len(ids) > most for ids in tokenizer(*columns, verbose=False)["input_ids"])
    if cut:
        what = f"{cut} of {len(texts)} texts were longer than {most} tokens and were cut"
        warnings.warn(f"{tokenizer.name_or_path}: {what}", stacklevel=2)
    return tokenizer(
        *columns, padding=True, truncation=True, return_tensors="pt", max_length=most
    ).to(model.device)  # fmt: skip


def opened(tokenizer: Any) -> Any:
    """A tokenizer that can fill up short texts, on the right: the first token stays the first."""
    tokenizer.padding_side = "right"
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return tokenizer


def clean(text: str) -> str:
    """A text that can be written as UTF-8, which tokenizers insist on."""
    return text.encode("utf-8", "replace").decode("utf-8")
