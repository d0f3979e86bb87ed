"""Reads from the text of an answer which choice a model named, or why it named none.

The rules, in their order:

1. Reasoning (`<think>`) and markup are removed. JSON and `<answer>` are read for what they contain.
2. Explicit statements of a letter (`ANSWER: B`, `the answer is not B but C`, `B is correct`, a bare
   `B`, in several languages). The last one counts if all agree, or if the text says that it has
   changed its mind; otherwise, or if a statement names two letters, the answer is ambiguous. A
   letter beside the text of another choice is ambiguous, too.
3. The text of a choice: stated, or the whole answer, or the only choice that a short answer names.
4. Otherwise the answer was refused, cut off, or cannot be read.

When in doubt the rules decline: a wrong reading is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...types import NoAnswer
from .cleaning import clean_text, find_wrapped_answers, strip_reasoning
from .continuations import find_answer_before_next
from .refusals import is_refusal
from .statements import find_stated_letters, settle_statements
from .text_matches import find_named_choice, find_stated_choice, match_whole, normalise

MAX_HEAD, MAX_TAIL = 3_000, 6_000  # characters that are read of a long answer

Reading = int | NoAnswer  # the index of a choice, or why there is none


def read_answer(
    text: str, choices: Sequence[str], is_cut_off: bool = False, has_letters: bool = True
) -> Reading:
    """Return the index of the choice that an answer names, or why it names none.

    Without `has_letters`, the model was not shown the choices by letter.
    """
    if len(text) > MAX_HEAD + MAX_TAIL:
        text = f"{text[:MAX_HEAD]}\n{text[-MAX_TAIL:]}"
    if is_cut_off:
        text = re.sub(r"(?<=[.!?])\s[A-Z]$", "", text)  # perhaps the first word of a sentence
    answer = strip_reasoning(text)
    if answer is None:
        return "cut off" if is_cut_off else "unparsed"
    reading = _read_wrapped(answer, choices, has_letters)
    if reading is None:
        cleaned = clean_text(answer)
        reading = _read_cleaned(cleaned, choices, has_letters, is_cut_off)
        if reading is None and is_refusal(cleaned):
            return "refused"
    if reading is not None:
        return reading
    return "cut off" if is_cut_off else "unparsed"


def _read_wrapped(answer: str, choices: Sequence[str], has_letters: bool) -> Reading | None:
    """Read JSON, `<answer>` and `\\boxed{}`; None if there is nothing of the kind to be read."""
    wrapped = find_wrapped_answers(answer)
    if len(wrapped) > 1:
        return "ambiguous"
    for content in wrapped:
        reading = _read_cleaned(clean_text(content), choices, has_letters, False)
        if reading is not None:
            return reading
    return None


def _read_cleaned(
    text: str, choices: Sequence[str], has_letters: bool, is_cut_off: bool
) -> Reading | None:
    """Read a text without markup; None if it names no choice."""
    head = find_answer_before_next(text)
    if head is not None:
        reading = _read_statements(head, choices, has_letters, False)
        if isinstance(reading, int):
            return reading
    return _read_statements(text, choices, has_letters, is_cut_off)


def _read_statements(
    text: str, choices: Sequence[str], has_letters: bool, is_cut_off: bool
) -> Reading | None:
    """Read a text as one answer: statements of letters first, unless it is the text of a choice."""
    full_match = match_whole(text, choices)
    if has_letters and (full_match is None or len(normalise(text)) == 1):
        stated = settle_statements(text, find_stated_letters(text, choices), choices)
        if stated is not None:
            return stated
    choice: Reading | None = find_stated_choice(text, choices) if full_match is None else full_match
    if choice is None and not is_cut_off and not is_refusal(text):
        choice = find_named_choice(text, choices)
    return choice
