"""The colours of all charts."""

from __future__ import annotations

INK, FAINT, RED, BLUE, OCHRE = "#23262f", "#a39c8e", "#b23a1d", "#2a5f8f", "#a9791f"
VIOLET, SAND, SLATE = "#7d5a9e", "#d8d2c4", "#93a5b5"

CARD_BACKGROUND = "#fffefb"  # behind every chart
GRID, AXIS_LINE = "#e8e3d7", "#b9b3a5"
CHANCE_BAND, VOTE_BAND = "#e3ddcf", "#d5e0ea"

# distinguishable with every kind of colour vision, and light enough for text on top
BELOW_CHANCE_FILL, ABOVE_CHANCE_FILL = "#d9a75b", "#7fabd6"
