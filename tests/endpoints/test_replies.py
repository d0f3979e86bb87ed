"""Shapes of servers' answers; what has another shape is refused, not guessed at."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.endpoints.replies import BadReply, ServerReply, parse_reply
from hansproof.endpoints.ways.first_token import score_labels
from hansproof.endpoints.ways.likelihood import read_likelihood

TOP = [{"token": "A", "logprob": -0.5}, {"token": " B", "logprob": -1.5}]
CHAT = {
    "model": "/models/some.gguf",
    "choices": [
        {
            "message": {"role": "assistant", "content": "A"},
            "finish_reason": "stop",
            "logprobs": {"content": [{"token": "A", "logprob": -0.5, "top_logprobs": TOP}]},
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 1},
}
COMPLETION = {
    "choices": [
        {"text": " A", "finish_reason": "length", "logprobs": {"top_logprobs": [{"A": -0.5}]}}
    ],
}
NATIVE = {
    "content": " A",
    "stop_type": "limit",
    "tokens_evaluated": 9,
    "tokens_predicted": 1,
    "completion_probabilities": [{"token": " A", "logprob": -0.5, "top_logprobs": TOP}],
}


def test_chats_completions_and_llamacpp_are_read() -> None:
    reply = parse_reply(CHAT)
    assert (reply.text, reply.finish, reply.is_cut_off) == ("A", "stop", False)
    assert reply.top == (("A", -0.5), (" B", -1.5))
    assert (reply.prompt_tokens, reply.completion_tokens) == (9, 1)
    assert reply.model == "some.gguf"
    reply = parse_reply(COMPLETION)
    assert (reply.text, reply.is_cut_off, reply.top) == (" A", True, (("A", -0.5),))
    assert reply.prompt_tokens is None
    reply = parse_reply(NATIVE)
    assert (reply.text, reply.is_cut_off) == (" A", True)
    assert reply.top == (("A", -0.5), (" B", -1.5))
    assert (reply.prompt_tokens, reply.completion_tokens) == (9, 1)


def test_an_answer_that_is_all_reasoning_has_an_empty_text() -> None:
    message = {"content": None, "reasoning_content": "Let me think. The answer is B"}
    reply = parse_reply({"choices": [{"message": message, "finish_reason": "length"}]})
    assert (reply.text, reply.is_cut_off) == ("", True)


def test_a_refusal_outside_the_text_is_seen() -> None:
    message = {"content": None, "refusal": "I cannot help with that."}
    assert parse_reply({"choices": [{"message": message}]}).is_filtered
    choice = {"message": {"content": ""}, "finish_reason": "content_filter"}
    assert parse_reply({"choices": [choice]}).is_filtered


@pytest.mark.parametrize(
    "data",
    [
        None, [], "text", 3, {}, {"choices": []}, {"choices": [None]}, {"choices": [{}]},
        {"choices": "A"}, {"choices": [{"text": 3}]}, {"choices": [{"message": {"content": [1]}}]},
        {"error": {"message": "no"}},
    ],
)  # fmt: skip
def test_other_shapes_are_refused(data: Any) -> None:
    with pytest.raises(BadReply):
        parse_reply(data)


@pytest.mark.parametrize("value", [0.5, float("nan"), "-1", None, True, [1]])
def test_numbers_that_are_no_log_probabilities_are_refused(value: Any) -> None:
    entry = {"token": "A", "logprob": value}
    choice = {"text": "A", "logprobs": {"content": [{"top_logprobs": [entry]}]}}
    with pytest.raises(BadReply, match="log-probability"):
        parse_reply({"choices": [choice]})


def test_probabilities_of_more_than_one_are_refused() -> None:
    tops = [{"token": token, "logprob": -0.1} for token in "AB"]
    choice = {"text": "A", "logprobs": {"content": [{"top_logprobs": tops}]}}
    with pytest.raises(BadReply, match="more than 1"):
        parse_reply({"choices": [choice]})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "text",
                    "logprobs",
                    "top_logprobs",
                    "token",
                    "logprob",
                    "usage",
                    "prompt_tokens",
                    "prompt_logprobs",
                    "tokens",
                    "model",
                    "token_logprobs",
                    "completion_probabilities",
                    "finish_reason",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(JSON)
def test_any_json_is_read_or_refused(data: Any) -> None:
    try:
        reply = parse_reply(data)
    except BadReply:
        return
    assert isinstance(reply, ServerReply)
    reply.text.encode()


def echoed(tokens: list[str], n_prompt: int | None, n_new: int = 0) -> ServerReply:
    values: list[float | None] = [None, *(-float(i) for i in range(1, len(tokens)))]
    logprobs = {"tokens": tokens, "token_logprobs": values}
    usage = {"prompt_tokens": n_prompt, "completion_tokens": n_new}
    return parse_reply(
        {"choices": [{"text": "".join(tokens), "logprobs": logprobs}], "usage": usage}
    )


def test_the_tokens_of_the_choice_are_found_from_the_end() -> None:
    tokens = ["The", " sky", " is", " bl", "ue"]
    likelihood = read_likelihood(("The sky is", " blue"), echoed(tokens, 5))
    assert (likelihood.log, likelihood.tokens) == (-7, 2)


def test_a_start_token_does_not_matter() -> None:
    tokens = ["<s>", "The", " sky", " is", " blue"]
    assert read_likelihood(("The sky is", " blue"), echoed(tokens, 5)).log == -4


def test_generated_tokens_are_left_out() -> None:
    tokens = ["The", " sky", " is", " blue", "."]
    assert read_likelihood(("The sky is", " blue"), echoed(tokens, 4, 1)).log == -3


def test_first_bytes_of_a_character_belong_to_it() -> None:
    tokens = ["国", "的", "", "", "首", "都"]
    likelihood = read_likelihood(("国的", "首都"), echoed(tokens, 6))
    assert (likelihood.log, likelihood.tokens) == (-14, 4)


@pytest.mark.parametrize(
    ("tokens", "n_prompt", "message"),
    [
        (["The", " sky", " is", " blue"], 7, "4 log-probabilities for a prompt of 7 tokens"),
        (["The", " sky", " is", " red"], 4, "texts are not those of the prompt"),
        (["The", " sky", " is", " blue"], None, "does not say how many tokens"),
        ([" blue"], 1, "texts are not those of the prompt"),
    ],
)
def test_tokens_that_do_not_fit_are_refused(
    tokens: list[str], n_prompt: int | None, message: str
) -> None:
    with pytest.raises(BadReply, match=message):
        read_likelihood(("The sky is", " blue"), echoed(tokens, n_prompt))


def test_variants_of_a_label_are_added_and_missing_ones_bounded() -> None:
    scores = score_labels([("A", -1.0), (" A", -1.0), ("The", -2.0), ("B", -3.0)], "ABC")
    assert scores is not None
    assert scores[0] == pytest.approx(-1.0 + 0.6931, abs=1e-4)
    assert scores[1] == -3.0
    assert scores[2] < -3.0
    assert scores[2] == pytest.approx(-3.0)
    assert score_labels([("The", -1.0), ("It", -2.0)], "AB") is None
    assert score_labels([("Yes", -1.0), (" yes", -2.0), ("No", -1.5)], ("yes", "no")) is not None


@pytest.mark.parametrize(
    ("prompt", "tokens"),
    [
        ("İzmir is", ["\ufffd", "\ufffd", "zmir", " is"]),
        ("x² is", ["x", "2", " is"]),
        ("x² is", ["x", "\ufffd", "\ufffd", " is"]),
        ("A 😀 is", ["A", "bytes:\\xf0\\x9f", "<0x98>", "<0x80>", " is"]),
        ("273 \u212a is", ["273", " K", " is"]),
        ("  The  sky is", ["<s>", "The", " sky", " is"]),
    ],
)
def test_tokens_that_are_parts_of_characters_belong_to_the_prompt(
    prompt: str, tokens: list[str]
) -> None:
    all_tokens = [*tokens, " blue"]
    scores = tuple((token, None if not i else -1.0) for i, token in enumerate(all_tokens))
    reply = ServerReply("", prompt=scores, prompt_tokens=len(all_tokens))
    assert read_likelihood((prompt, " blue"), reply).log == -1.0
