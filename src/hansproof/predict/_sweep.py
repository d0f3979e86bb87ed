"""Many runs into a store, by one process or several; whoever is killed, finished runs are kept.

All workers walk the same list and take what is free; what another is at they come back to. A
worker whose parent is gone ends after the runs it is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from ..predictions import Splits
from ..training.store import Entry, Say, Store
from ..types import Benchmark, Predictions
from . import _keep
from ._entries import entries
from ._plan import Run
from ._tally import Progress, Tally
from ._walk import Errand, Walker

Engine = Literal["local", "ray"]


def sweep(
    benchmark: Benchmark,
    runs: Sequence[Run],
    folder: str,
    jobs: int = 1,
    progress: Progress = lambda done, accuracy: None,
    say: Say = lambda text: None,
    keep: str | None = None,
    engine: Engine = "local",
) -> tuple[Predictions, ...]:
    """What each run says, from the store where it is finished, else done now by so many processes.

    `progress` is told how many are done, and the last accuracy known; `say` gets a line for each
    damaged record; what is trained is saved in the folder `keep`. With several `jobs`, a script
    calls this under `if __name__ == "__main__"`, as always where processes spawn.
    """
    errand = Errand(benchmark, folder, tuple(runs), entries(benchmark, runs), keep)
    if keep is not None:
        _keep.check(keep, runs)
    with Store(folder, say) as store:
        store.tidy()
        done = [at for at, place in enumerate(errand.places) if store.holds(place)]
        tally = Tally(progress, done)
        try:
            if len(done) < len(runs):
                _do(errand, store, min(max(jobs, 1), len(runs) - len(done)), tally, say, engine)
        finally:
            store.tidy()
        _mention(store, errand.places, say)
        splits = Splits(benchmark)
        said = tuple(store.read(place, splits) for place in errand.places)
    if keep is not None:
        _keep.mention(keep, errand.places, said, say)
    return said


def _do(errand: Errand, store: Store, jobs: int, tally: Tally, say: Say, engine: Engine) -> None:
    if engine == "ray":
        from ._ray import scattered

        scattered(errand, jobs, tally, say)
    elif jobs > 1:
        from ._workers import side_by_side

        side_by_side(errand, jobs, tally, say)
    else:
        Walker(errand, store, partial(tally.hear, None)).walk()


def _mention(store: Store, places: Sequence[Entry], say: Say) -> None:
    """Say which records would be read twice by who reads the whole folder."""
    old = store.outdated(places)
    if old:
        runs = "a record" if len(old) == 1 else f"{len(old)} records"
        what = f"also holds {runs} of the same runs by other code, such as {old[0]}"
        say(f"{store.folder}: {what}: move them away before you read '*.jsonl'")
