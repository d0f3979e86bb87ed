"""How fast items are asked, beside the ideal and a bare client; and the memory of many items.

    python -m bench.endpoint_speed            # 2,000 items, 50 ms, 32 under way; 200,000 items

A stand-in in another process answers after 50 ms. The ideal is items / concurrency x 50 ms. The
bare client sends the same bodies with aiohttp and reads the JSON, without hansproof.
"""

from __future__ import annotations

import asyncio
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("endpoint_speed.json")
DELAY, CONCURRENCY, N_ITEMS, N_MANY = 0.05, 32, 2_000, 200_000

SERVER = r"""
import asyncio, json, re, sys, zlib
delay = float(sys.argv[2])
top = [{"token": t, "logprob": -3.0 - i} for i, t in enumerate("ABCDEFGHIJKLMNOPQRST")]

def answer(body):
    said = re.findall(rb"Say ([A-Z])\.", body)
    letter = said[-1].decode() if said else "AB"[zlib.crc32(body) % 2]
    ranked = [{"token": letter, "logprob": -0.5}] + [t for t in top if t["token"] != letter]
    token = {"token": letter, "logprob": -0.5, "top_logprobs": ranked}
    data = json.dumps({"choices": [{"message": {"content": letter}, "finish_reason": "stop",
        "logprobs": {"content": [token]}}], "usage": {"prompt_tokens": 60, "completion_tokens": 1}})
    return (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % len(data)) + data.encode()

class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""
    def data_received(self, data):
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, _, rest = self.buffer.partition(b"\r\n\r\n")
            size = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
            if len(rest) < size:
                return
            body, self.buffer = rest[:size], rest[size:]
            loop = asyncio.get_running_loop()
            loop.call_later(delay, self.transport.write, answer(body))

async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()
asyncio.run(main())
"""


@contextmanager
def run_stand_in(delay: float) -> Iterator[str]:
    """Run the stand-in until the block ends."""
    from bench.servers import free_port

    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", SERVER, str(port), str(delay)])
    time.sleep(0.5)
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def write_items(path: Path, count: int) -> None:
    with path.open("w") as file:
        for i in range(count):
            row = {"id": str(i), "question": f"Which of these comes after number {i}, in order?",
                   "choices": [f"number {i + 1}", f"number {i + 7}"], "answer": i % 2}  # fmt: skip
            file.write(json.dumps(row) + "\n")


async def ask_bare(url: str, count: int) -> float:
    """Send as many requests of the same size, and read the JSON."""
    import aiohttp

    body = {"model": "m", "messages": [{"role": "user", "content": "x" * 260}], "max_tokens": 32,
            "temperature": 0.0, "logprobs": True, "top_logprobs": 20}  # fmt: skip
    pending = iter(range(count))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONCURRENCY)) as session:

        async def work() -> None:
            for _ in pending:
                async with session.post(f"{url}/chat/completions", json=body) as response:
                    json.loads(await response.read())

        started = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
        return time.perf_counter() - started


def ask_items(url: str, count: int) -> dict[str, float]:
    """Ask about items in a process of its own; returns its time for asking and its memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "items.jsonl"
        write_items(path, count)
        command = [sys.executable, "-m", "bench.endpoint_speed", "ask", url, str(path), folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        outcome: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return outcome


def ask_in_this_process(url: str, path: str, folder: str) -> None:
    """Time the asking alone, after loading items and proving the way."""
    import hansproof
    from hansproof.capabilities import AskingContext, Question
    from hansproof.models import load

    (items,) = hansproof.load(path).splits.values()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    model = load(f"api:m,url={url},ask=first-token,concurrency={CONCURRENCY}")
    questions = [Question(item, item.choices) for item in items]
    model.respond(questions[:1], AskingContext())  # proves the way
    started, cpu = time.perf_counter(), time.process_time()
    replies = model.respond(questions, AskingContext(folder=folder))
    seconds = time.perf_counter() - started
    assert all(reply.scores for reply in replies.items)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "cpu": time.process_time() - cpu,
                      "mb_before": before / 1024, "mb_peak": peak / 1024}))  # fmt: skip


def main() -> None:
    results: dict[str, Any] = {"cores": "2", "python": platform.python_version()}
    ideal = N_ITEMS / CONCURRENCY * DELAY
    with run_stand_in(DELAY) as url:
        runs = [(ask_items(url, N_ITEMS), asyncio.run(ask_bare(url, N_ITEMS))) for _ in range(3)]
    seconds, bare = min(run["seconds"] for run, _ in runs), min(bare for _, bare in runs)
    results["throughput"] = {
        "items": N_ITEMS, "concurrency": CONCURRENCY, "delay": DELAY, "ideal": ideal,
        "seconds": round(seconds, 2), "ratio": round(seconds / ideal, 2),
        "bare_seconds": round(bare, 2), "bare_ratio": round(bare / ideal, 2),
        "cpu": round(min(run["cpu"] for run, _ in runs), 2),
    }  # fmt: skip
    print(json.dumps(results["throughput"]), flush=True)
    with run_stand_in(0.0) as url:
        results["memory"] = {
            str(count): {k: round(v, 1) for k, v in ask_items(url, count).items()}
            for count in (N_MANY // 10, N_MANY)
        }
    print(json.dumps(results["memory"]))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["ask"]:
        ask_in_this_process(*sys.argv[2:])
    else:
        main()
