"""A learner that trains many at once, and writes down how it was called.

`$HANSPROOF_CALLS` names a file that gets a line for every step; `$HANSPROOF_ROOM` says how many
runs it wants at once.
"""

from __future__ import annotations

import json
import os
import signal
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from hansproof.errors import ModelError
from hansproof.training.training_task import ProgressCallback, TrainingTask
from hansproof.types import FitInfo, Item, Items

Misdeeds = Literal["none", "break", "refuse", "kill once", "few", "diverge", "nothing"]


def note(what: str, **more: Any) -> None:
    path = os.environ.get("HANSPROOF_CALLS")
    if path:
        line = json.dumps({"what": what, "pid": os.getpid(), **more}) + "\n"
        with open(path, "ab", buffering=0) as file:
            file.write(line.encode())


@dataclass(frozen=True, slots=True)
class MultiFit:
    """Learns items by heart."""

    selects: ClassVar[bool] = False
    slow: ClassVar[bool] = True

    source: str = "nowhere"
    does: Misdeeds = "none"
    at: tuple[int, ...] = (-1,)  # the seeds with which it misbehaves
    nap: float = 0.0  # seconds
    tells: bool = False  # of trials and of sequences
    length: int = 0
    recipe: str = "plain"
    deterministic: bool = False

    def batch_capacity(self) -> int:
        """As many as it is told."""
        return int(os.environ.get("HANSPROOF_ROOM", "1"))

    def fit(self, items: Items, select: Items, seed: int) -> Fitted:
        """Never called: there is `fit_many`."""
        raise AssertionError("fit was called")

    def fit_many(self, tasks: Sequence[TrainingTask], watch: ProgressCallback) -> Iterator[Fitted]:
        """One after the other, but as if all at once; the last one is forgotten."""
        note("called", seeds=[task.seed for task in tasks])
        last = None
        for at, task in enumerate(tasks):
            if last is not None:
                last.forgotten.append(True)
            does = self.does if task.seed in self.at else "none"
            if does == "few":
                return
            note("trains", seed=task.seed, records=_records())
            time.sleep(self.nap)
            self._misbehave(does, task.seed)
            watch((at + 0.5) / len(tasks), 0.25)
            last = Fitted(_by_heart(task.items), task.seed, does, self.tells)
            yield last

    def _misbehave(self, does: str, seed: int) -> None:
        if does == "break":
            raise ZeroDivisionError("multi_fit broke")
        if does == "refuse":
            raise ModelError(f"multi_fit: will not learn seed {seed}")
        if does == "kill once" and not os.path.exists(self.source):
            open(self.source, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Right about what it knows; of what it does not, the texts decide."""

    known: dict[str, int | None]
    seed: int
    does: str
    tells: bool
    forgotten: list[bool] = field(default_factory=list)

    @property
    def fit_info(self) -> FitInfo:
        """Report two trials and cut sequences, if it is told to."""
        diverged = self.does == "diverge"
        if not self.tells:
            return FitInfo(tokenizer="none", diverged=diverged)
        trials = tuple(f"rate={r}: .5 on select, seed {self.seed}" for r in (1, 2))
        return FitInfo(
            trials=trials, cut=12, sequences=1900, length=8, tokenizer="none", diverged=diverged
        )

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One for the choice it knows to be right."""
        assert not self.forgotten, "was used after the next was asked for"
        note("scores", seed=self.seed)
        return [self._scores(item) for item in items]

    def _scores(self, item: Item) -> tuple[float, ...]:
        if self.does in ("nothing", "diverge"):
            return (0.0,) * len(item.choices)
        answer = self.known.get(_text(item), -1)
        guess = [zlib.crc32(f"{self.seed} {choice}".encode()) % 1000 for choice in item.choices]
        return tuple(float(1000 * (at == answer) + guess[at]) for at in range(len(guess)))

    def save(self, folder: str) -> None:
        """A file."""
        assert not self.fit_info.diverged
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "weights"), "w") as file:
            file.write(f"seed {self.seed}")


def _by_heart(items: Items) -> dict[str, int | None]:
    return {_text(item): item.answer for item in items}


def _text(item: Item) -> str:
    return repr((sorted(item.fields.items()), item.choices))


def _records() -> int:
    folder = os.environ.get("HANSPROOF_STORE", "")
    return sum(name.endswith(".jsonl") for name in os.listdir(folder)) if folder else 0
