"""`hansproof predict` and `audit` with a model behind an endpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hansproof
from hansproof.endpoints import session
from tests.support.cli_runner import run_here
from tests.support.model_server import ModelServer, serve


@pytest.fixture(autouse=True)
def fresh_session() -> Iterator[None]:
    session._proven.clear()
    yield
    session._proven.clear()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serve(ModelServer(abilities=("logprobs",))) as running:
        yield running


def predict(server: ModelServer, tmp_path: Path, *args: str, settings: str = "") -> Any:
    spec = f"api:m,url={server.url}{settings}"
    command = ["predict", "toy:original", "--model", spec, "--store", str(tmp_path / "store")]
    return run_here(*command, *args)


def rows_of(output: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(output)["rows"]
    return rows


def test_a_run_is_recorded_with_how_it_was_asked(server: ModelServer, tmp_path: Path) -> None:
    done = predict(server, tmp_path, "--views", "full", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = rows_of(done.stdout)
    assert (row["seeds"], row["n"]) == (1, 120)
    assert row["way"] == "first-token (top 20 log-probabilities)"
    assert row["self_test"] == "8 of 8 test questions right"
    (record,) = (tmp_path / "store").glob("*.jsonl")
    header = json.loads(record.read_text().splitlines()[0])
    assert header["params"]["requests"] == 120
    assert "key_from" not in header["params"]
    assert "concurrency" not in header["params"]


def test_answers_are_not_asked_for_again(server: ModelServer, tmp_path: Path) -> None:
    assert predict(server, tmp_path, "--views", "full").returncode == 0
    n_first = len(server.requests)
    for record in (tmp_path / "store").glob("*.jsonl"):
        record.unlink()
    session._proven.clear()
    assert predict(server, tmp_path, "--views", "full").returncode == 0
    assert len(server.requests) > n_first
    assert all("Say " in str(body) or "..." in str(body) for body in server.requests[n_first:])


def test_a_dry_run_asks_nothing(server: ModelServer, tmp_path: Path) -> None:
    done = predict(
        server, tmp_path, "--orders", "all", "--dry-run", "--json",
        settings=",price=1|2,ask=first-token",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert server.requests == []
    document = json.loads(done.stdout)
    assert [(row["view"], row["runs"], row["requests"]) for row in document["rows"]] == [
        ("full", 2, 240), ("choices", 2, 240),
    ]  # fmt: skip
    full = document["rows"][0]
    assert full["cost"] == pytest.approx(
        (full["prompt_tokens"] + 2 * full["answer_tokens"]) / 1_000_000
    )
    assert [(first["view"], "Answer with" in first["prompt"]) for first in document["prompts"]] == [
        ("full", True), ("choices", True),
    ]  # fmt: skip
    assert not [*(tmp_path / "store").glob("*.jsonl")]


def test_a_budget_stops_the_run_and_more_of_it_finishes(
    server: ModelServer, tmp_path: Path
) -> None:
    args = ("--views", "full", "--budget")
    settings = ",price=10|10,ask=text,concurrency=2"
    done = predict(server, tmp_path, *args, "0.04", settings=settings)
    assert done.returncode == 2
    assert re.search(
        r"the budget of \$0\.04 is spent; \d+ answers of this run are kept", done.stderr
    )
    n_asked = len(server.requests)
    session._proven.clear()
    done = predict(server, tmp_path, *args, "5", settings=settings)
    assert done.returncode == 0, done.stderr
    bodies = [json.dumps(body) for body in server.requests if "Say " not in str(body)]
    assert len(server.requests) > n_asked
    assert sum(bodies.count(body) > 2 for body in set(bodies)) == 0
    assert "spent $" in done.stderr


def test_a_budget_needs_a_price(server: ModelServer, tmp_path: Path) -> None:
    done = predict(server, tmp_path, "--budget", "1")
    assert done.returncode == 2
    assert "--budget: needs the price of api:m" in done.stderr
    done = run_here("predict", "toy:original", "--model", "bow", "--budget", "1", "--seeds", "1")
    assert "--budget: is for models behind servers" in done.stderr


def test_orders_and_prompts_are_summed_up_in_notes(server: ModelServer, tmp_path: Path) -> None:
    done = predict(
        server, tmp_path, "--views", "full", "--orders", "rotations", "--prompts", "letters,bare"
    )
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "accuracy over 2 orders of the choices from" in text
    assert re.search(r"accuracy over 2 prompts [\d.]+% with each of them", text)
    assert "rotation" not in text
    assert server.url not in text.partition("note:")[2]
    assert len([*(tmp_path / "store").glob("*.jsonl")]) == 4


def test_samples_at_a_temperature_are_seeds(server: ModelServer, tmp_path: Path) -> None:
    done = predict(
        server, tmp_path, "--views", "full", "--seeds", "3", "--json",
        settings=",temperature=0.7,ask=text",
    )  # fmt: skip
    (row,) = rows_of(done.stdout)
    assert row["seeds"] == 3
    seeds = [body["seed"] for body in server.requests if body.get("temperature")]
    n_tests = 1  # whether the server accepts these settings
    assert {seeds.count(seed) for seed in (0, 1, 2)} == {120 + n_tests}


def test_without_a_temperature_there_is_one_sample(server: ModelServer, tmp_path: Path) -> None:
    done = predict(server, tmp_path, "--views", "full", "--seeds", "3", "--json")
    assert [row["seeds"] for row in rows_of(done.stdout)] == [1]


def test_several_processes_are_refused(server: ModelServer, tmp_path: Path) -> None:
    done = predict(server, tmp_path, "--jobs", "2")
    assert done.returncode == 2
    assert "sends many requests at once by itself" in done.stderr


def test_an_audit_asks_and_shows_the_system(server: ModelServer, tmp_path: Path) -> None:
    spec = f"api:some/model-7b,url={server.url},price=1|1"
    done = run_here(
        "audit", "toy:original", "--model", spec, "--probe", "accuracy", "--budget", "5",
        "-o", str(tmp_path / "audit"), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    audit = json.loads((tmp_path / "audit" / "audit.json").read_text())
    (accuracy,) = [result for result in audit["results"] if result["probe"] == "accuracy"]
    assert any("api:model-7b" in estimate["name"] for estimate in accuracy["estimates"])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("api:m", "has no address"),
        ("api:,url=http://localhost/v1", "names no model"),
        ("api:m,url=localhost", "give an address such as"),
        ("api:m,url=http://localhost/v1,prompt=leters", "unknown prompt 'leters'; did you mean"),
        ("api:m,url=http://localhost/v1,ask=guess", "must be auto or likelihood"),
        ("api:m,url=http://localhost/v1,price=1", "give two numbers"),
        ("api:m,url=http://127.0.0.1:9/v1", "no server can be reached"),
    ],
)
def test_bad_settings_are_one_line(spec: str, message: str, tmp_path: Path) -> None:
    done = run_here("predict", "toy:original", "--model", spec, "--store", str(tmp_path))
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not [*tmp_path.glob("*.jsonl")]


def test_from_python_a_store_keeps_what_was_answered(server: ModelServer, tmp_path: Path) -> None:
    spec = f"api:m,url={server.url}"
    first = hansproof.predict("toy:original", spec, store=tmp_path)
    n_sent = len(server.requests)
    again = hansproof.predict("toy:original", spec, store=str(tmp_path))
    assert (again.scores, again.params) == (first.scores, first.params)
    assert len(server.requests) == n_sent
    assert hansproof.predict("toy:original", spec).scores == first.scores
    assert len(server.requests) > n_sent
