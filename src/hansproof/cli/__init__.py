"""The command line: one file per command, named like the command.

Commands are thin: they parse flags, call the library and print. Importing this package imports
nothing heavier than click; every command imports what it needs when it runs. Data goes to stdout,
progress and errors to stderr. Exit codes: 0 success, 1 an audit with a failed probe or a gate that
did not pass, 2 bad input.
"""

from __future__ import annotations

from importlib import import_module

from ._main import CONTEXT_SETTINGS, cli, main

__all__ = ["COMMANDS", "CONTEXT_SETTINGS", "cli", "main"]

COMMANDS = (
    "audit", "card", "compare", "convert", "count", "diff", "edit", "gate", "index", "levels",
    "list", "predict", "report", "reproduce", "run", "scan", "show", "validate", "vectors",
    "worksheet",
)  # fmt: skip

for _command in COMMANDS:  # every module adds its command to `cli`
    import_module(f".{_command}", __package__)
