"""Learns whether answers are made of more or less frequent words; sees choices only.

The baseline of Kavumba et al. 2019, who say only that it takes frequencies from the `wordfreq`
package. Here: mean, minimum, maximum and sum of the Zipf frequencies of a choice's words, and a
logistic regression on how these differ between choices.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import BadInput, MissingExtra, UnknownName
from ..linear import solver
from ..text.detect_script import choose_tokenizer
from ..text.tokenizers import AUTO, get_tokenizer
from ..types import FitInfo, Items, Model


@dataclass(frozen=True, slots=True)
class Wordfreq:
    """A weighted sum of four numbers per choice."""

    selects: ClassVar[bool] = False

    language: str = "en"  # language of the word frequencies
    penalty: float = 1.0  # L2 penalty on the weights

    def __post_init__(self) -> None:
        """Check the parameters."""
        if not 0 < self.penalty < math.inf:
            raise BadInput("wordfreq:penalty", f"is {self.penalty}, must be more than 0")

    def fit(self, items: Items, select: Items, seed: int) -> Model:
        """Fit weights for the four numbers, after scaling them."""
        tokenizer = choose_tokenizer(AUTO, items).name
        rows = _frequency_features(items, self.language, tokenizer)
        centre, scale = rows.mean(axis=0), rows.std(axis=0)
        scale[scale == 0] = 1
        offsets, answers = solver.choice_layout(items)
        weights, bias = solver.fit_weights((rows - centre) / scale, offsets, answers, self.penalty)
        weights = weights / scale
        return _FittedWordfreq(
            self.language, tuple(weights.tolist()), bias - float(centre @ weights), tokenizer
        )

    def materials(self) -> dict[str, str]:
        """Return the version of the package, which contains the frequencies."""
        from importlib import metadata

        _import_wordfreq()
        return {"wordfreq_version": metadata.version("wordfreq")}


@dataclass(frozen=True, slots=True)
class _FittedWordfreq:
    """Weights of mean, minimum, maximum and sum."""

    language: str
    weights: tuple[float, ...]
    bias: float
    tokenizer: str

    @property
    def fit_info(self) -> FitInfo:
        return FitInfo(tokenizer=self.tokenizer)

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return the weighted sum for each choice."""
        rows = _frequency_features(items, self.language, self.tokenizer)
        return solver.group_by_item(
            items, solver.score_rows(rows, np.array(self.weights), self.bias)
        )


def _frequency_features(items: Items, language: str, tokenizer: str) -> solver.Floats:
    """Return mean, minimum, maximum and sum of the frequencies of each choice's words."""
    split = get_tokenizer(tokenizer).split
    texts = [split(choice) for item in items for choice in item.choices]
    zipf = _zipf_frequencies({word for words in texts for word in words}, language)
    rows = [_summarize([zipf[word] for word in words]) for words in texts]
    return np.array(rows, np.float64).reshape(-1, 4)


def _summarize(frequencies: list[float]) -> tuple[float, ...]:
    if not frequencies:
        return (0.0,) * 4
    return (
        math.fsum(frequencies) / len(frequencies),
        min(frequencies),
        max(frequencies),
        math.fsum(frequencies),
    )


def _zipf_frequencies(words: set[str], language: str) -> dict[str, float]:
    """Return the Zipf frequency of each word: 0 if unknown, about 7 for the most frequent."""
    package = _import_wordfreq()
    if language not in package.available_languages():  # wordfreq would fall back to a similar one
        raise UnknownName("language of wordfreq", language, package.available_languages())
    try:
        return {word: float(package.zipf_frequency(word, language)) for word in words}
    except ImportError as error:  # Chinese, Japanese and Korean need further packages
        raise BadInput("wordfreq:language", f"{language}: {error}") from None


def _import_wordfreq() -> Any:
    try:
        import wordfreq
    except ImportError:
        raise MissingExtra("wordfreq", "the wordfreq model") from None
    return wordfreq
