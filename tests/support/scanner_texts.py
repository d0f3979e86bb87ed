"""Words and gaps between words that are hard for the compiled scanner."""

from __future__ import annotations

from hansproof.contamination.scanner.case_folding import IRREGULAR, fold_table

RARE = [chr(point) for point in (fold_table("word") == IRREGULAR).nonzero()[0]]
WORDS = ["the", "cat", "sat", "on", "a_1", "straße", "ΟΔΟΣ", "ΣΑΣ", "İstanbul", "élan", "Élan",
         "naïve", "мир", "МИР", "猫", "ǅ", "K", "Å", "9", "x" * 9, "y" * 70]  # fmt: skip
GAPS = [" ", "  ", "\n", "\t", ", ", "—", "\u3000", "\u0307", "'", "\0", "\x1c", "\x85", "\xa0", "",
        "." * 90, "\ufffd", "’"]  # fmt: skip
