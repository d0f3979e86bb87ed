"""How likely a causal language model finds the choices of a benchmark, without their questions.

Likelihoods come from a model, or from a file that was computed on another machine. Those of a model
are kept in the user's cache, in a file per model, so that a later audit of the same choices does
not load the model.
"""

from __future__ import annotations

import glob
import hashlib
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._infra.atomic_io import expand_paths
from ..errors import BadInput
from ..types import Benchmark, Items
from .choice_texts import list_choice_texts, require_all
from .distinct_models import distinct_models
from .likelihood_files import LikelihoodTable, compute_missing, read_table, read_valid, text_digest
from .model_names import short_name
from .model_specs import build_lm

if TYPE_CHECKING:
    from ..models.lm import Lm

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ChoiceLikelihoods:
    """The likelihood of every choice under one language model, which saw nothing else.

    Choices of splits without answers are not among them.

    Attributes:
        model: A short name for people, such as `lm:smollm2`.
        fingerprint: The sha256 of the model's files, or its hub id and commit.
        device: Where the likelihoods were computed.
        by_text: The natural logarithm of the likelihood, summed over the tokens, and the number of
            tokens, by the text of the choice as it is in the item.
    """

    model: str
    fingerprint: str
    device: str
    by_text: Mapping[str, tuple[float, int]]

    @property
    def identity(self) -> str:
        """What tells models apart."""
        return self.fingerprint

    def totals(self, items: Items) -> Floats:
        """Return the log-likelihood of each choice of the items, one item after the other."""
        return np.array([log for log, _ in self._pairs(items)], np.float64)

    def means(self, items: Items) -> Floats:
        """Return the log-likelihood per token of each choice, one item after the other."""
        return np.array([log / max(tokens, 1) for log, tokens in self._pairs(items)], np.float64)

    def _pairs(self, items: Items) -> Iterator[tuple[float, int]]:
        return (self.by_text[choice] for item in items for choice in item.choices)


def load_likelihoods(values: Sequence[str], benchmark: Benchmark) -> list[ChoiceLikelihoods]:
    """Load or compute the likelihoods of all choices, once for each model.

    A value is a spec of the model plug-in `lm`, a folder or hub id of a causal language model, or a
    path or wildcard of files that contain likelihoods, which end in `.jsonl`.
    """
    texts = list_choice_texts(benchmark)
    tables: dict[str, LikelihoodTable] = {}
    sources: dict[str, list[str]] = {}
    for value in values:
        for source, table in _load_tables(value, texts):
            previous = tables.get(table.fingerprint)
            tables[table.fingerprint] = previous.merge(table) if previous else table
            sources.setdefault(table.fingerprint, []).append(source)
    for fingerprint, table in tables.items():
        covered = {text for text in texts if text_digest(text) in table.by_digest}
        require_all(texts, covered, ", ".join(sources[fingerprint]), "likelihoods")
    return _to_likelihoods(tables.values(), texts)


def find_cached_likelihoods(benchmark: Benchmark) -> list[ChoiceLikelihoods]:
    """Return the likelihoods under every model whose file in the cache has all choices."""
    texts = list_choice_texts(benchmark)
    digests = [*map(text_digest, texts)]
    paths = sorted(glob.glob(os.path.join(glob.escape(_cache_folder()), "*.jsonl")))
    tables = (_read_covering(path, digests) for path in paths if digests)
    return _to_likelihoods([table for table in tables if table is not None], texts)


def require_choices(likelihoods: ChoiceLikelihoods, benchmark: Benchmark) -> ChoiceLikelihoods:
    """Return likelihoods unchanged; raise BadInput if they are not of all choices."""
    texts = list_choice_texts(benchmark)
    require_all(texts, likelihoods.by_text, likelihoods.model, "likelihoods")
    return likelihoods


def _load_tables(value: str, texts: Sequence[str]) -> list[tuple[str, LikelihoodTable]]:
    """Load the tables of files, or the one of a model, with what each comes from."""
    if is_file_pattern(value):
        return [(path, read_table(path)) for path in expand_paths(value)]
    return [(value, _compute_table(build_lm(value), texts))]


def is_file_pattern(value: str) -> bool:
    """Tell whether a value stands for files of likelihoods, not for a model."""
    return value.endswith(".jsonl") and not os.path.isdir(value)


def _compute_table(model: Lm, texts: Sequence[str]) -> LikelihoodTable:
    """Return the table of a model from the cache, after adding texts that it lacks."""
    from ..pretrained import checkpoint

    fingerprint = checkpoint.fingerprint(model.source)
    path = cache_path(fingerprint)
    saved = read_valid(path, fingerprint)
    if saved is None and os.path.exists(path):
        warnings.warn(f"{path}: is damaged, so likelihoods are computed again", stacklevel=2)
    table = compute_missing(path, model, fingerprint, saved, texts, is_cache=True)
    return replace(table, model=f"lm:{short_name(model.source)}")


def cache_path(fingerprint: str) -> str:
    """Return the path of a model's file in the user's cache."""
    key = hashlib.sha256(fingerprint.encode()).hexdigest()
    return os.path.join(_cache_folder(), f"{key[:32]}.jsonl")


def _cache_folder() -> str:
    from ..download import cache_dir

    return os.path.join(cache_dir(), "likelihoods")


def _read_covering(path: str, digests: Sequence[str]) -> LikelihoodTable | None:
    """Return the table of a file in the cache if it has all texts; None if not, or if damaged."""
    try:
        with open(path, "rb") as file:
            if digests[0].encode() not in file.read():  # much faster than to parse the file
                return None
        table = read_table(path)
        is_valid = path == cache_path(table.fingerprint)
    except (OSError, BadInput):
        return None
    return table if is_valid and all(d in table.by_digest for d in digests) else None


def _to_likelihoods(
    tables: Iterable[LikelihoodTable], texts: Sequence[str]
) -> list[ChoiceLikelihoods]:
    """Keep what the tables say of these texts; models get names that differ."""
    digests = {text: text_digest(text) for text in texts}
    return distinct_models(
        ChoiceLikelihoods(
            table.model,
            table.fingerprint,
            table.device,
            {text: table.by_digest[digest] for text, digest in digests.items()},
        )
        for table in tables
    )
