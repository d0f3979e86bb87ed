"""Kavumba et al. 2020: three encoders by training set."""

from __future__ import annotations

from .findings import FINDINGS
from .tables import TABLES, TEXTS

__all__ = ["FINDINGS", "NOTES", "TABLES", "TEXTS"]

# problems that people noticed in the papers and the released code; not derived from figures
NOTES = {
    "table-1": (
        "The paper says that ALBERT's input starts with [SEP], but uses the vector of [CLS]; "
        "learning rates and clipping are not given.",
    ),
    "text": (
        "The paper says that people judged mirrored items; the paper of 2019 says items of "
        "Balanced COPA. The numbers are the same.",
    ),
}
