"""Imports the module of every command, which adds the command to the group."""

from __future__ import annotations

from importlib import import_module

from ._main import CONTEXT_SETTINGS, cli

__all__ = ["COMMANDS", "CONTEXT_SETTINGS", "cli"]

COMMANDS = (
    "audit", "card", "compare", "convert", "count", "diff", "edit", "gate", "index", "levels",
    "list", "predict", "report", "reproduce", "run", "scan", "show", "validate", "vectors",
    "worksheet",
)  # fmt: skip

for _command in COMMANDS:
    import_module(f".{_command}", __package__)
