"""Reads a run and checks it against its benchmark."""

from __future__ import annotations

from dataclasses import replace

from ..records.lines import iter_lines
from ..types import NoAnswer, Predictions
from .check import IncompleteRun, add_answers, check_text_answers, require_complete
from .header import parse_header
from .lines import (
    ModelAnswer,
    is_complete_line,
    parse_fold,
    parse_line,
    parse_object,
    parse_text_answer,
)
from .splits import BenchmarkSplits


def read_benchmark_name(path: str) -> str:
    """Read the name of the benchmark from the header of a file."""
    number, first_line = next(iter_lines(path), (1, ""))
    return parse_header(parse_object(first_line, path, number), path).benchmark


def read(path: str, splits: BenchmarkSplits) -> Predictions:
    """Read a run and check it against its benchmark."""
    numbered_lines = iter_lines(path)
    number, first_line = next(numbered_lines, (1, ""))
    run = parse_header(parse_object(first_line, path, number), path)
    split, items = splits.find_split(run.split, run.sha256, path, run.benchmark)
    run = replace(run, split=split)
    answers: list[tuple[int, str, ModelAnswer | NoAnswer]] = []
    folds: dict[str, int] = {}
    text_answers: dict[str, int | NoAnswer] = {}
    for number, text in numbered_lines:
        if not text.endswith("\n") and not is_complete_line(text):
            partial = replace(
                add_answers(run, answers, items, path),
                folds=folds,
                text_answers=check_text_answers(text_answers, items, path),
            )
            message = (
                f"is incomplete: its writer was interrupted after {len(answers)} of {len(items)} "
                "items"
            )
            raise IncompleteRun(path, message, partial, number)
        if text.strip():
            record = parse_object(text, path, number)
            id, answer = parse_line(record, path, number)
            answers.append((number, id, answer))
            if (fold := parse_fold(record, path, number)) is not None:
                folds[id] = fold
            if (text_answer := parse_text_answer(record, path, number)) is not None:
                text_answers[id] = text_answer
    run = replace(
        add_answers(run, answers, items, path),
        folds=folds,
        text_answers=check_text_answers(text_answers, items, path),
    )
    return require_complete(run, items, path)
