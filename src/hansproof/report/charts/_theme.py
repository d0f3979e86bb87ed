"""The colours of all charts.

A specification contains the light colours, so that it can be drawn anywhere. The page replaces them
by variables of its style sheet, which has dark ones as well.
"""

from __future__ import annotations

INK, FAINT, RED, BLUE, OCHRE = "#23262f", "#a39c8e", "#b23a1d", "#2a5f8f", "#a9791f"
VIOLET, SAND, SLATE = "#7d5a9e", "#d8d2c4", "#93a5b5"

CARD_BACKGROUND = "#fffefb"  # behind every chart
GRID, AXIS_LINE = "#e8e3d7", "#b9b3a5"
CHANCE_BAND, VOTE_BAND = "#e3ddcf", "#d5e0ea"

# distinguishable with every kind of colour vision, and light enough for text on top
BELOW_CHANCE_FILL, ABOVE_CHANCE_FILL = "#d9a75b", "#7fabd6"

COLOUR_VARIABLES = {
    INK: "var(--ink)",
    CARD_BACKGROUND: "var(--card)",
    FAINT: "var(--chart-faint)",
    RED: "var(--chart-red)",
    BLUE: "var(--chart-blue)",
    OCHRE: "var(--chart-ochre)",
    VIOLET: "var(--chart-violet)",
    SAND: "var(--chart-sand)",
    SLATE: "var(--chart-slate)",
    GRID: "var(--chart-grid)",
    AXIS_LINE: "var(--chart-axis)",
    CHANCE_BAND: "var(--chart-chance-band)",
    VOTE_BAND: "var(--chart-vote-band)",
    BELOW_CHANCE_FILL: "var(--chart-below)",
    ABOVE_CHANCE_FILL: "var(--chart-above)",
}
