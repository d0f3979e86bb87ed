"""Read clauses of real text, and sample texts by two n-gram models of them.

Clauses of 5 to 14 words are taken from Brown, ABC, and the web texts on Firefox and wine
($HANSPROOF_DATA/corpora); none ends in a full stop or has one inside.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

POOL_SIZE = 6000  # texts of each n-gram model
MODEL_ORDERS = {"high": 4, "low": 2}  # words that a model looks at, the next one included
FRAME = re.compile(r"\b(?=(?:the|a|as|there|to) (?:\w+ ){1,2}(?:of|the|as|no|in)\b)")
TEXTS = ("rural", "science", "firefox", "wine")  # other web texts are dialogues and adverts
ABBREVIATIONS = {"Mr", "Mrs", "Ms", "Dr", "Prof", "St", "No", "Gen", "Sen", "Rep", "vs"}
CLAUSE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9,;:'$%&/-]| (?! ))*[A-Za-z0-9]{2}")

Rng = np.random.Generator
Words = list[str]
Accept = Callable[[str], object]


def _read_archive(name: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file of a corpus."""
    with zipfile.ZipFile(Path(os.environ["HANSPROOF_DATA"]) / "corpora" / f"{name}.zip") as archive:
        for path in sorted(archive.namelist()):
            yield Path(path).stem, archive.read(path).decode("latin-1")


@cache
def _read_brown() -> list[list[tuple[str, str]]]:
    """Return the sentences of Brown as words with tags, without quotation marks."""
    sentences = [
        [(word, tag) for word, _, tag in (token.rpartition("/") for token in line.split())]
        for name, text in _read_archive("brown")
        if re.fullmatch(r"c[a-r]\d\d", name)
        for line in text.splitlines()
    ]
    return [[pair for pair in s if pair[0] not in ("``", "''", "'")] for s in sentences]


@cache
def read_nouns() -> dict[int, list[str]]:
    """Return words that are nearly always nouns in the singular, by their length."""
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in _read_brown():
        for word, tag in sentence:
            tags[word][tag] += 1
    nouns: dict[int, list[str]] = defaultdict(list)
    for word, counts in sorted(tags.items()):
        if counts["nn"] >= max(3, 0.9 * counts.total()) and re.fullmatch("[a-z]{4,9}", word):
            nouns[len(word)].append(word)
    return dict(nouns)


def _read_sentences() -> Iterator[str]:
    """Yield the sentences of all corpora without their final marks."""
    for words in _read_brown():
        text = re.sub(r" ([,;:.?!])", r"\1", " ".join(word for word, _ in words))
        yield re.sub(r"([,;:])\1+", r"\1", text).rstrip(".?!")
    for name, text in (*_read_archive("abc"), *_read_archive("webtext")):
        if name in TEXTS:
            for line in re.split(r"[\r\n]+|[.?!*]+(?:\s+|$)", text):
                yield " ".join(line.split())


@cache
def read_clauses() -> tuple[str, ...]:
    """Return the distinct clauses: short sentences, and the parts of long ones between marks."""
    clauses: dict[str, None] = {}
    for sentence in _read_sentences():
        is_short = 5 <= len(sentence.split()) <= 14
        for part in [sentence] if is_short else re.split(r"[,;:]+ | --? ", sentence):
            words = part.split()
            if 5 <= len(words) <= 14 and CLAUSE.fullmatch(part) and words[-1] not in ABBREVIATIONS:
                clauses.setdefault(part)
    return tuple(clauses)


@cache
def read_common_words() -> frozenset[str]:
    """Return the words that more than one clause in a thousand has, in lower case."""
    clauses = read_clauses()
    counts = Counter(word for text in clauses for word in {*re.findall(r"\w+", text.lower())})
    return frozenset(word for word, count in counts.items() if count > len(clauses) / 1000)


@cache
def ngram_pool() -> dict[str, list[str]]:
    """Return texts by two models of the clauses' words; texts of one number look alike.

    They have equally many words, characters, commas, capitals and common frames of two words, so
    that only what is between the words of a frame, or beyond a pair of words, tells the models.
    """
    rng = np.random.default_rng(0)
    samples = [_sample_texts(rng, order) for order in MODEL_ORDERS.values()]
    matched: list[tuple[str, ...]] = []
    for look in samples[0].keys() & samples[1].keys():
        matched += zip(samples[0][look], samples[1][look], strict=False)
    chosen = rng.permutation(np.array(sorted(matched), object))[:POOL_SIZE]
    return {model: chosen[:, k].tolist() for k, model in enumerate(MODEL_ORDERS)}


def _sample_texts(rng: Rng, order: int) -> dict[tuple[object, ...], list[str]]:
    """Sample twice as many texts as are needed, by what they look like."""
    followers: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for clause in read_clauses():
        words = [*[""] * (order - 1), *clause.split(), ""]
        for i in range(order - 1, len(words)):
            followers[tuple(words[i - order + 1 : i])].append(words[i])
    texts: dict[str, None] = {}
    while len(texts) < 2 * POOL_SIZE:
        words = [""] * (order - 1)
        while len(words) < order or words[-1]:
            options = followers[tuple(words[1 - order :])]
            words.append(options[int(rng.random() * len(options))])
        if 5 <= len(words) - order <= 14:
            texts.setdefault(" ".join(words[order - 1 : -1]))
    by_look: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for text in texts:
        capitals, frames = sum(map(str.isupper, text)), len(FRAME.findall(text))
        by_look[text.count(" "), len(text), text.count(","), capitals, frames].append(text)
    return by_look


class TextSource:
    """Draws clauses and texts of models; none twice before many others are drawn."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.used: set[str] = set()

    def draw(self, accept: Accept = bool, texts: Sequence[str] = ()) -> Words:
        """Draw the words of an accepted clause, or of one of `texts`."""
        texts = texts or read_clauses()
        for _ in range(100_000):
            text = texts[int(self.rng.integers(len(texts)))]
            if text not in self.used and accept(text):
                self.used.add(text)
                return text.split(" ")
        self.used.clear()  # of a large benchmark
        return self.draw(accept, texts)

    def draw_clean(self, choices: int) -> list[str]:
        return [" ".join(self.draw()) for _ in range(choices)]

    def draw_pair(self, first: str, second: str) -> list[str]:
        """Draw a text by each of two models, with the same number of words."""
        words = self.draw(texts=ngram_pool()[first])

        def is_as_long(text: str) -> bool:
            return text.count(" ") == len(words) - 1

        return [" ".join(words), " ".join(self.draw(is_as_long, ngram_pool()[second]))]
