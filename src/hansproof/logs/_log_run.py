"""The content of a log before it is matched with a benchmark."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..predictions import ModelAnswer
from ..types import NoAnswer, Params


@dataclass(frozen=True, slots=True)
class LogEntry:
    """The answer of a run to one item, and what the log states about that item.

    A text in `model_answer`, `answer` or `picked` is resolved later with the choices of the
    benchmark: a letter, a number that counts from 0 or from 1, or the text of a choice. An empty
    text means no answer; `no_answer` states the reason if the log does.
    """

    id: str
    model_answer: ModelAnswer | str  # the index of the choice, or a score for each
    line: int | None = None  # line in the file, for errors
    answer: int | str | None = None  # the right choice, if the log states it
    choices: tuple[str, ...] = ()  # their texts in the order of the log, if it quotes them
    picked: int | str = ""  # the choice, if the log has scores too; they must agree
    no_answer: NoAnswer | None = None  # why there is no answer; `model_answer` is then empty
    prompt: str = ""  # all that the model was shown, if the log quotes it


@dataclass(frozen=True, slots=True)
class LogRun:
    """One run as recorded in its log; None for values that the log lacks."""

    entries: tuple[LogEntry, ...]
    model: str
    split: str | None = None
    view: str | None = None
    seed: int | None = None
    trained_on: str | None = None
    train_accuracy: float | None = None
    params: Params = field(default_factory=dict)
    tokenizer: str = ""
    device: str = ""
    unfinished: str | None = None  # why the log is incomplete, if it is
