"""Scans with Ray Data: one task for each shard, on this machine or on a cluster.

The files must be readable wherever Ray runs: on a shared disk, or in an object store. Ray repeats
a task whose worker is killed.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import msgspec

from ..errors import HansproofError
from ..executors.ray import ray_failure, ray_session, share_payload
from . import checkpoint
from .coordinator import ScanCoordinator, ShowProgress
from .result import ScanResult
from .scan import ScanPlan
from .scanner.hits import ScanHits


def scan_on_ray(
    plan: ScanPlan, output: str, threads: int, interval: float, show_progress: ShowProgress
) -> ScanResult:
    """Scan all shards that are not finished yet with Ray, and write the result."""
    progress = checkpoint.read_checkpoint(output, plan)
    coordinator = ScanCoordinator(plan, output, progress, interval, show_progress)
    remaining = progress.remaining_shards(plan)
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
    plan_ref = share_payload(ray, plan)
    numbers = data.from_items(remaining, override_num_blocks=len(remaining))
    results = numbers.map(_ScanTask(plan_ref), num_cpus=1)
    try:
        for row in results.iter_rows():
            if row["error"]:
                coordinator.save_checkpoint()
                raise HansproofError(row["error"])
            coordinator.add_shard(row["number"], msgspec.json.decode(row["hits"], type=ScanHits))
            coordinator.report_progress()
    except ray.exceptions.RayError as error:
        coordinator.save_checkpoint()
        if isinstance(error, ray.exceptions.RayTaskError):
            raise  # an exception in our own code: a bug
        raise ray_failure(coordinator.output, "a part", "finished parts are", error) from None


_plans: dict[str, ScanPlan] = {}  # by reference: a worker scans many shards of one plan


@dataclass(frozen=True)
class _ScanTask:
    """Scans one shard in a worker of Ray."""

    plan_ref: Any

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        import ray

        key = self.plan_ref.hex()
        if key not in _plans:
            _plans[key] = ray.get(self.plan_ref).open_payload()
        number = int(row["item"])
        try:
            scan_hits = _plans[key].scan_shard(number)
        except HansproofError as error:
            return {"number": number, "hits": b"", "error": str(error)}
        return {"number": number, "hits": msgspec.json.encode(scan_hits), "error": ""}
