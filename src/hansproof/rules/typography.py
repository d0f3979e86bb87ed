"""Length, digits, punctuation and typography of choices, from their texts as they are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

from ..cues.counts import ChoiceLayout
from .characters import NO_BREAK_SPACES, ZERO_WIDTH, JoinedTexts, join_texts, name_character
from .comparisons import Floats, mark_largest, mark_smallest, mean_of_others
from .features import FeatureBlock, Ints, Mask, build_mask_block

RUNG = "typography"
TWICE = 2.0
LENGTH_RATIOS = (1.1, 1.25, 1.5, TWICE)  # to the mean of the other choices
MAX_WORD_COUNT = 30  # beyond, an exact number of words says little
MIN_CHOICES = 5  # that contain a character of punctuation which is looked at by itself
FULL_STOPS = ".。．｡।۔"
COMMAS = ",，、"


def typography_features(texts: Sequence[str], layout: ChoiceLayout) -> FeatureBlock:
    """Return what the eye sees of a choice without reading it."""
    joined = join_texts(texts)
    words = count_words(joined)
    masks = {
        **length_masks(count_characters(texts), words, layout),
        **_word_count_masks(words),
        **_edge_masks(joined),
        **_space_masks(joined),
        **_capital_masks(joined, layout),
        **_count_masks(joined, layout),
        **_character_masks(joined),
    }
    return build_mask_block(RUNG, masks, layout)


def count_words(joined: JoinedTexts) -> Ints:
    """Count the words of each text that white space separates."""
    words = joined.marks(lambda char: not char.isspace())
    return joined.count(words & ~joined.follows(words))


def count_characters(texts: Sequence[str]) -> Ints:
    """Count the characters of each text without white space at its ends."""
    return np.fromiter((len(text.strip()) for text in texts), np.int64, len(texts))


def length_masks(characters: Ints, words: Ints, layout: ChoiceLayout) -> dict[str, Mask]:
    """Compare each choice with the others of its item in characters and words."""
    return {
        "is the longest": mark_largest(characters, layout),
        "is the shortest": mark_smallest(characters, layout),
        "has the most words": mark_largest(words, layout),
        "has the fewest words": mark_smallest(words, layout),
        **_rank_masks(characters, layout),
        **_ratio_masks(characters.astype(np.float64), layout),
    }


def _word_count_masks(words: Ints) -> dict[str, Mask]:
    return {
        f"has exactly {n} {'word' if n == 1 else 'words'}": words == n
        for n in range(1, MAX_WORD_COUNT + 1)
    }


def _rank_masks(characters: Ints, layout: ChoiceLayout) -> dict[str, Mask]:
    """Mark the second longest and the second shortest of at least four choices.

    Exactly one other is longer (shorter), so choices of equal length do not differ by their place.
    """
    longest = int(characters.max(initial=0)) + 1
    keys = layout.item.astype(np.int64) * longest + characters
    ordered = np.sort(keys)
    first, sizes = layout.first[layout.item], np.diff(layout.first)[layout.item]
    n_shorter = np.searchsorted(ordered, keys) - first
    n_longer = first + sizes - np.searchsorted(ordered, keys, side="right")
    return {
        "is the second longest": (n_longer == 1) & (sizes >= 4),
        "is the second shortest": (n_shorter == 1) & (sizes >= 4),
    }


def _ratio_masks(characters: Floats, layout: ChoiceLayout) -> dict[str, Mask]:
    mean_length = mean_of_others(characters, layout)
    masks: dict[str, Mask] = {}
    for ratio in LENGTH_RATIOS:
        longer, shorter = _name_ratio(ratio)
        masks[longer] = characters >= ratio * mean_length
        masks[shorter] = characters * ratio <= mean_length
    return masks


def _name_ratio(ratio: float) -> tuple[str, str]:
    """Name choices that are so much longer than the others, and so much shorter."""
    if ratio == TWICE:
        longer, shorter = "at least twice as long as", "at most half as long as"
    else:
        longer, shorter = f"{ratio - 1:.0%} longer than", f"{1 - 1 / ratio:.0%} shorter than"
        longer, shorter = f"at least {longer}", f"at least {shorter}"
    return f"is {longer} the others on average", f"is {shorter} the others on average"


def _edge_masks(joined: JoinedTexts) -> dict[str, Mask]:
    """Mark texts by the kind of their first and last character."""
    kinds = {
        "a digit": joined.marks(str.isdigit),
        "a capital letter": joined.marks(str.isupper),
        "a lower-case letter": joined.marks(str.islower),
        "a space": joined.marks(str.isspace),
        "a full stop": joined.marks(lambda char: char in FULL_STOPS),
        "punctuation": joined.marks(_is_punctuation),
    }
    begins = {f"begins with {kind}": joined.at_start(marks) for kind, marks in kinds.items()}
    return begins | {f"ends with {kind}": joined.at_end(marks) for kind, marks in kinds.items()}


def _space_masks(joined: JoinedTexts) -> dict[str, Mask]:
    space = joined.marks(str.isspace)
    invisible = joined.marks(lambda char: char in ZERO_WIDTH)
    no_break = joined.marks(lambda char: char in NO_BREAK_SPACES)
    return {
        "has two spaces in a row": joined.count(space & joined.follows(space)) > 0,
        "has a no-break space": joined.count(no_break) > 0,
        "has a zero-width character": joined.count(invisible) > 0,
    }


def _capital_masks(joined: JoinedTexts, layout: ChoiceLayout) -> dict[str, Mask]:
    upper, space = joined.marks(str.isupper), joined.marks(str.isspace)
    inner = upper & joined.follows(space)
    n_inner = joined.count(inner)
    most_inner = mark_largest(n_inner, layout) & (n_inner > 0)
    return {
        "has a capitalised word after the first": n_inner > 0,
        "has the most capitalised words after the first": most_inner,
        "has a word in capital letters": joined.count(upper & joined.follows(upper)) > 0,
    }


def _count_masks(joined: JoinedTexts, layout: ChoiceLayout) -> dict[str, Mask]:
    counts = {
        "digits": joined.count(joined.marks(str.isdigit)),
        "punctuation marks": joined.count(joined.marks(_is_punctuation)),
        "commas": joined.count(joined.marks(lambda char: char in COMMAS)),
    }
    masks = {}
    for kind, count in counts.items():
        masks[f"has the most {kind}"] = mark_largest(count, layout) & (count > 0)
        masks[f"has the fewest {kind}"] = mark_smallest(count, layout)
    masks["has a digit"] = counts["digits"] > 0
    masks["has a punctuation mark"] = counts["punctuation marks"] > 0
    masks["has a letter outside a–z"] = (
        joined.count(joined.marks(lambda char: char.isalpha() and not char.isascii())) > 0
    )
    return masks


def _character_masks(joined: JoinedTexts) -> dict[str, Mask]:
    """Mark the texts that contain a character which is neither a letter, a digit nor a space."""
    masks = {}
    n_texts = joined.offsets.size - 1
    places = np.flatnonzero(joined.marks(_is_looked_at))
    marks = joined.index[places]
    texts = np.searchsorted(joined.offsets, places, side="right") - 1
    for number, char in enumerate(joined.alphabet):
        has_char = np.zeros(n_texts, np.bool_)
        has_char[texts[marks == number]] = True
        if has_char.sum() >= MIN_CHOICES:
            masks[f"has {name_character(char)}"] = has_char
    return masks


def _is_looked_at(char: str) -> bool:
    """Tell whether a character is looked at by itself: no letter, digit, space or part of one."""
    return char != " " and not char.isalnum() and not unicodedata.category(char).startswith("M")


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char).startswith(("P", "S"))
