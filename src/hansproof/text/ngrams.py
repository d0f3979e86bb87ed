"""N-grams of tokens: extracting them, finding them in a text, and normalising texts."""

from __future__ import annotations

from collections.abc import Sequence

from . import scripts
from .tokenizers import WORD, Tokenizer


def normalise_text(text: str) -> str:
    """Return a text in lower case, without punctuation, its words joined by single spaces.

    Combining marks stay: words of Thai or Hindi differ by them.
    """
    pattern = WORD if text.isascii() else scripts.marked_word_pattern()
    return " ".join(pattern.findall(text.lower()))


def extract_ngrams(tokens: Sequence[str], order: int) -> list[str]:
    """Return the n-grams of one order, their tokens joined by spaces."""
    return [" ".join(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def find_ngram(tokenizer: Tokenizer, text: str, ngram: str) -> list[tuple[int, int]]:
    """Find an n-gram in a text: (start, end) in characters, for highlighting.

    Tokens are searched for in the text from left to right. A token that the tokenizer rewrote, so
    that the text does not contain it, is skipped: highlights help readers, and no count uses them.
    """
    source, starts, ends = _align_characters(tokenizer, text)
    tokens, spans, cursor = [], [], 0
    for token in tokenizer.split(text):
        start = source.find(token, cursor)
        if start >= 0:
            end = start + len(token)
            tokens.append(token)
            spans.append((starts[start], ends[end - 1]))
            cursor = end if tokenizer.name != "pairs" else start + _first_length(token)
    order = ngram.count(" ") + 1
    return [
        (spans[i][0], spans[i + order - 1][1])
        for i, candidate in enumerate(extract_ngrams(tokens, order))
        if candidate == ngram
    ]


def _align_characters(tokenizer: Tokenizer, text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Return the text as the tokenizer rewrites it, and where its characters start and end."""
    folded = tokenizer.fold(text)
    if text.isascii():
        return folded, range(len(text)), range(1, len(text) + 1)
    starts: list[int] = []
    ends: list[int] = []
    pieces: list[str] = []
    for cluster in scripts.cluster_pattern().finditer(text):
        pieces.append(tokenizer.fold(cluster[0]))
        if len(pieces[-1]) == len(cluster[0]):
            starts += range(cluster.start(), cluster.end())
            ends += range(cluster.start() + 1, cluster.end() + 1)
        else:  # all of it, or nothing
            starts += [cluster.start()] * len(pieces[-1])
            ends += [cluster.end()] * len(pieces[-1])
    joined = "".join(pieces)
    # lower case may depend on what surrounds a character
    return folded if len(folded) == len(joined) else joined, starts, ends


def _first_length(token: str) -> int:
    """Return the length of the first grapheme of a pair, or of a whole word."""
    match = scripts.grapheme_pattern().match(token)
    return match.end() if match else len(token)
