"""What bench/attack.py found, in numbers: each contender, and the peers beside ours."""

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

from bench.attack import BRIDGE, OURS, PLAIN, read

FASTER, BESIDE = "ours_is_faster_by", "beside_ours"


def compared(runs: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Each contender's numbers, and both peers beside ours."""
    rows = {who: summary(some) for who, some in runs.items() if some}
    own = {one["id"]: one for one in runs[OURS][0]["items"]}
    for who in rows.keys() - {OURS}:
        other = {one["id"]: one for one in runs[who][0]["items"]}
        rows[who][FASTER] = rows[OURS]["items_per_second"] / rows[who]["items_per_second"]
        rows[who][BESIDE] = agreement(own, other)
    return rows


def summary(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The median of the turns, their spread, and what came out."""
    items = runs[0]["items"]
    tried = [one for one in items if one["state"] != "wrong"]
    flipped = [one for one in tried if one["state"] == "flipped"]
    seconds = [one["seconds"] for one in runs]
    return {
        "items_per_second": len(tried) / statistics.median(seconds),
        "seconds": seconds,
        "spread": max(seconds) / min(seconds) - 1,
        "seconds_in_networks": [one["networks"] for one in runs],
        "cpu_seconds": [one["cpu"] for one in runs],
        "machine_seconds": [one["machine"] for one in runs],
        "attacked": len(tried),
        "flipped": len(flipped),
        "queries_per_item": statistics.mean(one["queries"] for one in tried),
        "words_changed_per_flip": statistics.mean([len(one["swaps"]) for one in flipped] or [0]),
        "share_of_networks": statistics.median(one["networks"] / one["seconds"] for one in runs),
        "same_every_turn": all(_outcomes(one["items"]) == _outcomes(items) for one in runs),
    }


def _outcomes(items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {one["id"]: (one["state"], one["swaps"]) for one in items}


def agreement(own: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Item by item: what one flips and the other does not is named."""
    both = [at for at in own if own[at]["state"] == other[at]["state"] == "flipped"]
    return {
        "wrong before for one only": [
            at for at in own if (own[at]["state"] == "wrong") != (other[at]["state"] == "wrong")
        ],
        "flipped by both": len(both),
        "with the same words": sum(own[at]["swaps"] == other[at]["swaps"] for at in both),
        "flipped by ours only": _only(own, other),
        "flipped by textattack only": _only(other, own),
    }


def _only(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [at for at in one if one[at]["state"] == "flipped" != other[at]["state"]]


def about(given: argparse.Namespace) -> dict[str, Any]:
    """Where and with what it ran."""
    folder, peer = given.folder, given.peer
    packages = ("textattack", "torch", "transformers", "numpy")
    code = f"import importlib.metadata as m; print(*map(m.version, {packages}))"
    theirs = subprocess.run([peer, "-c", code], capture_output=True, text=True, check=True)
    with np.load(Path(folder, "vectors.npz"), allow_pickle=False) as file:
        shape = file["vectors"].shape
    return {
        "command": " ".join(("python -m bench.attack", *map(_relative, sys.argv[1:]))),
        "device": device(given.threads),
        "ours": {one: importlib.metadata.version(one) for one in packages[1:]},
        "textattack": dict(zip(packages, theirs.stdout.split(), strict=True)),
        "stood in for": subprocess.run(
            [peer, "-c", "from bench.attack_bare import missing; print(*missing())"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split(),
        "items": {"benchmark": "arct", "split": "test", "first": len(read(folder))},
        "model": f"all-MiniLM-L6-v2, fine-tuned on ARCT, {given.epochs} epochs, seed 0",
        "chosen": json.loads(Path(folder, "model", "hansproof.json").read_text())["chosen"],
        "vectors": {"words": shape[0], "width": shape[1]},
        "encoder": "all-MiniLM-L6-v2, mean of tokens; angular, window 15, the text before a step",
        "tagger": "averaged perceptron on Brown",
        "turns": given.turns,
    }


def _relative(argument: str) -> str:
    """Without a folder that only this machine has."""
    return os.path.basename(argument) if os.path.isabs(argument) else argument


def device(threads: int) -> str:
    """The GPU, or the CPU."""
    import torch

    if torch.cuda.is_available():
        return f"{torch.cuda.get_device_name()}, {threads} threads of the CPU"
    info = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(":")[1].strip() for line in info if "model name" in line), "")
    return f"{name or platform.machine()}, {threads} threads"


def table(found: dict[str, Any]) -> None:
    """Everybody beside ours."""
    print(f"\n{found['device']}")
    for name, setting in found["settings"].items():
        print(f"{name}: words {setting['word_cosine']}, sentences {setting['sentence']:.3f}")
        for who in (who for who in (OURS, PLAIN, BRIDGE) if who in setting):
            row = setting[who]
            faster = f"{row[FASTER]:.1f}x" if who != OURS else ""
            print(
                f"  {who:28}{row['items_per_second']:8.2f} items/s{faster:>8}"
                f"{row['flipped']:6} of {row['attacked']}{row['queries_per_item']:8.1f} queries"
                f"{row['share_of_networks']:7.0%} in networks"
            )
