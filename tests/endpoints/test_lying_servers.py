"""Servers that lie, in twelve ways: each ends in the right outcome or in one clear line."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from aiohttp import web

from hansproof.capabilities import AskingContext, Question, Replies
from hansproof.endpoints import session
from hansproof.errors import ModelError
from hansproof.models import load
from hansproof.types import Item
from tests.support.model_server import Fault, ModelServer, serve

N_ITEMS = 24
SELF_TEST = 40  # requests; more than any self-test sends


def make_questions(count: int = N_ITEMS) -> list[Question]:
    """Items whose right choice says so."""
    items = [
        Item(
            "", {"question": f"Number {i}?"}, ("right one", "other one")[:: 1 - 2 * (i % 2)], i % 2
        )
        for i in range(count)
    ]
    return [Question(item, item.choices) for item in items]


def ask(server: ModelServer, settings: str, count: int = N_ITEMS) -> Replies:
    """Ask about items; the first requests, those of the self-test, are answered well."""
    retries = "" if "retries" in settings else ",retries=2"
    model = load(f"api:m,url={server.url},{settings}{retries}")
    replies: Replies = model.respond(make_questions(count), AskingContext())
    return replies


def outcomes(replies: Replies) -> Counter[str]:
    """Count right answers, wrong ones, and reasons."""
    return Counter(
        reply.no_answer or ("right" if reply.scores.index(max(reply.scores)) == i % 2 else "wrong")
        for i, reply in enumerate(replies.items)
    )


def without_logprobs(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    reply["choices"][0]["logprobs"] = None
    return reply


def without_echo(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    return server.reply("/v1/completions", {**body, "echo": False})


def with_other_count(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    reply["usage"]["prompt_tokens"] += 3
    return reply


def with_one_top(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    for token in (reply["choices"][0]["logprobs"] or {}).get("content", ()):
        del token["top_logprobs"][1:]
    return reply


def not_json(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    return web.Response(text='{"choices": [{"message": {"content": "A"')


def http_500(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    return web.json_response({"error": {"message": "out of memory"}}, status=500)


async def hang(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    await asyncio.sleep(3)
    return reply


def cut(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    return "cut"


def says(text: str, finish: str = "stop", after_tests: bool = False) -> Fault:
    def fault(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if after_tests and "Say " in str(body):
            return reply  # of the test that follows the last item
        reply["choices"][0] = {"message": {"content": text}, "finish_reason": finish}
        return reply

    return fault


@pytest.mark.parametrize(
    ("fault", "settings", "lack"),
    [
        (without_logprobs, "ask=first-token", "returns no log-probabilities of the first token"),
        (without_echo, "ask=likelihood", "has no log-probabilities of the prompt"),
        (with_other_count, "ask=likelihood", "log-probabilities for a prompt of"),
        (with_one_top, "ask=first-token", "has 1 of|returns only 1 of 20 log-probabilities"),
        (says("It depends."), "ask=text", "test questions|does not answer A"),
    ],
)
def test_a_server_that_ignores_what_it_was_asked_is_refused(
    fault: Fault, settings: str, lack: str
) -> None:
    with serve(ModelServer(fault=fault)) as server, pytest.raises(ModelError, match=lack) as info:
        ask(server, settings)
    message = str(info.value)
    assert "\n" not in message
    assert settings in message or "No way of asking works" in message
    if settings != "ask=text":
        assert "ask=text can" in message or "ask=text" in message.rpartition("used;")[2]


@pytest.mark.parametrize(
    ("fault", "settings"),
    [
        (without_logprobs, "ask=first-token"),
        (without_echo, "ask=likelihood"),
        (with_other_count, "ask=likelihood"),
        (with_one_top, "ask=first-token"),
        (not_json, "ask=text"),
        (http_500, "ask=text"),
        (cut, "ask=text"),
    ],
)
def test_a_server_that_begins_to_lie_after_the_self_test_stops_the_run(
    fault: Fault, settings: str
) -> None:
    server = ModelServer(fault=fault, fault_after=SELF_TEST)
    message = "the server failed for 10 items in a row"
    with serve(server), pytest.raises(ModelError, match=message) as info:
        ask(server, settings, 2 * SELF_TEST)
    assert "\n" not in str(info.value)


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("I'm sorry, but I can't help with that.", "stop", "refused"),
        ("", "content_filter", "refused"),
        ("This is a hard question about numbers.", "stop", "unparsed"),
        ("Both A and B are correct.", "stop", "ambiguous"),
        ("Let us think about it. First", "length", "cut off"),
    ],
)
def test_answers_without_a_choice_are_outcomes(text: str, finish: str, reason: str) -> None:
    n_good = 20
    with serve(ModelServer(fault=says(text, finish, True), fault_after=SELF_TEST)) as server:
        server.fault_after = 0
        honest = server.fault
        server.fault = None
        ask(server, "ask=text", 1)  # the self-test
        n_before = len(server.requests)
        server.fault, server.fault_after = honest, n_before + n_good
        counts = outcomes(ask(server, "ask=text,concurrency=1", 2 * n_good))
    assert counts == {"right": n_good, reason: n_good}


def test_retry_after_is_obeyed() -> None:
    times: list[float] = []

    def busy(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        times.append(asyncio.get_running_loop().time())
        if len(times) == 1:
            headers = {"Retry-After": "1"}
            return web.json_response({"error": "busy"}, status=429, headers=headers)
        return reply

    with serve(ModelServer(fault=busy, fault_after=SELF_TEST)) as server:
        assert outcomes(ask(server, "ask=text,concurrency=1", 2 * SELF_TEST)) == {"right": 80}
    assert times[1] - times[0] >= 0.99


def test_passing_failures_cost_no_answer() -> None:
    for fault in (http_500, cut, not_json):

        def sometimes(
            server: ModelServer, body: dict[str, Any], reply: dict[str, Any], fault: Fault = fault
        ) -> Any:
            return fault(server, body, reply) if len(server.requests) % 3 == 0 else reply

        session._proven.clear()
        with serve(ModelServer(fault=sometimes)) as server:
            assert outcomes(ask(server, "ask=text,retries=6")) == {"right": N_ITEMS}


def test_a_server_that_hangs_is_given_up() -> None:
    message = r"no answer within 0\.1 s"
    with serve(ModelServer(fault=hang)) as server, pytest.raises(ModelError, match=message):
        ask(server, "ask=text,timeout=0.1")


def test_single_failures_become_outcomes() -> None:
    def one_item(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        return http_500(server, body, reply) if "Number 7?" in str(body) else reply

    with serve(ModelServer(fault=one_item)) as server:
        replies = ask(server, "ask=text")
    assert outcomes(replies) == {"right": N_ITEMS - 1, "error": 1}
    assert replies.params["failures"] == ("1 x HTTP 500: out of memory",)


def test_no_server_is_one_line() -> None:
    model = load("api:m,url=http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="no server can be reached"):
        model.respond(make_questions(), AskingContext())


def test_a_wrong_key_stops_at_once() -> None:
    def locked(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        return web.json_response({"error": {"message": "Incorrect API key"}}, status=401)

    with serve(ModelServer(fault=locked)) as server:
        with pytest.raises(ModelError, match="HTTP 401: Incorrect API key"):
            ask(server, "ask=auto")
        assert len(server.requests) == 1


@pytest.mark.parametrize("ask_by", ["likelihood", "first-token", "forced", "text"])
def test_an_honest_server_is_asked_in_every_way(ask_by: str) -> None:
    with serve(ModelServer()) as server:
        replies = ask(server, f"ask={ask_by}")
    assert outcomes(replies) == {"right": N_ITEMS}
    assert str(replies.params["way"]).startswith(ask_by)
    assert replies.params["self_test"] == "8 of 8 test questions right"


def test_the_strongest_way_that_follows_the_prompt_is_chosen() -> None:
    for abilities, way, passed_over in (
        (("echo", "logprobs", "grammar"), "first-token (top 20 log-probabilities)", ()),
        (("grammar",), "forced (grammar)", ("first-token",)),
        ((), "text", ("first-token", "forced")),
    ):
        session._proven.clear()
        with serve(ModelServer(abilities=abilities)) as server:
            params = ask(server, "ask=auto").params
        assert params["way"] == way
        lacks = params.get("lacks", ())
        assert isinstance(lacks, tuple)
        assert [str(lack).partition(": the server ")[0] for lack in lacks] == [*passed_over]
        assert all("returns no log" in str(lack) for lack in lacks[:1])


def test_first_token_and_text_are_both_kept() -> None:
    with serve(ModelServer(abilities=("logprobs",), answer=lambda prompt: "A")) as server:
        replies = ask(server, "ask=first-token")
    assert outcomes(replies) == {"right": N_ITEMS}
    assert {reply.text_answer for reply in replies.items} == {0}
