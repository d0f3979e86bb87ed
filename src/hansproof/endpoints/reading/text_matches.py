"""Finds the text of a choice in an answer: the whole of it, a statement, or the only one named."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...types import NoAnswer
from .cleaning import clean_text
from .phrases import CONCLUDES, DENIED_AFTER, DENIED_BEFORE, DOUBT, NOT_THIS, STATES_ANSWER

MAX_SHORT = 200  # characters of an answer in which a choice that is named counts as meant
MIN_WORD = 4  # characters of a choice that may be found in the middle of a sentence

_TURN = re.compile(r"\b(?:actually|however|but|correction|rather)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|it is|it's|because|=|≈)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"[^\w]*[\d.,]+[^\w]*")
_EDGES = " \t\n.,;:!?\"'“”‘’()[]…。，、！？「」*-–—"


class ChoiceMatch(NamedTuple):
    """Where the text of a choice stands in an answer."""

    start: int
    end: int
    choice: int


@lru_cache(maxsize=4096)  # choices are compared with many parts of an answer
def normalise(text: str) -> str:
    """Return a text in lower case, without markup and without punctuation around it."""
    folded = clean_text(unicodedata.normalize("NFKC", text)).casefold().replace("’", "'")
    return " ".join(folded.split()).strip(_EDGES)


def match_whole(text: str, choices: Sequence[str]) -> int | None:
    """Return the choice that a text equals, with or without an article before it."""
    plain = normalise(text)
    texts = [normalise(choice) for choice in choices]
    for equal_to in (plain, _ARTICLE.sub("", plain)):
        matches = [i for i, choice in enumerate(texts) if equal_to and choice == equal_to]
        if len(matches) == 1:
            return matches[0]
    bare = [_ARTICLE.sub("", choice) for choice in texts]
    matches = [i for i, choice in enumerate(bare) if choice and choice == _ARTICLE.sub("", plain)]
    return matches[0] if len(matches) == 1 else None


def match_start(text: str, choices: Sequence[str]) -> int | None:
    """Return the choice with whose text a text begins, the longest if several do."""
    plain = _ARTICLE.sub("", normalise(text))
    lengths = {}
    for i, choice in enumerate(choices):
        bare = _ARTICLE.sub("", normalise(choice))
        if bare and plain.startswith(bare) and not re.match(r"\w|[.,]\d", plain[len(bare) :]):
            lengths[i] = len(bare)
    longest = [i for i, length in lengths.items() if length == max(lengths.values())]
    return longest[0] if len(longest) == 1 else None


def find_stated_choice(text: str, choices: Sequence[str]) -> int | NoAnswer | None:
    """Return the choice whose text is the whole answer, a line of it, or in a statement."""
    equal = match_whole(text, choices)
    if equal is not None:
        return equal
    stated = [
        index
        for match in STATES_ANSWER.finditer(text)
        if (index := match_start(text[match.end() :].split("\n")[0], choices)) is not None
    ]
    if stated:
        return stated[-1] if len(set(stated)) == 1 else "ambiguous"
    lines = [line for line in text.splitlines() if line]
    ends = [lines[0], lines[-1]] if lines else []
    matches = {index for line in ends if (index := match_whole(line, choices)) is not None}
    if len(matches) > 1:
        return "ambiguous"
    if matches:
        return matches.pop()
    last = lines[-1] if lines else ""
    result: int | NoAnswer | None = _match_result(last, choices)
    if result is None and len(lines) > 1 and (conclusion := CONCLUDES.match(last)):
        result = find_named_choice(last[conclusion.end() :], choices)
    return _match_first_sentence(text, choices) if result is None else result


def _match_result(line: str, choices: Sequence[str]) -> int | None:
    """Return the choice that stands after the last equals sign of a line."""
    formula, _, result = line.rpartition("=")
    is_formula = not formula.strip() or re.search(r"\d", formula)
    return match_whole(result, choices) if is_formula and "=" in line else None


def _match_first_sentence(text: str, choices: Sequence[str]) -> int | None:
    """Return the choice that is the first sentence: `False. No prime is ...`."""
    sentence = re.match(r"([^.!\n]+)[.!]\s+(?=[\"'(]*[^\W\d_a-z])", text)
    if not sentence or DOUBT.search(text) or _TURN.search(text):
        return None
    return match_whole(sentence[1], choices)


def find_named_choice(text: str, choices: Sequence[str]) -> int | NoAnswer | None:
    """Return the only choice that a short answer names, in a sentence that denies nothing."""
    if len(text) > MAX_SHORT:
        return None
    starts = match_start(text, choices)
    text = _drop_denied(text, choices)
    matches = _drop_overlaps(_find_choices(text, choices))
    indices = {match.choice for match in matches}
    if starts is not None and indices <= {starts} and _is_start_of_answer(text, choices[starts]):
        return starts
    if len(indices) != 1:
        return None
    (index,) = indices
    folded = text.casefold()
    is_denied = any(
        DENIED_BEFORE.search(folded[max(0, match.start - 60) : match.start])
        or DENIED_AFTER.search(folded[match.end : match.end + 60])
        for match in matches
    )
    if any(
        _has_other_label(text[max(0, match.start - 20) : match.start], index) for match in matches
    ):
        return "ambiguous"
    return None if is_denied else index


def _drop_denied(text: str, choices: Sequence[str]) -> str:
    """Blank out choices that are denied beside the answer: `Venus, not Mars`."""
    for match in _drop_overlaps(_find_choices(text, choices)):
        denial = NOT_THIS.search(text[: match.start])
        if denial:
            n_blank = match.end - denial.start()
            text = text[: denial.start()] + " " * n_blank + text[match.end :]
    return text


def _has_other_label(before: str, index: int) -> bool:
    """Whether the letter of another choice stands right before a choice: `B) Ottawa`."""
    label = re.search(r"(?<!\w)([A-Z])[.):\]]\s*(?:the |a |an )?$", before)
    return label is not None and ord(label[1]) - ord("A") != index


def _is_start_of_answer(text: str, choice: str) -> bool:
    """Whether an answer begins with a choice as such: `No, because`, not `No bird can`."""
    following = normalise(text)
    bare = normalise(choice)
    return following.startswith(bare) and bool(
        re.match(r"\s*[,.;:!\n–—-]|$", following[len(bare) :])
    )


def _find_choices(text: str, choices: Sequence[str]) -> Iterator[ChoiceMatch]:
    """Yield where choices stand in a text; short words and numbers are not looked for."""
    folded = text.casefold().replace("’", "'")
    for i, choice in enumerate(choices):
        bare = _ARTICLE.sub("", normalise(choice))
        if (len(bare) < MIN_WORD and bare.isascii()) or _NUMBER.fullmatch(bare) or not bare:
            continue
        pattern = rf"(?<!\w){re.escape(bare)}(?:e?s)?(?!\w)" if bare.isascii() else re.escape(bare)
        for match in re.finditer(pattern, folded):
            yield ChoiceMatch(match.start(), match.end(), i)


def _drop_overlaps(matches: Iterator[ChoiceMatch]) -> list[ChoiceMatch]:
    """Leave out matches inside longer ones: `rain` in `heavy rain`."""
    found_matches = [*matches]
    return [
        match
        for match in found_matches
        if not any(
            other.start <= match.start and match.end <= other.end
            and other.end - other.start > match.end - match.start
            for other in found_matches
        )
    ]  # fmt: skip
