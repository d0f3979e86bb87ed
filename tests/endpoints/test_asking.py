"""How items are asked: together, once each, within limits of rate and money."""

from __future__ import annotations

import asyncio
import re
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from aiohttp import web

from hansproof.capabilities import AskingContext, Question, Replies
from hansproof.endpoints.pacing import Pacer, read_retry_after
from hansproof.errors import BadInput, ModelError
from hansproof.models import load
from hansproof.spending import BudgetSpent, Price, Spending, estimate_tokens
from hansproof.types import Item
from tests.support.model_server import ModelServer, serve


def ask(server: ModelServer, settings: str, items: list[Item], **context: Any) -> Replies:
    model = load(f"api:m,url={server.url},{settings}")
    questions = [Question(item, item.choices) for item in items]
    replies: Replies = model.respond(questions, AskingContext(**context))
    return replies


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
    assert replies.params["temperature"] == "the server's: it accepts none"


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
        assert len(asyncio.run(in_a_notebook(server)).items) == 2


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

    assert 0.24 < asyncio.run(take_turns()) < 2


def test_a_pause_holds_all_back() -> None:
    async def pause() -> float:
        pacer, started = Pacer(rpm=0), time.monotonic()
        pacer.pause(0.2)
        await pacer.wait()
        return time.monotonic() - started

    assert asyncio.run(pause()) >= 0.19


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
    with serve(ModelServer()) as server, pytest.raises(ModelError, match="does not cover the self"):
        ask(server, "ask=text,price=1000|1000", make_items(1), spending=Spending(budget=1e-6))


def test_tokens_are_estimated_by_bytes() -> None:
    assert estimate_tokens("") == 8
    assert estimate_tokens("x" * 40) == 18
    assert estimate_tokens("首都" * 10) > estimate_tokens("x" * 20)


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
