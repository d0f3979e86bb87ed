"""Notes on a table of runs, one sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..types import Benchmark, Items
from ..views import CHOICES, fields_of, parse_view
from .asking_notes import asking_notes, order_notes, prompt_notes
from .plan import split_items
from .summary import RunSummary


def summary_notes(benchmark: Benchmark, summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Note views without choices, runs that learnt nothing, and what models were asked."""
    return (
        *_tie_notes(benchmark, summaries),
        *_degenerate_notes(summaries),
        *_truncation_notes(summaries),
        *asking_notes(summaries),
        *order_notes(benchmark, summaries),
        *prompt_notes(summaries),
    )


def _tie_notes(benchmark: Benchmark, summaries: Sequence[RunSummary]) -> Iterator[str]:
    for split, view in dict.fromkeys((summary.split, summary.view) for summary in summaries):
        items = split_items(benchmark, split)
        if CHOICES not in parse_view(view, fields_of(items)).keep:
            matching = [
                summary
                for summary in summaries
                if (summary.split, summary.view) == (split, view) and summary.way is None
            ]
            if not matching:  # models that were asked have answered freely
                continue
            yield _note_without_choices(f"{view} of {split}", items, matching)


def _note_without_choices(name: str, items: Items, summaries: Sequence[RunSummary]) -> str:
    models = ", ".join(summary.model for summary in summaries if summary.tie_rate < 1)
    if models:
        return f"{name} shows no choices, so {models} can only have used their position"
    chance = f"{summaries[0].chance:.1%}"
    first_choice_share = f"{sum(item.answer == 0 for item in items) / len(items):.1%}"
    return (
        f"{name} shows no choices, so all of them tie and score 1/m ({chance}); always taking the "
        f"first would score {first_choice_share}"
    )


def _degenerate_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    for summary in summaries:
        if summary.degenerate:
            verb, noun = ("is", "seed") if summary.degenerate == 1 else ("are", "seeds")
            seeds = ", ".join(map(str, summary.degenerate_seeds))
            yield (
                f"{_summary_name(summary)}: {summary.degenerate} of {summary.seeds} runs {verb} "
                f"degenerate: training accuracy is not above chance ({noun} {seeds})"
            )


def _truncation_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    for summary in summaries:
        if summary.cut:
            total = f" of {summary.sequences:,}" if summary.sequences else ""
            limit = f"{summary.length} tokens" if summary.length else "the limit"
            yield (
                f"{_summary_name(summary)}: {summary.cut:,}{total} sequences were longer than "
                f"{limit} and were truncated"
            )


def _summary_name(summary: RunSummary) -> str:
    return f"{summary.model}, {summary.view} of {summary.split}"
