"""The summary and the notes on the order of mirroring."""

from __future__ import annotations

from ...cues.null_band import NullBand
from ...types import Verdict
from .curve import NULL, PRIORITY, RANDOM, SIGNIFICANT, Milestone

NOT_CLEAN = (
    "That no single cue is significant, or that all together are inside their band, does not mean "
    "clean: the choices may tell a model in ways that no count of words sees."
)
NO_TEST = (
    "Items are put in order by their answers. That the strength is inside its band after so many "
    "is no test: whoever wants one counts the cues of newly written items."
)
BY_GROUP = "Items of a group are mirrored together; groups that are balanced already are left out."


NO_CUES = "Skipped: no word of the choices is in enough items for a test of whether it is a cue."


def decide_verdict(marks: list[Milestone], n_tested: int) -> Verdict:
    """Return caution if items should be mirrored, else skipped.

    Nothing to mirror is not an all-clear: whether there are enough items to see a cue is decided
    by the probe `cues`.
    """
    has_work = n_tested and any(mark.items for mark in marks if mark.way == PRIORITY)
    return "caution" if has_work else "skipped"


def write_summary(marks: list[Milestone], items: int) -> str:
    """State how many items to mirror in this order, and how many in a random order."""
    by_kind = {(mark.until, mark.way): mark for mark in marks}
    null, single = by_kind[NULL, PRIORITY], by_kind[SIGNIFICANT, PRIORITY]
    if not null.items and not single.items:
        return (
            "Skipped: there is nothing to mirror, as no single cue is significant and all of them "
            "together are in the band of chance. This does not show that there are no cues; the "
            "probe `cues` says which it could have found."
        )
    null_at_random, single_at_random = by_kind[NULL, RANDOM], by_kind[SIGNIFICANT, RANDOM]
    clauses = []
    if null.items:
        clauses.append(
            f"{null.items:.0f} of {items} items, mirrored in this order, bring the strength of all "
            f"cues together into the band of chance (at random {null_at_random.items:.0f})"
        )
    else:
        clauses.append("All cues together are in the band of chance before any item is mirrored")
    if single.items:
        clauses.append(
            f"{single.items:.0f} leave no single cue significant "
            f"(at random {single_at_random.items:.0f})"
        )
    else:
        clauses.append("no single cue is significant from the start, which does not mean clean")
    return f"{'; '.join(clauses)}."


def write_notes(band: NullBand) -> tuple[str, ...]:
    """Return notes on what the order does not show."""
    texts = [NO_TEST, NOT_CLEAN]
    if int(band.shares.size.max()) > 1:
        texts.append(BY_GROUP)
    return tuple(texts)
