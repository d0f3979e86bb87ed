"""The vectors that a frozen encoder gives the choices of a benchmark.

Vectors are those of the model plug-in `encoder_linear`, and share its cache. A file in the folder
of an encoder names it, so that a later audit of the same choices finds the vectors by itself.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._infra.atomic_io import write_file
from ..errors import BadInput
from ..pretrained import devices, text_encoder
from ..pretrained.text_encoder import TextEncoder
from ..types import Benchmark, Items
from .choice_texts import list_choice_texts, require_all
from .distinct_models import distinct_models
from .model_names import clean_name, is_valid_unicode, short_name
from .model_specs import build_encoder

Vectors = NDArray[np.float32]

NAME_FILE = "encoder.json"  # in the folder of an encoder in the cache
SCHEMA = 1
NAME_SUFFIXES = {"mean": "", "first": " (first token)"}  # of names, by pooling


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceVectors:
    """The vector of every choice under one encoder, which saw nothing else.

    Choices of splits without answers are not among them.

    Attributes:
        model: A short name for people, such as `minilm`.
        fingerprint: The sha256 of the encoder's files, or its hub id and commit.
        device: Where vectors were computed; empty if that is unknown.
        by_text: The row of the matrix, by the text of the choice as it is in the item.
        matrix: One vector of length 1 per text; the vector of an empty text is all zeros.
        pooling: How the vectors of tokens were combined: `mean` or `first`.
    """

    model: str
    fingerprint: str
    device: str
    by_text: Mapping[str, int]
    matrix: Vectors
    pooling: str = "mean"

    @property
    def identity(self) -> str:
        """What tells encoders apart."""
        return f"{self.fingerprint} {self.pooling}"

    def rows(self, items: Items) -> Vectors:
        """Return the vector of each choice of the items, one item after the other."""
        indices = [self.by_text[choice] for item in items for choice in item.choices]
        return self.matrix[np.array(indices, np.intp)]


def load_vectors(values: Sequence[str], benchmark: Benchmark) -> list[ChoiceVectors]:
    """Load or compute the vectors of all choices, once for each encoder.

    A value is a spec of the model plug-in `encoder_linear`, or a folder or hub id of an encoder.
    """
    texts = list_choice_texts(benchmark)
    encoders = {(e := build_encoder(value)).cache_folder(): e for value in values}
    return distinct_models(_encode(encoder, texts) for encoder in encoders.values())


def find_cached_vectors(benchmark: Benchmark) -> list[ChoiceVectors]:
    """Return the vectors of every encoder that is named in the cache and has all choices there."""
    texts = list_choice_texts(benchmark)
    paths = sorted(glob.glob(os.path.join(glob.escape(text_encoder.cache_root()), "*", NAME_FILE)))
    cached = (_read_covering(os.path.dirname(path), texts) for path in paths if texts)
    return distinct_models(vectors for vectors in cached if vectors is not None)


def require_choices(vectors: ChoiceVectors, benchmark: Benchmark) -> ChoiceVectors:
    """Return vectors unchanged; raise BadInput if they are not of all choices."""
    texts = list_choice_texts(benchmark)
    require_all(texts, vectors.by_text, vectors.model, "vectors")
    return vectors


def _encode(encoder: TextEncoder, texts: Sequence[str]) -> ChoiceVectors:
    """Return the vectors of texts, from the cache as far as they are there."""
    folder, fingerprint = encoder.cache_folder(), encoder.fingerprint()
    saved = _read_name_file(folder)
    matrix = text_encoder.read_cached_vectors(folder, texts) if texts else _no_vectors()
    device = str(saved["device"]) if saved else ""
    if matrix is None:
        matrix = encoder.encode_texts(texts, needs_cache=False)
        device = devices.describe_setting(encoder.device)
    content = {
        "hansproof": "encoder", "schema": SCHEMA, "model": short_name(encoder.source),
        "fingerprint": fingerprint, "pooling": encoder.pooling, "device": device,
    }  # fmt: skip
    if texts and content != saved:
        with contextlib.suppress(BadInput):  # then later audits do not find the vectors
            write_file(os.path.join(folder, NAME_FILE), json.dumps(content).encode())
    return _to_choice_vectors(content, texts, matrix)


def _no_vectors() -> Vectors:
    return np.zeros((0, 0), np.float32)


def _read_covering(folder: str, texts: Sequence[str]) -> ChoiceVectors | None:
    """Return the vectors in a folder of the cache if it has those of all texts."""
    saved = _read_name_file(folder)
    matrix = text_encoder.read_cached_vectors(folder, texts) if saved else None
    return None if saved is None or matrix is None else _to_choice_vectors(saved, texts, matrix)


def _read_name_file(folder: str) -> dict[str, Any] | None:
    """Return what the file in a folder says of its encoder; None if it is damaged or missing."""
    try:
        with open(os.path.join(folder, NAME_FILE), "rb") as file:
            saved = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    names = ("model", "fingerprint", "pooling", "device")
    if not isinstance(saved, dict) or saved.get("schema") != SCHEMA:
        return None
    values = [saved.get(name) for name in names]
    if not all(isinstance(value, str) and is_valid_unicode(value) for value in values):
        return None
    is_known = saved["pooling"] in NAME_SUFFIXES
    key = text_encoder.cache_key(saved["fingerprint"], saved["pooling"])
    return saved if is_known and key == os.path.basename(folder) else None


def _to_choice_vectors(
    facts: Mapping[str, Any], texts: Sequence[str], matrix: Vectors
) -> ChoiceVectors:
    """Join vectors with what the file in their folder says of the encoder."""
    by_text = {text: index for index, text in enumerate(texts)}
    pooling = str(facts["pooling"])
    name = clean_name(str(facts["model"])) + NAME_SUFFIXES[pooling]
    device = clean_name(str(facts["device"]))
    return ChoiceVectors(name, str(facts["fingerprint"]), device, by_text, matrix, pooling)
