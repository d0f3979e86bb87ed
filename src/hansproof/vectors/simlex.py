"""SimLex-999: how alike people find two words, and whether vectors put pairs in the same order.

Hill, Reichart, Korhonen: SimLex-999: Evaluating Semantic Models With (Genuine) Similarity
Estimation. Computational Linguistics 41(4), 2015.
"""

from __future__ import annotations

import csv
import math

import numpy as np

from ..errors import BadInput
from .neighbours import cosine
from .table import Table

Rated = tuple[tuple[str, str], float]  # a pair of words, and how alike people find them

_COLUMNS = ("word1", "word2", "SimLex999")


def read(path: str) -> list[Rated]:
    """The pairs of the published file, which is a table with named columns."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise BadInput(path, "is no table of SimLex-999") from None
    return [_rated(path, number, row) for number, row in enumerate(rows, start=2)]


def _rated(path: str, number: int, row: dict[str, str]) -> Rated:
    try:
        first, second, score = (row[name] for name in _COLUMNS)
        value = float(score)
    except (KeyError, TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(path, f"needs {', '.join(_COLUMNS)}, the last a number", line=number)
    return (first, second), value


def spearman(table: Table, rated: list[Rated]) -> tuple[float | None, int]:
    """The rank correlation of cosines with what people say, and for how many pairs."""
    from scipy.stats import spearmanr

    cosines = cosine(table, [pair for pair, _ in rated])
    known = ~np.isnan(cosines)
    said = np.array([score for _, score in rated])
    count = int(known.sum())
    if count < 2 or np.ptp(cosines[known]) == 0 or np.ptp(said[known]) == 0:
        return None, count
    return float(spearmanr(cosines[known], said[known]).statistic), count
