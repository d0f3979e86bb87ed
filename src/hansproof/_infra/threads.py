"""Arithmetic on a single thread, as the order of a sum changes its last digits.

So a run has the same scores whatever else is running and however many runs are done in parallel.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

THREAD_VARIABLES = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)  # fmt: skip


@contextmanager
def single_threaded() -> Iterator[None]:
    """Limit numerical libraries to one thread, whether they are loaded already or in the block."""
    with ExitStack() as stack:
        stack.callback(
            _restore_environment, {name: os.environ.get(name) for name in THREAD_VARIABLES}
        )
        os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
        try:
            from threadpoolctl import threadpool_limits
        except ModuleNotFoundError:  # comes with scikit-learn, which may be missing
            pass
        else:
            stack.enter_context(threadpool_limits(1))
        torch = sys.modules.get("torch")
        if torch is not None:
            stack.callback(torch.set_num_threads, torch.get_num_threads())
            torch.set_num_threads(1)
        yield


def _restore_environment(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
