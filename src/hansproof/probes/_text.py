"""Helpers for the sentences that probes write."""

from __future__ import annotations

from collections.abc import Iterable

POOLED_NOTE = "Runs are pooled: an item counts once for each, so p and intervals are too small."


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: `1 run`, `3 runs`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def as_clauses(sentences: Iterable[str]) -> tuple[str, ...]:
    """Turn sentences into parts of a longer one: no full stop, no capital where it is a plain word.

    `No word helps.` becomes `no word helps`, `A bag` becomes `a bag`; `COPA` stays as it is.
    """
    return tuple(_as_clause(sentence.rstrip(".")) for sentence in sentences)


def _as_clause(text: str) -> str:
    is_plain_word = text[1:2].islower() or text.startswith("A ")
    return text[:1].lower() + text[1:] if is_plain_word else text
