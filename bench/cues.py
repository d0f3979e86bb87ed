"""Cue counts: against scikit-learn, against plain Python, and against a pass that only tokenises.

All routes count the same n-grams (N <= 2, tokens `\\w+` of the lower-cased text) from the same
Python strings, and must agree. Routes take turns, so that a busy machine slows them alike; ratios
are medians of the rounds. Needs HANSPROOF_DATA for PIQA.

    python bench/cues.py            writes bench/cues.json
"""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from hansproof import load
from hansproof.cues.counts import CueCounts, build_layout, count_cues
from hansproof.probes.cues import Cues
from hansproof.text.encoding import _character_classes
from hansproof.text.ngrams import extract_ngrams
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Benchmark, Item, Items

WORD = get_tokenizer("word")
TOKEN = re.compile(r"\w+")
Tally = dict[str, tuple[int, int]]  # cue -> applicability, hits


def ours(items: Items) -> list[CueCounts]:
    return count_cues(items, WORD, 2, build_layout(items))


def named(counts: list[CueCounts]) -> Tally:
    return {
        c.cue_text(int(i)): (int(c.applicability[i]), int(c.hits[i]))
        for c in counts
        for i in np.flatnonzero(c.applicability)
    }


def plain(items: Items) -> Tally:
    """Sets and a regular expression, as one would write it."""
    applicability: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for item in items:
        sets = []
        for choice in item.choices:
            tokens = TOKEN.findall(choice.lower())
            sets.append({*tokens, *extract_ngrams(tokens, 2)})
        for j, own in enumerate(sets):
            alone = own.difference(*(s for k, s in enumerate(sets) if k != j))
            applicability.update(alone)
            if j == item.answer:
                hits.update(alone)
    return {cue: (n, hits[cue]) for cue, n in applicability.items()}


def scikit(items: Items) -> Tally:
    """CountVectorizer, then sparse arithmetic; for two choices."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(binary=True, ngram_range=(1, 2), token_pattern=r"(?u)\w+")
    texts = [item.choices[0] for item in items] + [item.choices[1] for item in items]
    matrix = vectorizer.fit_transform(texts)
    left, right = matrix[: len(items)], matrix[len(items) :]
    both = left.multiply(right)
    left, right = left - both, right - both
    first = np.array([item.answer == 0 for item in items])
    applicability = np.asarray(left.sum(0) + right.sum(0)).ravel()
    hits = np.asarray(left[first].sum(0) + right[~first].sum(0)).ravel()
    names = vectorizer.get_feature_names_out()
    return {names[i]: (int(applicability[i]), int(hits[i])) for i in np.flatnonzero(applicability)}


@njit(cache=True)
def _boundaries(buffer, inside, starts, ends):  # type: ignore[no-untyped-def]
    n, within = 0, False
    for i in range(buffer.size):
        now = inside[buffer[i]]
        if now != within:
            if now:
                starts[n] = i
            else:
                ends[n] = i
                n += 1
            within = now
    if within:
        ends[n] = buffer.size
        n += 1
    return n


def floor(texts: list[str]) -> int:
    """Only tokenise: join, lower-case, write down where each token starts and ends."""
    buffer = np.frombuffer("\0".join(texts).encode().lower(), np.uint8)
    starts = np.empty(buffer.size // 2 + 1, np.int64)
    ends = np.empty(buffer.size // 2 + 1, np.int64)
    return int(_boundaries(buffer, _character_classes(r"\w+"), starts, ends))


def turns(routes: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Seconds of every route in every round, after one unmeasured round each."""
    for route in routes.values():
        route()
    seconds: dict[str, list[float]] = {name: [] for name in routes}
    for _ in range(rounds):
        for name, route in routes.items():
            start = time.perf_counter()
            route()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def ratio(over: list[float], under: list[float]) -> float:
    return round(statistics.median(a / b for a, b in zip(over, under, strict=True)), 2)


def medians(seconds: dict[str, list[float]]) -> dict[str, float]:
    return {name: round(statistics.median(found), 4) for name, found in seconds.items()}


