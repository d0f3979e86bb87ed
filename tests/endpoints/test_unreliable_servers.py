"""Servers that cut prompts, are stuck, die, repeat themselves or charge for what fails."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from hansproof.capabilities import AskingContext, Question, Replies
from hansproof.errors import HansproofError, ModelError
from hansproof.models import load
from hansproof.spending import Spending
from hansproof.types import Item
from tests.support.cli_runner import run_here
from tests.support.model_server import Fault, ModelServer, serve

LONG = "On the shelf there was a lamp beside a river, and seven children passed by. " * 40


def make_questions(count: int, text: str = "") -> list[Question]:
    items = [
        Item("", {"question": f"{text}Number {i}?"}, ("right one", f"other {i}"), 0)
        for i in range(count)
    ]
    return [Question(item, item.choices) for item in items]


def ask(server: ModelServer, settings: str, questions: list[Question], **context: Any) -> Replies:
    model = load(f"api:m,url={server.url},{settings}")
    replies: Replies = model.respond(questions, AskingContext(**context))
    return replies


def is_item(body: dict[str, Any]) -> bool:
    return "Number" in str(body)


def on_items(change: Callable[[Any, dict[str, Any]], Any]) -> Fault:
    """Return a fault that changes the answers to items only."""

    def fault(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        return change(reply, body) if is_item(body) else reply

    return fault


def cut_once(name: str, cut_items: list[str]) -> Fault:
    """Return a fault that makes the first answer to an item unusable, and dear."""

    def cut(reply: Any, body: dict[str, Any]) -> Any:
        if name in str(body) and not cut_items:
            cut_items.append(name)
            del reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"][2:]
            reply["usage"]["completion_tokens"] = 900
        return reply

    return on_items(cut)


@pytest.mark.parametrize(
    ("limit", "message"),
    [(100, "the server cuts prompts"), (300, "the server cuts long prompts")],
)
def test_a_server_that_keeps_the_end_of_prompts_is_refused(limit: int, message: str) -> None:
    def cut(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        reply["usage"]["prompt_tokens"] = min(reply["usage"]["prompt_tokens"], limit)
        return reply

    with serve(ModelServer(fault=cut)) as server:
        with pytest.raises(ModelError, match=message) as info:
            ask(server, "ask=text", make_questions(3, LONG))
        assert "give it a longer context" in str(info.value)
        assert not any("Number 2" in str(body) for body in server.requests)
    with serve(ModelServer()) as server:
        assert ask(server, "ask=text", make_questions(3, LONG)).items[0].scores == (1.0, 0.0)


def test_likelihoods_of_a_part_of_the_prompt_are_no_scores() -> None:
    def cut(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        logprobs = reply["choices"][0]["logprobs"]
        if body.get("echo") and len(logprobs["tokens"]) > 60:
            for name in ("tokens", "token_logprobs"):
                logprobs[name] = logprobs[name][-8:]
            logprobs["token_logprobs"][0] = None
            reply["usage"]["prompt_tokens"] = 8
        return reply

    message = "the server failed for 10 items in a row .an answer has tokens whose texts are not"
    with serve(ModelServer(fault=cut)) as server, pytest.raises(ModelError, match=message):
        ask(server, "ask=likelihood", make_questions(20, LONG[:1500]))


def test_the_same_log_probabilities_for_all_items_are_no_scores(tmp_path: Path) -> None:
    stuck: dict[str, Any] = {}

    def repeat(reply: Any, body: dict[str, Any]) -> Any:
        return stuck.setdefault("reply", reply)

    with serve(ModelServer(fault=on_items(repeat))) as server:
        with pytest.raises(
            ModelError, match="same log-probabilities for 12 different prompts"
        ) as info:
            ask(server, "ask=first-token", make_questions(12), folder=str(tmp_path))
        assert "kept" not in str(info.value)
        server.fault = None
        replies = ask(server, "ask=first-token", make_questions(12), folder=str(tmp_path))
        assert len({reply.scores for reply in replies.items}) > 1
        assert sum(map(is_item, server.requests)) == 24, "answers of a stuck server are not kept"


def test_a_server_that_is_exchanged_while_it_is_asked_gives_no_scores() -> None:
    def always_b(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if any(map(is_item, server.requests)):
            reply["choices"][0]["message"]["content"] = "B"
        return reply

    message = "has changed while it was asked"
    with serve(ModelServer(fault=always_b)) as server, pytest.raises(ModelError, match=message):
        ask(server, "ask=text", make_questions(12))


@pytest.mark.parametrize("n_answered", [4, 12])
def test_a_server_that_dies_leaves_no_record_of_missing_answers(
    n_answered: int, tmp_path: Path
) -> None:
    def die(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if sum(map(is_item, server.requests)) > n_answered:
            return web.json_response({"error": "gone"}, status=503)
        return reply

    settings = "ask=text,concurrency=1,retries=0"
    with serve(ModelServer(fault=die)) as server:
        with pytest.raises(ModelError, match=f"503: gone; {n_answered} answers of this run are"):
            ask(server, settings, make_questions(n_answered + 3), folder=str(tmp_path))
        server.fault = None
        server.requests.clear()
        replies = ask(server, settings, make_questions(n_answered + 3), folder=str(tmp_path))
    assert [reply.no_answer for reply in replies.items] == [None] * (n_answered + 3)
    assert sum(map(is_item, server.requests)) == 3


def test_equal_prompts_that_fail_are_one_failure() -> None:
    def fail(reply: Any, body: dict[str, Any]) -> Any:
        if "Number 0" in str(body):
            return web.json_response({"error": "cannot do this one"}, status=400)
        return reply

    with serve(ModelServer(fault=on_items(fail))) as server:
        questions = make_questions(1) * 30 + make_questions(5)[1:]
        replies = ask(server, "ask=text,concurrency=32", questions)
    assert [reply.no_answer for reply in replies.items].count("error") == 30


def test_a_refused_temperature_stops_the_run_and_the_record_says_what_was_sent() -> None:
    def picky(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if body.get("temperature") not in allowed:
            message = f"temperature {body.get('temperature')} is not supported"
            return web.json_response({"error": {"message": message}}, status=400)
        return reply

    allowed: tuple[float | None, ...] = (0.0,)
    with serve(ModelServer(fault=picky)) as server:
        with pytest.raises(ModelError, match=r"HTTP 400: temperature 1\.5 is not supported"):
            ask(server, "ask=text,temperature=1.5", make_questions(3))
        allowed = (1.0, None)
        replies = ask(server, "ask=text,temperature=1", make_questions(3))
        sent = {body.get("temperature") for body in server.requests if is_item(body)}
    assert sent == {1.0}
    assert "temperature" not in replies.params


def test_a_budget_counts_every_try() -> None:
    def fail(reply: Any, body: dict[str, Any]) -> Any:
        return web.Response(text="not JSON")

    spending = Spending(1.0)
    with serve(ModelServer(fault=on_items(fail))) as server:
        settings = "ask=text,price=1000|1000,concurrency=4,retries=9"
        with pytest.raises(ModelError, match=r"the budget of \$1\.00 is spent"):
            ask(server, settings, make_questions(40), spending=spending)
    assert spending.spent <= 1.0


def test_a_server_that_counts_nothing_or_more_than_estimated_exceeds_no_budget() -> None:
    for count in (0, 400):

        def recount(
            server: ModelServer, body: dict[str, Any], reply: Any, count: int = count
        ) -> Any:
            reply["usage"] = {"prompt_tokens": count, "completion_tokens": 0}
            return reply

        spending = Spending(8.0)
        with serve(ModelServer(fault=recount)) as server:
            settings = "ask=text,price=1000|0,concurrency=1"
            with pytest.raises(ModelError, match=r"the budget of \$8\.00 is spent|too little"):
                ask(server, settings, make_questions(500), spending=spending)
            assert len(server.requests) < 400
        assert 0 < spending.spent <= 8.0


def test_a_record_has_the_tokens_of_usable_answers_only(tmp_path: Path) -> None:
    cut_items: list[str] = []
    with serve(ModelServer(fault=cut_once("Number 3", cut_items))) as server:
        disturbed = ask(server, "ask=first-token", make_questions(8), folder=str(tmp_path))
        repeated = ask(server, "ask=first-token", make_questions(8), folder=str(tmp_path))
    assert len(cut_items) == 1
    assert disturbed.params == repeated.params
    assert disturbed.params["completion_tokens"] == 8


def test_an_item_that_a_provider_filters_is_not_asked_again(tmp_path: Path) -> None:
    def filtered(reply: Any, body: dict[str, Any]) -> Any:
        if "Number 1" in str(body):
            error = {"message": "filtered", "code": "content_filter"}
            return web.json_response({"error": error}, status=400)
        return reply

    with serve(ModelServer(fault=on_items(filtered))) as server:
        for _ in range(2):
            replies = ask(server, "ask=text", make_questions(3), folder=str(tmp_path))
            assert [r.no_answer for r in replies.items] == [None, "refused", None]
        assert sum(map(is_item, server.requests)) == 3


@pytest.mark.parametrize(
    "reply",
    [
        web.Response(text="[" * 900 + "]" * 900, content_type="application/json"),
        web.Response(status=429, headers={"Retry-After": "Mon, 01 Jan 2024 00:00:00 +9999999999"}),
        web.Response(status=503, headers={"Retry-After": "1e999999"}),
    ],
)
def test_hostile_replies_are_one_line(reply: web.Response, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-0123456789")
    monkeypatch.setattr("hansproof.endpoints.client.LONGEST_WAIT", 0.05)

    def hostile(server: ModelServer, body: dict[str, Any], answer: dict[str, Any]) -> Any:
        return web.Response(body=reply.body, status=reply.status, headers=reply.headers.copy())

    with serve(ModelServer(fault=hostile)) as server, pytest.raises(HansproofError) as info:
        ask(server, "ask=text,retries=0,key_from=MY_KEY", make_questions(2))
    assert "\n" not in str(info.value)


def test_a_prompt_file_that_changes_during_a_command_stops_it(tmp_path: Path) -> None:
    from hansproof.prompts.template_files import list_templates

    path = tmp_path / "mine.toml"
    text = Path(list_templates()["letters"]).read_text()
    path.write_text(text)

    def edit(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if len(server.requests) == 60:
            path.write_text(text.replace("Answer with", "Please answer with"))
        return reply

    with serve(ModelServer(abilities=(), fault=edit)) as server:
        spec = f"api:m,url={server.url},ask=text,prompt={path}"
        done = run_here(
            "predict", "toy:original", "--model", spec, "--store", str(tmp_path / "store"), "--json"
        )
    assert done.returncode == 2
    assert "a file was changed while the command ran (prompt_sha256)" in done.stderr
    records = [*(tmp_path / "store").glob("*.jsonl")]
    for record in records:
        header = json.loads(record.read_text().splitlines()[0])
        assert header["params"]["prompt_sha256"] == header["parts"]["materials"]["prompt_sha256"]


def test_an_audit_with_a_budget_may_have_other_blind_models(tmp_path: Path) -> None:
    with serve(ModelServer(abilities=())) as server:
        done = run_here(
            "audit", "toy:original", "--model", f"api:m,url={server.url},ask=text,price=1|2",
            "--blind", "bow", "--budget", "50", "--probe", "accuracy", "-o",
            str(tmp_path / "audit"),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    done = run_here(
        "audit", "toy:original", "--blind", "bow", "--budget", "50", "-o", str(tmp_path / "other")
    )
    assert "--budget: is for models behind servers" in done.stderr


def test_settings_of_the_connection_do_not_change_which_run_it_is(tmp_path: Path) -> None:
    with serve(ModelServer(abilities=())) as server:
        for settings in ("", ",concurrency=2", ",price=1|2", ",timeout=9,retries=1"):
            done = run_here(
                "predict", "toy:original", "--model", f"api:m,url={server.url},ask=text{settings}",
                "--views", "full", "--store", str(tmp_path),
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            if not settings:
                n_sent = len(server.requests)
    assert len(server.requests) == n_sent
    assert len([*tmp_path.glob("*.jsonl")]) == 1


def test_an_interrupted_run_is_confirmed_when_it_is_continued(tmp_path: Path) -> None:
    def lock(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if is_locked and "Page " in str(body):
            return web.json_response({"error": "locked"}, status=401)
        return reply

    is_locked = True
    with serve(ModelServer(fault=lock)) as server:
        with pytest.raises(ModelError, match="locked; 12 answers of this run are kept"):
            ask(server, "ask=text", make_questions(12), folder=str(tmp_path))
        is_locked = False
        for n_closing in (2, 0):  # the second time all answers are confirmed
            server.requests.clear()
            ask(server, "ask=text", make_questions(12), folder=str(tmp_path))
            assert not any(map(is_item, server.requests))
            assert sum("Page " in str(body) for body in server.requests) == n_closing


@pytest.mark.parametrize("recovers", [False, True])
def test_answers_of_a_stuck_server_are_no_record_after_an_interruption(
    recovers: bool, tmp_path: Path
) -> None:
    """The test that follows the last item was never reached: it is made up for."""

    def stick(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "Page " in str(body) and is_locked:
            return web.json_response({"error": "locked"}, status=401)
        if is_item(body) or "Page " in str(body):
            reply["choices"][0]["message"]["content"] = "B"
        return reply

    is_locked = True
    with serve(ModelServer(abilities=(), fault=stick)) as server:
        with pytest.raises(ModelError, match="locked; 12 answers of this run are kept"):
            ask(server, "ask=text", make_questions(12), folder=str(tmp_path))
        is_locked = False
        with pytest.raises(ModelError, match="has changed while it was asked") as info:
            ask(server, "ask=text", make_questions(12), folder=str(tmp_path))
        assert "kept" not in str(info.value)
        if recovers:
            server.fault = None
            replies = ask(server, "ask=text", make_questions(12), folder=str(tmp_path))
            assert {reply.scores for reply in replies.items} == {(1.0, 0.0)}


def test_an_honest_server_with_odd_limits_is_asked_about_long_items() -> None:
    def picky(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if body["max_tokens"] < 16:
            return web.json_response({"error": "max_output_tokens below 16"}, status=400)
        reply["usage"]["prompt_tokens"] += 600  # a system prompt of the server
        if "Number 7?" in str(body):
            return web.json_response({"error": "maximum context length is 2048"}, status=400)
        return reply

    questions = make_questions(12, LONG)
    longest = Item("", {"question": LONG * 9 + "Number 7?"}, ("right one", "other"), 0)
    questions[7] = Question(longest, longest.choices)
    with serve(ModelServer(fault=picky)) as server:
        replies = ask(server, "ask=text", questions)
    assert [reply.no_answer for reply in replies.items].count("error") == 1


@pytest.mark.parametrize("limit", [620, 900])
def test_also_a_small_part_that_is_cut_is_noticed(limit: int) -> None:
    def cut(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        reply["usage"]["prompt_tokens"] = min(reply["usage"]["prompt_tokens"], limit)
        return reply

    item = Item("", {"question": "seven " * int(1.1 * limit)}, ("right one", "other"), 0)
    with serve(ModelServer(fault=cut)) as server, pytest.raises(ModelError, match="cuts long"):
        ask(server, "ask=text", [Question(item, item.choices)])


def test_likelihoods_of_long_items_need_no_chat() -> None:
    def without_chat(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "messages" in body:
            return web.json_response({"error": "no chat template"}, status=400)
        return reply

    with serve(ModelServer(fault=without_chat)) as server:
        replies = ask(server, "ask=likelihood", make_questions(3, LONG))
    assert all(reply.scores for reply in replies.items)


def test_a_model_that_is_sure_of_one_letter_is_not_stuck() -> None:
    def saturate(reply: Any, body: dict[str, Any]) -> Any:
        top = [{"token": t, "logprob": 0.0 if t == "A" else -9999.0} for t in "ABCDEFGH"]
        reply["choices"][0]["logprobs"] = {"content": [{"token": "A", "top_logprobs": top}]}
        return reply

    with serve(ModelServer(fault=on_items(saturate))) as server:
        replies = ask(server, "ask=first-token", make_questions(12))
    assert len({reply.scores for reply in replies.items}) == 1


def test_slips_in_the_closing_test_cost_nothing(tmp_path: Path) -> None:
    n_slips = 0

    def slip(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        nonlocal n_slips
        if "Page " in str(body) and n_slips < 2:
            n_slips += 1
            reply["choices"][0]["message"]["content"] = "Hello!"
        return reply

    with serve(ModelServer(abilities=(), fault=slip)) as server:
        ask(server, "ask=text", make_questions(12), folder=str(tmp_path))
    assert n_slips == 2


def test_money_for_the_closing_test_is_kept() -> None:
    spending = Spending()
    with serve(ModelServer(abilities=())) as server:
        ask(server, "ask=text,price=1000|1000", make_questions(12), spending=spending)
        for share in (0.9, 1.0, 1.1, 2.0):
            limited = Spending(share * spending.spent)
            with contextlib.suppress(ModelError):
                ask(server, "ask=text,price=1000|1000", make_questions(12), spending=limited)
            assert limited.spent <= share * spending.spent
            assert limited.closing_cost == 0.0


def test_equal_prompts_with_an_unusable_answer_are_counted_once(tmp_path: Path) -> None:
    cut_items: list[str] = []
    with serve(ModelServer(delay=0.02, fault=cut_once("Number 0", cut_items))) as server:
        questions = make_questions(8) + make_questions(1)
        disturbed = ask(server, "ask=first-token,concurrency=9", questions, folder=str(tmp_path))
        repeated = ask(server, "ask=first-token", questions, folder=str(tmp_path))
    assert len(cut_items) == 1
    assert disturbed.params == repeated.params
