"""What a frozen encoder makes of a text: a vector, worked out once and kept on disk.

A text may have two segments. The cache has a folder per encoder and kind of vector. In it lie
shards: some hundred texts each, by sha256, with their vectors. A shard is written whole or not at
all and never changed, so any number of processes may share the folder; one that cannot be read is
passed over and its texts are encoded again. What was encoded first stays, so results do not depend
on how texts were batched later.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _checkpoint, _device, _segments
from ._bar import watched
from ._inputs import Segments

if TYPE_CHECKING:
    import torch

Vectors = NDArray[np.float32]

SHARD, BATCH = 512, 32  # texts


@dataclass(frozen=True, slots=True)
class Encoder:
    """A transformers folder or hub id, and how its vectors for tokens become one."""

    source: str
    pooling: str  # mean or first
    cache: str  # a folder, "" for the usual one
    device: str
    unit: bool = True  # whether vectors are brought to length 1

    def vectors(self, texts: Sequence[str | Segments]) -> Vectors:
        """One row per text; nothing but zeros for an empty one."""
        whole: list[Segments] = [(text,) if isinstance(text, str) else text for text in texts]
        named = {text: _name(text) for text in dict.fromkeys(whole)}
        folder = self._folder()
        known = _kept(folder, set(named.values()))
        new = [text for text in named if any(text) and named[text] not in known]
        for part in watched(list(_segments.batches(new, SHARD)), "encoding texts"):
            names = [named[text] for text in part]
            known |= _write(folder, names, self._encoded(part))
        nothing = np.zeros(self._width(known), np.float32)
        return np.stack([known.get(named[text], nothing) for text in whole])

    def fingerprint(self) -> str:
        """The sha256 of a folder's files; of a hub id, its name and commit."""
        return _checkpoint.fingerprint(self.source)

    def _folder(self) -> str:
        from ..fetch import cache

        root = self.cache or os.path.join(cache(), "features")
        kind = self.pooling if self.unit else f"{self.pooling}, of any length"
        key = hashlib.sha256(f"{self.fingerprint()} {kind}".encode()).hexdigest()
        return os.path.join(root, key[:32])

    def _width(self, known: dict[str, Vectors]) -> int:
        """How wide the vectors are, told by one of them where there is one."""
        found = next(iter(known.values()), None)
        return len(self._encoded([("a",)])[0]) if found is None else len(found)

    def _encoded(self, texts: Sequence[Segments]) -> Vectors:
        """The vectors of texts of as many segments each."""
        model, tokenizer = _loaded(self.source, self.fingerprint(), self.device)
        batches = (texts[at : at + BATCH] for at in range(0, len(texts), BATCH))
        return encoded(model, tokenizer, batches, self.pooling, self.unit)


@lru_cache(maxsize=1)
def _loaded(source: str, print_of: str, device: str) -> tuple[Any, Any]:
    """The model and its tokenizer; the last one used stays in memory."""
    place = _device.find(device)
    tokenizer = _checkpoint.tokenizer(source)
    model = _checkpoint.module(source, without=("pooler",))  # which is not looked at
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    return model.to(place), _segments.opened(tokenizer)


def encoded(
    model: Any, tokenizer: Any, batches: Iterable[Sequence[Segments]], pooling: str, unit: bool
) -> Vectors:
    """The vectors of texts in batches; a GPU works on one while the next is made ready."""
    import torch

    found = []
    with torch.inference_mode():
        for texts in batches:
            tokens = _segments.tokens(model, tokenizer, texts)
            outputs = model(**tokens).last_hidden_state
            mask = tokens["attention_mask"]
            pooled = outputs[:, 0] if pooling == "first" else _mean(outputs, mask)
            found.append(torch.nn.functional.normalize(pooled, dim=1) if unit else pooled)
        vectors = torch.cat(found)
    return np.asarray(_checkpoint.finite(model, vectors).cpu().numpy(), np.float32)


def _mean(outputs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    weights = mask.unsqueeze(2).to(outputs.dtype)
    return (outputs * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)


def _name(text: Segments) -> str:
    """The sha256 of the text; of two segments, one of each."""
    return "+".join(hashlib.sha256(_segments.clean(one).encode()).hexdigest() for one in text)


def _kept(folder: str, wanted: set[str]) -> dict[str, Vectors]:
    """The vectors that the cache has, by the text's name."""
    found: dict[str, Vectors] = {}
    shards = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for shard in shards:
        if shard.endswith(".npz"):
            found = _read(os.path.join(folder, shard), wanted) | found
    return found


def _read(path: str, wanted: set[str]) -> dict[str, Vectors]:
    """What is wanted of a shard; nothing of a damaged one."""
    try:
        with np.load(path, allow_pickle=False) as shard:
            names = shard["names"].tolist()
            rows = [(name, at) for at, name in enumerate(names) if name in wanted]
            vectors = shard["vectors"] if rows else np.empty((len(names), 0), np.float32)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return {}
    if vectors.ndim != 2 or len(vectors) != len(names) or not np.isfinite(vectors).all():
        return {}
    return {name: vectors[at] for name, at in rows}


def _write(folder: str, names: Sequence[str], vectors: Vectors) -> dict[str, Vectors]:
    from ..files import part

    shard = hashlib.sha256("\n".join(names).encode()).hexdigest()[:32]
    with part(os.path.join(folder, f"{shard}.npz")) as file:
        np.savez(file, names=np.array(names), vectors=vectors)
    return dict(zip(names, vectors, strict=True))
