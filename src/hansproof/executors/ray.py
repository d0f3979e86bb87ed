"""Ray: the one that is running, that of `$RAY_ADDRESS`, or a new one on this machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..errors import HansproofError, MissingExtra


@contextmanager
def ray_session(jobs: int) -> Iterator[Any]:
    """Ray, to work with; one that is started here gets so many cores."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing is reported to anybody
    try:
        import ray
    except ImportError:
        raise MissingExtra("ray", "--engine ray") from None
    if ray.is_initialized():
        yield ray
        return
    # "local": not one that somebody else has left running here
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


def chdir_if_present(folder: str) -> None:
    """Work in the folder from which files are named."""
    with suppress(OSError):  # on another machine it may not be there
        os.chdir(folder)
