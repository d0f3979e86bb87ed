"""Time and memory of the probe `shortcuts`, rung by rung, and its share of an audit.

    python -m bench.shortcut_speed rungs     time and peak memory: five minutes
    python -m bench.shortcut_speed audits    audits with and without the probe: ten minutes
    python -m bench.shortcut_speed peers PYTHON    beside `bench.shortcut_peers`: half an hour

writes bench/shortcut_speed.json. PIQA has 17,951 items with two choices; 14,042 items with four
choices are made by a chain over the words of real items, as in bench/scale.py. Each measurement
runs in a process of its own, without model weights. PYTHON is that of an environment with the
dependency group `bench-shortcuts`. Needs HANSPROOF_DATA.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from bench.scale import write_items
from bench.shortcut_data import load_benchmark, pool_splits
from hansproof import load
from hansproof._infra.threads import single_threaded
from hansproof.cues.counts import ChoiceLayout, answer_array, build_layout
from hansproof.cues.permutation import build_rotations, rotate_answers
from hansproof.rules import (
    climb,
    columns,
    frequency,
    null_runs,
    place,
    relations,
    typography,
    word_classes,
    word_features,
)
from hansproof.rules.confirm import prepare_search
from hansproof.rules.features import FeatureBlock, choice_texts
from hansproof.rules.ladder import FoldPlan, score_rung
from hansproof.rules.pick_tests import make_tester
from hansproof.stats import assign_folds
from hansproof.text.encoding import EncodedTexts, encode_texts
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Items

JSON = Path("bench/shortcut_speed.json")
N_MADE = 14_042
MADE, FEWER = f"{N_MADE:,} × 4", f"{climb.MANY_ITEMS - 1:,} × 4"
AUDITED = ("quiz course", "COPA", "ARC-Challenge", "PIQA", "CSQA", MADE)
PEER_DATA = ("ARCT", "PIQA")
REPEATS = 2
WITHOUT = """
from hansproof import auditing, cli
all_probes = auditing.default_probes
def default_probes(inputs):
    return {name: probe for name, probe in all_probes(inputs).items() if name != "shortcuts"}
