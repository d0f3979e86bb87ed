"""Encodes texts as vectors with a frozen encoder, and caches the vectors on disk.

A text may have two segments. The cache has a folder per encoder and kind of vector, which contains
shards: up to some hundred texts each, by sha256, with their vectors. A shard is written atomically
and never changed, so any number of processes may share the folder. A shard that cannot be read is
ignored, and its texts are encoded again. Vectors in the cache are never recomputed, so results do
not depend on how later texts are batched.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._infra.progress import track_optional
from ..errors import BadInput
from . import checkpoint, devices, text_batches
from .input_formats import Segments

if TYPE_CHECKING:
    import torch

Vectors = NDArray[np.float32]

SHARD, BATCH = 512, 32  # texts
MAX_COORDINATE = 1e6  # of a vector that is not damaged


@dataclass(frozen=True, slots=True)
class TextEncoder:
    """An encoder (a transformers folder or hub id), and how it pools token vectors."""

    source: str
    pooling: str  # mean or first
    cache: str  # a folder; "" for the default
    device: str
    unit_length: bool = True  # whether vectors are scaled to length 1

    def encode_texts(self, texts: Sequence[str | Segments], needs_cache: bool = True) -> Vectors:
        """Return one row per text; the row of an empty text is all zeros.

        If the cache cannot be written, raise BadInput, or only warn if it is not needed. A model
        that encodes the same texts again and again needs it.
        """
        segmented = _to_segments(texts)
        digests = {text: _text_digest(text) for text in dict.fromkeys(segmented)}
        folder = self.cache_folder()
        by_digest = _read_cache(folder, set(digests.values()))
        new_texts = [text for text in digests if any(text) and digests[text] not in by_digest]
        is_writable = True
        for shard in track_optional(
            list(text_batches.batch_texts(new_texts, SHARD)), "encoding texts"
        ):
            shard_digests, vectors = [digests[text] for text in shard], self._encode_shard(shard)
            by_digest |= dict(zip(shard_digests, vectors, strict=True))
            if needs_cache:
                _write_shard(folder, shard_digests, vectors)
            elif is_writable:
                is_writable = _write_or_warn(folder, shard_digests, vectors)
        zeros = np.zeros(self._vector_width(by_digest), np.float32)
        return np.stack([by_digest.get(digests[text], zeros) for text in segmented])

    def fingerprint(self) -> str:
        """Return the sha256 of a folder's files, or the name and commit of a hub id."""
        return checkpoint.fingerprint(self.source)

    def cache_folder(self) -> str:
        """Return the folder with the vectors in the cache."""
        kind = self.pooling if self.unit_length else f"{self.pooling}, of any length"
        return os.path.join(self.cache or cache_root(), cache_key(self.fingerprint(), kind))

    def _vector_width(self, by_digest: dict[str, Vectors]) -> int:
        """Return the width of the vectors; encode a text if there are none yet."""
        first = next(iter(by_digest.values()), None)
        return len(self._encode_shard([("a",)])[0]) if first is None else len(first)

    def _encode_shard(self, texts: Sequence[Segments]) -> Vectors:
        """Return the vectors of texts that have equally many segments."""
        model, tokenizer = _load_encoder(self.source, self.fingerprint(), self.device)
        batches = (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
        return encode_batches(model, tokenizer, batches, self.pooling, self.unit_length)


def cache_root() -> str:
    """Return the folder of the user's cache that has a folder per encoder and kind of vector."""
    from ..download import cache_dir

    return os.path.join(cache_dir(), "features")


def cache_key(fingerprint: str, kind: str) -> str:
    """Return the name of the folder of an encoder and a kind of vector, such as `mean`."""
    return hashlib.sha256(f"{fingerprint} {kind}".encode()).hexdigest()[:32]


def read_cached_vectors(folder: str, texts: Sequence[str | Segments]) -> Vectors | None:
    """Return one row per text from a folder of the cache; None unless all are there.

    The row of an empty text is all zeros.
    """
    segmented = _to_segments(texts)
    digests = {text: _text_digest(text) for text in dict.fromkeys(segmented) if any(text)}
    by_digest = _read_cache(folder, set(digests.values()))
    if not by_digest or not by_digest.keys() >= set(digests.values()):
        return None
    zeros = np.zeros(len(next(iter(by_digest.values()))), np.float32)
    return np.stack([by_digest[digests[text]] if any(text) else zeros for text in segmented])


@lru_cache(maxsize=1)
def _load_encoder(source: str, fingerprint: str, device: str) -> tuple[Any, Any]:
    """Return the model and its tokenizer; the last pair used stays in memory."""
    torch_device = devices.find_device(device)
    tokenizer = checkpoint.load_tokenizer(source)
    model = checkpoint.load_module(source, optional_parts=("pooler",))  # whose output is not used
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    return model.to(torch_device), text_batches.enable_padding(tokenizer)


def encode_batches(
    model: Any,
    tokenizer: Any,
    batches: Iterable[Sequence[Segments]],
    pooling: str,
    unit_length: bool,
) -> Vectors:
    """Return the vectors of texts in batches; a GPU works on one while the next is tokenized."""
    import torch

    pooled_batches = []
    with torch.inference_mode():
        for texts in batches:
            tokens = text_batches.tokenize_batch(model, tokenizer, texts)
            outputs = model(**tokens).last_hidden_state
            mask = tokens["attention_mask"]
            pooled = outputs[:, 0] if pooling == "first" else _mean_pool(outputs, mask)
            pooled_batches.append(
                torch.nn.functional.normalize(pooled, dim=1) if unit_length else pooled
            )
        vectors = torch.cat(pooled_batches)
    return np.asarray(checkpoint.require_finite(model, vectors).cpu().numpy(), np.float32)


def _mean_pool(outputs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    weights = mask.unsqueeze(2).to(outputs.dtype)
    return (outputs * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


def _to_segments(texts: Sequence[str | Segments]) -> list[Segments]:
    return [(text,) if isinstance(text, str) else text for text in texts]


def _text_digest(text: Segments) -> str:
    """Return the sha256 of each segment of a text, joined."""
    return "+".join(
        hashlib.sha256(text_batches.to_valid_utf8(segment).encode()).hexdigest() for segment in text
    )


def _read_cache(folder: str, digests: set[str]) -> dict[str, Vectors]:
    """Return the vectors in the cache, by digest of the text."""
    by_digest: dict[str, Vectors] = {}
    shards: list[str] = []
    with contextlib.suppress(OSError):  # there is no such folder, or it cannot be read
        shards = sorted(os.listdir(folder))
    for shard in shards:
        if shard.endswith(".npz"):
            by_digest = _read_shard(os.path.join(folder, shard), digests) | by_digest
    is_damaged = len({vector.size for vector in by_digest.values()}) > 1
    return {} if is_damaged else by_digest


def _read_shard(path: str, digests: set[str]) -> dict[str, Vectors]:
    """Return the requested vectors in a shard; none if it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as shard:
            names = shard["names"]
            if names.ndim != 1 or names.dtype.kind != "U":
                return {}
            rows = [(name, i) for i, name in enumerate(names.tolist()) if name in digests]
            if not rows:
                return {}
            vectors = np.asarray(shard["vectors"])  # bytes, if it is not an array
    except Exception:  # damaged archives and arrays raise errors of many types
        return {}
    if vectors.dtype != np.float32 or vectors.ndim != 2 or vectors.shape[1] == 0:
        return {}
    if len(vectors) != len(names) or not (np.abs(vectors) <= MAX_COORDINATE).all():  # nor NaN
        return {}
    return {name: vectors[index] for name, index in rows}


def _write_shard(folder: str, digests: Sequence[str], vectors: Vectors) -> None:
    from .._infra.atomic_io import atomic_write

    shard = hashlib.sha256("\n".join(digests).encode()).hexdigest()[:32]
    with atomic_write(os.path.join(folder, f"{shard}.npz")) as file:
        np.savez(file, names=np.array(digests), vectors=vectors)


def _write_or_warn(folder: str, digests: Sequence[str], vectors: Vectors) -> bool:
    """Write a shard, or warn and return False if it cannot be written."""
    try:
        _write_shard(folder, digests, vectors)
    except BadInput as error:
        warnings.warn(f"{error}: vectors are computed again next time", stacklevel=3)
        return False
    return True
