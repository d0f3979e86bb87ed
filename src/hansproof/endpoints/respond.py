"""A run of an endpoint: from a model's settings to replies, and to what the record says of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..capabilities import AskingContext, ItemReply, Question, Replies
from ..prompts.template import load_template
from ..spending import Price, Spending, format_dollars
from ..types import Params
from .asking import Usage
from .journal import journal_path
from .session import RunReplies, RunRequest, run_request
from .ways import FirstToken, RequestOptions
from .ways.base import hides_choices


def build_options(model: Any, context: AskingContext) -> RequestOptions:
    """Return the options of all requests of a run."""
    return RequestOptions(
        model.model, load_template(model.prompt), model.via, context.examples, model.temperature,
        model.max_tokens, context.seed,
    )  # fmt: skip


def respond(
    model: Any,
    label: str,
    questions: Sequence[Question],
    context: AskingContext,
    show_progress: Callable[[int, str], None],
) -> Replies:
    """Ask about all items of a run."""
    settings = model.settings
    path = None
    if context.folder is not None:
        path = journal_path(context.folder, settings.url, settings.model)
    price: Price | None = model.token_price

    def on_progress(n_done: int, usage: Usage, spent: float, n_failed: int) -> None:
        count = _format_count(n_done, len(questions), usage, price, spent)
        failed = f", {n_failed:,} failed" if n_failed else ""
        show_progress(n_done, count + failed)

    request = RunRequest(
        label, settings, build_options(model, context), model.ask, model.score_by, questions,
        not any(hides_choices(question.item) for question in questions), price,
        context.spending or Spending(), path,
    )  # fmt: skip
    run_replies = run_request(request, on_progress)
    return Replies(tuple(run_replies.replies), _describe_run(run_replies, price))


def _describe_run(run_replies: RunReplies, price: Price | None) -> Params:
    """Return what the record says of how the items were asked, and what that took."""
    usage, proven = run_replies.asker.usage, run_replies.proven
    options = proven.way.options
    params: Params = {
        "prompt_sha256": options.template.sha256,
        "way": proven.description,
        "self_test": proven.self_test,
        "served": printable(proven.served),
        "requests": usage.requests,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }
    if proven.lacks:
        params["lacks"] = tuple(map(printable, proven.lacks))
    if isinstance(proven.way, FirstToken):
        params["label_mass"] = _mean_label_mass(run_replies.replies)
    if usage.n_estimated:
        params["tokens_counted_by"] = "estimate: the server does not count"
    if not options.sends_temperature:
        params["temperature"] = "the server's: it does not accept another"
    if price is not None:
        params["cost"] = round(price.cost(usage.prompt_tokens, usage.completion_tokens), 6)
    if run_replies.asker.reasons:
        params["failures"] = tuple(
            f"{count} x {reason}" for reason, count in sorted(run_replies.asker.reasons.items())
        )
    return params


def _mean_label_mass(replies: Sequence[ItemReply]) -> float | None:
    """Return the mean probability that an answer begins with a letter; None if there are none."""
    masses = [math.fsum(map(math.exp, reply.scores)) for reply in replies if len(reply.scores) > 1]
    return round(math.fsum(masses) / len(masses), 4) if masses else None


def printable(name: str) -> str:
    """Return a name that the server gave, without characters that cannot be printed."""
    return "".join(c if c.isprintable() else "?" for c in name)


def _format_count(
    n_done: int, n_items: int, usage: Usage, price: Price | None, spent: float
) -> str:
    """Return how far a run is, in items, tokens and money."""
    tokens = usage.prompt_tokens + usage.completion_tokens
    money = f", {format_dollars(spent)}" if price is not None else ""
    return f"{n_done:,} of {n_items:,} items, {tokens:,} tokens{money}"