def piqa() -> dict[str, Any]:
    items = load("piqa:train").splits["train"]
    expected = plain(items)
    assert named(ours(items)) == expected == scikit(items)
    seconds = turns(
        {
            "ours": lambda: ours(items),
            "scikit-learn": lambda: scikit(items),
            "plain": lambda: plain(items),
        },
        rounds=7,
    )
    probe = turns({"whole probe": lambda: Cues(split="train")(load("piqa"))}, rounds=1)
    return {
        "pairs": len(items),
        "cues": len(expected),
        "seconds": medians(seconds | probe),
        "times faster than scikit-learn": ratio(seconds["scikit-learn"], seconds["ours"]),
        "times faster than plain Python": ratio(seconds["plain"], seconds["ours"]),
    }


def pairs(kind: str, n: int = 500_000) -> Items:
    """About 100 MB of text: words by Zipf's law.

    `unlike`: the two choices of an item have nothing to do with each other (the hard case: almost
    every n-gram is in one choice only). `alike`: the second is the first with two words changed.
    """
    rng = np.random.default_rng(0)
    size = 200_000
    lengths = np.clip(rng.poisson(5.2, size), 1, 14)
    letters = rng.integers(97, 123, (size, 14)).astype(np.uint8)
    words = np.array([bytes(letters[i, : lengths[i]]).decode() for i in range(size)], object)
    weights = np.cumsum(1 / (np.arange(size) + 2.7) ** 1.05)
    counts = np.clip(rng.poisson(16, 2 * n), 3, None)
    picked = words[np.searchsorted(weights, rng.random(counts.sum()) * weights[-1])]
    ends = np.cumsum(counts)
    items = []
    for i in range(n):
        first = picked[ends[2 * i] - counts[2 * i] : ends[2 * i]].tolist()
        second = picked[ends[2 * i + 1] - counts[2 * i + 1] : ends[2 * i + 1]].tolist()
        if kind == "alike":
            changed = list(first)
            changed[0], changed[len(first) // 2] = second[0], second[1]
            second = changed
        choices = (" ".join(first).capitalize() + ".", " ".join(second).capitalize() + ".")
        items.append(Item(str(i), {}, choices, int(rng.integers(2))))
    return tuple(items)


def large(kind: str) -> dict[str, Any]:
    items = pairs(kind)
    texts = [choice for item in items for choice in item.choices]
    some = items[:20_000]
    assert named(ours(some)) == plain(some)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = turns({"ours": lambda: ours(items), "floor": lambda: floor(texts)}, rounds=7)
    counts = ours(items)
    return {
        "texts": len(texts),
        "megabytes": round(sum(map(len, texts)) / 1e6, 1),
        "tokens": floor(texts),
        "cues": int(sum((c.applicability > 0).sum() for c in counts)),
        "seconds": medians(seconds),
        "times the floor": ratio(seconds["ours"], seconds["floor"]),
        "peak memory of the data alone, MB": before // 1024,
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def probe(kind: str) -> dict[str, Any]:
    """The whole probe on the large set, few randomisations: does it finish, in what memory?"""
    benchmark = Benchmark(kind, {"all": pairs(kind)})
    start = time.perf_counter()
    result = Cues(randomisations=9)(benchmark)
    return {
        "seconds": round(time.perf_counter() - start, 1),
        "rows": len(result.tables["cues"].rows),
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "piqa": piqa,
    "unlike": lambda: large("unlike"),
    "alike": lambda: large("alike"),
    "whole probe, unlike": lambda: probe("unlike"),
}


def _run(part: str) -> dict[str, Any]:
    command = [sys.executable, __file__, part]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(json.loads(out))


def main() -> None:
    """Each part in a process of its own, so that peak memory is that part's.

    The large parts run in several processes: fresh memory costs more in some than in others, on a
    virtual machine much more, and it is most of what varies.
    """
    if len(sys.argv) > 1:
        print(json.dumps(PARTS[sys.argv[1]]()))
        return
    found: dict[str, Any] = {
        "command": "python bench/cues.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "threads": 1,
    }
    for part in PARTS:
        runs = [_run(part) for _ in range(5 if part in ("unlike", "alike") else 1)]
        ratios = sorted(run.pop("times the floor") for run in runs if "times the floor" in run)
        found[part] = runs[0]
        if ratios:
            found[part]["times the floor"] = statistics.median(ratios)
            found[part]["times the floor, by process"] = ratios
        print(part, json.dumps(found[part], indent=1))
    Path(__file__).with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
