"""What makes two runs the same run, or runs of the same system."""

from __future__ import annotations

from ..types import NoAnswer, Predictions

# params that may differ between runs of a system, like seeds
PER_RUN_PARAMS = (
    "chosen", "completion_tokens", "cost", "cut", "epoch", "failures", "label_mass", "lacks",
    "prompt_tokens", "requests", "run", "self_test", "sequences", "tokens_counted_by", "trials",
)  # fmt: skip
_RUN_NUMBERS = ("run", "epoch")  # those that tell the runs of a system apart

RunIdentity = tuple[object, ...]
# scores, missing answers, and choices that texts name, by the id of the item
AllAnswers = tuple[dict[str, tuple[float, ...]], dict[str, NoAnswer], dict[str, int | NoAnswer]]


def identify_system(run: Predictions) -> RunIdentity:
    """Return what all runs of a system share: split, model, view, training and settings."""
    params = {name: value for name, value in run.params.items() if name not in PER_RUN_PARAMS}
    return (
        run.split,
        run.model,
        run.view,
        run.trained_on,
        run.protocol,
        repr(sorted(params.items())),
    )


def identify_run(run: Predictions) -> RunIdentity:
    """Return what only one run may have: its system, its seed and its number."""
    return (*identify_system(run), run.seed, *(run.params.get(name) for name in _RUN_NUMBERS))


def all_answers(run: Predictions) -> AllAnswers:
    """Return all that a run says about the items."""
    return run.scores, run.unanswered, run.text_answers
