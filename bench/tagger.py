"""Measure accuracy and speed of part-of-speech taggers on every tenth text of Brown.

The perceptron is trained from scratch. The floor gives each word its most frequent tag, and NOUN to
new words. Words are tagged in whole sentences as printed, and in the windows that an attack uses:
four words before and three after, without punctuation; these also in lower case. Punctuation does
not count. Intervals are Wilson's, with an effective number of words that accounts for the variation
between the 50 texts. Content words, which attacks change, are nouns, verbs, adjectives and adverbs.
spaCy is measured if an environment has it; it was trained on other texts, and tags words like
`his`, `all` and `there` by another convention.

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
WINDOW_STEP = 10  # a window for every tenth word
N_TIMED_WINDOWS = 100_000
# number of the text, words, position of the word to tag, its tag
TagQueries = list[tuple[int, tuple[str, ...], int, str]]


class MostFrequentTag:
    """Tags each word with its most frequent tag."""

    name = "most frequent tag"

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for words, tags in sentences:
            for word, tag in zip(words, tags, strict=True):
                counts[word.lower()][tag] += 1
        self.tag_of = {word: tag_counts.most_common(1)[0][0] for word, tag_counts in counts.items()}

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        words = (text[position] for text, position in zip(texts, positions, strict=True))
        return [self.tag_of.get(word.lower(), "NOUN") for word in words]


def build_queries(texts: Sequence[Sequence[Sentence]]) -> dict[str, TagQueries]:
    """Return the words to tag: in sentences, in windows, and in windows in lower case."""
    sentences = [(number, *sentence) for number, text in enumerate(texts) for sentence in text]
    sentence_queries = [
        (number, words, position, tag)
        for number, words, tags in sentences
        for position, tag in enumerate(tags)
        if tag != training.MARK
    ]
    windows: TagQueries = []
    for number, words, tags in sentences:
        pairs = [p for p in zip(words, tags, strict=True) if p[1] != training.MARK]
        for position, (_, tag) in enumerate(pairs):
            first = max(0, position - WORDS_BEFORE)
            window = tuple(word for word, _ in pairs[first : position + 1 + WORDS_AFTER])
            windows.append((number, window, position - first, tag))
    windows = windows[::WINDOW_STEP]
    lower = [
        (n, tuple(map(str.lower, words)), position, tag) for n, words, position, tag in windows
    ]
    return {"sentences": sentence_queries, "windows": windows, "windows in lower case": lower}


def held_out_queries() -> dict[str, TagQueries]:
    return build_queries(
        brown.read_corpus(brown.corpus_path())[training.HELD_OUT_STEP - 1 :: training.HELD_OUT_STEP]
    )


def tag_queries(tagger: Tagger, query_sets: dict[str, TagQueries]) -> dict[str, list[str]]:
    """Return the tags of each set of queries."""
    tags = {}
    for kind, queries in query_sets.items():
        tags[kind] = tagger.tag_words(
            [words for _, words, _, _ in queries], [position for _, _, position, _ in queries]
        )
    return tags


def accuracy_rows(
    query_sets: dict[str, TagQueries], tags: dict[str, list[str]], known_words: set[str]
) -> dict[str, Any]:
    """Return the share of right tags by set of queries and kind of word."""
    table: dict[str, Any] = {}
    for kind, queries in query_sets.items():
        pairs = list(zip(queries, tags[kind], strict=True))
        table[kind] = {
            "all": _share_right([(n, tag == other) for (n, _, _, tag), other in pairs]),
            "content words": _share_right(
                [(n, tag == other) for (n, _, _, tag), other in pairs if tag in CONTENT]
            ),
            "words not seen in training": _share_right(
                [
                    (n, tag == other)
                    for (n, words, position, tag), other in pairs
                    if words[position].lower() not in known_words
                ]
            ),
        }
    return table


def _share_right(answers: Sequence[tuple[int, bool]]) -> dict[str, Any]:
    from hansproof.stats import mean_interval

    right = [hit for _, hit in answers]
    low, high = mean_interval(right, [str(number) for number, _ in answers])
    value = sum(right) / len(right)
    return {"right": round(value, 4), "from": round(low, 4), "to": round(high, 4), "n": len(right)}


def measure_speed(tagger: Tagger, query_sets: dict[str, TagQueries]) -> dict[str, Any]:
    """Return windows per second, for the first pass and once the words are cached."""
    queries = query_sets["windows"]
    queries = (queries * (N_TIMED_WINDOWS // len(queries) + 1))[:N_TIMED_WINDOWS]
    texts = [words for _, words, _, _ in queries]
    positions = [position for _, _, position, _ in queries]
    times = []
    for _ in range(4):
        start = time.perf_counter()
        tagger.tag_words(texts, positions)
        times.append(time.perf_counter() - start)
    return {
        "first": round(N_TIMED_WINDOWS / times[0]),
        "then": round(N_TIMED_WINDOWS / min(times[1:])),
    }


def tag_with_spacy() -> None:
    """Print spaCy's name, tags and speed, from an environment that has spaCy."""
    from hansproof.attack.pos_tagging.spacy_tagger import SpacyTagger

    tagger, query_sets = SpacyTagger.load(), held_out_queries()
    start = time.perf_counter()
    tags = tag_queries(
        tagger, {kind: query_sets[kind] for kind in query_sets if kind != "sentences"}
    )
    seconds = time.perf_counter() - start
    rate = sum(map(len, tags.values())) / seconds
    tags |= tag_queries(tagger, {"sentences": query_sets["sentences"]})
    print(json.dumps([tagger.name, tags, rate]))


def main(python: str | None = None) -> None:
    texts = brown.read_corpus(brown.corpus_path())
    query_sets, (train_sentences, _) = held_out_queries(), training.split_texts(texts)
    known_words = {word.lower() for words, _ in train_sentences for word in words}
    start = time.process_time(), time.perf_counter()
    model = training.train_tagger(texts)
    seconds = time.process_time() - start[0], time.perf_counter() - start[1]
    speeds = {"perceptron": measure_speed(model, query_sets)}
    report: dict[str, Any] = {
        "command": "python bench/tagger.py PYTHON_WITH_SPACY",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "corpus": "Brown, every tenth of 500 texts held out",
        "training": {"seconds": round(seconds[1], 1), "of one core": round(seconds[0], 1)},
        "windows a second": speeds,
        model.name: accuracy_rows(query_sets, tag_queries(model, query_sets), known_words),
        "most frequent tag": accuracy_rows(
            query_sets, tag_queries(MostFrequentTag(train_sentences), query_sets), known_words
        ),
    }
    if python is not None:
        process = subprocess.run(
            [python, __file__, "spacy"], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")},
        )  # fmt: skip
        name, tags, rate = json.loads(process.stdout)
        speeds["spaCy"] = {"first": round(rate)}
        report[name] = accuracy_rows(query_sets, tags, known_words)
    text = json.dumps(report, indent=1)
    print(text)
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    tag_with_spacy() if sys.argv[1:] == ["spacy"] else main(*sys.argv[1:])
