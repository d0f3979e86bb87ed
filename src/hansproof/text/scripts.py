"""Patterns for text beyond words with spaces between them, in any script.

Python's `\\w` is enough for English. It takes a Chinese or Thai sentence for one word, and cuts
words at combining marks: the vowel signs of Hindi, the tones of Thai, accents that are characters
of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

# first and last code points of scripts that are written without spaces between words
_UNSPACED_BLOCKS = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF), (0x1A20, 0x1AAF), (0xAA80, 0xAADF),  # Tai scripts
    (0x1B00, 0x1B7F), (0xA980, 0xA9DF),  # Balinese, Javanese
    (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3038, 0x303B),  # Han marks, numerals
    (0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F),  # kana
    (0x3100, 0x312F), (0x31A0, 0x31BF),  # Bopomofo
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),  # Han
)  # fmt: skip
STACKERS = r"\u1039\u17d2\u1a60\u1b44\ua9c0"  # the next consonant is written below the last
JOINERS = r"\u200c\u200d"  # zero-width: they shape the letters around them
# forms of other characters: radicals, ligatures and presentation forms, half and full width
_FORMS = re.compile(r"[\u2f00-\u2fdf\ufb00-\ufdff\ufe30-\ufeff\uff00-\uffef]+")
_LAST_MARK_PLANE = 0x20000  # marks beyond are variation selectors
_VARIATION_SELECTORS = range(0xE0100, 0xE01F0)


def fold_text(text: str) -> str:
    """Return a text in lower case, with one spelling for each character.

    Full-width letters and digits become ASCII, half-width Katakana full-width, and letters with
    accents of their own single characters.
    """
    if text.isascii():
        return text.lower()
    text = _FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return unicodedata.normalize("NFC", text).lower()


@cache
def mark_class() -> str:
    """Return all combining marks, as ranges of a character class."""
    code_points = (*range(_LAST_MARK_PLANE), *_VARIATION_SELECTORS)
    return _to_ranges(c for c in code_points if unicodedata.category(chr(c))[0] == "M")


@cache
def unspaced_class() -> str:
    """Return all letters of scripts without spaces between words, as ranges of a class."""
    code_points = sorted(c for first, last in _UNSPACED_BLOCKS for c in range(first, last + 1))
    return _to_ranges(c for c in code_points if chr(c).isalnum() and not chr(c).isdecimal())


@cache
def cluster_pattern() -> re.Pattern[str]:
    """Match a character with the marks that follow it."""
    return re.compile(rf".[{mark_class()}\uff9e\uff9f]*", re.DOTALL)


@cache
def grapheme_pattern() -> re.Pattern[str]:
    """Match a letter of a script without spaces, with its marks and what is stacked below."""
    unspaced = unspaced_class()
    mark = rf"[{JOINERS}](?=[{mark_class()}])|[{mark_class()}]"
    return re.compile(rf"[{unspaced}](?:[{STACKERS}][{unspaced}]|{mark})*")


@cache
def run_pattern() -> re.Pattern[str]:
    """Match a run of graphemes (see `grapheme_pattern`), or a word of another script."""
    return re.compile(f"(?:{grapheme_pattern().pattern})+|{_word_pattern()}")


@cache
def token_pattern() -> re.Pattern[str]:
    """Match a single grapheme (see `grapheme_pattern`), or a word of another script."""
    return re.compile(f"{grapheme_pattern().pattern}|{_word_pattern()}")


@cache
def marked_word_pattern() -> re.Pattern[str]:
    """Match a word with its combining marks; a run without spaces is one word."""
    return re.compile(rf"\w[\w{mark_class()}]*")


@cache
def token_characters() -> str:
    """Return a pattern of the characters that tokens of `token_pattern` consist of."""
    return rf"[\w{mark_class()}{JOINERS}]+"


def _word_pattern() -> str:
    """Return a pattern of words with marks, and with joiners inside."""
    letter = rf"[^\W{unspaced_class()}]"
    return rf"{letter}+(?:(?:[{mark_class()}]|[{JOINERS}](?={letter}|[{mark_class()}])){letter}*)*"


def _to_ranges(code_points: Iterable[int]) -> str:
    """Write sorted code points as ranges of a character class."""
    ranges: list[list[int]] = []
    for code_point in code_points:
        if ranges and code_point == ranges[-1][1] + 1:
            ranges[-1][1] = code_point
        else:
            ranges.append([code_point, code_point])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
