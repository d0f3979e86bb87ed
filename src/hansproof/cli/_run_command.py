"""Runs a command: every error that users can fix is one line on stderr and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import click

from ..errors import HansproofError, first_line
from ._main import cli
from ._printing import echo_note
from ._streams import StdoutError, discard_stdout, guard_streams

NAME = "hansproof"
BAD_INPUT = 2
READER_ENDED = 141  # 128 + SIGPIPE: what shells report for programs that a closed pipe ends
_COMPLETION_VARIABLE = "_HANSPROOF_COMPLETE"


def run_command() -> NoReturn:
    """Run the command in `sys.argv` and exit; --debug shows the traceback of an error."""
    warnings.showwarning = _echo_own_warnings(warnings.showwarning)
    try:
        guard_streams()
        code = _invoke_command()
        sys.stdout.flush()
    except HansproofError as error:
        code = _report_error(str(error), getattr(error, "__notes__", ()))
    except (MemoryError, ImportError, OSError) as error:
        if not _is_memory_error(error):
            raise
        details = f" ({first_line(error)})" if isinstance(error, MemoryError) and str(error) else ""
        code = _report_error(f"ran out of memory{details}")
    except StdoutError as error:
        discard_stdout()
        code = READER_ENDED if error.reader_ended else _report_error(str(error))
    sys.exit(code)


def _is_memory_error(error: BaseException | None) -> bool:
    """Tell whether memory ran out, which may also show in a library that cannot be loaded."""
    while error is not None:
        if isinstance(error, MemoryError) or "failed to map segment" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _report_error(message: str, notes: Sequence[str] = ()) -> int:
    """Print an error in one line, with notes below, or raise it again with --debug.

    Returns the exit code.
    """
    if "--debug" in sys.argv:
        raise
    for line in (f"{NAME}: {message}", *(f"  {note}" for note in notes)):
        click.echo(line, err=True)
    return BAD_INPUT


def _invoke_command() -> int:
    """Parse the arguments, run the command, and return its exit code."""
    completion = os.environ.get(_COMPLETION_VARIABLE)
    if completion:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, NAME, _COMPLETION_VARIABLE, completion)
    try:
        with cli.make_context(NAME, sys.argv[1:]) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit as end:  # how commands end with a code of their own
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _echo_own_warnings(default_handler: Callable[..., None]) -> Callable[..., None]:
    """Make a handler that prints this package's warnings in one line and passes others on."""

    def show_warning(
        message: Warning | str, category: type[Warning], file: str, *extra: Any
    ) -> None:
        if os.path.dirname(os.path.dirname(__file__)) in file:
            echo_note(f"{NAME}: {message}")
        else:
            default_handler(message, category, file, *extra)

    return show_warning
