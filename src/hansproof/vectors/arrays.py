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

from .. import files
from ..errors import BadInput, MissingExtra
from .table import Vectors, check_words

NPZ, SAFETENSORS = ".npz", ".safetensors"
KINDS = (NPZ, SAFETENSORS)

Arrays = tuple[list[str], NDArray[np.floating]]

# what is raised for bytes that are not right; the last two for an array that is no archive
_TORN = (OSError, ValueError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error,
         NotImplementedError, RuntimeError, AttributeError, TypeError)  # fmt: skip
_UNEVEN = "must hold n words and n vectors of one length"


def read(path: str) -> Arrays:
    """The words of a file, and as many vectors."""
    words, vectors = _npz(path) if path.endswith(NPZ) else _safetensors(path)
    if vectors.ndim != 2 or len(words) != len(vectors):
        raise BadInput(path, _UNEVEN)
    if not np.issubdtype(vectors.dtype, np.floating) or not np.isfinite(vectors).all():
        raise BadInput(path, "holds vectors that are no finite numbers", field="vectors")
    return words, vectors


def save(path: str, words: Sequence[str], vectors: Vectors) -> None:
    """Write words and their vectors in the kind of file that its name says."""
    check_name(path)
    check_words(path, words)
    if path.endswith(SAFETENSORS):
        files.write(path, _packed(words, vectors))
        return
    with files.part(path) as file:
        np.savez(file, words=np.array(words, dtype=str), vectors=vectors)


def check_name(path: str) -> None:
    """Refuse, before the work is done, a file of another kind or where none can be."""
    if not path.endswith(KINDS):
        raise BadInput(path, f"must end in {' or '.join(KINDS)}")
    files.check(path)


def _npz(path: str) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            words, vectors = arrays["words"], arrays["vectors"]
    except KeyError as error:
        raise BadInput(path, f"no array of that name: {error.args[0]}") from None
    except _TORN:
        raise BadInput(path, "is no readable .npz of words and vectors") from None
    if words.ndim != 1 or words.dtype.kind != "U":
        raise BadInput(path, _UNEVEN)
    return words.tolist(), vectors


def _safetensors(path: str) -> Arrays:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise _missing() from None
    try:
        with safe_open(path, framework="numpy") as tensors:
            words, vectors = tensors.get_tensor("words"), tensors.get_tensor("vectors")
    except (*_TORN, KeyError, SafetensorError):
        raise BadInput(path, "is no readable .safetensors of words and vectors") from None
    if words.ndim != 1 or words.dtype != np.uint8:
        raise BadInput(path, "must be the bytes of a text", field="words")
    try:
        text = words.tobytes().decode()
    except UnicodeDecodeError:
        raise BadInput(path, "are no UTF-8", field="words") from None
    return text.split("\n") if text else [], vectors


def _packed(words: Sequence[str], vectors: Vectors) -> bytes:
    try:
        from safetensors.numpy import save
    except ImportError:
        raise _missing() from None
    text = np.frombuffer("\n".join(words).encode(), np.uint8)
    packed: bytes = save({"vectors": np.ascontiguousarray(vectors), "words": text})
    return packed


def _missing() -> MissingExtra:
    return MissingExtra("models", "a .safetensors file")
