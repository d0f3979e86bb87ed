"""Classes of English words: closed classes by lists, open ones by endings; no tagger is needed."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..cues.counts import ChoiceLayout
from ..text.encoding import EncodedTexts
from .comparisons import mark_largest, mark_smallest
from .features import FeatureBlock, Mask, build_block

RUNG = "word classes"
MIN_KNOWN = 0.2  # share of words in a closed class; below, the text is hardly English

CLOSED_CLASSES = {
    "a negation": "no not never none nobody nothing neither nor nowhere without cannot t "
    "don didn doesn isn wasn aren weren hasn haven hadn won wouldn couldn shouldn",
    "an absolute word": "all always every everyone everything entirely completely totally only "
    "must absolutely exactly certainly definitely purely solely any ever forever",
    "a hedge": "some sometimes often usually may might could can possibly perhaps probably likely "
    "generally typically mostly rather somewhat several various many most almost about",
    "an article": "a an the",
    "a demonstrative": "this that these those such",
    "a pronoun": "i you he she it we they me him her us them my your his its our their mine "
    "yours hers ours theirs myself himself herself itself themselves who whom whose which one",
    "a preposition": "of in to for with on at by from as into through during before after above "
    "below between under over against among within along across behind beyond near up down off "
    "out toward towards upon via per",
    "a conjunction": "and or but so yet if because although though while when where since until "
    "unless whereas than whether",
    "an auxiliary verb": "is are was were be been being am do does did has have had having will "
    "would shall should ought s re ve ll",
    "an adverb of degree": "very too more less quite just even also still already again well "
    "much enough especially",
}
ENDINGS = (  # in this order
    ("a number", re.compile(r"\d")),
    ("a word ending in -ly", re.compile(r"..ly$")),
    ("a word ending in -ing", re.compile(r"..ing$")),
    ("a word ending in -ed", re.compile(r"..ed$")),
    (
        "a word ending in -tion, -ness or the like",
        re.compile(r"..(tions?|ness|ments?|ity|ance|ence)$"),
    ),
    ("a word ending in -er or -est", re.compile(r"..(er|est)$")),
    ("a word ending in -s", re.compile(r"..[^s]s$")),
)
OTHER = "a plain content word"
CLASSES = (*CLOSED_CLASSES, *(name for name, _ in ENDINGS), OTHER)
_CLASS_OF = {
    word: number
    for number, words in enumerate(CLOSED_CLASSES.values())
    for word in reversed(words.split())
}
_KINDS = ("has {}", "begins with {}", "ends with {}", "has the most {}", "has the fewest {}",
          "has {} directly before {}")  # fmt: skip
_COMPARED = (3, 4)  # these name the class in the plural
N_EXAMPLES = 3  # of the words of a closed class
_PAIR = len(_KINDS) - 1


def class_features(encoded: EncodedTexts, layout: ChoiceLayout) -> FeatureBlock | None:
    """Return the classes of the words of each choice; None if hardly any word is a known one."""
    class_of_word = np.array([_find_class(word) for word in encoded.vocabulary], np.int64)
    classes = class_of_word[encoded.ids] if encoded.ids.size else np.zeros(0, np.int64)
    if not classes.size or (classes < len(CLOSED_CLASSES)).mean() < MIN_KNOWN:
        return None
    text = np.repeat(np.arange(layout.item.size), np.diff(encoded.offsets))
    has_words = np.flatnonzero(np.diff(encoded.offsets))
    follows = text[1:] == text[:-1]
    rows = [
        (_key(0, classes), text),
        (_key(1, classes[encoded.offsets[:-1][has_words]]), has_words),
        (_key(2, classes[encoded.offsets[1:][has_words] - 1]), has_words),
        (_key(_PAIR, classes[:-1][follows], classes[1:][follows]), text[1:][follows]),
        *_compare_counts(classes, text, layout),
    ]
    keys, choice = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    return build_block(RUNG, keys, choice, layout, _name_key)


def _find_class(word: str) -> int:
    if word in _CLASS_OF:
        return _CLASS_OF[word]
    for number, (_, pattern) in enumerate(ENDINGS, len(CLOSED_CLASSES)):
        if pattern.search(word):
            return number
    return len(CLASSES) - 1


def _key(kind: int, first: np.ndarray, second: np.ndarray | int = 0) -> np.ndarray:
    return np.asarray(kind << 16 | first << 8 | second, np.int64)


def _name_key(key: int) -> str:
    kind, first, second = key >> 16, CLASSES[key >> 8 & 255], CLASSES[key & 255]
    if kind in _COMPARED:
        return _KINDS[kind].format(_name_class(first, is_plural=True))
    names = (first, second) if kind == _PAIR else (first,)
    return _KINDS[kind].format(*map(_name_class, names))


def _name_class(name: str, is_plural: bool = False) -> str:
    """Name a class with examples: `a negation (no, not, never)`, `negations (no, not, never)`."""
    examples = CLOSED_CLASSES.get(name, "").split()[:N_EXAMPLES]
    if is_plural:
        name = re.sub(r"an? (.*?)( of .*| ending .*|)$", r"\1s\2", name)
    return f"{name} ({', '.join(examples)})" if examples else name


def _compare_counts(
    classes: np.ndarray, text: np.ndarray, layout: ChoiceLayout
) -> Sequence[tuple[np.ndarray, np.ndarray]]:
    """Return which choices have the most and the fewest words of each class."""
    rows = []
    for number in range(len(CLASSES)):
        counts = np.bincount(text[classes == number], minlength=layout.item.size)
        largest: Mask = mark_largest(counts, layout) & (counts > 0)
        for kind, mask in ((3, largest), (4, mark_smallest(counts, layout))):
            choice = np.flatnonzero(mask)
            rows.append((_key(kind, np.full(choice.size, number)), choice))
    return rows
