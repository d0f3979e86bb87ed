"""Load the audit to judge: a saved one, or a new one with the probes that limits need."""

from __future__ import annotations

import glob
import os
from fnmatch import fnmatchcase
from typing import Any

from .. import auditing, plugins
from .._infra.progress import step_bar
from ..benchmarks import load
from ..errors import BadInput, HansproofError, UnknownName
from ..formats import ColumnMapping
from ..inputs.check_benchmark import check_benchmark
from ..records.saved_audit import find_audit_file, find_saved_audit
from ..types import Audit, Benchmark, Probe
from .limits_file import Limits
from .outcomes import limited_probe


def load_or_run(
    source: Any, limits: Limits, mapping: ColumnMapping | None = None, folder: str | None = None
) -> Audit:
    """Load a saved audit, or audit a benchmark with the probes that the limits need.

    `source` is the path of an audit or its folder, a Benchmark, or anything that `load` takes.
    """
    if isinstance(source, str | os.PathLike) and (path := find_saved_audit(os.fspath(source))):
        return auditing.load_audit(path)
    if isinstance(source, str) and (path := find_audit_file(source)):
        return auditing.load_audit(path)  # which says why it is none
    if isinstance(source, Benchmark):
        benchmark = check_benchmark(source)
    else:
        benchmark = _load(source, mapping, folder)
    probes = probes_for(limits)
    with step_bar(auditing.probe_costs(probes)) as progress:
        return auditing.run_audit(benchmark, probes, progress)


def _load(source: Any, mapping: ColumnMapping | None, folder: str | None) -> Benchmark:
    """Load a benchmark; where nothing has this name, say that an audit was looked for, too."""
    is_path = isinstance(source, str) and ":" not in source
    try:
        return load(source, mapping, folder)
    except HansproofError as error:
        if not is_path or not _is_missing(source):
            raise
        hint = f"; {str(error).partition('; ')[2]}" if isinstance(error, UnknownName) else ""
        raise BadInput(source, f"neither a saved audit nor a benchmark{hint}") from None


def _is_missing(source: str) -> bool:
    """Tell whether a name, or a folder, does not exist; of a file, `no such file` says enough."""
    is_known = source.replace("-", "_") in plugins.names("benchmarks")
    is_pattern, is_file = glob.has_magic(source), bool(os.path.splitext(source)[1])
    return not (is_known or is_pattern or is_file or os.path.exists(source))


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
