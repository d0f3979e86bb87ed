"""hansproof: is your benchmark Hans-proof?

    >>> import hansproof
    >>> audit = hansproof.audit("toy:original")
    >>> audit["cues"].verdict
    'exposed'
    >>> table = audit["cues"].tables["cues"].to_pandas()
    >>> chart = audit["cues"].chart()
    >>> audit.save("audit")  # audit.json and report.html

Names are imported when first used.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all the rest here
if TYPE_CHECKING:
    from typing import Any

    from . import logs

    __version__: str
    from .api import audit, compare, load, predict, run
    from .errors import BadInput, HansproofError, MissingExtra, ModelError, UnknownName
    from .formats import ColumnMapping
    from .gates import GateResult, gate
    from .report import render_html as html
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
    "api": ("audit", "compare", "load", "predict", "run"),
    "errors": ("BadInput", "HansproofError", "MissingExtra", "ModelError", "UnknownName"),
    "formats": ("ColumnMapping",),
    "gates": ("GateResult", "gate"),
    "types": (
        "Audit", "Benchmark", "Card", "Estimate", "Failure", "Item", "Predictions", "Probe",
        "Result", "Table", "fingerprint",
    ),
}  # fmt: skip

# public name -> module, and the name of the function there
_ALIASES = {"html": ("report", "render_html")}

__all__ = [
    "Audit",
    "BadInput",
    "Benchmark",
    "Card",
    "ColumnMapping",
    "Estimate",
    "Failure",
    "GateResult",
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
    "compare",
    "fingerprint",
    "gate",
    "html",
    "load",
    "logs",
    "predict",
    "run",
]


def __getattr__(name: str) -> Any:
    if name in ("logs", "plugins"):
        return _import_module(name)
    if name == "__version__":
        from importlib.metadata import version

        return version("hansproof")
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
    return [*__all__, "__version__"]
