"""hansproof: is your benchmark Hans-proof?

    >>> import hansproof
    >>> benchmark = hansproof.load("stable:original")
    >>> audit = hansproof.auditing.run(benchmark)
    >>> open("report.html", "w").write(hansproof.html(audit))

Names are imported when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import auditing, gates, logs
    from .benchmarks import load
    from .errors import BadInput, HansproofError, MissingExtra, ModelError, UnknownName
    from .formats import ColumnMapping
    from .report import render_html
    from .types import (
        Audit,
        Benchmark,
        Card,
        Estimate,
        Failure,
        Item,
        Predictions,
        Probe,
        Result,
        Table,
        fingerprint,
    )

_HOMES = {
    "benchmarks": ("load",),
    "errors": ("BadInput", "HansproofError", "MissingExtra", "ModelError", "UnknownName"),
    "formats": ("Mapping",),
    "report": ("html",),
    "types": (
        "Audit", "Benchmark", "Card", "Estimate", "Failure", "Item", "Predictions", "Probe",
        "Result", "Table", "fingerprint",
    ),
}  # fmt: skip

__all__ = [
    "Audit",
    "BadInput",
    "Benchmark",
    "Card",
    "Estimate",
    "Failure",
    "HansproofError",
    "Item",
    "ColumnMapping",
    "MissingExtra",
    "ModelError",
    "Predictions",
    "Probe",
    "Result",
    "Table",
    "UnknownName",
    "audit",
    "fingerprint",
    "gate",
    "render_html",
    "load",
    "logs",
]


def __getattr__(name: str) -> Any:
    if name in ("audit", "gate", "logs"):
        return importlib.import_module(f"hansproof.{name}")
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(importlib.import_module(f"hansproof.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'hansproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
