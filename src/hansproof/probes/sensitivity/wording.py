"""What was found, in a sentence, a verdict and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...types import Estimate, Verdict
from .._words import many
from .cues import Cue
from .lines import Trend
from .looked import Looked

LEVEL = 0.05
METHODS = {
    "gradient": "the length of the score's gradient by the token's embedding",
    "integrated": "the length of the token's integrated gradients, from padding to the word",
    "occlusion": "by how much the score changes when padding stands for the token",
}
SEQUENCES = {
    "average": "the sequences of an item that have the cue are averaged",
    "predicted": "only the sequence of the choice that the model picks is looked at",
}
NOT_ANSWERED_BY = (
    "That a score hangs on a word does not show that it is answered by it: shares say where a "
    "small change would matter most, not in favour of which choice."
)


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """All that can be told."""

    rows: Sequence[Cue]
    lines: Sequence[Trend]
    first: Sequence[Looked]
    second: Sequence[Looked]
    split: str
    source: str
    method: str
    sequences: str

    @property
    def line(self) -> Trend | None:
        """The one that is judged: of the difference, over the items that have the cue."""
        return next((line for line in self.lines if line.of == "difference"), None)


def p_of(heard: Heard) -> float | None:
    """Of the slope: over cues and, where there are several pairs of models, over these, too."""
    if heard.line is None:
        return None
    return max(heard.line.p, heard.line.p_over_seeds or 0.0)


def verdict(heard: Heard) -> Verdict:
    """caution: what changes goes with productivity, or could not be seen at all."""
    p = p_of(heard)
    return "caution" if p is None or p <= LEVEL else "clear"


def estimates(heard: Heard) -> tuple[Estimate, ...]:
    """The slope; the wider interval, so that it says no more than the verdict."""
    line = heard.line
    if line is None:
        return ()
    low, high = ends(line)
    return (Estimate("slope of the difference over productivity", line.slope, low, high,
                     line.n, 0.0),)  # fmt: skip


def ends(line: Trend) -> tuple[float, float]:
    """Of both intervals, the ends that are farther away."""
    low, high = line.over_seeds
    if low is None or high is None:
        return line.low, line.high
    return min(line.low, low, line.slope), max(line.high, high, line.slope)


def sentence(heard: Heard) -> str:
    """The finding, whatever its sign."""
    if not any(one.tally.items for one in (*heard.first, *heard.second)):
        return f"No item of {heard.split} could be looked at: no shares are to be had."
    if not heard.rows:
        what = f"No cue of {heard.source} is frequent enough and occurs in {heard.split}"
        return f"{what}: there is nothing to look at."
    if not heard.second:
        top = ", ".join(f"“{c.name}” ({_percent(c.sensitivity)})" for c in heard.rows[:3])
        what = f"Where they occur, the scores of {_called(heard.first)} hang most on {top}"
        return f"{what}; give models trained otherwise (--against) to see what changes."
    fallen = [cue for cue in heard.rows if (cue.difference or 0) < 0]
    what = (
        f"The scores of {_called(heard.second)} hang less than those of {_called(heard.first)} on "
        f"{len(fallen)} of {many(len(heard.rows), 'cue')}"
    )
    return f"{what}{_largest(fallen)}. {_trend(heard)}"


def _called(some: Sequence[Looked]) -> str:
    return some[0].name if len(some) == 1 else f"{some[0].name} and {len(some) - 1} more"


def _largest(fallen: Sequence[Cue]) -> str:
    if not fallen:
        return ""
    cue = fallen[0]
    after = cue.sensitivity + (cue.difference or 0)
    return f", most of all “{cue.name}”, from {_percent(cue.sensitivity)} to {_percent(after)}"


def _trend(heard: Heard) -> str:
    line, p = heard.line, p_of(heard)
    if line is None or p is None:
        return "There are too few cues for a line over productivity."
    low, high = ends(line)
    slope = f"slope {line.slope:+.2g} [{low:+.2g}, {high:+.2g}], p = {p:.2g}"
    if p > LEVEL:
        return f"That does not go with how productive a cue is, beyond chance ({slope})."
    how = "less" if line.slope < 0 else "more"
    return f"The more productive a cue is, the {how} they hang on it ({slope})."


def notes(heard: Heard) -> tuple[str, ...]:
    return tuple(_notes(heard))


def _notes(heard: Heard) -> Iterator[str]:
    yield (
        f"What a token counts: {METHODS[heard.method]}; its share is of the sum over all tokens of "
        f"a sequence, special ones too. {SEQUENCES[heard.sequences].capitalize()}."
    )
    yield (
        f"Shares are means over the items of {heard.split} that have the cue; the columns `_all`, "
        "over all items, are the formula as it is printed."
    )
    if heard.source == heard.split:
        yield f"Productivity is counted on {heard.split} itself, whose items are looked at."
    else:
        yield f"Productivity is that in {heard.source}."
    numbers = len(heard.first), len(heard.second)
    if heard.second and numbers[0] != numbers[1]:
        many_of = f"{numbers[0]} models against {numbers[1]}"
        yield f"{many_of}: without pairs there is no interval over them."
    elif heard.second and numbers[0] < 2:
        yield "One model of each kind: how much training itself varies is not known."
    elif heard.second:
        yield f"{numbers[0]} pairs of models, in the order in which they were given."
    for one in (*heard.first, *heard.second):
        if one.tally.skipped:
            what = "their shares are no numbers, or their scores hang on nothing"
            yield f"{one.name}: {many(one.tally.skipped, 'item')} skipped: {what}."
    yield NOT_ANSWERED_BY


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
