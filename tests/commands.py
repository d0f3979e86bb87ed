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


def fresh(*args: str, cwd: Path | None = None) -> Done:
    """In a process of its own, outside a terminal."""
    command = [sys.executable, "-m", "hansproof", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300)


def run(*args: str, cwd: Path | None = None) -> Done:
    """In this process, which has loaded by now what a fresh one would load each time."""
    before, given = dict(os.environ), sys.argv
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    sys.argv = ["hansproof", *args]
    try:
        with (
            chdir(cwd or "."),
            redirect_stdout(out),
            redirect_stderr(err),
            warnings.catch_warnings(),
        ):
            as_python_does()
            code = _code()
    finally:
        sys.argv = given
        os.environ.clear()
        os.environ.update(before)
    return Done(args, code, *(_text(stream) for stream in (out, err)))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


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
