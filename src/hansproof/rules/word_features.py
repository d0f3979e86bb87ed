"""Words of choices, pairs of neighbouring words, and words at places, as features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..cues.counts import ChoiceLayout
from ..text.encoding import EncodedTexts
from .features import FeatureBlock, Ints, build_block, min_items

WORDS, PAIRS, PATTERNS = "words", "pairs", "patterns"
MAX_GAP = 3  # words between the two words of a skip-gram, at most
SKIP_MARK = " … "  # between the two words of a skip-gram
_SECOND = 24  # bits of the second word in a key
_PLACES = ("begins with “{}”", "ends with “{}”", "has “{}” as its second word",
           "has “{}” as its second-last word")  # fmt: skip
_SKIP = len(_PLACES)  # the kind of skip-grams


def word_features(encoded: EncodedTexts, layout: ChoiceLayout) -> FeatureBlock:
    """Return the words of each choice."""
    words = encoded.vocabulary
    keys = encoded.ids.astype(np.int64)
    return build_block(
        WORDS, keys, _text_of_token(encoded), layout, lambda key: f"has “{words[key]}”"
    )


def pair_features(encoded: EncodedTexts, layout: ChoiceLayout) -> FeatureBlock:
    """Return the pairs of neighbouring words of each choice."""
    keys, choice = _list_pairs(encoded, 1)

    def name_pair(key: int) -> str:
        return f"has “{_join_pair(encoded, key, ' ')}”"

    return build_block(PAIRS, keys, choice, layout, name_pair)


def pattern_features(encoded: EncodedTexts, layout: ChoiceLayout) -> FeatureBlock:
    """Return skip-grams (two words with one to three words between) and words at the edges."""
    rows = [_list_places(encoded, kind) for kind in range(len(_PLACES))]
    frequent = _is_frequent(encoded, layout)
    for distance in range(2, MAX_GAP + 2):
        keys, choice = _list_pairs(encoded, distance)
        is_kept = frequent[keys >> _SECOND] & frequent[keys & ((1 << _SECOND) - 1)]
        rows.append((keys[is_kept] | _SKIP << 2 * _SECOND, choice[is_kept]))
    keys, choice = (np.concatenate(parts) for parts in zip(*rows, strict=True))

    def name_pattern(key: int) -> str:
        kind = key >> 2 * _SECOND
        if kind < _SKIP:
            return _PLACES[kind].format(encoded.vocabulary[key & ((1 << _SECOND) - 1)])
        return f"has “{_join_pair(encoded, key, SKIP_MARK)}”"

    return build_block(PATTERNS, keys, choice, layout, name_pattern)


def _join_pair(encoded: EncodedTexts, key: int, separator: str) -> str:
    mask = (1 << _SECOND) - 1
    first, second = encoded.vocabulary[key >> _SECOND & mask], encoded.vocabulary[key & mask]
    return f"{first}{separator}{second}"


def _text_of_token(encoded: EncodedTexts) -> Ints:
    return np.repeat(np.arange(encoded.offsets.size - 1), np.diff(encoded.offsets))


def _list_pairs(encoded: EncodedTexts, distance: int) -> tuple[Ints, Ints]:
    """Return the key and the text of each two words at a distance within a text."""
    text = _text_of_token(encoded)
    within = text[distance:] == text[:-distance] if text.size > distance else np.zeros(0, np.bool_)
    first = encoded.ids[:-distance][within].astype(np.int64)
    second = encoded.ids[distance:][within].astype(np.int64)
    return first << _SECOND | second, text[distance:][within]


def _list_places(encoded: EncodedTexts, kind: int) -> tuple[Ints, Ints]:
    """Return the key and the text of the word at one of the places of _PLACES."""
    starts, ends = encoded.offsets[:-1], encoded.offsets[1:]
    position = (starts, ends - 1, starts + 1, ends - 2)[kind]
    text = np.flatnonzero((position >= starts) & (position < ends))
    return encoded.ids[position[text]].astype(np.int64) | kind << 2 * _SECOND, text


def _is_frequent(encoded: EncodedTexts, layout: ChoiceLayout) -> NDArray[np.bool_]:
    """Tell for each word whether it occurs so often that a skip-gram with it can be learnt."""
    counts = np.bincount(encoded.ids, minlength=len(encoded.vocabulary))
    return counts >= 2 * min_items(layout.chance.size)
