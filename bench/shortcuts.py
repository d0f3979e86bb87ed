"""Measure the probe `shortcuts` on twelve benchmarks: what explains the blind score?

    python -m bench.shortcuts ladder WEIGHTS [BENCHMARK...]    a quarter of an hour
    python -m bench.shortcuts permuted [BENCHMARK...]          half an hour
    python -m bench.shortcuts page      writes docs/results/shortcuts.md

WEIGHTS has the folder `minilm` of an encoder, and a file of likelihoods per language model.
`bench.shortcut_data` wrote these, and the vectors in the cache; a benchmark is measured without the
models that have not read all of it. Figures
go to bench/shortcuts.json, benchmark by benchmark. Needs HANSPROOF_DATA.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np

from bench.shortcut_data import BENCHMARKS, load_benchmark, pool_splits
from bench.shortcuts_page import JSON, write_page
from hansproof.cues.counts import answer_array, build_layout
from hansproof.cues.permutation import rotate_answers
from hansproof.errors import BadInput
from hansproof.inputs.choice_vectors import ChoiceVectors, find_cached_vectors
from hansproof.inputs.likelihoods import ChoiceLikelihoods, load_likelihoods
from hansproof.probes.shortcuts import Shortcuts
from hansproof.probes.shortcuts.rule_words import describe_rule
from hansproof.rules.climb import Climb, climb_ladder
from hansproof.rules.encoder import ChoiceCoordinates
from hansproof.rules.features import choice_texts
from hansproof.rules.frequency import ChoiceLogs
from hansproof.rules.pick_tests import top_picks
from hansproof.scoring import expected_credit
from hansproof.stats import Floats, binomial_sf, bootstrap_ratio, mean_interval, wilson_interval
from hansproof.sweeps import plan_blind_runs, predict
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Benchmark, Items

LMS = {  # by the name of the file of likelihoods
    "smollm2": "SmolLM2-135M",
    "qwen2.5-coder-0.5b": "Qwen2.5-Coder-0.5B",
    "qwen2.5-coder-1.5b": "Qwen2.5-Coder-1.5B",
}
ENCODER = "MiniLM"
LEVEL, TOP_RULES = 0.05, 3
RUNS = {"COPA": 100, "ARCT": 100, "ARC-Challenge": 100, "PIQA": 40, "CSQA": 40}
Row = dict[str, Any]


def find_likelihoods(weights: str, benchmark: Benchmark) -> dict[str, ChoiceLikelihoods]:
    """Return the likelihoods of every model whose file has all choices of a benchmark."""
    by_model = {}
    for file, name in LMS.items():
        path = os.path.join(weights, f"{file}.jsonl")
        try:
            (by_model[name],) = load_likelihoods([path], benchmark)
        except BadInput:
            print(f"{benchmark.name}: no likelihoods by {name}", flush=True)
    return by_model


def score_blind_models(
    benchmark: Benchmark, items: Items, weights: str, lms: dict[str, ChoiceLikelihoods]
) -> dict[str, Floats]:
    """Return the credit of every item by models that see the choices alone."""
    specs = {"bow": "bow"}
    if find_cached_vectors(benchmark):
        specs[f"linear over {ENCODER}"] = f"encoder_linear:{weights}/minilm"
    credits = {}
    for name, spec in specs.items():
        (run,) = plan_blind_runs(benchmark, [spec])
        scores = predict(benchmark, run).scores
        credits[name] = _credit_rows([scores[item.id] for item in items], items)
    for name, lm in lms.items():
        credits[f"{name}, most likely per token"] = _credit_values(lm.means(items), items)
    return credits


def _credit_rows(rows: list[tuple[float, ...]], items: Items) -> Floats:
    return np.array(
        [expected_credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True)]
    )


def _credit_values(values: Floats, items: Items) -> Floats:
    ends = np.cumsum([len(item.choices) for item in items])
    return _credit_rows([tuple(row.tolist()) for row in np.split(values, ends[:-1])], items)


def _count_characters(items: Items) -> Floats:
    return np.array([len(choice) for item in items for choice in item.choices], np.float64)


def count_tells(lms: dict[str, ChoiceLikelihoods], items: Items) -> list[Row]:
    """Return how often the most and the least likely choice are right, by model."""
    return [
        {"model": name, "pick": f"{word} likely {unit}", **_describe_credits(credits, items)}
        for name, lm in lms.items()
        for unit, values in (("per token", lm.means(items)), ("in total", lm.totals(items)))
        for word, sign in (("most", 1), ("least", -1))
        for credits in (_credit_values(sign * values, items),)
    ]


def compare_with_length(lms: dict[str, ChoiceLikelihoods], items: Items) -> list[Row]:
    """Tell how often the most likely choice per token is also the longest, and what if not."""
    layout = build_layout(items)
    longest = top_picks(_count_characters(items), layout)
    rows = []
    for name, lm in lms.items():
        likely = top_picks(lm.means(items), layout)
        is_both = (longest == likely) & (likely >= 0)
        other = np.flatnonzero(~is_both & (likely >= 0))
        right = likely[other] - layout.first[other] == answer_array(items)[other]
        low, high = (float(end) for end in wilson_interval(int(right.sum()), other.size))
        shared = {"model": name, "is_longest": float(is_both.mean()), "n_other": int(other.size)}
        rows.append({**shared, "accuracy": float(right.mean()), "low": low, "high": high})
    return rows


def _describe_credits(credits: Floats, items: Items) -> Row:
    low, high = mean_interval(credits, find_leakage_groups(items))
    return {"accuracy": float(credits.mean()), "low": low, "high": high, "n": len(items)}


def climb(items: Items, lms: dict[str, ChoiceLikelihoods], encoders: list[ChoiceVectors]) -> Climb:
    logs = [ChoiceLogs(name, lm.totals(items), lm.means(items)) for name, lm in lms.items()]
    texts = choice_texts(items)
    coordinates = [ChoiceCoordinates(ENCODER, e.rows(items), texts) for e in encoders]
    return climb_ladder(items, get_tokenizer("word"), logs, coordinates)


def describe_climb(found: Climb, blind: dict[str, Floats]) -> Row:
    """Describe rungs and strongest rules, and how much of the best blind score they explain."""
    scores = {"all rungs": found.blind, **blind}
    best = max(scores, key=lambda name: float(scores[name].mean()))
    chance = found.columns.layout.chance
    gain = scores[best] - chance
    below = [chance, *(rung.combined for rung in found.rungs)]
    rules = found.significant_rules(LEVEL)
    return {
        "p": found.p,
        "permutations": found.n_permutations,
        "chance": found.chance,
        "blind": [
            {"model": name, **_interval(found, credits)} for name, credits in scores.items()
        ],
        "best": best,
        "rungs": [
            {
                "rung": rung.rung, "features": rung.n_features, "q": rung.q,
                "alone": _interval(found, rung.alone), "together": _interval(found, rung.combined),
                "explained": _share(found, rung.combined - chance, gain),
                "added": _share(found, rung.combined - before, gain),
            }
            for rung, before in zip(found.rungs, below, strict=False)
        ],
        "left": _share(found, scores[best] - found.rungs[-1].combined, gain),
        "n_rules": len(rules),
        "rules": [
            {
                "rule": describe_rule(rule, found.columns), "hits": rule.hits, "n": rule.n,
                "rung": found.columns.rung_of(rule.rule.features), "chance": rule.chance,
                "p": rule.p, "is_telling": bool(rule.is_telling),
            }
            for rule in rules[:TOP_RULES]
        ],
    }  # fmt: skip


def _interval(found: Climb, credits: Floats) -> Row:
    low, high = mean_interval(credits, found.groups)
    return {"accuracy": float(credits.mean()), "low": low, "high": high}


def _share(found: Climb, part: Floats, gain: Floats) -> Row | None:
    """Return the share of a blind score's gain over guessing; None if nothing is significant."""
    if found.p > LEVEL or gain.sum() <= 0:
        return None
    low, high = bootstrap_ratio(part, gain, found.groups, rounds=2000)
    return {"share": float(part.sum() / gain.sum()), "low": low, "high": high}


