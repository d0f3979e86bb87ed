"""Branco et al. 2021: partial inputs, attack, contamination and transfer on four tasks."""

from __future__ import annotations

from .findings import FINDINGS
from .tables import TABLES, TEXTS

__all__ = ["FINDINGS", "NOTES", "TABLES", "TEXTS"]

# problems that people noticed in the papers and the released code; not derived from figures
NOTES = {
    "table-3": (
        "Attacked items of ARC are of the validation split in the released code; the score before "
        "is that of the test split.",
    ),
    "table-8": (
        "The released script trains RoBERTa on PIQA with batches of 4, a rate of 1e-3 and 15 "
        "epochs.",
    ),
    "table-12": (
        "The released notebook marks bigrams of ARC as useful by the table of unigrams: all are "
        "marked as not.",
    ),
    "text": (
        "The weakness of ARCT is put down to shortcuts that are not linear, since memory and "
        "single words are ruled out; claim and warrant alone, at .785, point to cues between the "
        "two.",
    ),
}
