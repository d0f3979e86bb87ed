"""The vectors of a benchmark's words in a file, for a machine that has no more than numpy."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..errors import BadInput
from .arrays import check_name, save
from .reading import look_up


def pick(source: str, path: str, names: Iterable[str]) -> tuple[int, int]:
    """Save the vectors of all words of benchmarks, as the tokenizer `word` cuts them.

    Returns how many words have one, and how many there are.
    """
    from .. import benchmarks
    from ..text import tokenizer

    check_name(path)
    splits = [items for name in names for items in benchmarks.load(name).splits.values()]
    texts = {text for items in splits for i in items for text in (*i.fields.values(), *i.choices)}
    words = {word for text in texts for word in tokenizer("word").split(text)}
    width, found = look_up(source, words)
    if not found:
        raise BadInput(source, f"has a vector for none of the {len(words)} words")
    named = sorted(found)
    save(path, named, np.array([found[word] for word in named], np.float32).reshape(-1, width))
    return len(found), len(words)
