"""Marks what a rule of the shortcuts probe is about in a choice: words, spaces and characters.

Rules are read back from their descriptions, such as `the only choice that ends with “b”`, since
these are all that a saved audit has. Descriptions are untrusted: what is not understood is not
marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ...rules.characters import NO_BREAK_SPACES, ZERO_WIDTH, name_character
from ...rules.typography import FULL_STOPS
from ...rules.word_features import MAX_GAP, SKIP_MARK
from ...text.ngrams import find_ngram
from ...text.tokenizers import Tokenizer
from ...types import Item, Result
from .evidence import Marker, TextSpans
from .highlight import load_tokenizer

TextSpan = tuple[int, int]

_PHRASE = re.compile(
    r"\b(?P<verb>begin|end)s? with "
    # `with` is left of a verb that is not repeated: `begins with “a” or with “b”`
    r"|(?P<subject>choice )?(?P<with>\bwith )?(?:"
    r"(?P<character>the (?:invisible )?character )?“(?P<words>[^“”]+)”"
    r"(?P<second> as its second(?:-last)? word)?"
    r"|(?P<kind>a space|a full stop)\b)"
)
# texts that a choice resembles, by an encoder: no words of the choice
_EXAMPLES = re.compile(r"\bresembles? “.{0,100}? \(by ", re.DOTALL)
_POSITIONS = {
    "begin": 0, "end": -1, " as its second word": 1, " as its second-last word": -2,
}  # fmt: skip
_KINDS = {"a space": r"\s", "a full stop": f"[{FULL_STOPS}]"}
_SPACES = {
    "two spaces in a row": re.compile(r"\s{2,}"),
    "a no-break space": re.compile(f"[{NO_BREAK_SPACES}]"),
    "a zero-width character": re.compile(f"[{ZERO_WIDTH}]"),
}


@dataclass(frozen=True, slots=True)
class RuleParts:
    """What a rule says about a choice."""

    words: tuple[tuple[str, int | None], ...]  # with their position among the words, or None
    patterns: tuple[re.Pattern[str], ...]
    plain_text: str  # the description without its words
    characters: frozenset[str]  # names of characters with quotation marks


def rule_marker(result: Result) -> tuple[Marker, tuple[str, ...]]:
    """Return a marker of what rules are about, with the tokenizer of their probe, and notes."""
    tokenizer, notes = load_tokenizer(result, "Words")
    parse = cache(parse_rule)

    def mark(key: str, item: Item, choice: int) -> TextSpans:
        return sorted({*_find_parts(item.choices[choice], parse(key), tokenizer)})

    return mark, notes


def parse_rule(rule: str) -> RuleParts:
    """Read from the description of a rule what it says about a choice."""
    text = _EXAMPLES.sub(" ", rule)
    words, patterns, characters = [], [], []
    verb, verb_end = "", -1
    for match in _PHRASE.finditer(text):
        if match["verb"]:
            verb, verb_end = match["verb"], match.end()
            continue
        is_at_edge = match.start() == verb_end or (match["with"] and not match["subject"])
        place = match["second"] or (verb if is_at_edge else "")
        if match["kind"]:
            patterns.append(_compile_kind(match["kind"], place))
        elif match["character"]:
            characters.append(f"{match['character']}“{match['words']}”")
        else:
            words.append((match["words"], _POSITIONS.get(place)))
    plain_text = _PHRASE.sub(" ", text)
    patterns += [pattern for phrase, pattern in _SPACES.items() if phrase in plain_text]
    return RuleParts(tuple(words), tuple(patterns), plain_text, frozenset(characters))


def _compile_kind(kind: str, place: str) -> re.Pattern[str]:
    """Return the pattern of a kind of character at the beginning, at the end, or anywhere."""
    before, after = r"\A" * (place == "begin"), r"\Z" * (place == "end")
    return re.compile(before + _KINDS[kind] + after)


def _find_parts(choice: str, parts: RuleParts, tokenizer: Tokenizer) -> Iterator[TextSpan]:
    for words, position in parts.words:
        yield from _find_words(choice, words, position, tokenizer)
    for pattern in parts.patterns:
        yield from (match.span() for match in pattern.finditer(choice))
    named_chars = {char for char in {*choice} if _is_named(char, parts)}
    yield from ((i, i + 1) for i, char in enumerate(choice) if char in named_chars)


def _is_named(char: str, parts: RuleParts) -> bool:
    """Tell whether a rule names a character, which then is no letter, digit or plain space."""
    if char == " " or char.isalnum():
        return False
    name = name_character(char)
    return name in parts.characters or name in parts.plain_text


def _find_words(
    choice: str, words: str, position: int | None, tokenizer: Tokenizer
) -> Iterator[TextSpan]:
    """Find words at a position, with a gap between them, or anywhere."""
    first, gap, second = words.partition(SKIP_MARK)
    if gap:
        yield from _find_skip_gram(choice, first, second, tokenizer)
    elif position is None:
        yield from find_ngram(tokenizer, choice, words)
    else:
        index = position if position >= 0 else len(tokenizer.split(choice)) + position
        spans = _find_token(choice, words, tokenizer)
        if index in spans:
            yield spans[index]


def _find_skip_gram(
    choice: str, first: str, second: str, tokenizer: Tokenizer
) -> Iterator[TextSpan]:
    """Find two words with one word between them, up to as many as the probe allows."""
    second_spans = _find_token(choice, second, tokenizer)
    for index, span in _find_token(choice, first, tokenizer).items():
        for other in range(index + 2, index + MAX_GAP + 2):
            if other in second_spans:
                yield from (span, second_spans[other])


def _find_token(choice: str, token: str, tokenizer: Tokenizer) -> dict[int, TextSpan]:
    """Return where a token is in a text, by its position among all tokens.

    Nothing, if the tokenizer rewrote one of the occurrences: it would not be known which.
    """
    indices = [i for i, other in enumerate(tokenizer.split(choice)) if other == token]
    spans = find_ngram(tokenizer, choice, token) if indices else []
    return dict(zip(indices, spans, strict=True)) if len(indices) == len(spans) else {}
