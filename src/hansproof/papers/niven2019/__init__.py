"""Niven and Kao 2019: BERT on ARCT and on its adversarial version."""

from __future__ import annotations

from .findings import FINDINGS
from .tables import TABLES, TEXTS

__all__ = ["FINDINGS", "NOTES", "TABLES", "TEXTS"]

# problems that people noticed in the papers and the released code; not derived from figures
NOTES = {
    "table-4": (
        "“Worse than random” after training on the original data is possible only on the negated "
        "half, or with the claim in the input.",
        "Comparisons of later papers with this table (BERT fails on balanced ARCT and succeeds "
        "on Balanced COPA) compare models trained on different data.",
    ),
    "text": (
        "The paper says that GloVe was trained on 640 billion words; the released code loads the "
        "version of 840 billion.",
        "The mean without degenerate runs is given both as .716 ± .04 and as 71.6 ± .04.",
        "*cannot* is listed as a bigram.",
    ),
}
