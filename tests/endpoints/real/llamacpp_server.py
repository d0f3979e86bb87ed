"""A real llama.cpp server with SmolLM2-135M: `make servers`.

Run by name, with SERVER_PYTHON (a Python that has xllamacpp) and SERVER_MODEL (a GGUF file).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import hansproof
from bench.servers import LLAMACPP, free_port, run_server
from hansproof import ModelError
from hansproof.capabilities import AskingContext, Question
from hansproof.models import load
from hansproof.types import Items


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    port = free_port()
    command = [os.environ["SERVER_PYTHON"], "-c", LLAMACPP, os.environ["SERVER_MODEL"], str(port)]
    with run_server(command, port, "/health"):
        yield f"http://127.0.0.1:{port}/v1"


@pytest.fixture(scope="module")
def items() -> Items:
    return hansproof.load("toy:original").splits["original"][:12]


@pytest.mark.parametrize("via", ["chat", "completions", "native"])
def test_the_first_token_is_asked_for_in_three_ways(url: str, via: str, items: Items) -> None:
    model = load(f"llamacpp:smollm2,url={url},via={via},ask=first-token,max_tokens=2")
    replies = model.respond([Question(i, i.choices) for i in items], AskingContext())
    assert replies.params["way"] == "first-token (top 20 log-probabilities)"
    assert all(reply.scores and max(reply.scores) < 0 for reply in replies.items)


def test_the_likelihood_of_prompts_cannot_be_had_and_is_refused(url: str) -> None:
    """The server ignores `echo` and returns the log-probabilities of something else."""
    with pytest.raises(ModelError, match="has no log-probabilities of the prompt") as info:
        hansproof.predict("toy:original", f"llamacpp:smollm2,url={url},ask=likelihood")
    assert "ask=first-token, ask=forced and ask=text can" in str(info.value)


def test_a_letter_is_forced_by_a_grammar(url: str, items: Items) -> None:
    model = load(f"llamacpp:smollm2,url={url},ask=forced")
    replies = model.respond([Question(i, i.choices) for i in items], AskingContext())
    assert replies.params["way"] == "forced (grammar)"
    assert all(sorted(reply.scores) == [0, 1] for reply in replies.items)


def test_both_orders_are_asked(url: str, items: Items) -> None:
    benchmark = hansproof.Benchmark("some", {"all": items})
    spec = f"llamacpp:smollm2,url={url},ask=first-token,max_tokens=2"
    first, second = (
        hansproof.predict(benchmark, spec, view) for view in ("full", "full/rotation=1")
    )
    assert first.scores.keys() == second.scores.keys()
    assert first.scores != second.scores
