"""Matches the runs of a log with a benchmark: each item once, in order, with equal answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ... import plugins
from ...errors import BadInput, UnknownName
from ...predictions import (
    BenchmarkSplits,
    IncompleteRun,
    ModelAnswer,
    add_answers,
    mark_not_asked,
)
from ...records import answers as answers
from ...records import choice_cells
from ...records.location import Location, truncate
from ...types import UNKNOWN_VIEW, NoAnswer, Predictions
from .._log_run import LogRun
from .item_index import ItemIndex, MatchedEntry
from .overrides import LogOverrides
from .prompt_view import detect_view

_REMEDY = "convert the log with `hansproof convert --first 0` or `--first 1`, or write A, B, C"


class RunMatcher:
    """Matches the runs of many logs with one benchmark."""

    def __init__(self, splits: BenchmarkSplits, overrides: LogOverrides) -> None:
        self._splits, self._overrides = splits, overrides
        self._item_indexes: dict[str, ItemIndex] = {}

    def match_runs(self, runs: Sequence[LogRun], file: str) -> list[Predictions | IncompleteRun]:
        """Convert the runs of one log to predictions, checked against the benchmark."""
        pairs = [(run, self._choose_index(run, file)) for run in self._runs_on_split(runs) or runs]
        matched_runs = [
            _remove_free_texts([item_index.match_entry(entry, file) for entry in run.entries], file)
            for run, item_index in pairs
        ]
        resolved = iter(
            _resolve_texts(
                [matched for matched_entries in matched_runs for matched in matched_entries],
                file,
                self._overrides.first,
            )
        )
        return [
            self._build_predictions(run, item_index, [next(resolved) for _ in run.entries], file)
            for run, item_index in pairs
        ]

    def _runs_on_split(self, runs: Sequence[LogRun]) -> list[LogRun]:
        """Select the runs on the split of the user, or else on splits that are loaded."""
        if self._overrides.split is not None:
            return [run for run in runs if run.split == self._overrides.split]
        return [run for run in runs if not self._is_on_other_split(run)]

    def _is_on_other_split(self, run: LogRun) -> bool:
        """Check whether a run is on a split that is not loaded, by its name and its items."""
        if run.split is None or self._find_named_split(run.split) is not None:
            return False
        return not any(
            item_index.count_matches(run.entries) for item_index in self._labelled_indexes()
        )

    def _labelled_indexes(self) -> list[ItemIndex]:
        return [self._index_for(split) for split in self._splits.benchmark.labelled_splits()]

    def _find_named_split(self, split: str | None) -> ItemIndex | None:
        """Return the index of a split; None if the benchmark has no split of that name."""
        try:
            return None if split is None else self._index_for(split)
        except UnknownName:
            return None

    def _index_for(self, split: str) -> ItemIndex:
        if split not in self._item_indexes:
            self._item_indexes[split] = ItemIndex(split, *self._splits.load_split(split))
        return self._item_indexes[split]

    def _choose_index(self, run: LogRun, file: str) -> ItemIndex:
        """Choose the split that is named, or else the one that contains the items."""
        if not run.entries:
            raise BadInput(file, run.unfinished or "contains no answers")
        if self._overrides.split is not None:
            return self._index_for(self._overrides.split)
        named_index = self._find_named_split(run.split)
        if named_index is not None:
            return named_index
        match_counts = {
            item_index.name: item_index.count_matches(run.entries)
            for item_index in self._labelled_indexes()
        }
        full_matches = [name for name, count in match_counts.items() if count == len(run.entries)]
        if len(full_matches) > 1:
            name = self._splits.benchmark.name
            bench = name if name in plugins.names("benchmarks") else "BENCH"
            message = (
                f"fits several splits ({' and '.join(full_matches)}): "
                f"load only one, such as {bench}:{full_matches[0]}"
            )
            raise BadInput(file, message)
        best_name = max(match_counts, key=match_counts.__getitem__, default=None)
        if best_name is None:
            message = (
                f"no split of {self._splits.benchmark.name} has answers: "
                "convert the log with `hansproof convert --split SPLIT`"
            )
            raise BadInput(file, message)
        return self._index_for(best_name)

    def _build_predictions(
        self, run: LogRun, item_index: ItemIndex, matched_entries: Sequence[MatchedEntry], file: str
    ) -> Predictions | IncompleteRun:
        for matched in matched_entries:
            _check_gold(matched, run, file)
        predictions = Predictions(
            benchmark=self._splits.benchmark.name,
            split=item_index.name,
            sha256=item_index.sha256,
            model=truncate(run.model) or "unnamed",
            view=run.view or detect_view(matched_entries) or UNKNOWN_VIEW,
            scores={},
            seed=run.seed,
            trained_on=run.trained_on and truncate(run.trained_on),
            train_accuracy=run.train_accuracy,
            params=run.params,
            tokenizer=run.tokenizer,
            device=run.device,
        )
        predictions = add_answers(
            apply_overrides(predictions, self._overrides),
            [
                (matched.entry.line, matched.item.id, _read_answer(matched, file))
                for matched in matched_entries
            ],
            item_index.items,
            file,
        )
        if not predictions.scores:
            raise BadInput(file, _explain_no_answers(predictions))
        n_items = len(item_index.items)
        if run.unfinished is not None and len(matched_entries) < n_items:
            finished_note = f"it contains {len(matched_entries)} of {n_items} items"
            message = f"{run.unfinished}; {finished_note}"
            return IncompleteRun(file, message, predictions, is_usable=True)
        return mark_not_asked(predictions, item_index.items)


def apply_overrides(run: Predictions, overrides: LogOverrides) -> Predictions:
    """Replace values of a run by those that the user set, except its split."""
    names = ("model", "view", "seed", "trained_on", "protocol")
    values = {name: getattr(overrides, name) for name in names}
    return replace(run, **{name: value for name, value in values.items() if value is not None})


def _remove_free_texts(matched_entries: Sequence[MatchedEntry], file: str) -> list[MatchedEntry]:
    """Empty the cells of a run that name no choice, if at least half of its answers can be read.

    If fewer can be read, it may be another kind of file, and resolving its texts fails. A text
    beside a stated reason for no answer is not counted.
    """
    raw_answers = {
        (position, column): _parse_text(matched, text, column, file)
        for position, matched in enumerate(matched_entries)
        for column in ("model_answer", "picked")
        if isinstance(text := getattr(matched.entry, column), str)
    }
    free_texts = {key for key, raw in raw_answers.items() if answers.is_free_text(raw)}
    explained = {key for key in free_texts if matched_entries[key[0]].entry.no_answer is not None}
    n_answers = sum(raw.answer is not None for raw in raw_answers.values()) - len(explained)
    if 2 * len(free_texts - explained) > n_answers:
        free_texts = explained
    cleaned_entries = list(matched_entries)
    for position, column in free_texts:
        change: dict[str, Any] = {column: ""}
        matched = cleaned_entries[position]
        cleaned_entries[position] = replace(matched, entry=replace(matched.entry, **change))
    return cleaned_entries


def _resolve_texts(
    matched_entries: Sequence[MatchedEntry], file: str, first_number: int | None
) -> list[MatchedEntry]:
    """Resolve texts in entries to indices of choices, the same way in the whole file."""
    texts = [
        (position, column, text)
        for position, matched in enumerate(matched_entries)
        for column in ("model_answer", "picked", "answer")
        if isinstance(text := getattr(matched.entry, column), str)
    ]

    def collect_texts(is_gold: bool) -> dict[tuple[int, str], answers.RawAnswer]:
        return {
            (position, column): _parse_text(matched_entries[position], text, column, file)
            for position, column, text in texts
            if (column == "answer") == is_gold
        }

    model_texts, gold_texts = collect_texts(False), collect_texts(True)
    model_indices, gold_indices = choice_cells.resolve_choices(
        tuple(model_texts.values()), tuple(gold_texts.values()), first_number, _REMEDY
    )
    entries = [matched.entry for matched in matched_entries]
    for (position, column), index in zip(
        (*model_texts, *gold_texts), (*model_indices, *gold_indices), strict=True
    ):
        change: dict[str, Any] = {column: "" if index is None else index}
        entries[position] = replace(entries[position], **change)
    return [
        replace(matched, entry=entry)
        for matched, entry in zip(matched_entries, entries, strict=True)
    ]


def _parse_text(matched: MatchedEntry, text: str, column: str, file: str) -> answers.RawAnswer:
    field = "answer" if column == "answer" else "choice"
    location = Location(file, matched.entry.line or 0)
    return choice_cells.parse_choice(
        text, field, matched.entry.choices or matched.item.choices, location
    )


def _explain_no_answers(run: Predictions) -> str:
    """Say that a run has no answer at all, and why."""
    counts = Counter(run.unanswered.values())
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items())
    return f"{run.model} has no answer to any item ({reasons})"


def _read_answer(matched: MatchedEntry, file: str) -> ModelAnswer | NoAnswer:
    """Return the answer in the order of the benchmark's choices, or why there is none."""
    answer = matched.entry.model_answer
    has_answer = answer not in ("", ()) or matched.entry.picked != ""
    if matched.entry.no_answer is not None and has_answer:
        message = f"{truncate(matched.entry.id)} also has an answer: remove one of the two"
        raise BadInput(file, message, line=matched.entry.line, field="no_answer")
    if answer == () and isinstance(matched.entry.picked, int):
        return matched.to_item_index(matched.entry.picked)
    if isinstance(answer, str) or answer == ():  # texts were resolved before: this one is empty
        return matched.entry.no_answer or "unparsed"
    if isinstance(answer, int):
        return matched.to_item_index(answer)
    picked = matched.entry.picked
    if isinstance(picked, int) and picked < len(answer) and answer[picked] < max(answer):
        message = f"{truncate(matched.entry.id)}: the picked choice does not have the highest score"
        raise BadInput(file, message, line=matched.entry.line, field="scores")
    return tuple(answer[i] for i in matched.order) if len(answer) == len(matched.order) else answer


def _check_gold(matched: MatchedEntry, run: LogRun, file: str) -> None:
    """Raise if the right answer in the log differs from that of the benchmark."""
    answer, item = matched.entry.answer, matched.item
    if (
        not isinstance(answer, int)
        or item.answer is None
        or matched.to_item_index(answer) == item.answer
    ):
        return
    split_note = f" (in {run.split}; to leave it out, load only another split)" if run.split else ""
    message = (
        f"says choice {matched.to_item_index(answer)} is right for {truncate(item.id)}, but the "
        f"benchmark says {item.answer}: the log was made with another version, "
        f"or with another order of choices{split_note}"
    )
    raise BadInput(file, message, line=matched.entry.line)
