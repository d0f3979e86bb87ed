"""The command line: one file per command, named like the command.

Commands are thin: they parse flags, call the library and print. Nothing heavier than click is
imported before a command runs; every command imports what it needs. Data goes to stdout, progress
and errors to stderr. Exit codes:

    0    success
    1    an audit with a failed probe, a gate that did not pass, a corpus that was read in part
    2    bad input, or no memory or no space left
    130  interrupted by Ctrl-C
    141  what reads stdout has ended, as in `hansproof list | head -1`
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in `typing`: before `main` runs, Ctrl-C cannot be handled
if TYPE_CHECKING:
    from typing import Any

    from ._commands import COMMANDS
    from ._main import CONTEXT_SETTINGS, cli

__all__ = ["COMMANDS", "CONTEXT_SETTINGS", "cli", "main"]

RESUMABLE = ("audit", "predict", "scan")  # commands that continue where they were interrupted


def main() -> None:
    """Run the command line; Ctrl-C ends it with one line, also while modules are imported."""
    default_hook, sys.unraisablehook = sys.unraisablehook, _repeat_interrupt
    try:
        from ._run_command import run_command

        run_command()
    except BaseException as error:
        if not _is_interrupt(error):
            raise
        _exit_interrupted()
    finally:
        sys.unraisablehook = default_hook


def _is_interrupt(error: BaseException | None) -> bool:
    """Tell whether an error is due to Ctrl-C, which an import may turn into another error."""
    while error is not None and not isinstance(error, KeyboardInterrupt | SystemExit):
        error = error.__cause__ or error.__context__
    return isinstance(error, KeyboardInterrupt)


def _repeat_interrupt(unraisable: Any) -> None:
    """Interrupt again where Python would ignore it: in a callback, for example of an import."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    import _thread
    import signal
    import time

    main_thread = _thread.get_ident()  # only there is a KeyboardInterrupt raised

    def interrupt_later() -> None:
        time.sleep(0.01)  # seconds: by then the callback has ended
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(main_thread, signal.SIGINT)  # also ends a sleep
        else:  # on Windows
            _thread.interrupt_main()

    _thread.start_new_thread(interrupt_later, ())


def _exit_interrupted() -> None:
    import signal
    from contextlib import suppress

    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C changes nothing
    command = next((arg for arg in sys.argv[1:] if not arg.startswith("-")), "")
    hint = "; run the same command again to continue" if command in RESUMABLE else ""
    if sys.stderr is not None:
        # a terminal shows ^C and stays on that line
        line_break = "\n" if sys.stderr.isatty() else ""
        with suppress(OSError):
            sys.stderr.write(f"{line_break}hansproof: interrupted{hint}\n")
    # `python -m` ends by a signal, whatever the exit code, if the interrupt passed through an
    # `exec`, such as that of a dataclass; the next `exec` clears that state
    exec("")  # noqa: S102
    sys.exit(130)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _commands

    return getattr(_commands, name)
