"""Run probes over a benchmark and keep what they found: the file `audit.json`."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from . import files, plugins
from .errors import BadInput, HansproofError
from .stats import holm
from .types import Audit, Benchmark, Failure, Item, Probe, Result

Given = Mapping[str, Sequence[Any]]  # predictions, accuracies, ratings: by the name of a need

LEVEL = 0.05  # of the verdicts of an audit, all taken together
SHOWN = 50  # items kept for each piece of evidence, so that a report can quote them

# packages whose versions can change a number
PACKAGES = ("numpy", "scipy", "numba", "nltk")


def probes(given: Collection[str] = ()) -> dict[str, Probe]:
    """Every probe that can look at what is given beside the benchmark, with its defaults.

    But for those that are asked by name only.
    """
    classes = {name: plugins.class_of("probes", name) for name in plugins.names("probes")}
    return {
        name: probe()
        for name, probe in classes.items()
        if (not probe.needs or any(need in given for need in probe.needs))
        and not getattr(probe, "on_request", False)
    }


def ask(probe: Probe, benchmark: Benchmark, given: Given) -> Result:
    """Call a probe with what it needs of what there is."""
    wanted = plugins.looks_at(probe)
    return probe(benchmark, **{need: given[need] for need in wanted if need in given})


def run(
    benchmark: Benchmark,
    chosen: dict[str, Probe] | None = None,
    progress: Callable[[str], None] = lambda name: None,
    given: Given | None = None,
) -> Audit:
    """Run the probes one by one; one that cannot run becomes a failure, bugs are not caught.

    `given` is what some probes need beside the benchmark: predictions, accuracies, ratings.
    """
    given = given or {}
    results: list[Result] = []
    failures: list[Failure] = []
    for name, probe in (probes(given) if chosen is None else chosen).items():
        progress(name)
        try:
            results.append(ask(probe, benchmark, given))
        except HansproofError as error:
            failures.append(Failure(name, str(error)))
    results = together(results)
    return Audit(
        schema=Audit.SCHEMA,
        version=metadata.version("hansproof"),
        benchmark=benchmark.name,
        sha256=benchmark.sha256(),
        sizes={split: len(items) for split, items in benchmark.splits.items()},
        card=benchmark.card,
        results=tuple(results),
        failures=tuple(failures),
        environment=_environment(),
        items=_quoted(benchmark, results),
    )


def together(results: Sequence[Result]) -> list[Result]:
    """The same, corrected for each other: many questions find something by chance alone.

    Holm's correction over the verdicts that rest on a test. One that does not stand it is clear.
    """
    tested = [result.p for result in results if result.p is not None]
    corrected = iter(holm(tested).tolist() if tested else ())
    return [
        result if result.p is None else _standing(result, next(corrected), len(tested))
        for result in results
    ]


def _standing(result: Result, q: float, questions: int) -> Result:
    if result.verdict == "clear" or q <= LEVEL:
        return replace(result, q=q)
    fallen = (
        f"{result.sentence} Yet among the {questions} questions of this audit that is not beyond "
        f"chance (q = {q:.2g})."
    )
    return replace(result, q=q, verdict="clear", sentence=fallen)


def _quoted(benchmark: Benchmark, results: Iterable[Result]) -> tuple[Item, ...]:
    """The items a report may quote, each once: the first few of every piece of evidence."""
    wanted = {id for result in results for ids in result.evidence.values() for id in ids[:SHOWN]}
    return tuple(i for items in benchmark.splits.values() for i in items if i.id in wanted)


def _environment() -> dict[str, str]:
    versions = {"python": platform.python_version(), "platform": platform.system()}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return versions


def write(audit: Audit, path: str | os.PathLike[str]) -> None:
    """Save an audit as JSON."""
    files.write(os.fspath(path), msgspec.json.encode(audit))


def read(path: str | os.PathLike[str]) -> Audit:
    """Read an audit; one of a newer schema than ours is refused."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(path, str(error.strerror)) from None
    try:
        schema = msgspec.json.decode(content, type=_Schema).schema
        if schema > Audit.SCHEMA:
            what = f"{schema} is newer than this hansproof reads ({Audit.SCHEMA}): upgrade it"
            raise BadInput(path, what, field="schema")
        found = msgspec.json.decode(content, type=Audit)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(path, f"not an audit: {error}") from None
    for result in found.results:
        for name, table in result.tables.items():
            if any(len(row) != len(table.columns) for row in table.rows):
                what = "a row has more or fewer cells than there are columns"
                raise BadInput(path, what, field=f"{result.probe}/{name}")
    return found


class _Schema(msgspec.Struct):
    schema: int
