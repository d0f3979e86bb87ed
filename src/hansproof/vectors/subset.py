"""Saves the vectors of the words of benchmarks, for a machine that has only numpy."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..errors import BadInput
from .array_files import check_output, save_vectors
from .lookup import lookup_vectors


def save_subset(source: str, path: str, names: Iterable[str]) -> tuple[int, int]:
    """Save the vectors of all words of benchmarks, split as models split them by default.

    Returns how many words have one, and how many there are.
    """
    from .. import benchmarks
    from ..text.detect_script import choose_tokenizer
    from ..text.tokenizers import AUTO

    check_output(path)
    splits = [items for name in names for items in benchmarks.load(name).splits.values()]
    items = [item for split_items in splits for item in split_items]
    split_words = choose_tokenizer(AUTO, items).split
    texts = {text for item in items for text in (*item.fields.values(), *item.choices)}
    words = {word for text in texts for word in split_words(text)}
    width, vectors = lookup_vectors(source, words)
    if not vectors:
        raise BadInput(source, f"has no vector for any of the {len(words)} words")
    sorted_words = sorted(vectors)
    save_vectors(
        path,
        sorted_words,
        np.array([vectors[word] for word in sorted_words], np.float32).reshape(-1, width),
    )
    return len(vectors), len(words)
