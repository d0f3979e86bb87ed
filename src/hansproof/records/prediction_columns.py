"""Detects the role of each column in a table of predictions or ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from .column_names import find_series, normalise_name
from .location import format_columns

ID_NAMES = ("item_id", "question_id", "example_id", "sample_id", "qid", "item", "id", "uid")
CHOICE_NAMES = (
    *("choice", "chosen", "pred", "predicted", "prediction", "predicted_answer"),
    *("predicted_choice", "predicted_index", "predicted_label", "system_output"),
)
AMBIGUOUS_NAMES = (
    "answer",
    "label",
)  # chosen or gold: chosen, if no other column can be
ITEM_NAMES = ("choices", "options", "endings", "choice1", "option1", "sol1", "warrant0", "A")
GOLD_NAMES = (
    *("gold", "gold_answer", "gold_label", "target", "truth", "true_label", "answer_key"),
    *("correct", "correct_answer", "correct_choice", "correct_label", "right_answer"),
)
SCORE_LIST_NAMES = ("scores", "logits", "logprobs", "log_likelihoods", "probs", "probabilities")
SCORE_STEMS = (
    "score",
    "logit",
    "logprob",
    "prob",
)  # followed by a number or a letter: the score of one choice


@dataclass(frozen=True, slots=True)
class PredictionColumns:
    """The columns of a table of predictions; None for a column that is absent."""

    id: str
    choice: str | None
    scores: tuple[str, ...]  # one column with a list, or one per choice
    gold: str | None
    model: str | None
    split: str | None
    view: str | None
    seed: str | None
    run: str | None
    no_answer: str | None = None  # why there is no answer


def detect_columns(columns: Sequence[str], file: str) -> PredictionColumns:
    """Detect the columns of a table; the error names the column that is missing."""
    id = find_required(columns, ID_NAMES, "the id of the item", file)
    score_columns = find_score_columns(columns)
    choice = find_only(columns, CHOICE_NAMES, file)
    ambiguous = (
        find_only(columns, AMBIGUOUS_NAMES, file)
        if choice is None or not find_only(columns, GOLD_NAMES, file)
        else None
    )
    gold = find_only(columns, GOLD_NAMES, file) or (ambiguous if choice or score_columns else None)
    if choice is None and not score_columns:
        if ambiguous and find_first(columns, ITEM_NAMES):
            raise BadInput(file, "contains items and their answers, not a model's predictions")
        choice = ambiguous or find_required(columns, CHOICE_NAMES, "the choice", file)
    return PredictionColumns(
        id,
        choice,
        score_columns,
        gold,
        find_first(columns, ("model", "model_name")),
        find_first(columns, ("split",)),
        find_first(columns, ("view",)),
        find_first(columns, ("seed",)),
        find_first(columns, ("run", "run_no", "run_id")),
        find_first(columns, ("no_answer",)),
    )


def find_first(columns: Collection[str], names: Sequence[str]) -> str | None:
    """Find the column with the first of these names that occurs."""
    by_name = {normalise_name(column): column for column in columns}
    return next(
        (by_name[normalise_name(name)] for name in names if normalise_name(name) in by_name), None
    )


def find_required(
    columns: Collection[str], names: Sequence[str], description: str, file: str
) -> str:
    """Find the column with the first of these names that occurs, or raise."""
    column = find_first(columns, names)
    if column is None:
        raise BadInput(
            file, f"no column for {description} ({names[0]}); found: {format_columns(columns)}"
        )
    return column


def find_only(columns: Collection[str], names: Sequence[str], file: str) -> str | None:
    """Find the only column with one of these names; raise if there are several."""
    normal_names = set(map(normalise_name, names))
    matching = [column for column in columns if normalise_name(column) in normal_names]
    if len(matching) > 1:
        raise BadInput(
            file, f"the columns {' and '.join(matching)} have the same role: remove all but one"
        )
    return matching[0] if matching else None


def find_score_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Find one score column per choice, in order, or the column with a list of scores."""
    list_column = find_first(columns, SCORE_LIST_NAMES)
    series = find_series(columns, SCORE_STEMS)
    return series[0] if series else (list_column,) if list_column else ()
