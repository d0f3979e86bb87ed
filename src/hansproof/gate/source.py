"""The audit that is to be judged: a saved one, or one made here with no more than is asked for."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from .. import audit as auditing
from .. import plugins
from ..benchmarks import load
from ..formats import Mapping
from ..progress import steps
from ..types import Audit, Probe
from .limits import Limits
from .measures import MEASURES


def saved(source: str) -> str | None:
    """The file of a saved audit, or the one in a folder that `hansproof audit` wrote."""
    found = (path for path in (source, os.path.join(source, "audit.json")) if _is_audit(path))
    return next(found, None)


def _is_audit(source: str) -> bool:
    """Whether this is a saved audit; any other JSON file is a benchmark."""
    if not source.endswith(".json") or not os.path.isfile(source):
        return False
    try:
        top = msgspec.json.decode(Path(source).read_bytes(), type=dict[str, msgspec.Raw])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False  # whoever reads it as a benchmark says what is wrong
    return "schema" in top and "results" in top


def audited(
    source: str, limits: Limits, mapping: Mapping | None = None, folder: str | None = None
) -> Audit:
    """A saved audit as it is; a benchmark is audited by the probes that the limits need."""
    if path := saved(source):
        return auditing.read(path)
    benchmark, chosen = load(source, mapping, folder), needed(limits)
    with steps(len(chosen)) as progress:
        return auditing.run(benchmark, chosen, progress)


def needed(limits: Limits) -> dict[str, Probe]:
    """The probes behind limits, as far as they need nothing but the benchmark."""
    patterns = {
        MEASURES[limit.name].probe if limit.name in MEASURES else limit.name.partition("/")[0]
        for limit in limits.limits
    }
    classes = {
        name: plugins.class_of("probes", name)
        for name in plugins.names("probes")
        if any(fnmatchcase(name, pattern) for pattern in patterns)
    }
    return {name: probe() for name, probe in classes.items() if not probe.needs}
