"""A server in this process that speaks like OpenAI's, with a small model that knows its answers.

The model is right about items that contain the word `right` in a choice, and about the planted
questions; it copies what it has said before. Faults make the server lie, from a given request on.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

KNOWN = ("right", "Paris", "green", "cold", "animal")
_LISTED = re.compile(r"^([A-Z])\. (.*)$", re.MULTILINE)
TOP = [*"ABCDEFGHIJKLMNOPQRST"]

Fault = Callable[["ModelServer", dict[str, Any], dict[str, Any]], Any]


@dataclass
class ModelServer:
    """The server; `requests` are the bodies that it was sent, `headers` theirs."""

    abilities: tuple[str, ...] = ("echo", "logprobs", "grammar")
    fault: Fault | None = None
    fault_after: int = 0  # requests that are answered well before
    delay: float = 0.0
    n_top: int = 20
    answer: Callable[[str], str] | None = None  # another text instead of the letter
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    n_open: int = 0
    n_most_open: int = 0
    url: str = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        self.requests.append(body)
        self.headers.append({**request.headers})
        self.n_open += 1
        self.n_most_open = max(self.n_most_open, self.n_open)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            reply: Any = self.reply(request.path, body)
            if self.fault is not None and len(self.requests) > self.fault_after:
                reply = self.fault(self, body, reply)
                if asyncio.iscoroutine(reply):
                    reply = await reply
            if isinstance(reply, web.StreamResponse):
                return reply
            if reply == "cut":
                assert request.transport is not None
                request.transport.close()
                return web.Response()
            return web.json_response(reply)
        finally:
            self.n_open -= 1

    def reply(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What an honest server returns."""
        prompt = body.get("prompt") or body["messages"][-1]["content"]
        if body.get("echo") and "echo" in self.abilities:
            return echo(prompt, body)
        letter, scores = pick(prompt)
        text = (
            self.answer(prompt) if self.answer and not re.search(r"Say [A-Z]\.", prompt) else letter
        )
        if "grammar" in body and "grammar" in self.abilities:
            allowed = re.findall(r'"([^"]+)"', body["grammar"])
            text = letter if letter in allowed else allowed[0]
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": 1}
        logprobs = None
        if body.get("logprobs") and "logprobs" in self.abilities:
            top = [{"token": t, "logprob": lp} for t, lp in scores[: self.n_top]]
            logprobs = {
                "content": [{"token": letter, "logprob": scores[0][1], "top_logprobs": top}]
            }
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop", "logprobs": logprobs}
        if path.endswith("/chat/completions"):
            choice["message"] = {"role": "assistant", "content": text}
        else:
            choice["text"] = f" {text}"
        return {"choices": [choice], "usage": usage}


def pick(prompt: str) -> tuple[str, list[tuple[str, float]]]:
    """The letter that the model answers, and log-probabilities of all letters, largest first."""
    said = re.findall(r"Say ([A-Z])\.", prompt)
    question = prompt.rpartition("Question:")[2] or prompt
    choices = dict(_LISTED.findall(question))
    if said:
        preferred = said[-1]
    else:
        scores = {
            letter: (10 if any(word in text.split() for word in KNOWN) else 0)
            + zlib.crc32(text.strip().encode()) % 1000 / 1000
            for letter, text in choices.items()
        }
        preferred = max(scores, key=scores.__getitem__) if scores else "I cannot say"
    weights = dict.fromkeys(TOP, 0.001)
    for letter, text in choices.items():
        weights[letter] = 0.1 + zlib.crc32(text.strip().encode()) % 1000 / 1e5
        weights[letter] += 4.0 * any(word in text.split() for word in KNOWN)
    if said:
        weights[preferred] = 9.0
    total = sum(weights.values())
    ranked = sorted(((k, math.log(w / total)) for k, w in weights.items()), key=lambda p: -p[1])
    return preferred, ranked


def echo(prompt: str, body: dict[str, Any]) -> dict[str, Any]:
    """The tokens of a prompt, a word each, and how likely they are."""
    tokens = re.findall(r"\s*\S+", prompt)
    words = [token.strip(" .") for token in tokens]
    scores: list[float | None] = [
        -1.0
        if word in KNOWN or words[:i].count(word) > 2
        else -3.0 - zlib.crc32(word.encode()) % 100 / 100
        for i, word in enumerate(words)
    ]
    scores[0] = None
    n_new = body.get("max_tokens", 0)
    logprobs = {
        "tokens": tokens + [" x"] * n_new,
        "token_logprobs": scores + [-1.0] * n_new,
        "top_logprobs": None,
    }
    usage = {"prompt_tokens": len(tokens), "completion_tokens": n_new}
    choice = {"text": prompt, "logprobs": logprobs, "finish_reason": "length"}
    return {"choices": [choice], "usage": usage}


@contextmanager
def serve(server: ModelServer) -> Iterator[ModelServer]:
    """Run a server in a thread; its `url` is known inside the block."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    runners: list[web.AppRunner] = []

    async def start() -> None:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/{path:.*}", server.handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        runners.append(runner)
        host, port = runner.addresses[0][:2]
        server.url = f"http://{host}:{port}/v1"
        ready.set()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(start())
        loop.run_forever()
        loop.run_until_complete(runners[0].cleanup())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
