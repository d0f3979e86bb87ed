"""Guards stdout and stderr: a stdout that cannot be written ends a command with a clear error.

Unlike an OSError of a write, a StdoutError cannot be confused with one of another file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


class StdoutError(Exception):
    """Stdout cannot be written: its reader has ended, its disk is full, or it is closed."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"stdout: cannot be written: {error.strerror or error}")
        self.reader_ended = isinstance(error, BrokenPipeError)


def guard_streams() -> None:
    """Raise StdoutError where stdout cannot be written, and ignore where stderr cannot.

    Names of files that are not UTF-8 are printed with escapes.
    """
    if sys.stdout is None:  # a file that is opened later would take its place
        raise StdoutError(OSError("it is closed; use > /dev/null to discard the output"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    _replace_methods(sys.stdout, _raise_stdout_error)
    _replace_methods(sys.stdout.buffer, _raise_stdout_error)
    if sys.stderr is not None:
        _replace_methods(sys.stderr, lambda error: None)


def discard_stdout() -> None:
    """Discard what is left in stdout, which Python would try to write again at exit."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_methods(stream: Any, handle_error: Callable[[OSError], None]) -> None:
    for name in ("write", "flush"):
        setattr(stream, name, _guard_method(getattr(stream, name), handle_error))


def _guard_method(
    method: Callable[..., Any], handle_error: Callable[[OSError], None]
) -> Callable[..., Any]:
    def call_method(*args: Any) -> Any:
        try:
            return method(*args)
        except OSError as error:
            return handle_error(error)

    return call_method


def _raise_stdout_error(error: OSError) -> None:
    raise StdoutError(error) from None