def measure_ladder(name: str, weights: str) -> Row:
    """Climb the ladder without models, with each language model, and with all models."""
    benchmark = load_benchmark(name)
    items = pool_splits(benchmark)
    lms = find_likelihoods(weights, benchmark)
    encoders = find_cached_vectors(benchmark)
    blind = score_blind_models(benchmark, items, weights, lms)
    settings: dict[str, tuple[dict[str, ChoiceLikelihoods], list[ChoiceVectors]]] = {
        "no weights": ({}, []),
        **{model: ({model: lm}, []) for model, lm in lms.items()},
        "all models": (lms, encoders),
    }
    row: Row = {
        "items": len(items),
        "choices": sorted({len(item.choices) for item in items}),
        "longest": _describe_credits(_credit_values(_count_characters(items), items), items),
        "tells": count_tells(lms, items),
        "beside_length": compare_with_length(lms, items),
        "settings": {},
    }
    for setting, (setting_lms, setting_encoders) in settings.items():
        start = time.perf_counter()
        found = climb(items, setting_lms, setting_encoders)
        seconds = time.perf_counter() - start
        row["settings"][setting] = {"seconds": seconds, **describe_climb(found, blind)}
    result = Shortcuts()(benchmark)
    return {**row, "verdict": result.verdict, "said": result.summary}


