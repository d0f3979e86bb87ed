"""Load the audit to judge: a saved one, or a new one with the probes that limits need."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from .. import auditing, plugins
from .._infra.progress import step_bar
from ..benchmarks import load
from ..formats import ColumnMapping
from ..types import Audit, Benchmark, Probe
from .limits_file import Limits
from .outcomes import limited_probe


def find_saved(source: str) -> str | None:
    """Return the path of a saved audit: `source`, or `audit.json` in that folder."""
    paths = (path for path in (source, os.path.join(source, "audit.json")) if _is_audit(path))
    return next(paths, None)


def _is_audit(source: str) -> bool:
    """Tell whether a file is a saved audit; any other JSON file is a benchmark."""
    if not source.endswith(".json") or not os.path.isfile(source):
        return False
    try:
        document = msgspec.json.decode(Path(source).read_bytes(), type=dict[str, msgspec.Raw])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False  # reading it as a benchmark reports the error
    return "schema" in document and "results" in document


def load_or_run(
    source: Any, limits: Limits, mapping: ColumnMapping | None = None, folder: str | None = None
) -> Audit:
    """Load a saved audit, or audit a benchmark with the probes that the limits need.

    `source` is the path of an audit or its folder, a Benchmark, or anything that `load` takes.
    """
    if isinstance(source, str) and (path := find_saved(source)):
        return auditing.load_audit(path)
    benchmark = source if isinstance(source, Benchmark) else load(source, mapping, folder)
    probes = probes_for(limits)
    with step_bar(auditing.probe_costs(probes)) as progress:
        return auditing.run_audit(benchmark, probes, progress)


def probes_for(limits: Limits) -> dict[str, Probe]:
    """Return the probes to run: all of an audit if verdicts count, and those that limits name."""
    patterns = {limited_probe(limit.name) for limit in limits.limits}
    classes = {
        name: plugins.load_class("probes", name)
        for name in plugins.names("probes")
        if any(fnmatchcase(name, pattern) for pattern in patterns)
    }
    limited = {name: probe() for name, probe in classes.items() if not probe.needs}
    return limited if limits.worst_verdict is None else auditing.default_probes() | limited
