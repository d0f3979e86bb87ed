"""Which column of somebody's table is what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from ..formats._record import listed

ID = ("item_id", "question_id", "example_id", "sample_id", "qid", "item", "id", "uid")
SAID = (
    *("choice", "chosen", "pred", "predicted", "prediction", "predicted_answer"),
    *("predicted_choice", "predicted_index", "predicted_label", "system_output"),
)
EITHER = ("answer", "label")  # what was said or what is right: said, if nothing else can be
ITEMS = ("choices", "options", "endings", "choice1", "option1", "sol1", "warrant0", "A")
RIGHT = (
    *("gold", "gold_answer", "gold_label", "target", "truth", "true_label", "answer_key"),
    *("correct", "correct_answer", "correct_choice", "correct_label", "right_answer"),
)
SCORES = ("scores", "logits", "logprobs", "log_likelihoods", "probs", "probabilities")
SCORE = ("score", "logit", "logprob", "prob")  # with a number or a letter after it: one choice's


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table of predictions; None where there is none."""

    id: str
    said: str | None
    scores: tuple[str, ...]  # one column that holds a list, or one for each choice
    right: str | None
    model: str | None
    split: str | None
    view: str | None
    seed: str | None
    run: str | None


def layout(columns: Sequence[str], file: str) -> Layout:
    """The layout of a table, or an error that says what is missing."""
    id = needed(columns, ID, "the id of the item", file)
    held = scores(columns)
    said = one(columns, SAID, file)
    either = one(columns, EITHER, file) if said is None or not one(columns, RIGHT, file) else None
    right = one(columns, RIGHT, file) or (either if said or held else None)
    if said is None and not held:
        if either and first(columns, ITEMS):
            raise BadInput(file, "holds items with their answers, not what a model said of them")
        said = either or needed(columns, SAID, "the choice", file)
    return Layout(
        id,
        said,
        held,
        right,
        first(columns, ("model", "model_name")),
        first(columns, ("split",)),
        first(columns, ("view",)),
        first(columns, ("seed",)),
        first(columns, ("run", "run_no", "run_id")),
    )


def plain(name: str) -> str:
    """`item_id` and `Item ID` are the same."""
    return "".join(char for char in name.lower() if char.isalnum())


def first(columns: Collection[str], names: Sequence[str]) -> str | None:
    """The column that has the first of these names."""
    found = {plain(column): column for column in columns}
    return next((found[plain(name)] for name in names if plain(name) in found), None)


def needed(columns: Collection[str], names: Sequence[str], what: str, file: str) -> str:
    """The same, where there must be one."""
    found = first(columns, names)
    if found is None:
        raise BadInput(file, f"no column for {what} ({names[0]}); found: {listed(columns)}")
    return found


def one(columns: Collection[str], names: Sequence[str], file: str) -> str | None:
    """The only column that has one of these names."""
    known = set(map(plain, names))
    found = [column for column in columns if plain(column) in known]
    if len(found) > 1:
        raise BadInput(file, f"which column counts, {' or '.join(found)}? Take the others out")
    return found[0] if found else None


def scores(columns: Sequence[str]) -> tuple[str, ...]:
    """One column for each choice in order, or the one that holds a list."""
    for stem in map(plain, SCORE):
        numbered = {}
        for column in columns:
            rest = plain(column).removeprefix(stem)
            if plain(column).startswith(stem) and (place := _place(rest)) is not None:
                numbered[place] = column
        places = sorted(numbered)
        # counted from 0, from 1, or lettered: without a gap in any case
        runs = {place - i for i, place in enumerate(places)}
        if len(places) > 1 and len(runs) == 1 and runs <= {0, 1}:
            return tuple(numbered[place] for place in places)
    found = first(columns, SCORES)
    return (found,) if found else ()


def _place(rest: str) -> int | None:
    if rest.isascii() and rest.isdigit() and len(rest) < 3:
        return int(rest)
    return "abcdefghij".index(rest) if len(rest) == 1 and rest in "abcdefghij" else None