def measure_permuted(name: str) -> Row:
    """Count alarms in permuted answers: verdicts, rungs and rules."""
    items = pool_splits(load_benchmark(name))
    groups = find_leakage_groups(items)
    counts = {"verdicts": 0, "rungs": 0, "with_rules": 0, "rules": 0}
    for answers in rotate_answers(items, groups, RUNS[name], seed=26):
        permuted = tuple(
            replace(item, answer=int(answer)) for item, answer in zip(items, answers, strict=True)
        )
        found = climb(permuted, {}, [])
        n_rules = len(found.significant_rules(LEVEL))
        counts["verdicts"] += found.p <= LEVEL
        counts["rungs"] += min(rung.q for rung in found.rungs) <= LEVEL
        counts["with_rules"] += n_rules > 0
        counts["rules"] += n_rules
    n = RUNS[name]
    low, high = (float(end) for end in wilson_interval(counts["verdicts"], n))
    p = float(binomial_sf(counts["verdicts"], n, LEVEL))
    return {"runs": n, **counts, "low": low, "high": high, "p": p}


def save(section: str, name: str, row: Row) -> None:
    """Add a row to the file."""
    report = json.loads(JSON.read_text()) if JSON.exists() else {}
    report.setdefault(section, {})[name] = _round_numbers(row)
    report[section] = {key: report[section][key] for key in BENCHMARKS if key in report[section]}
    JSON.write_text(json.dumps(report, indent=1) + "\n")
    print(section, name, flush=True)


def _round_numbers(value: Any) -> Any:
    """Round to six digits, so that the file stays small."""
    if isinstance(value, dict):
        return {key: _round_numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_round_numbers(part) for part in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def main(command: str, *arguments: str) -> None:
    if command == "ladder":
        weights, *names = arguments
        for name in names or BENCHMARKS:
            save("ladder", name, measure_ladder(name, weights))
    elif command == "permuted":
        for name in arguments or RUNS:
            save("permuted", name, measure_permuted(name))
    elif command == "page":
        write_page()


if __name__ == "__main__":
    main(*sys.argv[1:])
