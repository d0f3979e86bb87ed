"""Search for planted shortcuts, each of which belongs to one rung, and search clean benchmarks.

    python -m bench.shortcuts_planted planted [--each 10] [--lm FILE] [--kinds token,bigram]
    python -m bench.shortcuts_planted clean [--clean 300] [--lm FILE] [--encoder FOLDER]

Right rung: the probe `shortcuts` is significant, and the rung that leads is the one that
`bench/plants.py` names for this kind. Beside it are the other probes of an audit, which know words,
phrases, lengths and positions. An alarm of a rung is a q of at most 5% on a clean benchmark. FILE
has the likelihoods of all clauses, and FOLDER is an encoder with their vectors in the cache:
`bench.shortcut_data` computes both.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bench.clauses import ngram_pool
from bench.plants import (
    EXPECTED_RUNG,
    STRENGTHS,
    make_clean,
    plant,
    reachable_accuracy,
    right_share,
)
from hansproof import auditing
from hansproof.inputs.choice_vectors import load_vectors
from hansproof.inputs.likelihoods import ChoiceLikelihoods, load_likelihoods
from hansproof.probes.shortcuts import Shortcuts
from hansproof.probes.shortcuts.tables import LEADING
from hansproof.types import FINDINGS, Benchmark, Item, Result

SIZES = (500, 2000)
LEVEL = 0.05
OTHERS = ("class_balance", "surface", "cues", "partial_input")  # what an audit looked at before
FIRST_SEED, N_OTHERS = 1000, 5  # the first benchmarks of a cell are audited by others, too
NEEDS_MODEL = "n-gram order"  # the only kind that no rung without weights can show
RESULTS = Path("bench/shortcuts_planted.json")


@cache
def load_pool_likelihoods(path: str) -> ChoiceLikelihoods:
    """Read how likely a model finds all texts of the n-gram models, once."""
    texts = sorted({text for pool in ngram_pool().values() for text in pool})
    items = tuple(Item(str(i), {"question": ""}, tuple(texts[i : i + 2]), 0)
                  for i in range(0, len(texts) - 1, 2))  # fmt: skip
    last = (Item("last", {"question": ""}, (texts[-1], texts[0]), 0),)
    return load_likelihoods([path], Benchmark("pool", {"all": items + last}))[0]


def search_planted(task: tuple[str, float, int, int, str]) -> dict[str, Any]:
    """Return what the probe and the other probes say of a benchmark with a planted shortcut."""
    kind, strength, n, seed, path = task
    benchmark = plant(kind, strength, seed, n)
    lm = [load_pool_likelihoods(path)] if kind == NEEDS_MODEL else []
    start = time.perf_counter()
    result = Shortcuts()(benchmark, lm=lm)
    seconds = time.perf_counter() - start
    return {
        "kind": kind, "strength": strength, "n": n, "seed": seed, "p": result.p,
        "leading": find_leading(result), "seconds": seconds,
        "rules": [row[1:6] for row in result.tables["rules"].rows[:3]],
        "others": find_by_others(benchmark) if seed < FIRST_SEED + N_OTHERS else None,
    }  # fmt: skip


def find_by_others(benchmark: Benchmark) -> list[str]:
    """Return the other probes of an audit that object."""
    probes = {name: probe for name, probe in auditing.default_probes().items() if name in OTHERS}
    audit = auditing.run_audit(benchmark, probes)
    return [result.probe for result in audit.results if result.verdict in FINDINGS]


def find_leading(result: Result) -> str:
    """Return the rung that leads; empty if the search found nothing."""
    table = result.tables["rungs"]
    rung, flag = table.columns.index("rung"), table.columns.index("flag")
    leading = [str(row[rung]) for row in table.rows if row[flag] == LEADING]
    return leading[0] if leading and (result.p or 0) <= LEVEL else ""


def search_clean(task: tuple[int, str, str]) -> dict[str, Any]:
    """Return p and verdict of a clean benchmark, and the rungs that raise an alarm."""
    seed, path, encoder = task
    sizes = (200, 500, 1000, 2000)
    benchmark = make_clean(seed, sizes[seed % 4], 2 + 2 * (seed // 4 % 2))
    lm = load_likelihoods([path], benchmark) if path else []
    vectors = load_vectors([encoder], benchmark) if encoder else []
    result = Shortcuts()(benchmark, lm=lm, encoder=vectors)
    table = result.tables["rungs"]
    q, rung = table.columns.index("q"), table.columns.index("rung")
    return {
        "seed": seed, "n": sizes[seed % 4], "choices": 2 + 2 * (seed // 4 % 2), "p": result.p,
        "verdict": result.verdict, "power": result.power,
        "rungs": {str(row[rung]): row[q] for row in table.rows},
        "rules": len(result.tables["rules"].rows),
    }  # fmt: skip


def summarize_cell(searches: list[dict[str, Any]]) -> dict[str, Any]:
    """Summarize the benchmarks of one kind, strength and size."""
    kind, strength = searches[0]["kind"], searches[0]["strength"]
    expected = EXPECTED_RUNG[kind]
    others = [s["others"] for s in searches if s["others"] is not None]
    return {
        "kind": kind, "right_of_cued": right_share(kind, strength), "strength": strength,
        "n": searches[0]["n"], "benchmarks": len(searches), "expected_rung": expected,
        "reachable": reachable_accuracy(kind, strength),
        "found": sum(bool(s["leading"]) for s in searches),
        "right_rung": sum(s["leading"] == expected for s in searches),
        "leading": dict(Counter(s["leading"] or "nothing" for s in searches)),
        "audited_by_others": len(others), "found_by_others": sum(map(bool, others)),
        "others": dict(Counter(name for names in others for name in names)),
        "seconds": round(float(np.mean([s["seconds"] for s in searches])), 2),
        "example": searches[0]["rules"][:1],
    }  # fmt: skip


def summarize_clean(searches: list[dict[str, Any]]) -> dict[str, Any]:
    """Count the alarms of the verdict, of each rung, and of the rules."""
    rungs = Counter(
        rung for s in searches for rung, q in s["rungs"].items() if q is not None and q <= LEVEL
    )
    tried = Counter(rung for s in searches for rung in s["rungs"])
    return {
        "benchmarks": len(searches),
        "alarms": sum(s["verdict"] in FINDINGS for s in searches),
        "clear": sum(s["verdict"] == "clear" for s in searches),
        "undecided": sum(s["verdict"] == "undecided" for s in searches),
        "by_rung": {rung: {"alarms": rungs[rung], "benchmarks": n} for rung, n in tried.items()},
        "with_rules": sum(bool(s["rules"]) for s in searches),
        "searches": searches,
    }


def save(key: str, command: str, content: Any) -> None:
    """Save one of the two results; the other stays."""
    saved = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    saved[key] = {"command": command, "results": content}
    RESULTS.write_text(json.dumps(saved, indent=1, ensure_ascii=False) + "\n")


def load_cells() -> list[dict[str, Any]]:
    """Return the cells that earlier runs have saved; each says by what command."""
    saved = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    cells: list[dict[str, Any]] = saved.get("planted", {}).get("results", [])
    return cells


def name_cell(cell: dict[str, Any]) -> tuple[str, float, int]:
    return cell["kind"], cell["strength"], cell["n"]


def describe_command(flags: argparse.Namespace) -> str:
    """Return the command with the flags that matter to results; a path has no meaning here."""
    number = {"clean": flags.clean, "planted": flags.each}[flags.what]
    number_flag = f" --{'clean' if flags.what == 'clean' else 'each'} {number}"
    models = " --lm FILE" * bool(flags.lm) + " --encoder FOLDER" * bool(flags.encoder)
    return f"python -m bench.shortcuts_planted {flags.what}{number_flag}{models}"


def run_planted(flags: argparse.Namespace) -> None:
    kinds = flags.kinds.split(",") if flags.kinds else list(EXPECTED_RUNG)
    kinds = [kind for kind in kinds if kind != NEEDS_MODEL or flags.lm]
    strengths, sizes = map(float, flags.strengths.split(",")), map(int, flags.sizes.split(","))
    # those that should be found come first
    settings = sorted(
        product(strengths, sizes), key=lambda pair: -(pair[1] ** 0.5) * (pair[0] - 0.5)
    )
    command = describe_command(flags)
    cells = {name_cell(cell): cell for cell in load_cells()}
    with ProcessPoolExecutor(flags.jobs) as pool:
        for (strength, n), kind in product(settings, kinds):
            if flags.resume and (kind, strength, n) in cells:
                continue
            tasks = [(kind, strength, n, FIRST_SEED + k, flags.lm) for k in range(flags.each)]
            cell = summarize_cell(list(pool.map(search_planted, tasks)))
            cells[kind, strength, n] = {**cell, "command": command}
            print({k: v for k, v in cell.items() if k != "others"}, flush=True)
            if flags.save:
                save("planted", command, [*cells.values()])


def run_clean(flags: argparse.Namespace) -> None:
    tasks = [(seed, flags.lm, flags.encoder) for seed in range(flags.clean)]
    with ProcessPoolExecutor(flags.jobs) as pool:
        summary = summarize_clean(list(pool.map(search_clean, tasks)))
    print({key: value for key, value in summary.items() if key != "searches"})
    if flags.save:
        save("clean", describe_command(flags), summary)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=("planted", "clean"))
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--clean", type=int, default=300)
    parser.add_argument("--kinds", default="")
    parser.add_argument("--strengths", default=",".join(map(str, STRENGTHS)))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--lm", default="", help="file of likelihoods")
    parser.add_argument("--encoder", default="", help="folder")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--resume", action="store_true", help="keep the cells that are saved")
    parser.add_argument("--save", action="store_true", help=f"write {RESULTS}")
    flags = parser.parse_args()
    (run_planted if flags.what == "planted" else run_clean)(flags)


if __name__ == "__main__":
    main()
