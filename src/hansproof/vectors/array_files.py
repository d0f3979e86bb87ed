"""Word vectors as arrays: `.npz`, which numpy alone reads, and `.safetensors`.

An `.npz` has the arrays `words` and `vectors`; a `.safetensors` file the tensor `vectors` and, as
the tensor `words`, the bytes of a text with a word on each line.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .._infra import atomic_io
from ..errors import BadInput, MissingExtra
from .table import Vectors, check_words

NPZ, SAFETENSORS = ".npz", ".safetensors"
EXTENSIONS = (NPZ, SAFETENSORS)
GENERATOR = "hansproof"  # by this mark a file of vectors is known as one of ours

WordArrays = tuple[list[str], NDArray[np.floating]]

# raised for damaged files; the last two for an array that is not an archive
_READ_ERRORS = (
    OSError, ValueError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error,
    NotImplementedError, RuntimeError, AttributeError, TypeError,
)  # fmt: skip
_LENGTH_MISMATCH = "must contain n words and n vectors of the same length"


def read_arrays(path: str) -> WordArrays:
    """Read the words of a file, and as many vectors."""
    words, vectors = _read_npz(path) if path.endswith(NPZ) else _read_safetensors(path)
    if vectors.ndim != 2 or len(words) != len(vectors):
        raise BadInput(path, _LENGTH_MISMATCH)
    if not np.issubdtype(vectors.dtype, np.floating) or not np.isfinite(vectors).all():
        raise BadInput(path, "contains numbers that are not finite", field="vectors")
    return words, vectors


def save_vectors(path: str, words: Sequence[str], vectors: Vectors) -> None:
    """Write words and their vectors, in the format that the extension of the path says."""
    check_output(path)
    check_words(path, words)
    if path.endswith(SAFETENSORS):
        atomic_io.write_file(path, _pack_safetensors(words, vectors))
        return
    with atomic_io.atomic_write(path) as file:
        np.savez(
            file, generator=np.array(GENERATOR), words=np.array(words, dtype=str), vectors=vectors
        )


def check_output(path: str) -> None:
    """Refuse a path with another extension, or one that cannot be written."""
    if not path.endswith(EXTENSIONS):
        raise BadInput(path, f"must end in {' or '.join(EXTENSIONS)}")
    atomic_io.check_writable(path)


def _read_npz(path: str) -> WordArrays:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            words, vectors = arrays["words"], arrays["vectors"]
    except KeyError as error:
        raise BadInput(path, f"has no array of this name: {error.args[0]}") from None
    except _READ_ERRORS:
        raise BadInput(path, "is not a readable .npz of words and vectors") from None
    if words.ndim != 1 or words.dtype.kind != "U":
        raise BadInput(path, _LENGTH_MISMATCH)
    return words.tolist(), vectors


def _read_safetensors(path: str) -> WordArrays:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise _missing_extra() from None
    try:
        with safe_open(path, framework="numpy") as tensors:
            words, vectors = tensors.get_tensor("words"), tensors.get_tensor("vectors")
    except (*_READ_ERRORS, KeyError, SafetensorError):
        raise BadInput(path, "is not a readable .safetensors of words and vectors") from None
    if words.ndim != 1 or words.dtype != np.uint8:
        raise BadInput(path, "must be the bytes of a text", field="words")
    try:
        text = words.tobytes().decode()
    except UnicodeDecodeError:
        raise BadInput(path, "are not UTF-8", field="words") from None
    return text.split("\n") if text else [], vectors


def _pack_safetensors(words: Sequence[str], vectors: Vectors) -> bytes:
    try:
        from safetensors.numpy import save
    except ImportError:
        raise _missing_extra() from None
    text = np.frombuffer("\n".join(words).encode(), np.uint8)
    tensors = {"vectors": np.ascontiguousarray(vectors), "words": text}
    packed: bytes = save(tensors, metadata={"generator": GENERATOR})
    return packed


def _missing_extra() -> MissingExtra:
    return MissingExtra("models", "a .safetensors file")
