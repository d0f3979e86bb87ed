"""N-grams of tokens: extracting them, finding them in a text, and normalising texts."""

from __future__ import annotations

from collections.abc import Sequence

from .tokenizers import WORD, Tokenizer


def normalise_text(text: str) -> str:
    """Return a text in lower case, without punctuation, its words joined by single spaces."""
    return " ".join(WORD.findall(text.lower()))


def extract_ngrams(tokens: Sequence[str], order: int) -> list[str]:
    """Return the n-grams of one order, their tokens joined by spaces."""
    return [" ".join(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def find_ngram(tokenizer: Tokenizer, text: str, ngram: str) -> list[tuple[int, int]]:
    """Find an n-gram in a text: (start, end) in characters, for highlighting.

    Tokens are searched for in the text from left to right. A token that the tokenizer rewrote, so
    that the text does not contain it, is skipped: highlights help readers, and no count uses them.
    """
    lower_text = text.lower() if len(text.lower()) == len(text) else text
    source = text if tokenizer.name == "whitespace" else lower_text
    tokens, spans, cursor = [], [], 0
    for token in tokenizer.split(text):
        start = source.find(token, cursor)
        if start >= 0:
            cursor = start + len(token)
            tokens.append(token)
            spans.append((start, cursor))
    order = ngram.count(" ") + 1
    return [
        (spans[i][0], spans[i + order - 1][1])
        for i, candidate in enumerate(extract_ngrams(tokens, order))
        if candidate == ngram
    ]
