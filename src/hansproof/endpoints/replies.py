"""What a server's answer contains, whichever of the usual shapes it has; anything else is refused.

Answers are untrusted. Numbers must be finite, texts are cut, and what is missing stays missing:
a server that was asked for log-probabilities and sends none must not look like one that did.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_TEXT = 100_000  # characters of an answer that are kept
MAX_TOP = 50  # log-probabilities of first tokens that are kept
MAX_PROMPT_TOKENS = 200_000
FLOOR = -1e4  # servers write -9999 or less for what is impossible

_REASONING = re.compile(r"think|reason|thought", re.IGNORECASE)

TokenScore = tuple[str, float]  # a token and the natural logarithm of its probability


class BadReply(Exception):
    """A server's answer does not have the shape that was asked for."""


@dataclass(frozen=True, slots=True)
class ServerReply:
    """One answer of a model."""

    text: str
    finish: str = ""  # why it ended: `stop`, `length`, `content_filter`
    refusal: str = ""
    top: tuple[TokenScore, ...] = ()  # the most likely first tokens
    prompt: tuple[tuple[str, float | None], ...] = ()  # the tokens of the prompt
    prompt_tokens: int | None = None  # None if the server does not count
    completion_tokens: int | None = None
    model: str = ""  # the name that the server gives the model

    @property
    def is_cut_off(self) -> bool:
        """Whether the answer reached the limit of tokens."""
        return self.finish in ("length", "max_tokens", "limit")

    @property
    def is_filtered(self) -> bool:
        """Whether the server or the model declined, and says so outside the text."""
        return self.finish == "content_filter" or bool(self.refusal)


def parse_reply(data: Any) -> ServerReply:
    """Parse the answer of a chat, of a completion, or of llama.cpp's own completion."""
    if not isinstance(data, dict):
        raise BadReply("is not a JSON object")
    if "choices" not in data and isinstance(data.get("content"), str):
        return _parse_native(data)
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BadReply("has no choices")
    choice = choices[0]
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else choice.get("text")
    if isinstance(text, list):
        text = _join_parts(text)
    if text is None and isinstance(message, dict):
        text = ""  # all of the answer is reasoning, a refusal or a tool call
    if not isinstance(text, str):
        raise BadReply("has no text")
    usage = data.get("usage") if isinstance(data.get("usage"), dict) else {}
    refusal = message.get("refusal") if isinstance(message, dict) else None
    completion_tokens = _count(usage, "completion_tokens")
    prompt = (
        _echoed_tokens(choice, completion_tokens)
        or _prompt_logprobs(choice)
        or (_prompt_logprobs(data))
    )
    return ServerReply(
        text=_clean(text),
        finish=str(choice.get("finish_reason") or "")[:40],
        refusal=_clean(refusal)[:200] if isinstance(refusal, str) else "",
        top=_first_tokens(choice.get("logprobs")),
        prompt=prompt,
        prompt_tokens=_count(usage, "prompt_tokens") or None,  # 0: it was not counted
        completion_tokens=completion_tokens,
        model=_read_model(data),
    )


def _join_parts(parts: list[Any]) -> str:
    """Return the text of an answer in parts, without those that are reasoning."""
    if not all(isinstance(part, dict) for part in parts):
        raise BadReply("has parts that are not objects")
    texts = [part.get("text") for part in parts if not _REASONING.search(str(part.get("type")))]
    return "".join(text for text in texts if isinstance(text, str))


def count_tokens(data: Any) -> tuple[int | None, int | None]:
    """Return the tokens of the prompt and of the answer, also if the answer cannot be used."""
    usage = data.get("usage") if isinstance(data, dict) else None
    return _count(usage, "prompt_tokens") or None, _count(usage, "completion_tokens")


def _parse_native(data: Mapping[str, Any]) -> ServerReply:
    """Parse the answer of llama.cpp's `/completion`."""
    probabilities = data.get("completion_probabilities")
    first = probabilities[0] if isinstance(probabilities, list) and probabilities else None
    top = first.get("top_logprobs") if isinstance(first, dict) else None
    is_cut_off = data.get("stop_type") == "limit" or data.get("stopped_limit") is True
    return ServerReply(
        text=_clean(data["content"]),
        finish="length" if is_cut_off else "stop",
        top=_token_scores(top),
        prompt_tokens=_count(data, "tokens_evaluated") or None,
        completion_tokens=_count(data, "tokens_predicted"),
        model=_read_model(data),
    )


def _read_model(data: Mapping[str, Any]) -> str:
    """Return the name of the model, without folders; an empty text if the server gives none."""
    name = data.get("model")
    return _clean(re.split(r"[/\\]", name)[-1])[:200] if isinstance(name, str) else ""


