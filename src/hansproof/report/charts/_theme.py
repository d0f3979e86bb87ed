"""The colours of the pictures."""

from __future__ import annotations

INK, FAINT, RED, BLUE, OCHRE = "#23262f", "#a39c8e", "#b23a1d", "#2a5f8f", "#a9791f"
CARD_BACKGROUND = "#fffefb"  # what the pictures stand on
