"""Benchmarks with a known shortcut of known strength: is it found, and are clean ones left alone?

    python bench/planted.py [--clean 200] [--each 20] [--jobs 2] [-o bench/planted.json]

Every benchmark is audited whole, with default settings. A false alarm is any verdict but `clear` of
an audit of a clean one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hansproof import auditing
from hansproof.types import Benchmark, Item, Items

KINDS = ("token", "bigram", "length", "position", "overlap")
STRENGTHS = (0.6, 0.7, 0.85)  # how often the choice that the cue points at is right
COVERAGE = 0.5  # of the items that have the cue at all
RESPONSIBLE = {"token": "cues", "bigram": "cues", "length": "surface", "position": "class_balance",
               "overlap": "surface"}  # fmt: skip

Rng = np.random.Generator
VOCABULARY = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdfgklmnprst"]
ZIPF = 1 / np.arange(1, len(VOCABULARY) + 1)


def words(rng: Rng, n: int) -> list[str]:
    """So many words, some common and many rare."""
    return [VOCABULARY[i] for i in rng.choice(len(VOCABULARY), n, p=ZIPF / ZIPF.sum())]


def clean(seed: int, n: int = 400, choices: int = 2, splits: int = 1) -> Benchmark:
    """Items whose answers nothing tells."""
    rng = np.random.default_rng(seed)
    items = tuple(
        Item(
            f"{seed}-{i}",
            {"question": " ".join(words(rng, int(rng.integers(6, 12))))},
            tuple(" ".join(words(rng, int(rng.integers(4, 9)))) for _ in range(choices)),
            int(rng.integers(choices)),
        )
        for i in range(n)
    )
    names = ("train", "test") if splits > 1 else ("all",)
    bounds = [0, n // 2, n] if splits > 1 else [0, n]
    parts = {name: items[bounds[k] : bounds[k + 1]] for k, name in enumerate(names)}
    roles = {"train": "train", "test": "test"} if splits > 1 else {}
    return Benchmark(f"clean-{seed}", parts, roles)


def planted(kind: str, strength: float, seed: int, n: int = 500) -> Benchmark:
    """A clean benchmark of two choices into which a shortcut was put."""
    whole = clean(seed, n)
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    plant = PLANTS[kind]
    items: Items = tuple(
        plant(rng, item, strength) if rng.random() < COVERAGE else item
        for item in whole.splits["all"]
    )
    return replace(whole, name=f"{kind}-{strength}-{seed}", splits={"all": items})


def reachable(strength: float) -> float:
    """What somebody answers who knows the shortcut and guesses elsewhere."""
    return COVERAGE * strength + (1 - COVERAGE) / 2


def _marked(rng: Rng, item: Item, strength: float) -> int:
    """The choice that the cue points at."""
    right = int(item.answer or 0)
    return right if rng.random() < strength else 1 - right


def _with(item: Item, at: int, text: str) -> Item:
    return replace(item, choices=tuple(text if j == at else c for j, c in enumerate(item.choices)))


def _token(rng: Rng, item: Item, strength: float) -> Item:
    at = _marked(rng, item, strength)
    return _with(item, at, f"zaz {item.choices[at]}")


def _bigram(rng: Rng, item: Item, strength: float) -> Item:
    """Both choices have both words, one has them side by side."""
    at = _marked(rng, item, strength)
    item = _with(item, at, f"zaz zuz {item.choices[at]}")
    return _with(item, 1 - at, f"zuz {item.choices[1 - at]} zaz")


def _length(rng: Rng, item: Item, strength: float) -> Item:
    at = _marked(rng, item, strength)
    more = len(item.choices[1 - at]) - len(item.choices[at])
    longer = item.choices[at]
    while more >= 0:
        extra = words(rng, 1)[0]
        longer, more = f"{longer} {extra}", more - len(extra) - 1
    return _with(item, at, longer)


def _position(rng: Rng, item: Item, strength: float) -> Item:
    right = str(item.choices[int(item.answer or 0)])
    wrong = str(item.choices[1 - int(item.answer or 0)])
    if rng.random() < strength:
        return replace(item, choices=(right, wrong), answer=0)
    return replace(item, choices=(wrong, right), answer=1)


def _overlap(rng: Rng, item: Item, strength: float) -> Item:
    """One choice has three words of the question, the other none."""
    at = _marked(rng, item, strength)
    asked = item.fields["question"].split()
    fresh = [w for w in VOCABULARY[-200:] if w not in asked]
    others = [w if w not in asked else fresh[int(rng.integers(len(fresh)))]
              for w in item.choices[1 - at].split()]  # fmt: skip
    taken = rng.choice(sorted(set(asked)), 3)
    return _with(_with(item, at, f"{item.choices[at]} {' '.join(taken)}"), 1 - at, " ".join(others))


PLANTS: dict[str, Callable[[Rng, Item, float], Item]] = {
    "token": _token, "bigram": _bigram, "length": _length, "position": _position,
    "overlap": _overlap,
}  # fmt: skip


def alarms(benchmark: Benchmark) -> dict[str, Any]:
    """Which probes object, with what; and what the blind bag of words answers."""
    found = auditing.run_audit(benchmark)
    blind = next(r for r in found.results if r.probe == "partial_input")
    seen = {e.name: e for e in blind.estimates}
    name = next(key for key in seen if key.endswith(": choices (bow)"))
    return {
        "verdicts": {r.probe: r.verdict for r in found.results},
        "failures": len(found.failures),
        "q": {r.probe: r.q for r in found.results if r.q is not None},
        "blind": [seen[name].value, seen[name].low, seen[name].high],
    }


def one_clean(seed: int) -> dict[str, Any]:
    """Two or four choices, one or two splits, by turns."""
    return alarms(clean(seed, 400, 2 + 2 * (seed % 2), 1 + seed // 2 % 2))


def one_planted(task: tuple[str, float, int]) -> dict[str, Any]:
    return alarms(planted(*task))


def summary_of_planted(kind: str, strength: float, found: list[dict[str, Any]]) -> dict[str, Any]:
    """How often it was found, and what size was estimated."""
    blind = np.array([one["blind"] for one in found])
    any_probe = [any(v != "clear" for v in one["verdicts"].values()) for one in found]
    own = [one["verdicts"][RESPONSIBLE[kind]] != "clear" for one in found]
    partial = [one["verdicts"]["partial_input"] != "clear" for one in found]
    return {
        "kind": kind, "right_of_cued": strength, "coverage": COVERAGE,
        "reachable_accuracy": reachable(strength), "benchmarks": len(found),
        "found_by_any_probe": float(np.mean(any_probe)),
        f"found_by_{RESPONSIBLE[kind]}": float(np.mean(own)),
        "found_by_partial_input": float(np.mean(partial)),
        "blind_accuracy_mean": float(blind[:, 0].mean()),
        "blind_interval_mean": [float(blind[:, 1].mean()), float(blind[:, 2].mean())],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clean", type=int, default=200)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", default="bench/planted.json")
    flags = parser.parse_args()
    with ProcessPoolExecutor(flags.jobs) as pool:
        plain = list(pool.map(one_clean, range(flags.clean), chunksize=4))
        false = [one for one in plain if any(v != "clear" for v in one["verdicts"].values())]
        print(f"false alarms: {len(false)} of {len(plain)}", flush=True)
        rows = []
        for kind in KINDS:
            for strength in STRENGTHS:
                tasks = [(kind, strength, 10_000 + k) for k in range(flags.each)]
                rows.append(summary_of_planted(kind, strength, list(pool.map(one_planted, tasks))))
                print(rows[-1], flush=True)
    by_probe = {
        probe: sum(one["verdicts"][probe] != "clear" for one in plain)
        for probe in plain[0]["verdicts"]
    }
    result = {
        "command": f"python bench/planted.py --clean {flags.clean} --each {flags.each}",
        "clean": {"benchmarks": len(plain), "false_alarms": len(false), "by_probe": by_probe,
                  "failures": sum(one["failures"] for one in plain)},
        "planted": rows,
    }  # fmt: skip
    Path(flags.o).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
