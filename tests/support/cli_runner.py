"""Commands as a user types them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from hansproof._infra.progress import no_progress
from hansproof.cli import main

CompletedCommand = subprocess.CompletedProcess[str]


def run_fresh(*args: str, cwd: Path | None = None, timeout: int = 300) -> CompletedCommand:
    """In a process of its own, outside a terminal."""
    command = [sys.executable, "-m", "hansproof", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=timeout)


def run_here(*args: str, cwd: Path | None = None) -> CompletedCommand:
    """In this process, which has loaded by now what a fresh one would load each time."""
    out, err = Stream(), Stream()
    return CompletedCommand(args, _run_command(args, cwd, out, err), out.text(), err.text())


def run_on_terminal(*args: str, cwd: Path | None = None) -> tuple[int, str]:
    """The same as a person sees it on a terminal of 80 columns without colours, in one stream."""
    screen = io.BytesIO()
    err, out = Stream(screen), Stream(screen)
    out.isatty = lambda: True  # type: ignore[method-assign]
    code = _run_command(args, cwd, out, err, TERM="dumb")
    return code, out.text()


class Stream(io.TextIOWrapper):
    """What is written can be read again."""

    def __init__(self, into: io.BytesIO | None = None) -> None:
        super().__init__(into or io.BytesIO(), "utf-8", write_through=True)

    def text(self) -> str:
        self.seek(0)
        return self.read()


def _run_command(
    args: tuple[str, ...], cwd: Path | None, out: Stream, err: Stream, **env: str
) -> int:
    """The exit code of a command."""
    before, given = dict(os.environ), sys.argv
    os.environ.update(env)
    sys.argv = ["hansproof", *args]
    try:
        with (
            chdir(cwd or "."),
            redirect_stdout(out),
            redirect_stderr(err),
            warnings.catch_warnings(),
            on_a_quick_machine(),
        ):
            as_python_does()
            return _exit_code()
    finally:
        sys.argv = given
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def on_a_quick_machine() -> Iterator[None]:
    """Nothing is printed about compilation, or about progress that takes long."""
    announce = "hansproof._infra.compilation.announce_compilation"
    with no_progress(), mock.patch(announce):
        yield


def as_python_does() -> None:
    """Warnings are shown and hidden as outside tests."""
    warnings.simplefilter("default")
    for hidden in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", hidden)


def _exit_code() -> int:
    """How a process would end."""
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    return 0


def expect_one_line_error(done: CompletedCommand) -> str:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr
