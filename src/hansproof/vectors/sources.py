"""Where word vectors come from: a file, the package with GloVe, or what was counter-fitted."""

from __future__ import annotations

import os

from .. import digest
from ..errors import BadInput
from ..fetch import cache
from . import package

PACKAGE = "glove-6b-50d"
COUNTERFITTED = "counterfitted"


def paths(source: str) -> tuple[str, ...]:
    """The files of a source."""
    if source == PACKAGE:
        return package.paths(PACKAGE)
    path = counterfitted() if source == COUNTERFITTED else source
    if not os.path.isfile(path):
        what = f"no such file of word vectors; or name {PACKAGE} or {COUNTERFITTED}"
        if source == COUNTERFITTED:
            what = "these vectors are not there yet: `hansproof vectors counterfit` makes them"
        raise BadInput(source or "vectors", what)
    return (path,)


def counterfitted() -> str:
    """The file that `hansproof vectors counterfit` writes, and that `counterfitted` means."""
    return os.path.join(cache(), "vectors", "counterfitted.npz")


def sha256(source: str) -> str:
    """The fingerprint of a source's files."""
    return digest.sha256(paths(source))
