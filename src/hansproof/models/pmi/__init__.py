"""Prefers the choice whose words often co-occur with those of the question, counted in any corpus.

Does not learn from the benchmark. `hansproof count` makes the table of counts. Kinds of score:
`pmi` is the mean pointwise mutual information of the words (Gordon et al. 2011), `causal` the
causal strength from pairs around connectives (Luo et al. 2016), `phrase` either of them with
frequent word pairs as further units (after Sasaki et al. 2017). The cause comes before the effect;
where a question does not say which is which, the question comes before the choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..._infra import hashing
from ...errors import BadInput
from ...types import FitInfo, Items
from .strength import PmiScorer, causal_strength, mutual_information
from .table import CountTable, read_table

Kind = Literal["pmi", "causal", "phrase"]


@dataclass(frozen=True, slots=True)
class Pmi:
    """Scores how much more often than by chance the words of two texts co-occur."""

    counts: str  # table of counts written by `hansproof count`
    kind: Kind = "pmi"  # kind of score
    alpha: float = 0.66  # causal: how strongly rare words are favoured
    necessity: float = 1.0  # causal: weight of necessity, against sufficiency

    def __post_init__(self) -> None:
        """Check the parameters."""
        for name in ("alpha", "necessity"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadInput(f"pmi:{name}", f"is {getattr(self, name)}, must be from 0 to 1")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return how well each choice goes with the fields; 0 if there are none."""
        table = read_table(self.counts)
        self._check_table(table)
        measure = (
            causal_strength(table, self.alpha, self.necessity)
            if table.connectives
            else mutual_information(table)
        )
        scorer = PmiScorer(table, measure, self.kind == "phrase")
        return [scorer.score_choices(item) for item in items]

    @property
    def fit_info(self) -> FitInfo:
        return FitInfo(tokenizer="word")

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the table."""
        try:
            return {"counts_sha256": hashing.file_sha256((self.counts,))}
        except OSError as error:
            raise BadInput(self.counts, f"cannot be read: {error.strerror}") from None

    def _check_table(self, table: CountTable) -> None:
        """Raise if the table was counted for another kind of score."""
        problem = {
            "pmi": table.connectives and "was made with --connectives: use pmi:kind=causal",
            "causal": not table.connectives and "was made without --connectives",
            "phrase": not table.phrases and "was made without --phrases",
        }[self.kind]
        if problem:
            raise BadInput(self.counts, problem)
