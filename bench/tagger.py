"""How often taggers of parts of speech are right, on every tenth text of Brown, and how fast.

The perceptron is trained here from nothing. The floor gives a word its most frequent tag, NOUN if
it is new. Words are asked for in whole sentences as printed, and as an attack asks: four words
before and three after, no marks; also in lower case. Marks do not count. Intervals are Wilson's,
with the number of words that 50 texts, which vary, are worth. Content words are nouns, verbs,
adjectives and adverbs, which attacks change. spaCy is measured where an environment has it; it
learnt from other texts, and follows another convention for words like `his`, `all` and `there`.

    python bench/tagger.py [PYTHON_WITH_SPACY]          writes bench/tagger.json
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hansproof.attack.pos_tagging import Tagger, brown, training
from hansproof.attack.pos_tagging.brown import Sentence
from hansproof.attack.search import WORDS_AFTER, WORDS_BEFORE

CONTENT = {"NOUN", "VERB", "ADJ", "ADV"}
EVERY = 10  # a window for every tenth word
SPEED = 100_000  # windows
Asked = list[tuple[int, tuple[str, ...], int, str]]  # number of the text, words, which, its tag


class Floor:
    """The most frequent tag of a word."""

    name = "most frequent tag"

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for words, tags in sentences:
            for word, tag in zip(words, tags, strict=True):
                counts[word.lower()][tag] += 1
        self.known = {word: some.most_common(1)[0][0] for word, some in counts.items()}

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        words = (text[place] for text, place in zip(texts, positions, strict=True))
        return [self.known.get(word.lower(), "NOUN") for word in words]


def asked(texts: Sequence[Sequence[Sentence]]) -> dict[str, Asked]:
    """What taggers are asked for, by way of asking."""
    sentences = [(at, *one) for at, text in enumerate(texts) for one in text]
    whole = [
        (number, words, at, tag)
        for number, words, tags in sentences
        for at, tag in enumerate(tags)
        if tag != training.MARK
    ]
    windows: Asked = []
    for number, words, tags in sentences:
        pairs = [p for p in zip(words, tags, strict=True) if p[1] != training.MARK]
        for at, (_, tag) in enumerate(pairs):
            first = max(0, at - WORDS_BEFORE)
            window = tuple(word for word, _ in pairs[first : at + 1 + WORDS_AFTER])
            windows.append((number, window, at - first, tag))
    windows = windows[::EVERY]
    lower = [(n, tuple(map(str.lower, words)), at, tag) for n, words, at, tag in windows]
    return {"sentences": whole, "windows": windows, "windows in lower case": lower}


def held_out() -> dict[str, Asked]:
    return asked(
        brown.read_corpus(brown.corpus_path())[training.HELD_OUT_STEP - 1 :: training.HELD_OUT_STEP]
    )


def said(tagger: Tagger, ways: dict[str, Asked]) -> dict[str, list[str]]:
    """Its tags, by way of asking."""
    found = {}
    for way, some in ways.items():
        found[way] = tagger.tag_words(
            [words for _, words, _, _ in some], [at for _, _, at, _ in some]
        )
    return found


def rows(ways: dict[str, Asked], tags: dict[str, list[str]], seen: set[str]) -> dict[str, Any]:
    """The share that is right, by way of asking and kind of word."""
    table: dict[str, Any] = {}
    for way, some in ways.items():
        pairs = list(zip(some, tags[way], strict=True))
        table[way] = {
            "all": _share([(n, tag == other) for (n, _, _, tag), other in pairs]),
            "content words": _share(
                [(n, tag == other) for (n, _, _, tag), other in pairs if tag in CONTENT]
            ),
            "words not seen in training": _share(
                [
                    (n, tag == other)
                    for (n, words, at, tag), other in pairs
                    if words[at].lower() not in seen
                ]
            ),
        }
    return table


def _share(found: Sequence[tuple[int, bool]]) -> dict[str, Any]:
    from hansproof.stats import mean_interval

    right = [hit for _, hit in found]
    low, high = mean_interval(right, [str(number) for number, _ in found])
    value = sum(right) / len(right)
    return {"right": round(value, 4), "from": round(low, 4), "to": round(high, 4), "n": len(right)}


def speed(tagger: Tagger, ways: dict[str, Asked]) -> dict[str, Any]:
    """Windows a second: the first time, and when the words are known."""
    some = ways["windows"]
    some = (some * (SPEED // len(some) + 1))[:SPEED]
    texts, at = [words for _, words, _, _ in some], [at for _, _, at, _ in some]
    times = []
    for _ in range(4):
        start = time.perf_counter()
        tagger.tag_words(texts, at)
        times.append(time.perf_counter() - start)
    return {"first": round(SPEED / times[0]), "then": round(SPEED / min(times[1:]))}


def spacy() -> None:
    """In an environment that has spaCy: its name and tags, for the one that asked."""
    from hansproof.attack.pos_tagging.spacy_tagger import SpacyTagger

    tagger, ways = SpacyTagger.load(), held_out()
    start = time.perf_counter()
    tags = said(tagger, {way: ways[way] for way in ways if way != "sentences"})
    taken = time.perf_counter() - start
    rate = sum(map(len, tags.values())) / taken
    tags |= said(tagger, {"sentences": ways["sentences"]})
    print(json.dumps([tagger.name, tags, rate]))


def main(python: str | None = None) -> None:
    texts = brown.read_corpus(brown.corpus_path())
    ways, (shown, _) = held_out(), training.split_texts(texts)
    seen = {word.lower() for words, _ in shown for word in words}
    start = time.process_time(), time.perf_counter()
    model = training.train_tagger(texts)
    seconds = time.process_time() - start[0], time.perf_counter() - start[1]
    first = {"perceptron": speed(model, ways)}
    found: dict[str, Any] = {
        "command": "python bench/tagger.py PYTHON_WITH_SPACY",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "corpus": "Brown, every tenth of 500 texts held out",
        "training": {"seconds": round(seconds[1], 1), "of one core": round(seconds[0], 1)},
        "windows a second": first,
        model.name: rows(ways, said(model, ways), seen),
        "most frequent tag": rows(ways, said(Floor(shown), ways), seen),
    }
    if python is not None:
        told = subprocess.run(
            [python, __file__, "spacy"], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")},
        )  # fmt: skip
        name, tags, rate = json.loads(told.stdout)
        first["spaCy"] = {"first": round(rate)}
        found[name] = rows(ways, tags, seen)
    text = json.dumps(found, indent=1)
    print(text)
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    spacy() if sys.argv[1:] == ["spacy"] else main(*sys.argv[1:])