def _first_tokens(logprobs: Any) -> tuple[TokenScore, ...]:
    """Return the most likely first tokens, in the shape of chats or of completions."""
    if not isinstance(logprobs, dict):
        return ()
    content = logprobs.get("content")
    if isinstance(content, list):
        first = content[0] if content else None
        return _token_scores(first.get("top_logprobs") if isinstance(first, dict) else None)
    tops = logprobs.get("top_logprobs")
    if isinstance(tops, list) and tops and isinstance(tops[0], dict):
        return _sort([(str(token), _number(value)) for token, value in tops[0].items()])
    return ()


def _token_scores(entries: Any) -> tuple[TokenScore, ...]:
    if not isinstance(entries, list):
        return ()
    scores = [
        (str(entry.get("token", "")), _number(entry.get("logprob")))
        for entry in entries[:MAX_TOP]
        if isinstance(entry, dict)
    ]
    return _sort(scores)


def _sort(scores: Sequence[TokenScore]) -> tuple[TokenScore, ...]:
    """Check that scores can be log-probabilities of different tokens; the largest comes first."""
    if math.fsum(math.exp(score) for _, score in scores) > 1.01:
        raise BadReply("has probabilities that add up to more than 1")
    return tuple(sorted(scores[:MAX_TOP], key=lambda pair: -pair[1]))


def _echoed_tokens(
    choice: Mapping[str, Any], completion_tokens: int | None
) -> tuple[tuple[str, float | None], ...]:
    """Return the tokens of the prompt from `echo`, without those that were generated."""
    logprobs = choice.get("logprobs")
    if not isinstance(logprobs, dict):
        return ()
    tokens, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(values, list):
        return ()
    if not values or values[0] is not None:  # the first token of a prompt has no probability
        return ()
    if len(tokens) != len(values):
        raise BadReply(f"has {len(tokens)} tokens, but {len(values)} log-probabilities")
    return tuple(
        (str(token), None if value is None else _number(value))
        for token, value in zip(tokens[:MAX_PROMPT_TOKENS], values, strict=False)
    )


def _prompt_logprobs(source: Mapping[str, Any]) -> tuple[tuple[str, float | None], ...]:
    """Return the tokens of the prompt from vLLM's `prompt_logprobs`; the actual one comes first."""
    entries = source.get("prompt_logprobs")
    if not isinstance(entries, list) or not entries:
        return ()
    tokens: list[tuple[str, float | None]] = []
    for entry in entries[:MAX_PROMPT_TOKENS]:
        actual = next(iter(entry.values()), None) if isinstance(entry, dict) else None
        if isinstance(actual, dict):
            value = _number(actual.get("logprob"))
            tokens.append((str(actual.get("decoded_token", "")), value))
        else:
            tokens.append(("", None))
    return tuple(tokens)


def _number(value: Any) -> float:
    """Return a log-probability."""
    try:
        is_number = not isinstance(value, bool) and not math.isnan(float(value))
    except (TypeError, ValueError, OverflowError):
        is_number = False
    if not is_number or isinstance(value, str):
        raise BadReply("has a log-probability that is not a number")
    if value > 1e-4:
        raise BadReply(f"has a log-probability above 0: {value:.3g}")
    return max(min(float(value), 0.0), FLOOR)


def _count(source: Any, name: str) -> int | None:
    value = source.get(name) if isinstance(source, dict) else None
    return value if type(value) is int and 0 <= value < 2**40 else None


def _clean(text: str) -> str:
    """Cut a long text in the middle; replace halves of characters, which no file can contain."""
    if len(text) > MAX_TEXT:
        text = f"{text[: MAX_TEXT // 2]}\n{text[-MAX_TEXT // 2 :]}"
    return text.encode("utf-8", "replace").decode("utf-8")


def check_saved(saved: Any) -> ServerReply:
    """Return an answer that was saved as JSON; raise BadReply if it is not one."""
    if not isinstance(saved, dict) or not isinstance(saved.get("text"), str):
        raise BadReply("is not a saved answer")
    prompt = saved.get("prompt") or ()
    return ServerReply(
        text=saved["text"],
        finish=str(saved.get("finish", "")),
        refusal=str(saved.get("refusal", "")),
        top=tuple((str(token), _number(value)) for token, value in saved.get("top") or ()),
        prompt=tuple((str(t), None if v is None else _number(v)) for t, v in prompt),
        prompt_tokens=_count(saved, "prompt_tokens"),
        completion_tokens=_count(saved, "completion_tokens"),
        model=str(saved.get("model", "")),
    )
