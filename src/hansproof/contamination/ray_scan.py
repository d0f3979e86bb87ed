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

from ..errors import HansproofError
from ..executors.ray import chdir_if_present, ray_session
from . import checkpoint
from .coordinator import ScanCoordinator, ShowProgress
from .result import ScanResult
from .scan import ScanPlan
from .scanner.hits import ScanHits


def scan_on_ray(
    plan: ScanPlan, output: str, threads: int, interval: float, show_progress: ShowProgress
) -> ScanResult:
    """Have all parts done by Ray that are not done yet, and write the result."""
    progress = checkpoint.read_checkpoint(output, plan)
    coordinator = ScanCoordinator(plan, output, progress, interval, show_progress)
    remaining = [
        number for number in range(len(plan.shards)) if number not in progress.records_read
    ]
    with ray_session(threads) as ray:
        if remaining:
            _scan_remaining(ray, plan, remaining, coordinator)
    return coordinator.finish()


def _scan_remaining(
    ray: Any, plan: ScanPlan, remaining: list[int], coordinator: ScanCoordinator
) -> None:
    import ray.data as data

    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    payload = ray.put(_ScanPayload(plan, os.getcwd()))
    numbers = data.from_items(remaining, override_num_blocks=len(remaining))
    results = numbers.map(_ScanTask(payload), num_cpus=1)
    try:
        for row in results.iter_rows():
            if row["trouble"]:
                coordinator.save_checkpoint()
                raise HansproofError(row["trouble"])
            coordinator.add_shard(row["number"], msgspec.json.decode(row["tally"], type=ScanHits))
            coordinator.report_progress()
    except ray.exceptions.RayError as error:
        coordinator.save_checkpoint()
        if isinstance(error, ray.exceptions.RayTaskError):
            raise  # of ours: a bug
        message = f"Ray gave up on a part ({type(error).__name__})"
        raise HansproofError(
            f"{coordinator.output}: {message}; what is done is kept: start again"
        ) from None


# what runs in Ray's workers


@dataclass(frozen=True)
class _ScanPayload:
    plan: ScanPlan
    cwd: str


_plans: dict[str, ScanPlan] = {}  # a worker does many parts


@dataclass(frozen=True)
class _ScanTask:
    """Does one part."""

    payload: Any

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        import ray

        key = self.payload.hex()
        if key not in _plans:
            payload = ray.get(self.payload)
            chdir_if_present(payload.cwd)
            _plans[key] = payload.job
        number = int(row["item"])
        try:
            scan_hits = _plans[key].scan_shard(number)
        except HansproofError as error:
            return {"number": number, "tally": b"", "trouble": str(error)}
        return {"number": number, "tally": msgspec.json.encode(scan_hits), "trouble": ""}
