"""Relations among the choices of an item: overlap, containment, and the odd one out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..cues.counts import ChoiceLayout
from ..text.encoding import EncodedTexts
from .characters import join_texts
from .comparisons import mark_largest, mark_odd, mark_smallest
from .features import FeatureBlock, Ints, Mask, build_mask_block, sort_distinct
from .typography import COMMAS, count_words

RUNG = "relations"
MAX_COMPARED = 50  # choices of an item that are searched for each other
STEM = 5  # letters of a word that its relatives share


def relation_features(
    texts: Sequence[str], encoded: EncodedTexts, layout: ChoiceLayout
) -> FeatureBlock:
    """Return how each choice relates to the other choices of its item."""
    masks = {
        **_overlap_masks("words", encoded.ids.astype(np.int64), encoded, layout),
        **_overlap_masks("word stems", _stem_ids(encoded), encoded, layout),
        **_containment_masks(texts, layout),
        **_odd_masks(texts, encoded, layout),
    }
    return build_mask_block(RUNG, masks, layout)


def _stem_ids(encoded: EncodedTexts) -> Ints:
    numbers: dict[str, int] = {}
    stems = [numbers.setdefault(word[:STEM], len(numbers)) for word in encoded.vocabulary]
    return np.array(stems, np.int64)[encoded.ids] if stems else np.zeros(0, np.int64)


def _overlap_masks(
    kind: str, ids: Ints, encoded: EncodedTexts, layout: ChoiceLayout
) -> dict[str, Mask]:
    """Mark the choices that share the most and the fewest words with the others of their item."""
    text = np.repeat(np.arange(layout.item.size), np.diff(encoded.offsets))
    size = int(ids.max(initial=0)) + 1
    rows = sort_distinct(text * size + ids)  # each word once in a choice
    text, word = rows // size, rows % size
    pairs, number = np.unique(layout.item[text] * np.int64(size) + word, return_inverse=True)
    having = np.bincount(number, minlength=pairs.size)[number]  # choices of the item with the word
    n_choices = layout.item.size
    shared = np.bincount(text, having - 1, n_choices)
    distinct = np.bincount(text, minlength=n_choices)
    n_own = np.bincount(text[having == 1], minlength=n_choices)
    share = np.round(shared / np.maximum(distinct, 1), 9)
    return {
        f"shares the most {kind} with the others": mark_largest(shared, layout) & (shared > 0),
        f"shares the fewest {kind} with the others": mark_smallest(shared, layout),
        f"is most like the others in its {kind}": mark_largest(share, layout) & (share > 0),
        f"is least like the others in its {kind}": mark_smallest(share, layout),
        f"shares no {kind} with the others": shared == 0,
        f"has the most {kind} of its own": mark_largest(n_own, layout) & (n_own > 0),
        f"has the fewest {kind} of its own": mark_smallest(n_own, layout),
    }


def _containment_masks(texts: Sequence[str], layout: ChoiceLayout) -> dict[str, Mask]:
    """Mark the choices that contain another choice of their item, or are contained in one."""
    folded = [text.strip().casefold() for text in texts]
    contains, contained = np.zeros(len(texts), np.bool_), np.zeros(len(texts), np.bool_)
    for begin, end in pairwise(layout.first.tolist()):
        if end - begin > MAX_COMPARED:  # the time is quadratic
            continue
        for i in range(begin, end):
            for j in range(begin, end):
                if i != j and folded[j] and folded[j] in folded[i]:
                    contains[i] = contained[j] = True
    return {"contains another choice": contains, "is contained in another choice": contained}


def _odd_masks(
    texts: Sequence[str], encoded: EncodedTexts, layout: ChoiceLayout
) -> dict[str, Mask]:
    """Mark the only choice that differs from at least two others, which are alike."""
    joined = join_texts([text.strip() for text in texts])
    starts, ends = encoded.offsets[:-1], encoded.offsets[1:]
    has_words = ends > starts
    first, last = np.full(layout.item.size, -1), np.full(layout.item.size, -1)
    first[has_words] = encoded.ids[starts[has_words]]
    last[has_words] = encoded.ids[ends[has_words] - 1]
    aspects = {
        "in its first word": first,
        "in its last word": last,
        "in its number of words": count_words(joined),
        "in its length": np.diff(joined.offsets),
        "in whether it begins with a capital letter": joined.at_start(joined.marks(str.isupper)),
        "in the punctuation at its end": _last_character_kind(texts),
        "in whether it has a digit": joined.count(joined.marks(str.isdigit)) > 0,
        "in whether it has a comma": joined.count(joined.marks(lambda char: char in COMMAS)) > 0,
    }
    return {
        f"is the odd one out {aspect}": mark_odd(values, layout)
        for aspect, values in aspects.items()
    }


def _last_character_kind(texts: Sequence[str]) -> Ints:
    kinds = [text.strip()[-1:] for text in texts]
    return np.array([ord(char) if char and not char.isalnum() else 0 for char in kinds], np.int64)
