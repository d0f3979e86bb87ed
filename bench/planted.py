"""Audit benchmarks with a planted shortcut of known strength, and clean ones.

    python bench/planted.py [--clean 200] [--each 7] [--jobs 2] [-o bench/planted.json]

Each benchmark gets a complete audit with default settings, and is judged by the default gate. A
false alarm is the verdict `caution` or `exposed` on a clean benchmark, which has 30 to 2,000 items.
A claim of safety is the verdict `clear` of a probe whose power is below 80%, or a headline that
says that nothing was found while a probe is undecided. Gate and audit agree if the gate passes
exactly where the verdict on the benchmark is `clear` or `caution`.
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
from hansproof.gates.judge import judge_audit
from hansproof.gates.limits_file import DEFAULTS
from hansproof.report.headline import build_headline
from hansproof.types import Benchmark, Item, Items

KINDS = ("token", "bigram", "length", "position", "overlap")
STRENGTHS = (0.6, 0.7, 0.85)  # how often the cued choice is right
COVERAGE = 0.5  # share of items that have the cue
ALARMS = ("caution", "exposed")
SMALLEST, LARGEST = 30, 2000  # items of clean benchmarks
ALL_CLEAR = ("no shortcut by words, length or position was found", "found nothing;")  # in headlines
RESPONSIBLE = {"token": "cues", "bigram": "cues", "length": "surface", "position": "class_balance",
               "overlap": "surface"}  # fmt: skip

Rng = np.random.Generator
VOCABULARY = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdfgklmnprst"]
ZIPF = 1 / np.arange(1, len(VOCABULARY) + 1)


def draw_words(rng: Rng, n: int) -> list[str]:
    """Draw `n` words, a few of them common and most rare."""
    return [VOCABULARY[i] for i in rng.choice(len(VOCABULARY), n, p=ZIPF / ZIPF.sum())]


def make_clean(seed: int, n: int = 400, choices: int = 2, splits: int = 1) -> Benchmark:
    """Generate items whose answers cannot be predicted."""
    rng = np.random.default_rng(seed)
    items = tuple(
        Item(
            f"{seed}-{i}",
            {"question": " ".join(draw_words(rng, int(rng.integers(6, 12))))},
            tuple(" ".join(draw_words(rng, int(rng.integers(4, 9)))) for _ in range(choices)),
            int(rng.integers(choices)),
        )
        for i in range(n)
    )
    names = ("train", "test") if splits > 1 else ("all",)
    bounds = [0, n // 2, n] if splits > 1 else [0, n]
    parts = {name: items[bounds[k] : bounds[k + 1]] for k, name in enumerate(names)}
    roles = {"train": "train", "test": "test"} if splits > 1 else {}
    return Benchmark(f"clean-{seed}", parts, roles)


def plant_shortcut(kind: str, strength: float, seed: int, n: int = 500) -> Benchmark:
    """Plant a shortcut in a clean benchmark with two choices."""
    benchmark = make_clean(seed, n)
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    plant = PLANTS[kind]
    items: Items = tuple(
        plant(rng, item, strength) if rng.random() < COVERAGE else item
        for item in benchmark.splits["all"]
    )
    return replace(benchmark, name=f"{kind}-{strength}-{seed}", splits={"all": items})


def reachable_accuracy(strength: float) -> float:
    """Return the accuracy of using the shortcut where it applies and guessing elsewhere."""
    return COVERAGE * strength + (1 - COVERAGE) / 2


def _cued_choice(rng: Rng, item: Item, strength: float) -> int:
    """Draw the choice that the cue points at."""
    right = int(item.answer or 0)
    return right if rng.random() < strength else 1 - right


def _replace_choice(item: Item, position: int, text: str) -> Item:
    return replace(
        item, choices=tuple(text if j == position else c for j, c in enumerate(item.choices))
    )


def _plant_token(rng: Rng, item: Item, strength: float) -> Item:
    position = _cued_choice(rng, item, strength)
    return _replace_choice(item, position, f"zaz {item.choices[position]}")


def _plant_bigram(rng: Rng, item: Item, strength: float) -> Item:
    """Put both words into both choices, but next to each other in only one."""
    position = _cued_choice(rng, item, strength)
    item = _replace_choice(item, position, f"zaz zuz {item.choices[position]}")
    return _replace_choice(item, 1 - position, f"zuz {item.choices[1 - position]} zaz")


def _plant_length(rng: Rng, item: Item, strength: float) -> Item:
    position = _cued_choice(rng, item, strength)
    missing_length = len(item.choices[1 - position]) - len(item.choices[position])
    longer = item.choices[position]
    while missing_length >= 0:
        extra = draw_words(rng, 1)[0]
        longer, missing_length = f"{longer} {extra}", missing_length - len(extra) - 1
    return _replace_choice(item, position, longer)


def _plant_position(rng: Rng, item: Item, strength: float) -> Item:
    right = str(item.choices[int(item.answer or 0)])
    wrong = str(item.choices[1 - int(item.answer or 0)])
    if rng.random() < strength:
        return replace(item, choices=(right, wrong), answer=0)
    return replace(item, choices=(wrong, right), answer=1)


def _plant_overlap(rng: Rng, item: Item, strength: float) -> Item:
    """Put three words of the question into one choice, and none into the other."""
    position = _cued_choice(rng, item, strength)
    question_words = item.fields["question"].split()
    fresh = [w for w in VOCABULARY[-200:] if w not in question_words]
    other_words = [
        w if w not in question_words else fresh[int(rng.integers(len(fresh)))]
        for w in item.choices[1 - position].split()
    ]
    shared_words = rng.choice(sorted(set(question_words)), 3)
    return _replace_choice(
        _replace_choice(item, position, f"{item.choices[position]} {' '.join(shared_words)}"),
        1 - position,
        " ".join(other_words),
    )


PLANTS: dict[str, Callable[[Rng, Item, float], Item]] = {
    "token": _plant_token,
    "bigram": _plant_bigram,
    "length": _plant_length,
    "position": _plant_position,
    "overlap": _plant_overlap,
}


def audit_benchmark(benchmark: Benchmark) -> dict[str, Any]:
    """Return the verdicts of all probes, and the accuracy of the blind bag of words."""
    audit = auditing.run_audit(benchmark)
    verdict = auditing.overall_verdict(audit)
    passed = judge_audit(audit, DEFAULTS).passes()
    headline = build_headline(audit)
    tests = [r for r in audit.results if r.p is not None or r.power is not None]
    unfounded = [r.probe for r in tests if r.verdict == "clear" and (r.power or 0) < 0.8]
    if verdict != "clear" and any(phrase in headline for phrase in ALL_CLEAR):
        unfounded.append("headline")
    blind = next(r for r in audit.results if r.probe == "partial_input")
    estimates = {e.name: e for e in blind.estimates}
    name = next(key for key in estimates if key.endswith(": choices (bow)"))
    return {
        "verdicts": {r.probe: r.verdict for r in audit.results},
        "verdict": verdict,
        "headline": headline,
        "n": sum(audit.sizes.values()),
        "power": {r.probe: r.power for r in tests},
        "unfounded_claims": unfounded,
        "gate_agrees": passed == (verdict in ("clear", "caution")),
        "gate_agrees_if_undecided_is_allowed": judge_audit(audit, DEFAULTS).passes(True)
        == (verdict != "exposed"),
        "failures": len(audit.failures),
        "q": {r.probe: r.q for r in audit.results if r.q is not None},
        "blind": [estimates[name].value, estimates[name].low, estimates[name].high],
    }


def audit_clean(seed: int) -> dict[str, Any]:
    """Audit a clean benchmark; the seed decides on its size, choices and splits."""
    share = seed * 0.6180339887498949 % 1  # spreads sizes evenly on a logarithmic scale
    n = round(SMALLEST * (LARGEST / SMALLEST) ** share)
    return audit_benchmark(make_clean(seed, n, 2 + 2 * (seed % 2), 1 + seed // 2 % 2))


def audit_planted(task: tuple[str, float, int]) -> dict[str, Any]:
    return audit_benchmark(plant_shortcut(*task))


def has_alarm(audit: dict[str, Any]) -> bool:
    """Return whether a probe objects."""
    return any(verdict in ALARMS for verdict in audit["verdicts"].values())


def count_claims(audits: list[dict[str, Any]]) -> dict[str, int]:
    """Count unfounded claims of safety, and audits with which the gate disagrees."""
    return {
        "unfounded_claims": sum(bool(audit["unfounded_claims"]) for audit in audits),
        "gate_disagrees": sum(
            not (audit["gate_agrees"] and audit["gate_agrees_if_undecided_is_allowed"])
            for audit in audits
        ),
        "undecided": sum(audit["verdict"] == "undecided" for audit in audits),
    }


def summarize_planted(kind: str, strength: float, audits: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how often the shortcut was found, and the mean blind accuracy."""
    blind = np.array([audit["blind"] for audit in audits])
    by_any_probe = [has_alarm(audit) for audit in audits]
    by_responsible_probe = [audit["verdicts"][RESPONSIBLE[kind]] in ALARMS for audit in audits]
    by_partial_input = [audit["verdicts"]["partial_input"] in ALARMS for audit in audits]
    return {
        "kind": kind, "right_of_cued": strength, "coverage": COVERAGE,
        "reachable_accuracy": reachable_accuracy(strength), "benchmarks": len(audits),
        "found_by_any_probe": float(np.mean(by_any_probe)),
        f"found_by_{RESPONSIBLE[kind]}": float(np.mean(by_responsible_probe)),
        "found_by_partial_input": float(np.mean(by_partial_input)),
        "blind_accuracy_mean": float(blind[:, 0].mean()),
        "blind_interval_mean": [float(blind[:, 1].mean()), float(blind[:, 2].mean())],
        **count_claims(audits),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clean", type=int, default=200)
    parser.add_argument("--each", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", default="bench/planted.json")
    flags = parser.parse_args()
    with ProcessPoolExecutor(flags.jobs) as pool:
        clean_audits = list(pool.map(audit_clean, range(flags.clean), chunksize=4))
        false_alarms = [audit for audit in clean_audits if has_alarm(audit)]
        print(f"false alarms: {len(false_alarms)} of {len(clean_audits)}", flush=True)
        print(count_claims(clean_audits), flush=True)
        rows = []
        for kind in KINDS:
            for strength in STRENGTHS:
                tasks = [(kind, strength, 10_000 + k) for k in range(flags.each)]
                rows.append(summarize_planted(kind, strength, list(pool.map(audit_planted, tasks))))
                print(rows[-1], flush=True)
    by_probe = {
        probe: sum(audit["verdicts"][probe] in ALARMS for audit in clean_audits)
        for probe in clean_audits[0]["verdicts"]
    }
    result = {
        "command": f"python bench/planted.py --clean {flags.clean} --each {flags.each}",
        "clean": {
            "benchmarks": len(clean_audits),
            "false_alarms": len(false_alarms),
            "by_probe": by_probe,
            **count_claims(clean_audits),
            "failures": sum(audit["failures"] for audit in clean_audits),
        },
        "planted": rows,
    }
    Path(flags.o).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
