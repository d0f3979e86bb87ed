"""What one worker does: it walks the list of runs and takes what is free, in groups.

A group is as many runs, one after the other in the list, as their model wants at once; they differ
by seed only. Each is written, and free for others to see, as soon as it is concluded.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from ..models import load
from ..training.store import Entry, Store
from ..training.threads import one_thread
from ..types import Benchmark
from ._begun import Begun, begun
from ._fits import fits, room
from ._keep import saved, weights
from ._measures import measures
from ._plan import Run
from ._tally import Done, Tell, Under

PAUSE = 0.2  # seconds between looks at what others are at


@dataclass(frozen=True, slots=True)
class Errand:
    """All that a worker needs to know."""

    benchmark: Benchmark
    folder: str
    runs: tuple[Run, ...]
    places: tuple[Entry, ...]
    keep: str | None = None  # folder for what was trained


def alike(run: Run) -> tuple[object, ...]:
    """What runs of a group have in common."""
    return run.model, run.view, run.split, run.protocol, run.train, run.select, run.folds


class Walker:
    """Walks as long as it is `wanted`, and tells of every step."""

    def __init__(
        self,
        errand: Errand,
        store: Store,
        tell: Tell,
        wanted: Callable[[], bool] = lambda: True,
        loaded: Callable[[str], Any] | None = None,
    ) -> None:
        self._errand, self._store, self._tell, self._wanted = errand, store, tell, wanted
        self._loaded = loaded or cache(load)

    def walk(self) -> None:
        """Do what is free, then wait for what others are at, and do it if they do not."""
        left = [*range(len(self._errand.runs))]
        while left and self._wanted():
            left = self.round(left)
            if left:
                time.sleep(PAUSE)

    def round(self, left: Sequence[int]) -> list[int]:
        """Do what is free of these; those that others are at."""
        ahead, others = deque(left), list[int]()
        while ahead and self._wanted():
            group = self._claimed(ahead, others)
            if group:
                self._train(group)
        return others

    def _claimed(self, ahead: deque[int], others: list[int]) -> list[int]:
        """The next runs that are ours now, as many as can be trained together."""
        runs, group, most = self._errand.runs, list[int](), 1
        kind = alike(runs[ahead[0]])
        while ahead and len(group) < most and alike(runs[ahead[0]]) == kind:
            at = ahead.popleft()
            state = self._store.claim(self._errand.places[at])
            if state == "finished":
                self._tell(Done(at))
            elif state == "taken":
                others.append(at)
            else:
                most = most if group else room(self._loaded(runs[at].model))
                group.append(at)
        return group

    def _train(self, group: Sequence[int]) -> None:
        """Train all of a group, and write each that is concluded; the rest is free again."""
        errand, store = self._errand, self._store
        model = self._loaded(errand.runs[group[0]].model)
        concluded = 0

        def watch(share: float, accuracy: float | None) -> None:
            under = min(max(share, 0.0), 1.0) * len(group) - concluded
            self._tell(Under(max(under, 0.0), accuracy))

        try:
            begins = [begun(errand.benchmark, errand.runs[at], model) for at in group]
            tasks = [task for one in begins for task in one.tasks]
            with closing(fits(model, tasks, watch)) as fitted:
                for at, one in zip(group, begins, strict=True):
                    accuracy = self._conclude(at, one, fitted)
                    concluded += 1
                    self._tell(Done(at, accuracy))
        finally:
            for at in group:  # once more for those that are written, which does no harm
                store.free(errand.places[at])

    def _conclude(self, at: int, one: Begun, fitted: Iterator[Any]) -> float | None:
        """Write the record of a run; what it earns."""
        errand, place = self._errand, self._errand.places[at]
        own: Iterator[Any] = islice(fitted, len(one.tasks))
        if errand.keep is not None:
            own = saved(own, weights(errand.keep, place), errand.runs[at])
        with one_thread():  # what is asked for is trained in here
            said = one.conclude(own, place.parts["version"])
        found = measures(said, one.items)
        self._store.write(place, said, found)
        self._store.free(place)
        return found["accuracy"]
