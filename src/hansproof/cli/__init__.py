"""The command line: thin commands over the library, a file for each kind of errand.

Nothing heavier than click is imported before a command needs it. Data goes to stdout, progress and
errors to stderr. Exit codes: 0 done, 1 an audit in which a probe failed or a gate that was not
passed, 2 bad input.
"""

from __future__ import annotations

from . import (  # each adds its commands
    audit,
    convert,
    count,
    edit,
    gate,
    list,
    predict,
    report,
    reproduce,
    scan,
    vectors,
    worksheet,
)
from ._main import CONTEXT_SETTINGS, cli, main

__all__ = [
    "CONTEXT_SETTINGS",
    "answers",
    "asking",
    "changing",
    "cli",
    "contaminating",
    "counting",
    "gating",
    "looking",
    "main",
    "predicting",
    "reproducing",
    "saved",
    "sheets",
    "vectors",
]
