"""Kavumba et al. 2019: cues of COPA, Easy and Hard, and what balancing changes."""

from __future__ import annotations

from .findings import FINDINGS
from .tables import TABLES, TEXTS

__all__ = ["FINDINGS", "NOTES", "TABLES", "TEXTS"]

# problems that people noticed in the papers and the released code; not derived from figures
NOTES = {
    "table-7": (
        "According to the text, sensitivity is averaged over all test items; figures of this "
        "size are possible only over the items that contain the word.",
    ),
    "text": (
        "Abstract and conclusion say that RoBERTa does not rely on cues; section 4.3 says that "
        "some reliance remains.",
    ),
}
