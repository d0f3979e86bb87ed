"""Niven and Kao 2019: BERT on ARCT and on its adversarial version."""

from __future__ import annotations

from .findings import FINDINGS
from .tables import TABLES, TEXTS

__all__ = ["FINDINGS", "NOTES", "TABLES", "TEXTS"]

# problems that people noticed in the papers and the released code; not derived from figures
NOTES = {
    "table-4": (
        '"Worse than random" in the set-up that trains on the original data can only hold on the '
        "negated half, or with the claim in the input.",
        "The comparisons that later papers draw with this table (BERT fails on balanced ARCT and "
        "succeeds on Balanced COPA) compare other training data.",
    ),
    "text": (
        "GloVe is said to be of 640 billion words; the released code loads that of 840.",
        "The mean without degenerate runs stands as .716 ± .04 and as 71.6 ± .04.",
        "*cannot* is listed as a bigram.",
    ),
}
