"""How far a sweep is: runs that are done, and what is under way of those that are not."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

SPARING = 0.2  # seconds between two words on what is under way

# told how many runs are done, counting those under way by their share, and the last accuracy known
Progress = Callable[[float, float | None], None]


@dataclass(frozen=True, slots=True)
class Done:
    """A run is finished, by whomever; what it earns, where that is known."""

    at: int  # its position
    accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class Under:
    """Work that somebody is at, in runs, beside those of his that are finished."""

    runs: float
    accuracy: float | None = None


Step = Done | Under
Tell = Callable[[Step], None]


class Tally:
    """Adds up the steps of all who work."""

    def __init__(self, progress: Progress, done: Iterable[int]) -> None:
        self.done = set(done)
        self._progress = progress
        self._under: dict[Hashable, float] = {}
        self._ended: set[Hashable] = set()
        self._accuracy: float | None = None
        self._shown: tuple[float, float | None] | None = None
        self._show()

    def hear(self, who: Hashable, step: Step) -> None:
        """One step of somebody; the same may come twice, or late."""
        if isinstance(step, Under):
            self._under[who] = 0.0 if who in self._ended else step.runs
        elif step.at not in self.done:
            self.done.add(step.at)
            self._under[who] = max(0.0, self._under.get(who, 0.0) - 1)
        if step.accuracy is not None:
            self._accuracy = step.accuracy
        self._show()

    def ended(self, who: Hashable) -> None:
        """What he was at he has done, or lost."""
        self._ended.add(who)
        self._under.pop(who, None)
        self._show()

    def _show(self) -> None:
        now = (len(self.done) + sum(self._under.values()), self._accuracy)
        if now != self._shown:
            self._shown = now
            self._progress(*now)


def sparing(tell: Tell) -> Tell:
    """The same, but not every word on what is under way: a model may tell of every step."""
    last = 0.0

    def told(step: Step) -> None:
        nonlocal last
        now = time.monotonic()
        if isinstance(step, Done) or now - last >= SPARING:
            last = now
            tell(step)

    return told
