"""The summary and the notes on the order of mirroring."""

from __future__ import annotations

from ...cues.null_band import NullBand
from ...types import Verdict
from .curve import NULL, PRIORITY, RANDOM, SIGNIFICANT, Milestone

NOT_CLEAN = (
    "That no {cue} is significant, or all together no stronger than by chance, does not prove that "
    "the choices are clean: they may give the answer away in ways that {blind_spot}."
)
NO_TEST = (
    "Items are ordered by their answers, so that their {cue}s end up no stronger than by chance is "
    "not a test of the result. To test it, run the probe `{probe}` on the newly written items."
)
# by target: what sentences call a cue, and all of them; the probe; what it cannot show
TARGET_WORDS = {
    "cues": {
        "cue": "cue", "named": "cue (word or phrase)", "all_named": "cues (words and phrases)",
        "probe": "cues", "blind_spot": "counting words cannot show",
    },
    "rules": {
        "cue": "rule", "named": "rule", "all_named": "rules",
        "probe": "shortcuts", "blind_spot": "these rules do not cover",
    },
}  # fmt: skip
BY_GROUP = "Items of a group are mirrored together; groups that are already balanced are left out."
NOTHING_TESTED = {
    "cues": "Skipped: no word of the choices occurs in enough items to be tested.",
    "rules": "Skipped: there is nothing to mirror, as no significant rule was found. This does not "
    "prove that there is none; the probe `shortcuts` shows how strong a rule must be to be found.",
}


def decide_verdict(marks: list[Milestone], n_tested: int) -> Verdict:
    """Return caution if items should be mirrored, else skipped.

    Nothing to mirror is not an all-clear: whether there are enough items to see a cue is decided
    by the probe `cues`.
    """
    has_work = n_tested and any(mark.items for mark in marks if mark.way == PRIORITY)
    return "caution" if has_work else "skipped"


def write_summary(marks: list[Milestone], items: int, target: str) -> str:
    """State how many items to mirror in this order, and how many in a random order."""
    words = TARGET_WORDS[target]
    by_kind = {(mark.until, mark.way): mark for mark in marks}
    null, single = by_kind[NULL, PRIORITY], by_kind[SIGNIFICANT, PRIORITY]
    if not null.items and not single.items:
        return (
            f"Skipped: there is nothing to mirror, as no {words['named']} is significant and all "
            f"{words['cue']}s together are no stronger than by chance. This does not prove that "
            f"there are no {words['cue']}s; the probe `{words['probe']}` shows how strong a "
            f"{words['cue']} must be to be found."
        )
    null_at_random, single_at_random = by_kind[NULL, RANDOM], by_kind[SIGNIFICANT, RANDOM]
    clauses = []
    if null.items:
        clauses.append(
            f"After mirroring {null.items:,.0f} of {items:,} items, the most urgent first, all "
            f"{words['all_named']} together are no stronger than by chance (in random order: "
            f"{null_at_random.items:,.0f})"
        )
    else:
        clauses.append(
            f"All {words['all_named']} together are no stronger than by chance before any item is "
            "mirrored"
        )
    if single.items:
        clauses.append(
            f"after mirroring {single.items:,.0f}, no single {words['cue']} is significant (in "
            f"random order: {single_at_random.items:,.0f})"
        )
    else:
        clauses.append(
            f"no single {words['cue']} is significant to begin with, which does not prove the "
            "choices clean"
        )
    return f"{'; '.join(clauses)}."


def write_notes(band: NullBand, target: str) -> tuple[str, ...]:
    """Return notes on what the order does not show."""
    texts = [text.format(**TARGET_WORDS[target]) for text in (NO_TEST, NOT_CLEAN)]
    if int(band.shares.size.max()) > 1:
        texts.append(BY_GROUP)
    return tuple(texts)
