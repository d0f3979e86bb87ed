"""hansproof: is your benchmark Hans-proof?

    >>> import hansproof
    >>> benchmark = hansproof.load("toy:original")
    >>> audit = hansproof.audit(benchmark)
    >>> open("report.html", "w").write(hansproof.html(audit))

Names are imported when first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all the rest here
if TYPE_CHECKING:
    from typing import Any

    from . import logs
    from .auditing import run_audit as audit
    from .benchmarks import load
    from .errors import BadInput, HansproofError, MissingExtra, ModelError, UnknownName
    from .formats import ColumnMapping
    from .gates import gate
    from .report import render_html as html
    from .sweeps import predict
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

# module -> names that it defines
_HOMES = {
    "benchmarks": ("load",),
    "errors": ("BadInput", "HansproofError", "MissingExtra", "ModelError", "UnknownName"),
    "formats": ("ColumnMapping",),
    "gates": ("gate",),
    "sweeps": ("predict",),
    "types": (
        "Audit", "Benchmark", "Card", "Estimate", "Failure", "Item", "Predictions", "Probe",
        "Result", "Table", "fingerprint",
    ),
}  # fmt: skip

# public name -> module, and the name of the function there
_ALIASES = {"audit": ("auditing", "run_audit"), "html": ("report", "render_html")}

__all__ = [
    "Audit",
    "BadInput",
    "Benchmark",
    "Card",
    "ColumnMapping",
    "Estimate",
    "Failure",
    "HansproofError",
    "Item",
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
    "html",
    "load",
    "logs",
    "predict",
]


def __getattr__(name: str) -> Any:
    if name == "logs":
        return _import_module("logs")
    for home, names in _HOMES.items():
        if name in names:
            return _import_name(name, home, name)
    if name in _ALIASES:
        return _import_name(name, *_ALIASES[name])
    raise AttributeError(f"module 'hansproof' has no attribute {name!r}")


def _import_name(public_name: str, home: str, name: str) -> Any:
    value = getattr(_import_module(home), name)
    globals()[public_name] = value
    return value


def _import_module(name: str) -> Any:
    from importlib import import_module

    return import_module(f"hansproof.{name}")


def __dir__() -> list[str]:
    return __all__
