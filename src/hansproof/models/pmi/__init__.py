"""Prefers the choice whose words go with those of the question, by counts from any corpus.

Learns nothing from the benchmark. `hansproof count` makes the table of counts; kinds of score:
`pmi` is the mean pointwise mutual information of the words (Gordon et al. 2011), `causal` the
causal strength from pairs around connectives (Luo et al. 2016), `phrase` either of them with
frequent word pairs as further units (after Sasaki et al. 2017). The cause comes before the effect;
where a question does not say which is which, the question comes before the choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ... import digest
from ...errors import BadInput
from ...types import Items
from .strength import Scorer, causal, mutual
from .table import Table, read

Kind = Literal["pmi", "causal", "phrase"]


@dataclass(frozen=True, slots=True)
class Pmi:
    """How much more often than by chance the words of two texts came together."""

    tokenizer: ClassVar[str] = "word"

    counts: str  # table of counts, as `hansproof count` writes it
    kind: Kind = "pmi"  # of score
    alpha: float = 0.66  # causal: how much less frequent words are favoured
    necessity: float = 1.0  # causal: weight of being necessary, against being sufficient

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in ("alpha", "necessity"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadInput(f"pmi:{name}", f"is {getattr(self, name)}, must be from 0 to 1")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """How well each choice goes with the fields; nil where there are none."""
        table = read(self.counts)
        self._fits(table)
        measure = causal(table, self.alpha, self.necessity) if table.connectives else mutual(table)
        scorer = Scorer(table, measure, self.kind == "phrase")
        return [scorer.choices(item) for item in items]

    def materials(self) -> dict[str, str]:
        """The fingerprint of the table."""
        try:
            return {"counts_sha256": digest.sha256((self.counts,))}
        except OSError as error:
            raise BadInput(self.counts, f"cannot be read: {error.strerror}") from None

    def _fits(self, table: Table) -> None:
        """Refuse a table that was counted for another kind."""
        wrong = {
            "pmi": table.connectives and "was made with --connectives: pmi:kind=causal",
            "causal": not table.connectives and "was made without --connectives",
            "phrase": not table.phrases and "was made without --phrases",
        }[self.kind]
        if wrong:
            raise BadInput(self.counts, wrong)
