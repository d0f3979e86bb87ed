"""Notes on runs of models that were asked: missing answers, mismatches, orders and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .._infra.plural import plural
from ..choice_orders import count_fixed
from ..types import Benchmark
from ..views import without_order
from .plan import split_items
from .summary import RunSummary

_FIXED = {"references": "refer to each other", "numbers": "are numbers in order"}


def shorten_spec(spec: str) -> str:
    """Return a model's spec without settings that only say how the server is reached."""
    name, *settings = spec.split(",")
    reach = ("url", "key_from", "price", "concurrency", "rpm", "timeout", "retries")
    return ",".join([name, *(s for s in settings if s.partition("=")[0].strip() not in reach)])


def asking_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Say how models were asked, which answers are missing, and where two readings differ."""
    for summary in summaries:
        if summary.way is None or summary.view != without_order(summary.view):
            continue
        name = f"{shorten_spec(summary.model)}, {summary.view} of {summary.split}"
        tokens = summary.prompt_tokens + summary.completion_tokens
        yield f"{name}: asked by {summary.way}, {summary.self_test}; {plural(tokens, 'token')}"
        if summary.unanswered:
            n_missing = sum(summary.unanswered.values())
            counts = ", ".join(f"{count} {reason}" for reason, count in summary.unanswered.items())
            yield (
                f"{name}: {n_missing:,} of {plural(summary.n_replies, 'answer')} are missing "
                f"({counts}) and count as wrong"
            )
        if summary.text_answers:
            share = summary.mismatches / summary.text_answers
            yield (
                f"{name}: the first token and the text name different choices in {share:.1%} of "
                f"{plural(summary.text_answers, 'answer')}"
            )
    lacks = [(summary.model, lack) for summary in summaries for lack in summary.lacks]
    for model, lack in dict.fromkeys(lacks):
        yield f"{shorten_spec(model)}: not asked by {lack}"
    for self_test in dict.fromkeys(summary.self_test for summary in summaries):
        if self_test and _is_weak(self_test):
            yield (
                f"{self_test}, no more than by guessing: such a model may go by the place of a "
                "choice; --orders shows whether it does"
            )


def _is_weak(self_test: str) -> bool:
    """Whether planted questions came out no better than by guessing."""
    match = re.match(r"([\d.]+) of (\d+) ", self_test)
    return match is not None and float(match[1]) <= int(match[2]) / 2


def order_notes(benchmark: Benchmark, summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Give the range of the accuracy over orders of the choices, and which items keep theirs."""
    ordered = [summary for summary in summaries if summary.view != without_order(summary.view)]
    groups: dict[tuple[str, str, str], list[RunSummary]] = {}
    for summary in summaries:
        key = summary.model, summary.split, without_order(summary.view)
        groups.setdefault(key, []).append(summary)
    for (model, split, view), members in groups.items():
        # items with few choices have few orders: orders of all items can be compared
        complete = [member for member in members if member.n == members[0].n]
        accuracies = [member.accuracy for member in complete if member.accuracy is not None]
        if len(accuracies) > 1:
            yield (
                f"{shorten_spec(model)}, {view} of {split}: accuracy over {len(accuracies)} orders "
                f"of the choices from {min(accuracies):.1%} to {max(accuracies):.1%}"
            )
    for split in dict.fromkeys(summary.split for summary in ordered):
        items = split_items(benchmark, split)
        for reason, count in count_fixed(items).items():
            yield (
                f"{split}: {count:,} of {plural(len(items), 'item')} keep the order of their "
                f"choices, which {_FIXED[reason]}"
            )


def prompt_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Give the spread of the accuracy over prompts."""
    groups: dict[tuple[str, str, str], dict[str, float]] = {}
    for summary in summaries:
        prompt = re.search(r"prompt=([^,]*)", summary.model)
        if prompt and summary.accuracy is not None:
            other_settings = summary.model.replace(prompt[0], "").replace(",,", ",").strip(",")
            key = other_settings, summary.split, summary.view
            groups.setdefault(key, {})[prompt[1]] = summary.accuracy
    for (model, split, view), by_prompt in groups.items():
        if len(by_prompt) > 1 and view == without_order(view):
            low, high = sorted(by_prompt, key=by_prompt.__getitem__)[:: len(by_prompt) - 1]
            accuracies = (
                f"from {by_prompt[low]:.1%} ({low}) to {by_prompt[high]:.1%} ({high})"
                if by_prompt[low] < by_prompt[high]
                else f"{by_prompt[low]:.1%} with each of them"
            )
            yield (
                f"{shorten_spec(model)}, {view} of {split}: accuracy over {len(by_prompt)} prompts "
                f"{accuracies}"
            )
