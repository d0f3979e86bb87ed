"""Summarize the runs of bench/attack.py and print them as a table."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.attack import BRIDGE, OURS, PLAIN, read_items

FASTER, BESIDE = "ours_is_faster_by", "beside_ours"


def compare_contenders(runs: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Summarize each contender, and compare both peers with ours."""
    rows = {
        contender: summarize_runs(contender_runs)
        for contender, contender_runs in runs.items()
        if contender_runs
    }
    our_items = {item["id"]: item for item in runs[OURS][0]["items"]}
    for contender in rows.keys() - {OURS}:
        their_items = {item["id"]: item for item in runs[contender][0]["items"]}
        rows[contender][FASTER] = (
            rows[OURS]["items_per_second"] / rows[contender]["items_per_second"]
        )
        rows[contender][BESIDE] = measure_agreement(our_items, their_items)
    return rows


def summarize_runs(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return medians and spread over the turns, and the attack's success."""
    items = runs[0]["items"]
    tried = [item for item in items if item["state"] != "wrong"]
    flipped = [item for item in tried if item["state"] == "flipped"]
    seconds = [run["seconds"] for run in runs]
    return {
        "items_per_second": len(tried) / statistics.median(seconds),
        "seconds": seconds,
        "spread": max(seconds) / min(seconds) - 1,
        "seconds_in_networks": [run["networks"] for run in runs],
        "cpu_seconds": [run["cpu"] for run in runs],
        "machine_seconds": [run["machine"] for run in runs],
        "attacked": len(tried),
        "flipped": len(flipped),
        "queries_per_item": statistics.mean(item["queries"] for item in tried),
        "words_changed_per_flip": statistics.mean([len(item["swaps"]) for item in flipped] or [0]),
        "share_of_networks": statistics.median(run["networks"] / run["seconds"] for run in runs),
        "same_every_turn": all(
            _outcomes_by_id(run["items"]) == _outcomes_by_id(items) for run in runs
        ),
    }


def _outcomes_by_id(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {item["id"]: (item["state"], item["swaps"]) for item in items}


def measure_agreement(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Compare two contenders item by item, and name the items only one of them flips."""
    flipped_by_both = [
        item_id
        for item_id in ours
        if ours[item_id]["state"] == theirs[item_id]["state"] == "flipped"
    ]
    return {
        "wrong before for one only": [
            item_id
            for item_id in ours
            if (ours[item_id]["state"] == "wrong") != (theirs[item_id]["state"] == "wrong")
        ],
        "flipped by both": len(flipped_by_both),
        "with the same words": sum(
            ours[item_id]["swaps"] == theirs[item_id]["swaps"] for item_id in flipped_by_both
        ),
        "flipped by ours only": _flipped_only_by_first(ours, theirs),
        "flipped by textattack only": _flipped_only_by_first(theirs, ours),
    }


def _flipped_only_by_first(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    """Return the ids of the items that only the first contender flips."""
    return [
        item_id
        for item_id in first
        if first[item_id]["state"] == "flipped" != second[item_id]["state"]
    ]


def describe_run(args: argparse.Namespace) -> dict[str, Any]:
    """Return the machine, the versions and the settings of a run."""
    folder, peer = args.folder, args.peer
    packages = ("textattack", "torch", "transformers", "numpy")
    code = f"import importlib.metadata as m; print(*map(m.version, {packages}))"
    versions = subprocess.run([peer, "-c", code], capture_output=True, text=True, check=True)
    with np.load(Path(folder, "vectors.npz"), allow_pickle=False) as file:
        shape = file["vectors"].shape
    return {
        "command": " ".join(("python -m bench.attack", *map(_shorten_path, sys.argv[1:]))),
        "device": describe_device(args.threads),
        "ours": {package: importlib.metadata.version(package) for package in packages[1:]},
        "textattack": dict(zip(packages, versions.stdout.split(), strict=True)),
        "stood in for": subprocess.run(
            [peer, "-c", "from bench.attack_bare import missing_packages as m; print(*m())"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split(),
        "items": {"benchmark": "arct", "split": "test", "first": len(read_items(folder))},
        "model": f"all-MiniLM-L6-v2, fine-tuned on ARCT, {args.epochs} epochs, seed 0",
        "chosen": json.loads(Path(folder, "model", "hansproof.json").read_text())["chosen"],
        "vectors": {"words": shape[0], "width": shape[1]},
        "encoder": "all-MiniLM-L6-v2, mean of tokens; angular, window 15, the text before a step",
        "tagger": "averaged perceptron on Brown",
        "turns": args.turns,
    }


def _shorten_path(argument: str) -> str:
    """Return the last part of an absolute path, which exists on this machine only."""
    return os.path.basename(argument) if os.path.isabs(argument) else argument


def describe_device(threads: int) -> str:
    """Return the name of the GPU, or of the CPU, with the number of threads."""
    import torch

    if torch.cuda.is_available():
        return f"{torch.cuda.get_device_name()}, {threads} threads of the CPU"
    info = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(":")[1].strip() for line in info if "model name" in line), "")
    return f"{name or platform.machine()}, {threads} threads"


def print_table(report: dict[str, Any]) -> None:
    """Print one line for each setting and contender."""
    print(f"\n{report['device']}")
    for name, setting in report["settings"].items():
        print(f"{name}: words {setting['word_cosine']}, sentences {setting['sentence']:.3f}")
        for contender in (contender for contender in (OURS, PLAIN, BRIDGE) if contender in setting):
            row = setting[contender]
            faster = f"{row[FASTER]:.1f}x" if contender != OURS else ""
            print(
                f"  {contender:28}{row['items_per_second']:8.2f} items/s{faster:>8}"
                f"{row['flipped']:6} of {row['attacked']}{row['queries_per_item']:8.1f} queries"
                f"{row['share_of_networks']:7.0%} in networks"
            )
