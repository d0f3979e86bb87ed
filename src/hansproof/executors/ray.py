"""Ray: a session, the data that all tasks share, and events from tasks to the driver.

Ray pickles our own objects between our own processes; nothing that somebody else wrote is
unpickled.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..errors import HansproofError, MissingExtra

MAX_RETRIES = 3  # of a task whose worker was killed

Payload = TypeVar("Payload")


@contextmanager
def ray_session(jobs: int) -> Iterator[Any]:
    """Yield the module `ray`, connected: to a running session, to `$RAY_ADDRESS`, or to a new one.

    A session that is started here has as many cores as `jobs` says, and ends with the context.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing is reported to anybody
    try:
        import ray
    except ImportError:
        raise MissingExtra("ray", "--engine ray") from None
    if ray.is_initialized():
        yield ray
        return
    # "local": do not join a session that another user has left running on this machine
    local_options = {"address": "local", "num_cpus": jobs, "include_dashboard": False}
    try:
        ray.init(
            log_to_driver=False,
            logging_level=logging.ERROR,
            **({} if os.environ.get("RAY_ADDRESS") else local_options),
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        message = str(error).strip().partition("\n")[0]
        raise HansproofError(f"Ray cannot be started: {message}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def ray_failure(output: str, jobs: str, finished: str, error: Exception) -> HansproofError:
    """Return the error for jobs that Ray gave up on; finished jobs are kept in `output`."""
    reason = f"Ray gave up on {jobs} ({type(error).__name__})"
    return HansproofError(f"{output}: {reason}; {finished} saved: start again to resume")


@dataclass(frozen=True, slots=True)
class WorkerContext(Generic[Payload]):
    """Data that all tasks share, and the folder to which relative paths refer."""

    payload: Payload
    cwd: str

    def open_payload(self) -> Payload:
        """Enter the driver's folder and return the payload."""
        with suppress(OSError):  # on another machine the folder may not exist
            os.chdir(self.cwd)
        return self.payload


def share_payload(ray: Any, payload: object) -> Any:
    """Put a payload and the current folder into Ray's object store; return the reference."""
    return ray.put(WorkerContext(payload, os.getcwd()))


class EventBoard:
    """A Ray actor to which tasks post events, and from which the driver takes them."""

    def __init__(self) -> None:
        self._events: list[tuple[int, Any]] = []

    def post_event(self, number: int, event: Any) -> None:
        """Add an event of the task with this number."""
        self._events.append((number, event))

    def take_events(self) -> list[tuple[int, Any]]:
        """Return and forget the events since the last call."""
        events, self._events = self._events, []
        return events


def start_event_board(ray: Any) -> Any:
    """Start an event board; Ray restarts it, empty, if its process is killed."""
    return ray.remote(num_cpus=0, max_restarts=-1)(EventBoard).remote()
