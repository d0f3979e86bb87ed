"""Commands as a user types them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import traceback
import warnings
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from hansproof.cli._main import main

Done = subprocess.CompletedProcess[str]


def fresh(*args: str, cwd: Path | None = None, timeout: int = 300) -> Done:
    """In a process of its own, outside a terminal."""
    command = [sys.executable, "-m", "hansproof", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=timeout)


def run(*args: str, cwd: Path | None = None) -> Done:
    """In this process, which has loaded by now what a fresh one would load each time."""
    out, err = Stream(), Stream()
    return Done(args, _ended(args, cwd, out, err), out.text(), err.text())


def seen(*args: str, cwd: Path | None = None) -> tuple[int, str]:
    """The same as a person sees it on a terminal of 80 columns without colours, in one stream."""
    screen = io.BytesIO()
    err, out = Stream(screen), Stream(screen)
    out.isatty = lambda: True  # type: ignore[method-assign]
    code = _ended(args, cwd, out, err, TERM="dumb")
    return code, out.text()


class Stream(io.TextIOWrapper):
    """What is written can be read again."""

    def __init__(self, into: io.BytesIO | None = None) -> None:
        super().__init__(into or io.BytesIO(), "utf-8", write_through=True)

    def text(self) -> str:
        self.seek(0)
        return self.read()


def _ended(args: tuple[str, ...], cwd: Path | None, out: Stream, err: Stream, **env: str) -> int:
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
        ):
            as_python_does()
            return _code()
    finally:
        sys.argv = given
        os.environ.clear()
        os.environ.update(before)


def as_python_does() -> None:
    """Warnings are shown and hidden as outside tests."""
    warnings.simplefilter("default")
    for hidden in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", hidden)


def _code() -> int:
    """How a process would end."""
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    return 0


def one_line_of_complaint(done: Done) -> str:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr
