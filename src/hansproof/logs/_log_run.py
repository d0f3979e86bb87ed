"""What a log says, before it is held against a benchmark."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..predictions import ModelAnswer
from ..types import Params


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What a run said about one item, and what the log tells of that item.

    A text in `said`, `answer` or `picked` is left for the benchmark to explain: a letter, a
    number that counts from 0 or from 1, or one of the choices. An empty one says nothing.
    """

    id: str
    model_answer: ModelAnswer | str  # the index of the choice, or a score for each
    line: int | None = None  # where it stands, for errors
    answer: int | str | None = None  # the right choice, where the log states it
    choices: tuple[str, ...] = ()  # their texts in the log's order, where it quotes them
    picked: int | str = ""  # the choice, where it stands beside the scores: they must agree


@dataclass(frozen=True, slots=True)
class LogRun:
    """One run as its log has it; None where the log does not say."""

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
    unfinished: str | None = None  # why the log breaks off, where it does
