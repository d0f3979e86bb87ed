"""Branco et al. 2021: partial inputs, attack, contamination and transfer on four tasks."""

from __future__ import annotations

from .findings import FINDINGS
from .tables import TABLES, TEXTS

__all__ = ["FINDINGS", "NOTES", "TABLES", "TEXTS"]

# problems that people noticed in the papers and the released code; not derived from figures
NOTES = {
    "table-3": (
        "The released code attacks the validation split of ARC, but the score before the attack "
        "is that of the test split.",
    ),
    "table-8": (
        "The released script trains RoBERTa on PIQA with batches of 4, a rate of 1e-3 and 15 "
        "epochs.",
    ),
    "table-12": (
        "The released notebook looks up bigrams of ARC in the table of unigrams, so all of them "
        "are marked as not useful.",
    ),
    "text": (
        "The paper attributes the weakness of ARCT to non-linear shortcuts, since it rules out "
        "memory and single words; the .785 from claim and warrant alone suggests cues between "
        "the two.",
    ),
}
