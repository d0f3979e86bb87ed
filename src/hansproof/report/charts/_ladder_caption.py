"""The caption of the ladder, and what it shares with the picture: lines below, and shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...probes.shortcuts.tables import LEADING
from ._dot_plot import WIDENED_NOTE, has_widened_intervals

HOW_TO_READ = "Bars: accuracy with the features of a rung and of all earlier rungs."
STEP_NOTE = "The coloured end is what the rung adds."
DOT_NOTE = (
    "Dots: a rung by itself, with the 95% interval; filled if it is significant. Dashed: chance."
)
LEADING_NOTE = (
    "Red: the leading rung, the one that adds most. If that is uncertain, it is the one with the "
    "strongest rule."
)
LEADING_ALONE_NOTE = "Red: the leading rung."
SHARE_NOTE = (
    "On the right: the share of the blind score’s gain over chance that a rung adds, bold if its "
    "interval is above 0%. If several rungs explain the same items, the first one gets the credit, "
    "so 0% does not mean harmless: the dot shows what a rung answers by itself."
)
NEGATIVE_NOTE = "Below 0%: with that rung, fewer items are answered than without it."
MODEL_NOTE = "Not explained by any rung: the ring is the best blind model, {}."
BOX_NOTE = "Dashed box: what it answers beyond all rungs."
BEATEN_NOTE = "No other blind model answers more than all rungs together."
MINUS = "−"
LARGEST_SHARE = 9.99  # that is written out

LadderRecords = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class LadderExtras:
    """The lines of a ladder below its rungs: what is not explained, and what was not tried."""

    unexplained: dict[str, Any] | None  # None unless a blind model is better than the ladder
    hints: Mapping[str, str]  # label -> how to try it, or why it was not tried
    is_model_beaten: bool = False  # whether there are blind models, none better than the ladder


def build_caption(rows: LadderRecords, extras: Sequence[LadderExtras]) -> str:
    """Join the sentences that apply to these rows."""
    last_rows = [split.unexplained for split in extras if split.unexplained]
    shares = [row["share"] for row in rows if row["share"] is not None]
    conditions = {
        HOW_TO_READ: True,
        STEP_NOTE: bool(shares),
        DOT_NOTE: True,
        WIDENED_NOTE: has_widened_intervals(rows),
        LEADING_NOTE if shares else LEADING_ALONE_NOTE: any(r["flag"] == LEADING for r in rows),
        SHARE_NOTE: bool(shares),
        NEGATIVE_NOTE: any(write_share(share).startswith(MINUS) for share in shares),
        MODEL_NOTE.format(last_rows[0]["model"] if last_rows else ""): bool(last_rows),
        BOX_NOTE: any(row["accuracy"] > row["start"] for row in last_rows),
        BEATEN_NOTE: any(split.is_model_beaten for split in extras),
    }
    return " ".join(sentence for sentence, applies in conditions.items() if applies)


def write_share(share: float) -> str:
    """Write a share of the gain over chance; a saved audit may have any number."""
    limited = min(max(share, -LARGEST_SHARE), LARGEST_SHARE)
    return f"{round(100 * limited)}%".replace("-", MINUS)
