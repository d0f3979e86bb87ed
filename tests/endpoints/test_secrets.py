"""A key is in no file, log, error or process list, not even if the server sends it back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from hansproof.capabilities import AskingContext, Question
from hansproof.endpoints.client import find_proxy
from hansproof.errors import BadInput, ModelError
from hansproof.models import load
from hansproof.types import Item
from tests.support.model_server import Fault, ModelServer, serve

KEY = "sk-planted-0123456789abcdef"


def echo_key(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    """Answer with the key that the client has sent."""
    reply["choices"][0]["message"] = {"content": f"A {server.headers[-1]['Authorization']}"}
    return reply


def complain_with_key(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    message = f"bad key: {server.headers[-1]['Authorization']}"
    return web.json_response({"error": {"message": message}}, status=401)


def header_with_key(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
    return web.Response(status=302, headers={"Location": f"http://127.0.0.1:9/?key={KEY}"})


@pytest.mark.parametrize(
    ("fault", "after"), [(None, 0), (echo_key, 30), (complain_with_key, 30), (header_with_key, 0)]
)
def test_the_key_is_nowhere(tmp_path: Path, fault: Fault | None, after: int) -> None:
    with serve(ModelServer(delay=0.01, fault=fault, fault_after=after)) as server:
        spec = f"api:m,url={server.url},key_from=MY_KEY,ask=text,retries=1,price=1|2"
        command = [sys.executable, "-m", "hansproof", "--debug", "audit", "toy:original",
                   "--model", spec, "-o", str(tmp_path / "audit"), "-v"]  # fmt: skip
        environment = {**os.environ, "MY_KEY": KEY, "PYTHONASYNCIODEBUG": "0"}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
        )
        lists = watch_process_list(process.pid)
        out, err = process.communicate(timeout=120)
    assert any(KEY in headers.get("Authorization", "") for headers in server.headers)
    assert KEY.encode() not in out
    assert KEY.encode() not in err
    assert lists
    assert KEY not in "".join(lists)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path


def watch_process_list(pid: int) -> list[str]:
    """Read the command line of a process again and again while it runs."""
    lines: list[str] = []

    def watch() -> None:
        while True:
            try:
                lines.append(Path(f"/proc/{pid}/cmdline").read_bytes().decode())
            except OSError:
                return
            if not lines[-1]:
                return
            threading.Event().wait(0.05)

    threading.Thread(target=watch, daemon=True).start()
    return lines


def test_a_key_in_the_settings_is_refused_and_not_repeated() -> None:
    with pytest.raises(BadInput) as info:
        load(f"api:m,url=http://localhost/v1,key_from={KEY}")
    assert KEY not in str(info.value)
    with pytest.raises(BadInput, match="contains a password") as info:
        load("api:m,url=http://user:secret@localhost/v1")
    assert "secret" not in str(info.value)


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(BadInput, match="set the environment variable OPENAI_API_KEY"):
        load("openai:gpt-4o-mini").check_key()


def test_the_key_of_one_provider_is_sent_to_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for spec in ("api:m,url=http://localhost/v1", "vllm:m", "ollama:m", "llamacpp:m"):
        assert load(spec).settings.key == ""


HOSTILE = (
    "<script>alert(1)</script>", "\x1b[31mred\x1b[0m", "\u202ereversed", "</table>{{7*7}}",
    "[bold]x[/bold]", "\x00", "\ud800", "A" * 10_000_000,
)  # fmt: skip


def test_hostile_answers_do_no_harm(tmp_path: Path) -> None:
    def hostile(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "Say " in str(body):
            return reply  # of the test that follows the items
        text = HOSTILE[len(server.requests) % len(HOSTILE)]
        reply["choices"][0] = {"message": {"content": text}, "finish_reason": f"stop{text[:50]}"}
        reply["usage"] = {"prompt_tokens": text[:20], "completion_tokens": -1}
        return web.Response(text=json.dumps(reply), content_type="application/json")

    with serve(ModelServer(fault=hostile, fault_after=30)) as server:
        command = [sys.executable, "-m", "hansproof", "audit", "toy:original", "-v",
                   "--model", f"api:m,url={server.url},ask=text,retries=0",
                   "-o", str(tmp_path / "audit")]  # fmt: skip
        done = subprocess.run(command, capture_output=True, timeout=120, cwd=tmp_path)
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr
    assert len(done.stdout + done.stderr) < 100_000
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "audit" / "report.html").read_text()
    assert "<script>alert(1)" not in page
    records = [*tmp_path.rglob("*.jsonl")]
    assert records
    assert all(path.stat().st_size < 2**20 for path in records)


def test_a_key_is_not_sent_without_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with pytest.raises(BadInput, match="without encryption") as info:
        load("api:m,url=http://gpu7:8000/v1,key_from=MY_KEY").check_key()
    assert KEY not in str(info.value)
    for url in ("https://gpu7/v1", "http://localhost:8000/v1", "http://127.0.0.1/v1"):
        load(f"api:m,url={url},key_from=MY_KEY").check_key()


def test_passwords_of_netrc_are_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password hunter2\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with serve(ModelServer()) as server:
        item = Item("", {"question": "?"}, ("right", "other"), 0)
        load(f"api:m,url={server.url}").score((item,))
    assert server.headers
    assert not any("Authorization" in headers for headers in server.headers)


def test_proxies_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "internal.example")
    assert find_proxy("https://api.openai.com/v1") == "http://proxy:3128"
    assert find_proxy("https://internal.example/v1") is None
    assert find_proxy("http://localhost:8000/v1") is None


def test_a_key_that_json_has_escaped_is_removed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk/secret-12345")

    def escape(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "Say " in str(body):
            return reply
        text = json.dumps({"choices": [{"message": {"content": "A sk/secret-12345"}}]})
        text = text.replace("/", "\\/").replace("-1", "\\u002d1")
        return web.Response(text=text, content_type="application/json")

    item = Item("", {"question": "?"}, ("right", "other"), 0)
    with serve(ModelServer()) as server:
        model = load(f"api:m,url={server.url},ask=text,key_from=MY_KEY")
        model.respond([Question(item, item.choices)], AskingContext(folder=str(tmp_path)))
        server.fault = escape
        other = Item("", {"question": "!"}, ("right", "other"), 0)
        model.respond([Question(other, other.choices)], AskingContext(folder=str(tmp_path)))
    (journal,) = (tmp_path / "answers").iterdir()
    assert "[key]" in journal.read_text()
    assert "secret" not in journal.read_text()


@pytest.mark.parametrize("status", [400, 401])
def test_a_key_that_an_error_has_escaped_is_in_no_message_or_record(
    status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "Zm9v+YmFy/c2VjcmV0"
    monkeypatch.setenv("MY_KEY", key)

    def complain(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        if "Number 3" not in str(body):
            return reply
        escaped = key.replace("+", "\\u002B").replace("/", "\\/")
        text = f'{{"error": {{"message": "bad request by {escaped}", "code": "{escaped}"}}}}'
        return web.Response(text=text, status=status, content_type="application/json")

    items = [Item(str(i), {"question": f"Number {i}"}, ("right", "other"), 0) for i in range(5)]
    with serve(ModelServer(fault=complain)) as server:
        model = load(f"api:m,url={server.url},ask=text,key_from=MY_KEY")
        questions = [Question(item, item.choices) for item in items]
        try:
            params = model.respond(questions, AskingContext(folder=str(tmp_path))).params
            text = str(params["failures"])
        except ModelError as error:
            text = str(error)
    assert "bad request by [key]" in text
    assert key not in text
    (journal,) = (tmp_path / "answers").iterdir()
    assert key not in journal.read_text()


@pytest.mark.parametrize("scheme", ["http://", ""])
def test_the_password_of_a_proxy_is_in_no_message(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(server: ModelServer, body: dict[str, Any], reply: dict[str, Any]) -> Any:
        return web.Response(status=407)

    with serve(ModelServer(fault=locked)) as server:
        host = server.url.removeprefix("http://").removesuffix("/v1")
        for name in ("https_proxy", "http_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"{scheme}me:hunter2@{host}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        item = Item("", {"question": "?"}, ("right", "other"), 0)
        for url in ("http://llm.invalid/v1", "https://llm.invalid/v1"):
            with pytest.raises(ModelError) as info:
                load(f"api:m,url={url},retries=0").score((item,))
            assert "hunter2" not in str(info.value)
