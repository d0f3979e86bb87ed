"""The vectors that a frozen encoder gives the choices of a benchmark.

Vectors are those of the model plug-in `encoder_linear`, and share its cache. A file in the folder
of an encoder names it, so that a later audit of the same choices finds the vectors by itself.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import models, plugins
from .._infra.atomic_io import write_file
from ..errors import BadInput
from ..pretrained import devices, text_encoder
from ..pretrained.text_encoder import TextEncoder
from ..types import Benchmark, Items
from .choice_texts import is_declined, list_choice_texts, require_all
from .model_names import clean_name, distinct_names, short_name

Vectors = NDArray[np.float32]

NAME_FILE = "encoder.json"  # in the folder of an encoder in the cache
SCHEMA = 1
POOLINGS = ("mean", "first")


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
    """

    model: str
    fingerprint: str
    device: str
    by_text: Mapping[str, int]
    matrix: Vectors

    def rows(self, items: Items) -> Vectors:
        """Return the vector of each choice of the items, one item after the other."""
        indices = [self.by_text[choice] for item in items for choice in item.choices]
        return self.matrix[np.array(indices, np.intp)]


def load_vectors(values: Sequence[str], benchmark: Benchmark) -> list[ChoiceVectors]:
    """Load or compute the vectors of all choices, once for each encoder.

    A value is a spec of the model plug-in `encoder_linear`, or a folder or hub id of an encoder.
    """
    if is_declined("encoder", values):
        return []
    texts = list_choice_texts(benchmark)
    encoders = {(e := build_encoder(value)).cache_folder(): e for value in values}
    return _rename_equal(_encode(encoder, texts) for encoder in encoders.values())


def find_cached_vectors(benchmark: Benchmark) -> list[ChoiceVectors]:
    """Return the vectors of every encoder that is named in the cache and has all choices there."""
    texts = list_choice_texts(benchmark)
    paths = sorted(glob.glob(os.path.join(glob.escape(text_encoder.cache_root()), "*", NAME_FILE)))
    cached = (_read_covering(os.path.dirname(path), texts) for path in paths if texts)
    return _rename_equal(vectors for vectors in cached if vectors is not None)


def require_choices(vectors: ChoiceVectors, benchmark: Benchmark) -> ChoiceVectors:
    """Return vectors unchanged; raise BadInput if they are not of all choices."""
    texts = list_choice_texts(benchmark)
    require_all(texts, vectors.by_text, f"vectors of {vectors.model}")
    return vectors


def build_encoder(value: str) -> TextEncoder:
    """Build the encoder of a spec, or of a folder or hub id; raise BadInput for other plug-ins."""
    name = plugins.plugin_name(value)
    if name == "encoder_linear":
        model = models.load(value)
        return TextEncoder(model.encoder, model.pooling, model.cache, model.device)
    if not os.path.isdir(value) and (name in plugins.names("models") or name.endswith(".py")):
        message = f"{value} is not an encoder: give a folder, a hub id or encoder_linear:FOLDER"
        raise BadInput("--encoder", message)
    return TextEncoder(value, "mean", "", "auto")


def _encode(encoder: TextEncoder, texts: Sequence[str]) -> ChoiceVectors:
    """Return the vectors of texts, from the cache as far as they are there."""
    folder, fingerprint = encoder.cache_folder(), encoder.fingerprint()
    name = short_name(encoder.source)
    name += "" if encoder.pooling == "mean" else f", {encoder.pooling} token"
    saved = _read_name_file(folder)
    matrix = text_encoder.read_cached_vectors(folder, texts) if texts else _no_vectors()
    device = str(saved["device"]) if saved else ""
    if matrix is None:
        matrix = encoder.encode_texts(texts)
        device = devices.describe_setting(encoder.device)
    content = {
        "hansproof": "encoder", "schema": SCHEMA, "model": name, "fingerprint": fingerprint,
        "pooling": encoder.pooling, "device": device,
    }  # fmt: skip
    if texts and content != saved:
        with contextlib.suppress(BadInput):  # then later audits do not find the vectors
            write_file(os.path.join(folder, NAME_FILE), json.dumps(content).encode())
    return _to_choice_vectors(name, fingerprint, device, texts, matrix)


def _no_vectors() -> Vectors:
    return np.zeros((0, 0), np.float32)


def _read_covering(folder: str, texts: Sequence[str]) -> ChoiceVectors | None:
    """Return the vectors in a folder of the cache if it has those of all texts."""
    saved = _read_name_file(folder)
    matrix = text_encoder.read_cached_vectors(folder, texts) if saved else None
    if saved is None or matrix is None:
        return None
    name, fingerprint, device = (str(saved[key]) for key in ("model", "fingerprint", "device"))
    return _to_choice_vectors(clean_name(name), fingerprint, clean_name(device), texts, matrix)


def _read_name_file(folder: str) -> dict[str, Any] | None:
    """Return what the file in a folder says of its encoder; None if it is damaged or missing."""
    try:
        with open(os.path.join(folder, NAME_FILE), "rb") as file:
            saved = json.load(file)
    except (OSError, ValueError, RecursionError):
        return None
    names = ("model", "fingerprint", "pooling", "device")
    if not isinstance(saved, dict) or not all(isinstance(saved.get(name), str) for name in names):
        return None
    key = text_encoder.cache_key(saved["fingerprint"], saved["pooling"])
    is_valid = saved.get("schema") == SCHEMA and saved["pooling"] in POOLINGS
    return saved if is_valid and key == os.path.basename(folder) else None


def _to_choice_vectors(
    name: str, fingerprint: str, device: str, texts: Sequence[str], matrix: Vectors
) -> ChoiceVectors:
    by_text = {text: index for index, text in enumerate(texts)}
    return ChoiceVectors(name, fingerprint, device, by_text, matrix)


def _rename_equal(vectors: Iterable[ChoiceVectors]) -> list[ChoiceVectors]:
    """Give encoders names that differ."""
    encoders = [*vectors]
    names = distinct_names([e.model for e in encoders], [e.fingerprint for e in encoders])
    return [replace(e, model=name) for e, name in zip(encoders, names, strict=True)]
