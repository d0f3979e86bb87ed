"""The features of choices as they are described, choice by choice in plain Python."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import pairwise
from statistics import fmean

from hansproof.rules.word_classes import CLOSED_CLASSES, ENDINGS
from hansproof.types import Items

from .rule_factories import WORD

Masks = list[list[bool]]
Choices = Sequence[str]
Test = Callable[[Choices, int], bool]

NEXT = 1e-9  # numbers that differ by less are the same


def masks_of(items: Items, tests: Iterable[Test]) -> Masks:
    """One mask for each test, over the choices of all items."""
    return [[test(item.choices, i) for item in items for i in range(len(item.choices))]
            for test in tests]  # fmt: skip


def most(number: Callable[[str], float], positive: bool = False) -> Test:
    """No choice of the item has more; `positive`: and it has some."""
    return lambda choices, i: (
        all(number(choices[i]) >= number(c) - NEXT for c in choices)
        and (number(choices[i]) > 0 or not positive)
    )


def least(number: Callable[[str], float]) -> Test:
    """No choice of the item has less."""
    return lambda choices, i: all(number(choices[i]) <= number(c) + NEXT for c in choices)


def on_text(aspect: Callable[[str], object], value: object) -> Test:
    """An aspect of the text has this value, whatever the other choices are."""
    return lambda choices, i: aspect(choices[i]) == value


def others(choices: Choices, i: int) -> list[str]:
    """The other choices, by place: a copy is another."""
    return [c for j, c in enumerate(choices) if j != i]


def mean_of(number: Callable[[str], float], choices: Choices, i: int) -> float:
    """The mean over the other choices; 0 if there is none."""
    return fmean(map(number, others(choices, i))) if len(choices) > 1 else 0.0


def is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def count(kind: Callable[[str], bool]) -> Callable[[str], int]:
    return lambda text: sum(map(kind, text))


def length(text: str) -> int:
    return len(text.strip())


def n_words(text: str) -> int:
    return len(text.split())


def n_inner_capitals(text: str) -> int:
    return sum(char.isupper() and before.isspace() for before, char in pairwise(text))


def typography(items: Items) -> Masks:
    """Length, edges, spaces, capitals, counts, and characters by themselves."""
    digits, marks = count(str.isdigit), count(is_punctuation)
    commas = count(lambda char: char in ",，、")
    tests: list[Test] = [
        most(length), least(length), most(n_words), least(n_words),
        lambda cs, i: len(cs) >= 4 and sum(length(c) > length(cs[i]) for c in cs) == 1,
        lambda cs, i: len(cs) >= 4 and sum(length(c) < length(cs[i]) for c in cs) == 1,
    ]  # fmt: skip
    for ratio in (1.1, 1.25, 1.5, 2.0):
        tests += _ratio_tests(ratio)
    tests += [on_text(n_words, n) for n in range(1, 31)]
    kinds: list[Callable[[str], bool]] = [
        str.isdigit, str.isupper, str.islower, str.isspace, lambda char: char in ".。．｡।۔",
        is_punctuation,
    ]  # fmt: skip
    for kind in kinds:
        tests += _edge_tests(kind)
    tests += [
        lambda cs, i: re.search(r"\s\s", _spaced(cs[i])) is not None,
        lambda cs, i: any(c in "\u00a0\u202f\u2007" for c in cs[i]),
        lambda cs, i: any(c in "\u200b\u200c\u200d\u2060\ufeff\u00ad" for c in cs[i]),
        lambda cs, i: n_inner_capitals(cs[i]) > 0,
        most(n_inner_capitals, positive=True),
        lambda cs, i: any(map(str.isupper, cs[i])) and _has_capitals(cs[i]),
        most(digits, positive=True), least(digits), most(marks, positive=True), least(marks),
        most(commas, positive=True), least(commas),
        lambda cs, i: digits(cs[i]) > 0,
        lambda cs, i: marks(cs[i]) > 0,
        lambda cs, i: any(c.isalpha() and ord(c) > 127 for c in cs[i]),
    ]  # fmt: skip
    texts = [c for item in items for c in item.choices]
    for char in sorted({char for text in texts for char in text}):
        is_part = unicodedata.category(char)[0] == "M"  # of a letter
        if char.isalnum() or char == " " or is_part:
            continue
        if sum(char in text for text in texts) >= 5:
            tests.append(on_text(partial(_has, char), True))
    return masks_of(items, tests)


def _has(part: str, text: str) -> bool:
    return part in text


def _ratio_tests(ratio: float) -> list[Test]:
    return [
        lambda cs, i: length(cs[i]) >= ratio * mean_of(length, cs, i),
        lambda cs, i: length(cs[i]) * ratio <= mean_of(length, cs, i),
    ]


def _edge_tests(kind: Callable[[str], bool]) -> list[Test]:
    return [lambda cs, i: any(map(kind, cs[i][:1])), lambda cs, i: any(map(kind, cs[i][-1:]))]


def _spaced(text: str) -> str:
    """The text with an ordinary space for each kind of space."""
    return "".join(" " if char.isspace() else char for char in text)


def _has_capitals(text: str) -> bool:
    return any(a.isupper() and b.isupper() for a, b in pairwise(text))


def places(items: Items) -> Masks:
    """Each of the first ten places, and the last where items differ in their number of choices."""
    sizes = {len(item.choices) for item in items}
    tests = [_is_at(k) for k in range(min(max(sizes), 10))]
    if len(sizes) > 1:
        tests.append(lambda cs, i: i == len(cs) - 1)
    return masks_of(items, tests)


def _is_at(place: int) -> Test:
    return lambda choices, i: i == place


def has_word(items: Items, n: int) -> Masks:
    """Each run of so many words."""
    grams = {gram for item in items for c in item.choices for gram in list_grams(c, n)}
    return masks_of(items, [on_text(partial(_has_gram, gram), True) for gram in grams])


def _has_gram(gram: tuple[str, ...], text: str) -> bool:
    return gram in list_grams(text, len(gram))


def list_grams(text: str, n: int) -> set[tuple[str, ...]]:
    words = WORD.split(text)
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def patterns(items: Items, frequent: int) -> Masks:
    """Words at four places, and two words with one to three others between."""
    rows = [WORD.split(c) for item in items for c in item.choices]
    counts = Counter(word for row in rows for word in row)
    masks = [[_at(row, k) == word for row in rows] for word in counts for k in (0, -1, 1, -2)]
    usual = [word for word, n in counts.items() if n >= frequent]
    apart = [{pair for gap in (2, 3, 4) for pair in zip(row, row[gap:], strict=False)}
             for row in rows]  # fmt: skip
    return masks + [
        [(first, second) in pairs for pairs in apart] for first in usual for second in usual
    ]


def _at(row: list[str], place: int) -> str | None:
    return row[place] if -len(row) <= place < len(row) else None


@cache
def word_class(word: str) -> str:
    """The closed class with the word, else the first ending that fits."""
    for name, words in CLOSED_CLASSES.items():
        if word in words.split():
            return name
    return next((name for name, pattern in ENDINGS if pattern.search(word)), "other")


def classes(items: Items) -> Masks | None:
    """Classes anywhere, first, last, next to each other, most and least often."""
    rows = [[word_class(w) for w in WORD.split(c)] for item in items for c in item.choices]
    known = [name in CLOSED_CLASSES for row in rows for name in row]
    if not known or fmean(known) < 0.2:
        return None
    names = [*CLOSED_CLASSES, *(name for name, _ in ENDINGS), "other"]
    masks: Masks = []
    for name in names:
        masks += [[name in row for row in rows], [row[:1] == [name] for row in rows],
                  [row[-1:] == [name] for row in rows]]  # fmt: skip
        number = partial(_count_class, name)
        masks += masks_of(items, [most(number, positive=True), least(number)])
        masks += [[(name, after) in pairwise(row) for row in rows] for after in names]
    return masks


def _count_class(name: str, text: str) -> int:
    return sum(word_class(word) == name for word in WORD.split(text))


def relations(items: Items) -> Masks:
    """Overlap of words and stems, containment, and the odd one out."""
    tests: list[Test] = []
    tests += _overlaps(lambda word: word) + _overlaps(lambda word: word[:5])
    tests.append(lambda cs, i: any(_folded(c) and _folded(c) in _folded(cs[i])
                                   for c in others(cs, i)))  # fmt: skip
    tests.append(lambda cs, i: bool(_folded(cs[i])) and any(_folded(cs[i]) in _folded(c)
                                                            for c in others(cs, i)))  # fmt: skip
    aspects: list[Callable[[str], object]] = [
        lambda text: WORD.split(text)[:1],
        lambda text: WORD.split(text)[-1:],
        n_words,
        length,
        lambda text: text.strip()[:1].isupper(),
        lambda text: "".join(c for c in text.strip()[-1:] if not c.isalnum()),
        lambda text: any(map(str.isdigit, text)),
        lambda text: any(comma in text for comma in ",，、"),
    ]
    tests += [_odd_one(aspect) for aspect in aspects]
    return masks_of(items, tests)


def _folded(text: str) -> str:
    return text.strip().casefold()


def _odd_one(aspect: Callable[[str], object]) -> Test:
    def is_odd(choices: Choices, i: int) -> bool:
        rest = [aspect(c) for c in others(choices, i)]
        alike = len(rest) >= 2 and all(value == rest[0] for value in rest)
        return alike and aspect(choices[i]) != rest[0]

    return is_odd


def _overlaps(form: Callable[[str], str]) -> list[Test]:
    def forms(text: str) -> set[str]:
        return {*map(form, WORD.split(text))}

    def total(choices: Choices, i: int) -> int:
        return sum(len(forms(choices[i]) & forms(c)) for c in others(choices, i))

    def share(choices: Choices, i: int) -> float:
        return total(choices, i) / max(len(forms(choices[i])), 1)

    def own(choices: Choices, i: int) -> int:
        return len(forms(choices[i]).difference(*map(forms, others(choices, i))))

    def has_most(number: Callable[[Choices, int], float]) -> Test:
        return lambda cs, i: (
            number(cs, i) > 0 and all(number(cs, i) >= number(cs, j) - NEXT for j in range(len(cs)))
        )

    def has_least(number: Callable[[Choices, int], float]) -> Test:
        return lambda cs, i: all(number(cs, i) <= number(cs, j) + NEXT for j in range(len(cs)))

    return [
        has_most(total), has_least(total), has_most(share), has_least(share),
        lambda cs, i: total(cs, i) == 0, has_most(own), has_least(own),
    ]  # fmt: skip


def frequencies(items: Items) -> Masks:
    """How common the words of a choice are, by the number of items with them."""
    in_items = Counter(w for item in items for w in {*WORD.split(" ".join(item.choices))})

    def logs(text: str) -> list[float]:
        return [math.log(in_items[word]) for word in WORD.split(text)]

    def mean(text: str) -> float:
        return fmean(logs(text)) if logs(text) else 0.0

    def rarest(text: str) -> float:
        return min(logs(text), default=0.0)

    tests = [most(mean), least(mean), least(rarest), most(rarest), *_steps(mean, (0.25, 0.5, 1.0))]
    return masks_of(items, tests)


def likelihoods(items: Items, tables: Sequence[dict[str, tuple[float, float]]]) -> Masks:
    """The extremes of each model, and differences to the mean of the others."""
    tests: list[Test] = []
    for table in tables:
        mean, total = partial(_look_up, table, 0), partial(_look_up, table, 1)
        tests += [most(mean), least(mean), most(total), least(total)]
        tests += _steps(mean, (0.1, 0.25, 0.5, 1.0, 1.5)) + _steps(total, (2.0, 5.0, 10.0, 20.0))
    return masks_of(items, tests)


def _look_up(table: dict[str, tuple[float, float]], column: int, text: str) -> float:
    return table[text][column]


def _steps(number: Callable[[str], float], steps: Sequence[float]) -> list[Test]:
    return [_exceeds(number, step, sign) for step in steps for sign in (1, -1)]


def _exceeds(number: Callable[[str], float], step: float, sign: int) -> Test:
    return lambda cs, i: sign * (number(cs[i]) - mean_of(number, cs, i)) >= step
