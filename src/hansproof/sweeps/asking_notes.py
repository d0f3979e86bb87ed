"""Notes on runs of models that were asked: missing answers, mismatches, orders and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields

from .._infra.join_names import join_names
from .._infra.plural import plural
from ..choice_orders import count_fixed
from ..models.api import Api
from ..spending import format_dollars
from ..types import Benchmark
from ..views import without_order
from .fit_info import is_identity
from .plan import split_items
from .summary import RunSummary

_REACH = {"url", *(field.name for field in fields(Api) if not is_identity(field))}
_FIXED = {"references": "refer to each other", "numbers": "are numbers in order"}


def shorten_spec(spec: str) -> str:
    """Return a model's spec without settings that only say how the server is reached."""
    name, *settings = spec.split(",")
    return ",".join([name, *(s for s in settings if s.partition("=")[0].strip() not in _REACH)])


def asking_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Say how models were asked, which answers are missing, and where two readings differ."""
    endpoint_runs = [
        summary
        for summary in summaries
        if summary.way is not None and summary.view == without_order(summary.view)
    ] or [summary for summary in summaries if summary.way is not None]
    by_way: dict[tuple[str, ...], list[RunSummary]] = {}
    for summary in endpoint_runs:
        key = shorten_spec(summary.model), summary.way or "", summary.self_test or ""
        by_way.setdefault(key, []).append(summary)
    for (model, way, self_test), members in by_way.items():
        yield f"{model}: {_join_views(members)} asked by {way}; {self_test}; {_sum_up(members)}"
    lacks = [
        (shorten_spec(summary.model), lack) for summary in endpoint_runs for lack in summary.lacks
    ]
    for model, lack in dict.fromkeys(lacks):
        yield f"{model}: not asked by {lack}"
    yield from _served_notes(endpoint_runs)
    for summary in endpoint_runs:
        yield from _answer_notes(summary)
    tests = dict.fromkeys(s.self_test or "" for s in endpoint_runs if s.chance is not None)
    for outcome in tests:
        if _is_weak(outcome):
            yield (
                f"{outcome}, no more than by guessing: such a model may go by the place of a "
                "choice; --orders shows whether it does"
            )


def _join_views(summaries: Sequence[RunSummary]) -> str:
    """Name the views of runs, with their verb."""
    views = [*dict.fromkeys(summary.view for summary in summaries)]
    return f"{join_names(views)} {'was' if len(views) == 1 else 'were'}"


def _sum_up(summaries: Sequence[RunSummary]) -> str:
    """Return the tokens and the cost of runs."""
    tokens = sum(summary.prompt_tokens + summary.completion_tokens for summary in summaries)
    costs = [summary.cost for summary in summaries if summary.cost is not None]
    money = f", {format_dollars(sum(costs))}" if len(costs) == len(summaries) else ""
    return plural(tokens, "token") + money


def _served_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Point out models to which the server gives quite another name."""
    for spec, served in dict.fromkeys((shorten_spec(s.model), s.served) for s in summaries):
        name = spec.partition(":")[2].partition(",")[0]
        asked_for, answered = (re.sub(r"[^a-z0-9]", "", text.lower()) for text in (name, served))
        if served and asked_for not in answered and answered not in asked_for:
            yield f"{spec}: the server names its model {served}: is it the one you mean?"


def _answer_notes(summary: RunSummary) -> Iterator[str]:
    """Say which answers of a run are missing, and what is strange about the others."""
    name = f"{shorten_spec(summary.model)}, {summary.view} of {summary.split}"
    if summary.unanswered:
        n_missing = sum(summary.unanswered.values())
        counts = ", ".join(f"{count} {reason}" for reason, count in summary.unanswered.items())
        verb, verb_counts = ("is", "counts") if n_missing == 1 else ("are", "count")
        yield (
            f"{name}: {n_missing:,} of {plural(summary.n_replies, 'answer')} {verb} missing "
            f"({counts}) and {verb_counts} as wrong"
        )
    if summary.failures:
        yield (
            f"{name}: requests failed ({'; '.join(summary.failures)}); to ask these items again, "
            f"delete {summary.files} and repeat the command"
        )
    if summary.mismatches:
        yield (
            f"{name}: the first token and the text name different choices in "
            f"{summary.mismatches:,} of {plural(summary.text_answers, 'answer')}"
        )
    if summary.preferred is not None:
        place = summary.preferred
        yield (
            f"{name}: choice {place.place + 1} is picked in {place.n_picks:,} of "
            f"{plural(place.n_answers, 'answer')}: the accuracy says little about what the model "
            "knows"
        )


def _is_weak(self_test: str) -> bool:
    """Whether test questions came out no better than by guessing."""
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
            keep = "keeps the order of its" if count == 1 else "keep the order of their"
            yield (
                f"{split}: {count:,} of {plural(len(items), 'item')} {keep} choices, which "
                f"{_FIXED[reason]}"
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
