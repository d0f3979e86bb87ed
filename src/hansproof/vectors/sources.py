"""Sources of word vectors: a file, the package with GloVe, or the counter-fitted vectors."""

from __future__ import annotations

import os

from .._infra import hashing
from ..download import cache_dir
from ..errors import BadInput
from . import glove_package

PACKAGE = "glove-6b-50d"
COUNTERFITTED = "counterfitted"


def source_paths(source: str) -> tuple[str, ...]:
    """Return the files of a source."""
    if source == PACKAGE:
        return glove_package.package_paths(PACKAGE)
    path = counterfitted_path() if source == COUNTERFITTED else source
    if not os.path.isfile(path):
        message = f"no such file of word vectors; give a file, {PACKAGE} or {COUNTERFITTED}"
        if source == COUNTERFITTED:
            message = (
                "these vectors do not exist yet: make them with `hansproof vectors counterfit`"
            )
        raise BadInput(source or "vectors", message)
    return (path,)


def counterfitted_path() -> str:
    """Return the file that `hansproof vectors counterfit` writes, the source `counterfitted`."""
    return os.path.join(cache_dir(), "vectors", "counterfitted.npz")


def source_sha256(source: str) -> str:
    """Return the sha256 of a source's files."""
    return hashing.file_sha256(source_paths(source))
