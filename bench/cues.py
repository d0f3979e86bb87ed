"""Time cue counting against scikit-learn, plain Python and a pass that only tokenises.

All routes count the same n-grams (N <= 2, tokens `\\w+` of the lower-cased text) in the same Python
strings, and their results must agree. Routes take turns, so that a busy machine slows all of them
down alike; ratios are medians over the rounds. Needs HANSPROOF_DATA for PIQA.

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
CueTotals = dict[str, tuple[int, int]]  # cue -> applicability, hits


def count_ours(items: Items) -> list[CueCounts]:
    return count_cues(items, WORD, 2, build_layout(items))


def totals_by_cue(counts: list[CueCounts]) -> CueTotals:
    return {
        c.cue_text(int(i)): (int(c.applicability[i]), int(c.hits[i]))
        for c in counts
        for i in np.flatnonzero(c.applicability)
    }


def count_plain(items: Items) -> CueTotals:
    """Count with sets and a regular expression, as one would write it by hand."""
    applicability: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for item in items:
        sets = []
        for choice in item.choices:
            tokens = TOKEN.findall(choice.lower())
            sets.append({*tokens, *extract_ngrams(tokens, 2)})
        for j, ngrams in enumerate(sets):
            unique_ngrams = ngrams.difference(*(s for k, s in enumerate(sets) if k != j))
            applicability.update(unique_ngrams)
            if j == item.answer:
                hits.update(unique_ngrams)
    return {cue: (n, hits[cue]) for cue, n in applicability.items()}


def count_scikit(items: Items) -> CueTotals:
    """Count with CountVectorizer and sparse arithmetic; for two choices only."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(binary=True, ngram_range=(1, 2), token_pattern=r"(?u)\w+")
    texts = [item.choices[0] for item in items] + [item.choices[1] for item in items]
    matrix = vectorizer.fit_transform(texts)
    first_choices, second_choices = matrix[: len(items)], matrix[len(items) :]
    shared = first_choices.multiply(second_choices)
    first_choices, second_choices = first_choices - shared, second_choices - shared
    first_is_right = np.array([item.answer == 0 for item in items])
    applicability = np.asarray(first_choices.sum(0) + second_choices.sum(0)).ravel()
    hits = np.asarray(
        first_choices[first_is_right].sum(0) + second_choices[~first_is_right].sum(0)
    ).ravel()
    names = vectorizer.get_feature_names_out()
    return {names[i]: (int(applicability[i]), int(hits[i])) for i in np.flatnonzero(applicability)}


@njit(cache=True)
def _find_boundaries(buffer, inside, starts, ends):  # type: ignore[no-untyped-def]
    n, within = 0, False
    for i in range(buffer.size):
        is_inside = inside[buffer[i]]
        if is_inside != within:
            if is_inside:
                starts[n] = i
            else:
                ends[n] = i
                n += 1
            within = is_inside
    if within:
        ends[n] = buffer.size
        n += 1
    return n


def tokenize_only(texts: list[str]) -> int:
    """Join and lower-case the texts, and find where each token starts and ends."""
    buffer = np.frombuffer("\0".join(texts).encode().lower(), np.uint8)
    starts = np.empty(buffer.size // 2 + 1, np.int64)
    ends = np.empty(buffer.size // 2 + 1, np.int64)
    return int(_find_boundaries(buffer, _character_classes(r"\w+"), starts, ends))


def time_routes(routes: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each route in each round, after one round of warm-up."""
    for route in routes.values():
        route()
    seconds: dict[str, list[float]] = {name: [] for name in routes}
    for _ in range(rounds):
        for name, route in routes.items():
            start = time.perf_counter()
            route()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def median_ratio(over: list[float], under: list[float]) -> float:
    return round(statistics.median(a / b for a, b in zip(over, under, strict=True)), 2)


def median_seconds(seconds: dict[str, list[float]]) -> dict[str, float]:
    return {name: round(statistics.median(times), 4) for name, times in seconds.items()}


def measure_piqa() -> dict[str, Any]:
    items = load("piqa:train").splits["train"]
    expected = count_plain(items)
    assert totals_by_cue(count_ours(items)) == expected == count_scikit(items)
    seconds = time_routes(
        {
            "ours": lambda: count_ours(items),
            "scikit-learn": lambda: count_scikit(items),
            "plain": lambda: count_plain(items),
        },
        rounds=7,
    )
    probe_seconds = time_routes(
        {"whole probe": lambda: Cues(split="train")(load("piqa"))}, rounds=1
    )
    return {
        "pairs": len(items),
        "cues": len(expected),
        "seconds": median_seconds(seconds | probe_seconds),
        "times faster than scikit-learn": median_ratio(seconds["scikit-learn"], seconds["ours"]),
        "times faster than plain Python": median_ratio(seconds["plain"], seconds["ours"]),
    }


def generate_pairs(kind: str, n: int = 500_000) -> Items:
    """Generate about 100 MB of text with words by Zipf's law.

    `unlike`: the two choices of an item are independent, so almost all n-grams are in one choice
    only; this is the hard case. `alike`: the second choice is the first with two words changed.
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


def measure_large(kind: str) -> dict[str, Any]:
    items = generate_pairs(kind)
    texts = [choice for item in items for choice in item.choices]
    sample = items[:20_000]
    assert totals_by_cue(count_ours(sample)) == count_plain(sample)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = time_routes(
        {"ours": lambda: count_ours(items), "floor": lambda: tokenize_only(texts)}, rounds=7
    )
    counts = count_ours(items)
    return {
        "texts": len(texts),
        "megabytes": round(sum(map(len, texts)) / 1e6, 1),
        "tokens": tokenize_only(texts),
        "cues": int(sum((c.applicability > 0).sum() for c in counts)),
        "seconds": median_seconds(seconds),
        "times the floor": median_ratio(seconds["ours"], seconds["floor"]),
        "peak memory of the data alone, MB": before // 1024,
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def measure_probe(kind: str) -> dict[str, Any]:
    """Run the whole probe on the large set, with few randomisations: time and memory."""
    benchmark = Benchmark(kind, {"all": generate_pairs(kind)})
    start = time.perf_counter()
    result = Cues(randomisations=9)(benchmark)
    return {
        "seconds": round(time.perf_counter() - start, 1),
        "rows": len(result.tables["cues"].rows),
        "peak memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "piqa": measure_piqa,
    "unlike": lambda: measure_large("unlike"),
    "alike": lambda: measure_large("alike"),
    "whole probe, unlike": lambda: measure_probe("unlike"),
}


def _run_part(part: str) -> dict[str, Any]:
    command = [sys.executable, __file__, part]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(json.loads(out))


def main() -> None:
    """Run each part in its own process, so that peak memory is that of the part.

    The large parts run in several processes, because the cost of fresh memory differs between
    processes, on virtual machines by a lot, and explains most of the variation.
    """
    if len(sys.argv) > 1:
        print(json.dumps(PARTS[sys.argv[1]]()))
        return
    report: dict[str, Any] = {
        "command": "python bench/cues.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "threads": 1,
    }
    for part in PARTS:
        runs = [_run_part(part) for _ in range(5 if part in ("unlike", "alike") else 1)]
        ratios = sorted(run.pop("times the floor") for run in runs if "times the floor" in run)
        report[part] = runs[0]
        if ratios:
            report[part]["times the floor"] = statistics.median(ratios)
            report[part]["times the floor, by process"] = ratios
        print(part, json.dumps(report[part], indent=1))
    Path(__file__).with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
