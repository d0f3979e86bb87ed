"""What must be known of a table of runs, in a sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..types import Benchmark, Items
from ..views import CHOICES, fields_of, parse_view
from .plan import split_items
from .summary import RunSummary


def summary_notes(benchmark: Benchmark, summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Views without choices, runs that learnt nothing, texts that were cut."""
    return (
        *_tie_notes(benchmark, summaries),
        *_degenerate_notes(summaries),
        *_truncation_notes(summaries),
    )


def _tie_notes(benchmark: Benchmark, summaries: Sequence[RunSummary]) -> Iterator[str]:
    for split, view in dict.fromkeys((summary.split, summary.view) for summary in summaries):
        items = split_items(benchmark, split)
        if CHOICES not in parse_view(view, fields_of(items)).keep:
            matching = [
                summary for summary in summaries if (summary.split, summary.view) == (split, view)
            ]
            yield _note_without_choices(f"{view} of {split}", items, matching)


def _note_without_choices(name: str, items: Items, summaries: Sequence[RunSummary]) -> str:
    distinguishing_models = [summary.model for summary in summaries if summary.tie_rate < 1]
    if distinguishing_models:
        return f"{name} shows no choices, yet {', '.join(distinguishing_models)} told them apart: by position alone"
    first_choice_share = sum(item.answer == 0 for item in items) / len(items)
    return (
        f"{name} shows no choices, so all tie by construction and score 1/m ({summaries[0].chance:.1%})"
        f"; an argmax would print {first_choice_share:.1%}, the share of items whose first choice is right"
    )


def _degenerate_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    for summary in summaries:
        if summary.degenerate:
            is_single = summary.degenerate == 1
            seeds = ", ".join(map(str, summary.degenerate_seeds))
            yield (
                f"{_summary_name(summary)}: {summary.degenerate} of {summary.seeds} runs {'is' if is_single else 'are'} "
                f"degenerate, not above chance on the items learnt from (seed{'s' * (not is_single)} "
                f"{seeds})"
            )


def _truncation_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    for summary in summaries:
        if summary.cut:
            total = f" of {summary.sequences:,}" if summary.sequences else ""
            limit = f"{summary.length} tokens" if summary.length else "the limit"
            yield f"{_summary_name(summary)}: {summary.cut:,}{total} sequences were longer than {limit} and were cut"


def _summary_name(summary: RunSummary) -> str:
    return f"{summary.model}, {summary.view} of {summary.split}"
