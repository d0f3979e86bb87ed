"""How items are asked: together, once each, within limits of rate and money."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from hansproof.capabilities import AskingContext, Question, Replies
from hansproof.endpoints.pacing import Pacer, read_retry_after
from hansproof.errors import BadInput, ModelError
from hansproof.models import load
from hansproof.spending import (
    BudgetSpent,
    Price,
    Spending,
    estimate_prompt_tokens,
    estimate_tokens,
    format_dollars,
)
from hansproof.types import Item
from tests.support.model_server import ModelServer, serve


def ask(server: ModelServer, settings: str, items: list[Item], **context: Any) -> Replies:
    model = load(f"api:m,url={server.url},{settings}")
    questions = [Question(item, item.choices) for item in items]
    replies: Replies = model.respond(questions, AskingContext(**context))
    return replies


def run_apart(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread: browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, coroutine).result()


def make_items(count: int) -> list[Item]:
    return [Item("", {"question": f"{i}?"}, ("right", f"other {i}"), 0) for i in range(count)]


def test_as_many_requests_are_under_way_as_allowed() -> None:
    with serve(ModelServer(delay=0.02)) as server:
        ask(server, "ask=text,concurrency=5", make_items(40))
    assert server.n_most_open <= 8  # the self-test asks its eight questions together
    with serve(ModelServer(delay=0.02)) as server:
        ask(server, "ask=text,concurrency=3", make_items(40))
        assert server.n_most_open <= 3


def test_equal_requests_are_sent_once() -> None:
    with serve(ModelServer(delay=0.01)) as server:
        replies = ask(server, "ask=text,concurrency=4", make_items(1) * 30)
    assert len(replies.items) == 30
    assert len({reply.scores for reply in replies.items}) == 1
    assert sum("0?" in str(body) for body in server.requests) == 1


def test_seeds_ask_again_only_at_a_temperature() -> None:
    for settings, n_sent in (("ask=text", 1), ("ask=text,temperature=1", 3)):
        with serve(ModelServer()) as server:
            for seed in (0, 1, 1, 2):
                ask(server, settings, make_items(1), seed=seed, folder=None)
            sent = {str(body) for body in server.requests if "0?" in str(body)}
        assert len(sent) == n_sent


def test_a_model_with_other_names_for_settings_is_asked() -> None:
    def modern(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        for name in ("max_tokens", "temperature"):
            if name in body:
                message = f"Unsupported parameter: '{name}' is not supported with this model."
                return web.json_response({"error": {"message": message}}, status=400)
        return reply

    with serve(ModelServer(fault=modern)) as server:
        replies = ask(server, "ask=text", make_items(3))
        assert server.requests[-1]["max_completion_tokens"] == 32
    assert replies.params["temperature"] == "the server's: it does not accept another"


def test_a_reasoning_model_is_told_to_have_more_tokens() -> None:
    def reasoning(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if body["max_tokens"] < 1000:
            message = {"content": None, "reasoning_content": "Well, A or B"}
            return {"choices": [{"message": message, "finish_reason": "length"}]}
        message = reply["choices"][0]["message"]
        message["content"] = f"<think>A? B? It is A.</think>\n{message['content']}"
        return reply

    with serve(ModelServer(abilities=(), fault=reasoning)) as server:
        with pytest.raises(ModelError, match=r"limit of 32 tokens.*max_tokens=4000"):
            ask(server, "ask=text", make_items(3))
        replies = ask(server, "ask=text,max_tokens=4000", make_items(3))
    assert [reply.scores for reply in replies.items] == [(1.0, 0.0)] * 3


def test_an_unknown_model_is_one_line() -> None:
    def unknown(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        error = {"message": "The model `m` does not exist", "code": "model_not_found"}
        return web.json_response({"error": error}, status=404)

    with serve(ModelServer(fault=unknown)) as server:
        with pytest.raises(ModelError) as info:
            ask(server, "ask=auto", make_items(1))
        assert len(server.requests) == 1
    assert str(info.value).endswith("HTTP 404: The model `m` does not exist")


def test_answers_are_asked_for_inside_a_running_loop() -> None:
    async def in_a_notebook(server: ModelServer) -> Replies:
        return ask(server, "ask=text", make_items(2))

    with serve(ModelServer()) as server:
        assert len(run_apart(in_a_notebook(server)).items) == 2


def test_a_view_without_choices_is_asked_for_a_free_answer() -> None:
    item = Item("", {"question": "The capital of France?"}, ("", ""), None)
    question = Question(item, ("Paris", "Lyon"))
    with serve(ModelServer(answer=lambda prompt: "It is Paris.")) as server:
        model = load(f"api:m,url={server.url}")
        with pytest.raises(ModelError, match="free text"):
            model.respond([question], AskingContext())

    def free(prompt: str) -> str:
        choices = re.findall(r"[AB]\. (\w+)", prompt)
        known = [choice for choice in choices if choice in ("Paris", "green", "cold", "animal")]
        return known[0] if known else "Paris"

    with serve(ModelServer(answer=free)) as server:
        replies = load(f"api:m,url={server.url}").respond([question], AskingContext())
    assert replies.items[0].scores == (1.0, 0.0)
    assert replies.params["way"] == "text"


def test_requests_keep_to_a_rate() -> None:
    async def take_turns() -> float:
        pacer, started = Pacer(rpm=1200), time.monotonic()
        await asyncio.gather(*(pacer.wait() for _ in range(6)))
        return time.monotonic() - started

    assert 0.24 < run_apart(take_turns()) < 2


def test_a_pause_holds_all_back() -> None:
    async def pause() -> float:
        pacer, started = Pacer(rpm=0), time.monotonic()
        pacer.pause(0.2)
        await pacer.wait()
        return time.monotonic() - started

    assert run_apart(pause()) >= 0.19


def test_retry_after_is_a_number_or_a_date() -> None:
    assert read_retry_after({"Retry-After": "7"}) == 7
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 50 < (read_retry_after({"Retry-After": later}) or 0) <= 60
    past = format_datetime(datetime.now(UTC) - timedelta(seconds=60), usegmt=True)
    assert read_retry_after({"Retry-After": past}) == 0
    for value in ("", "soon", "nan", "-5x"):
        assert read_retry_after({"Retry-After": value}) is None
    assert read_retry_after({"Retry-After": "-5"}) == 0
    assert (read_retry_after({"Retry-After": "inf"}) or 0) > 600


def test_a_wait_that_is_too_long_stops_the_run() -> None:
    def busy(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        headers = {"Retry-After": "86400"}
        return web.json_response({"error": {"message": "daily limit"}}, status=429, headers=headers)

    with serve(ModelServer(fault=busy)) as server:
        with pytest.raises(ModelError, match="HTTP 429: daily limit"):
            ask(server, "ask=text", make_items(1))
        assert len(server.requests) == 1


def test_a_budget_is_never_exceeded() -> None:
    spending = Spending(budget=1.0)
    spending.reserve(0.4)
    spending.reserve(0.5)
    with pytest.raises(BudgetSpent):
        spending.reserve(0.2)
    spending.settle(0.5, 0.1)
    spending.reserve(0.2)
    spending.settle(0.4, 0.4)
    spending.settle(0.2, 0.2)
    assert spending.spent == pytest.approx(0.7)
    assert spending.reserved == pytest.approx(0.0)
    assert Price(2.0, 4.0).cost(1_000_000, 500_000) == 4.0


def test_a_budget_that_does_not_cover_the_self_test_is_one_line() -> None:
    with serve(ModelServer()) as server, pytest.raises(ModelError, match="too little for testing"):
        ask(server, "ask=text,price=1000|1000", make_items(1), spending=Spending(budget=1e-6))


def test_tokens_are_estimated_by_bytes() -> None:
    assert (estimate_tokens(""), estimate_tokens("x" * 40)) == (0, 10)
    assert estimate_tokens("首都" * 10) > estimate_tokens("x" * 20)
    assert estimate_prompt_tokens("x" * 40) == 42, "a chat template has tokens, too"


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0.0, "$0.00"), (0.0008, "$0.0008"), (0.00123, "$0.0012"), (0.04, "$0.04"), (0.5, "$0.50"),
        (0.126, "$0.13"), (2.0, "$2.00"), (1234.5, "$1,234.50"),
    ],
)  # fmt: skip
def test_small_amounts_are_never_rounded_to_nothing(amount: float, text: str) -> None:
    assert format_dollars(amount) == text


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("ask=likelihood,examples=2", "examples: has no effect on ask=likelihood"),
        ("ask=likelihood,prompt=bare", "prompt: has no effect on ask=likelihood"),
        ("ask=text,score_by=pmi", "score_by: is for ask=likelihood"),
        ("ask=first-token,temperature=1", "temperature: has no effect on ask=first-token"),
    ],
)
def test_settings_without_effect_are_refused(settings: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        load(f"api:m,url=http://localhost/v1,{settings}").materials()


def test_a_busy_server_costs_no_item() -> None:
    """Three requests a second, and a burst of ten: the rest is told to come back."""
    tokens, last = [10.0], [time.monotonic()]

    def bucket(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        now = time.monotonic()
        tokens[0] = min(10.0, tokens[0] + 15 * (now - last[0]))
        last[0] = now
        if tokens[0] < 1:
            headers = {"Retry-After": "0"}
            return web.json_response({"error": "slow down"}, status=429, headers=headers)
        tokens[0] -= 1
        return reply

    with serve(ModelServer(fault=bucket)) as server:
        replies = ask(server, "ask=text,concurrency=16,retries=1", make_items(45))
    assert [reply.no_answer for reply in replies.items] == [None] * 45


def test_a_model_that_reasons_first_is_not_scored_by_its_first_token() -> None:
    def thinking(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        logprobs = reply["choices"][0]["logprobs"]
        if logprobs:
            top = logprobs["content"][0]["top_logprobs"]
            for entry in top:
                entry["logprob"] -= 18
            top[-1] = {"token": "<think>", "logprob": -1e-6}
        return reply

    with serve(ModelServer(abilities=("logprobs",), fault=thinking)) as server:
        message = "begins its answers not with a letter, but with '<think>'"
        with pytest.raises(ModelError, match=message):
            ask(server, "ask=first-token", make_items(2))
        assert ask(server, "ask=auto", make_items(2)).params["way"] == "text"


def test_random_likelihoods_are_refused() -> None:
    draw = random.Random(3)

    def lie(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        logprobs = reply["choices"][0]["logprobs"] or {}
        values = logprobs.get("token_logprobs") or []
        values[1:] = [-draw.uniform(0.1, 9) for _ in values[1:]]
        return reply

    for _ in range(10):
        with serve(ModelServer(fault=lie)) as server, pytest.raises(ModelError, match="not follow"):
            ask(server, "ask=likelihood", make_items(2))


def test_a_large_limit_of_tokens_leaves_the_budget_usable() -> None:
    settings = "ask=text,max_tokens=4000,price=60|60,concurrency=16"
    spending = Spending(budget=2.0)
    with serve(ModelServer(delay=0.005)) as server:
        replies = ask(server, settings, make_items(60), spending=spending)
    assert all(reply.scores for reply in replies.items)
    assert 0 < spending.spent < 0.5
    assert spending.n_reserved == spending.reserved == 0


def test_what_was_under_way_is_kept_when_a_run_stops(tmp_path: Path) -> None:
    def payment(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "5?" in str(body):
            return web.json_response({"error": "payment required"}, status=402)
        return reply

    spending = Spending()
    with serve(ModelServer(delay=0.05, fault=payment)) as server:
        settings = "ask=text,concurrency=8,price=1|1"
        with pytest.raises(
            ModelError, match="HTTP 402: payment required; 7 answers of this run are kept"
        ):
            ask(server, settings, make_items(8), folder=str(tmp_path), spending=spending)
    assert spending.spent > 0


def test_answers_that_cannot_be_used_cost_what_the_server_counts() -> None:
    def useless(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "0?" in str(body):
            reply["choices"] = [{}]
            reply["usage"] = {"prompt_tokens": 0, "completion_tokens": 500_000}
        return reply

    spending = Spending()
    with serve(ModelServer(fault=useless)) as server:
        ask(server, "ask=text,price=1|1", make_items(3), spending=spending)
    assert spending.spent == pytest.approx(1.0, abs=0.1)  # asked twice


def test_errors_inside_an_answer_are_no_answer() -> None:
    def broken(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "0?" in str(body):
            error = {"message": "provider overloaded", "code": 502}
            reply["choices"][0] |= {"finish_reason": "error", "error": error}
            reply["choices"][0]["message"] = {"content": ""}
        return reply

    with serve(ModelServer(fault=broken)) as server:
        replies = ask(server, "ask=text,retries=1", make_items(3))
    assert [reply.no_answer for reply in replies.items] == ["error", None, None]
    assert "provider overloaded" in str(replies.params["failures"])


def test_a_prompt_that_the_server_cuts_is_an_error() -> None:
    def cutting(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        reply["usage"]["prompt_tokens"] = min(reply["usage"]["prompt_tokens"], 50)
        return reply

    items = [replace(item, fields={"question": "long " * 2_000}) for item in make_items(12)]
    message = "the server cuts prompts"
    with serve(ModelServer(fault=cutting)) as server, pytest.raises(ModelError, match=message):
        ask(server, "ask=text", items)


def test_another_model_in_the_middle_of_a_run_stops_it() -> None:
    def swap(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        return {**reply, "model": "good" if len(server.requests) < 40 else "cheap"}

    message = "has changed its model"
    with serve(ModelServer(fault=swap)) as server, pytest.raises(ModelError, match=message):
        ask(server, "ask=text", make_items(60))


def test_requests_that_failed_are_asked_again_at_the_end() -> None:
    failures = [4]

    def outage(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "5?" in str(body) and failures[0]:
            failures[0] -= 1
            return web.json_response({"error": "restarting"}, status=500)
        return reply

    with serve(ModelServer(fault=outage)) as server:
        replies = ask(server, "ask=text,retries=3", make_items(9))
    assert all(reply.scores for reply in replies.items)
    assert "failures" not in replies.params


def test_usage_counts_equal_requests_once() -> None:
    with serve(ModelServer()) as server:
        replies = ask(server, "ask=text", make_items(1) * 20)
    assert replies.params["requests"] == 1


def test_examples_need_a_training_split() -> None:
    with pytest.raises(BadInput, match="examples"):
        load("api:m,url=http://localhost/v1,examples=2").score((make_items(1)[0],))
