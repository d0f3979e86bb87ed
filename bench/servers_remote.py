"""The same as `bench.servers`, for a machine that has only numpy, aiohttp and xllamacpp.

python -m bench.servers_remote pack build/servers/items.json      # here: needs HANSPROOF_DATA
python -m bench.servers_remote run build/servers/items.json OUT.json MODEL.gguf THREADS  # there
python -m bench.servers_remote add OUT.json NAME                   # here
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
import urllib.request
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hansproof.capabilities import AskingContext, Question
from hansproof.models import load
from hansproof.types import Item

WAYS = ("ask=first-token", "ask=forced", "ask=text", "via=completions,ask=first-token",
        "ask=text,prompt=steps,max_tokens=256")  # fmt: skip
PORT = 18_431

SERVER = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.hostnames = sys.argv[1], int(sys.argv[2]), ["127.0.0.1"]
params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 16384, 8, int(sys.argv[3])
server = xllamacpp.Server(params)
time.sleep(1e9)
"""


def pack(path: str) -> None:
    from bench.servers import benchmarks

    document = {
        benchmark.name: [asdict(item) for items in benchmark.splits.values() for item in items]
        for benchmark in benchmarks(small=False)
    }
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(document))


def run(path: str, out: str, gguf: str, threads: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", SERVER, gguf, str(PORT), threads])
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.2)
        rows = [
            ask(name, [Item(**item) for item in items], settings)
            for settings in WAYS
            for name, items in json.loads(Path(path).read_text()).items()
        ]
    finally:
        process.terminate()
    machine = f"{threads} cores, {platform.processor() or platform.machine()}"
    Path(out).write_text(json.dumps({"machine": machine, "rows": rows}))


def ask(name: str, items: list[Item], settings: str) -> dict[str, Any]:
    spec = f"llamacpp:model,url=http://127.0.0.1:{PORT}/v1,timeout=300,concurrency=16,{settings}"
    started = time.perf_counter()
    questions = [Question(item, tuple(item.choices)) for item in items]
    replies = load(spec).respond(questions, AskingContext())
    seconds = time.perf_counter() - started
    print(name, settings, round(seconds, 1), replies.params, flush=True)
    return {
        "benchmark": name, "settings": settings, "seconds": seconds, "params": replies.params,
        "ids": [item.id for item in items], "replies": [asdict(reply) for reply in replies.items],
    }  # fmt: skip


def add(path: str, name: str) -> None:
    from bench.servers import benchmarks, describe, save
    from hansproof.types import Predictions

    by_name = {benchmark.name: benchmark for benchmark in benchmarks(small=False)}
    document = json.loads(Path(path).read_text())
    for row in document["rows"]:
        replies = dict(zip(row["ids"], row["replies"], strict=True))
        predictions = Predictions(
            row["benchmark"], "test", "", "llamacpp", "full",
            {id: tuple(reply["scores"]) for id, reply in replies.items() if reply["scores"]},
            params=row["params"],
            unanswered={id: r["no_answer"] for id, r in replies.items() if r["no_answer"]},
            text_answers={
                id: r["text_answer"] for id, r in replies.items() if r["text_answer"] is not None
            },
        )  # fmt: skip
        outcome = describe(predictions, by_name[row["benchmark"]], row["seconds"])
        machine = {"settings": row["settings"], "machine": document["machine"]}
        save("llamacpp", name, {**machine, **outcome})


if __name__ == "__main__":
    {"pack": pack, "run": run, "add": add}[sys.argv[1]](*sys.argv[2:])
