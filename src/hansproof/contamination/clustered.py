"""The same scan by Ray Data: a task for every part, on this machine or on a cluster.

Files must be at hand wherever Ray runs: on a shared disk, or in an object store. A task whose
worker is killed is done again. Ray pickles our own objects between our own processes; nothing
that somebody else wrote is unpickled.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from typing import Any

import msgspec

from ..cluster import cluster, move
from ..errors import HansproofError
from . import checkpoint
from .found import Found
from .job import Job
from .run import Keeper, Show
from .tally import Tally


def scattered(job: Job, output: str, threads: int, every: float, show: Show) -> Found:
    """Have all parts done by Ray that are not done yet, and write the result."""
    progress = checkpoint.read(output, job)
    keeper = Keeper(job, output, progress, every, show)
    left = [number for number in range(len(job.parts)) if number not in progress.numbered]
    with cluster(threads) as ray:
        if left:
            _take(ray, job, left, keeper)
    return keeper.finish()


def _take(ray: Any, job: Job, left: list[int], keeper: Keeper) -> None:
    import ray.data as data

    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    parcel = ray.put(_Parcel(job, os.getcwd()))
    parts = data.from_items(left, override_num_blocks=len(left))
    done = parts.map(_Work(parcel), num_cpus=1)
    try:
        for row in done.iter_rows():
            if row["trouble"]:
                keeper.write()
                raise HansproofError(row["trouble"])
            keeper.take(row["number"], msgspec.json.decode(row["tally"], type=Tally))
            keeper.look()
    except ray.exceptions.RayError as error:
        keeper.write()
        if isinstance(error, ray.exceptions.RayTaskError):
            raise  # of ours: a bug
        what = f"Ray gave up on a part ({type(error).__name__})"
        raise HansproofError(
            f"{keeper.output}: {what}; what is done is kept: start again"
        ) from None


# what runs in Ray's workers


@dataclass(frozen=True)
class _Parcel:
    job: Job
    cwd: str


_known: dict[str, Job] = {}  # a worker does many parts


@dataclass(frozen=True)
class _Work:
    """Does one part."""

    parcel: Any

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        import ray

        name = self.parcel.hex()
        if name not in _known:
            held = ray.get(self.parcel)
            move(held.cwd)
            _known[name] = held.job
        number = int(row["item"])
        try:
            tally = _known[name].done(number)
        except HansproofError as error:
            return {"number": number, "tally": b"", "trouble": str(error)}
        return {"number": number, "tally": msgspec.json.encode(tally), "trouble": ""}