auditing.default_probes = default_probes
cli.main()
"""
Row = dict[str, Any]
Builder = Callable[[list[str], EncodedTexts, ChoiceLayout], FeatureBlock | None]
RUNGS: dict[str, Builder] = {
    "typography": lambda texts, _, layout: typography.typography_features(texts, layout),
    "place": lambda _, __, layout: place.place_features(layout),
    "words": lambda _, encoded, layout: word_features.word_features(encoded, layout),
    "pairs": lambda _, encoded, layout: word_features.pair_features(encoded, layout),
    "patterns": lambda _, encoded, layout: word_features.pattern_features(encoded, layout),
    "word classes": lambda _, encoded, layout: word_classes.class_features(encoded, layout),
    "relations": relations.relation_features,
    "frequency": lambda _, encoded, layout: frequency.frequency_features(encoded, layout),
}


def load_items(name: str) -> Items:
    if name in (MADE, FEWER):
        return write_items(N_MADE if name == MADE else climb.MANY_ITEMS - 1)
    return pool_splits(load_benchmark(name))


def time_rung(name: str, rung: str) -> Row:
    """Time the features of a rung and its cross-validated ranker, and tell the peak memory."""
    items = load_items(name)
    layout, texts = build_layout(items), choice_texts(items)
    encoded = encode_texts(texts, get_tokenizer("word"))
    plan = _plan_folds(items, layout)
    _warm_up()
    before, start = _peak_mb(), time.process_time()
    block = RUNGS[rung](texts, encoded, layout)
    assert block is not None
    built = time.process_time()
    score_rung(block, plan)
    done = time.process_time()
    return {
        "features": block.size, "build_s": built - start, "rank_s": done - built,
        "before_mb": before, "peak_mb": _peak_mb(),
    }  # fmt: skip


def time_climb(name: str, answers: str) -> Row:
    """Time the whole probe: with the true answers, with permuted ones, or in the worst case.

    The worst case is that the search is repeated on permuted answers as often as it can be.
    """
    items = load_items(name)
    if answers != "true":
        groups = find_leakage_groups(items)
        (permuted,) = rotate_answers(items, groups, 1, seed=5)
        items = _replace_answers(items, permuted)
    if answers == "worst case":
        null_runs.ENOUGH_EXCEEDED, climb.CERTAIN, climb.HOPELESS = 10**6, 0.0, -np.inf
    _warm_up()
    start, cpu = time.perf_counter(), time.process_time()
    found = climb.climb_ladder(items, get_tokenizer("word"))
    return {
        "wall_s": time.perf_counter() - start, "cpu_s": time.process_time() - cpu,
        "permutations": found.n_permutations, "p": found.p, "peak_mb": _peak_mb(),
    }  # fmt: skip


def time_search(name: str) -> Row:
    """Time the search for rules in both halves of the items, and tell the peak memory."""
    items = load_items(name)
    layout, blocks = climb.build_blocks(items, get_tokenizer("word"))
    groups = find_leakage_groups(items)
    tester = make_tester(layout, build_rotations(items, groups))
    before, start = _peak_mb(), time.process_time()
    features = columns.FeatureColumns(blocks, layout)
    search = prepare_search(features, tester, assign_folds(groups, 2, 1))
    search.find_rules(answer_array(items))
    first = time.process_time()
    search.find_rules(answer_array(items))
    return {
        "joined": int(features.joined_features.size), "first_s": first - start,
        "again_s": time.process_time() - first, "before_mb": before, "peak_mb": _peak_mb(),
    }  # fmt: skip


def _plan_folds(items: Items, layout: ChoiceLayout) -> FoldPlan:
    groups = find_leakage_groups(items)
    fold = assign_folds(groups, climb.FOLDS, 0)
    return FoldPlan(layout, answer_array(items), fold, climb.FOLDS)


def _replace_answers(items: Items, answers: Any) -> Items:
    from dataclasses import replace

    return tuple(
        replace(item, answer=int(answer)) for item, answer in zip(items, answers, strict=True)
    )


def _warm_up() -> None:
    """Load compiled code."""
    climb.climb_ladder(pool_splits(load("toy:original")), get_tokenizer("word"))


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def time_audit(name: str, probes: str) -> Row:
    """Audit with or without the probe; tell the seconds of the whole command."""
    code = WITHOUT if probes == "without" else "from hansproof.cli import main; main()"
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["audit", _write_items_file(name, folder), "-o", f"{folder}/audit", "-q"]
        if probes == "with":
            arguments += ["--lm", "none", "--encoder", "none"]
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code, *arguments], check=True)
        wall = time.perf_counter() - start
        audit = json.loads(Path(folder, "audit", "audit.json").read_text())
    assert (probes == "with") == any(r["probe"] == "shortcuts" for r in audit["results"])
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime
    return {"wall_s": wall, "cpu_s": cpu, "peak_mb": usage.ru_maxrss // 1024}


def _write_items_file(name: str, folder: str) -> str:
    """Write the items of a benchmark to one file, which every audit reads alike."""
    path = Path(folder, "items.jsonl")
    with path.open("w") as file:
        for item in load_items(name):
            row = {"id": item.id, **item.fields, "choices": item.choices, "answer": item.answer}
            file.write(json.dumps(row) + "\n")
    return str(path)


def run_alone(*arguments: str) -> Row:
    """Run a measurement in a process of its own; of several, keep the fastest."""
    command = [sys.executable, "-m", "bench.shortcut_speed", "one", *arguments]
    rows = []
    for _ in range(REPEATS if arguments[0] != "time_climb" else 1):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        print(*arguments, rows[-1], flush=True)
    return min(rows, key=_total_seconds)


def _total_seconds(row: Row) -> float:
    return sum(float(value) for key, value in row.items() if key.endswith("_s") and key != "cpu_s")


def measure_rungs() -> Row:
    return {
        name: {
            "rungs": {rung: run_alone("time_rung", name, rung) for rung in RUNGS},
            "search": run_alone("time_search", name),
            "whole": {
                answers: run_alone("time_climb", name, answers) for answers in ("true", "permuted")
            },
        }
        for name in ("PIQA", MADE)
    } | {FEWER: {"whole": {"worst case": run_alone("time_climb", FEWER, "worst case")}}}


def measure_audits() -> Row:
    return {
        name: {probes: run_alone("time_audit", name, probes) for probes in ("with", "without")}
        for name in AUDITED
    }


def save(section: str, measured: Row) -> None:
    """Write a section of the file."""
    report = json.loads(JSON.read_text()) if JSON.exists() else {}
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    report |= {"command": "make shortcuts", "machine": machine}
    report[section] = report.get(section, {}) | measured
    JSON.write_text(json.dumps(report, indent=1) + "\n")


def main(command: str, *arguments: str) -> None:
    if command == "one":
        function, *rest = arguments
        with single_threaded() if function in ("time_rung", "time_search") else nullcontext():
            print(json.dumps(globals()[function](*rest)))
    elif command == "rungs":
        save("rungs", measure_rungs())
    elif command == "audits":
        save("audits", measure_audits())
    elif command == "peers":
        from bench.shortcut_peers import measure_peers

        python, *names = arguments
        for name in names or PEER_DATA:
            save("peers", measure_peers(python, (name,), load_items))


if __name__ == "__main__":
    main(*sys.argv[1:])
