"""SimLex-999: ratings of the similarity of words, and their correlation with vectors.

Hill, Reichart, Korhonen: SimLex-999: Evaluating Semantic Models With (Genuine) Similarity
Estimation. Computational Linguistics 41(4), 2015.
"""

from __future__ import annotations

import csv
import math

import numpy as np

from ..errors import BadInput
from .neighbours import pair_cosines
from .table import VectorTable

RatedPair = tuple[tuple[str, str], float]  # a pair of words, and its mean rating

_COLUMNS = ("word1", "word2", "SimLex999")


def read_simlex(path: str) -> list[RatedPair]:
    """Read the pairs of the published file, a table with column names."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise BadInput(path, "is not the table of SimLex-999") from None
    return [_parse_row(path, number, row) for number, row in enumerate(rows, start=2)]


def _parse_row(path: str, number: int, row: dict[str, str]) -> RatedPair:
    try:
        first, second, score = (row[name] for name in _COLUMNS)
        value = float(score)
    except (KeyError, TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(
            path, f"needs the columns {', '.join(_COLUMNS)}, the last a number", line=number
        )
    return (first, second), value


def simlex_correlation(
    table: VectorTable, rated_pairs: list[RatedPair]
) -> tuple[float | None, int]:
    """Return the rank correlation of cosines and ratings, and the number of pairs."""
    from scipy.stats import spearmanr

    cosines = pair_cosines(table, [pair for pair, _ in rated_pairs])
    has_vectors = ~np.isnan(cosines)
    ratings = np.array([score for _, score in rated_pairs])
    count = int(has_vectors.sum())
    if count < 2 or np.ptp(cosines[has_vectors]) == 0 or np.ptp(ratings[has_vectors]) == 0:
        return None, count
    return float(spearmanr(cosines[has_vectors], ratings[has_vectors]).statistic), count
