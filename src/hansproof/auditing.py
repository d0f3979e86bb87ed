"""Run probes on a benchmark, and save and load the results as `audit.json`."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import msgspec

from . import plugins
from ._infra import atomic_io
from ._infra.json_bytes import encode_json
from .audit_checkpoint import AuditCheckpoint
from .errors import BadInput, HansproofError, UnknownName
from .results import downgrade, is_at_floor, with_more_randomisations
from .sampling import sample_notes
from .stats import holm
from .text.tokenizers import AUTO, get_tokenizer
from .types import Audit, Benchmark, Failure, Item, Probe, Result, Subject, Verdict

ProbeInputs = Mapping[str, Sequence[Any]]  # predictions, accuracies, ratings, by name

MAX_EVIDENCE_ITEMS = 50  # items saved for each piece of evidence, which a report can quote

# how long probes take, compared with each other: measured on eight benchmarks
PROBE_COSTS = {
    "partial_input": 14.0, "shortcuts": 4.0, "cues": 3.0, "surface": 2.0, "class_balance": 0.6,
    "integrity": 0.2, "balance": 0.1, "parts": 25.0, "priority": 20.0, "transfer": 60.0,
    "robustness": 60.0, "sensitivity": 40.0,
}  # fmt: skip
OTHER_COST = 1.0  # of probes that only count answers

# packages whose versions can change a number
RECORDED_PACKAGES = ("numpy", "scipy", "numba", "nltk", "jieba", "sudachipy", "pythainlp")


def default_probes(inputs: Collection[str] = ()) -> dict[str, Probe]:
    """Build every probe that can run with these inputs besides the benchmark, with its defaults.

    Probes that run only on request are left out.
    """
    classes = {name: plugins.load_class("probes", name) for name in plugins.names("probes")}
    return {
        name: probe()
        for name, probe in classes.items()
        if (not probe.needs or any(need in inputs for need in probe.needs))
        and not getattr(probe, "on_request", False)
    }


def probe_costs(probes: Collection[str]) -> dict[str, float]:
    """Return how long each probe takes, compared with the others, for the time left."""
    return {name: PROBE_COSTS.get(name, OTHER_COST) for name in probes}


def set_tokenizer(probes: Mapping[str, Probe], name: str) -> dict[str, Probe]:
    """Return probes with a tokenizer, for those that have one to choose and choose it themselves.

    Raises UnknownName or MissingExtra if there is no such tokenizer.
    """
    if name == AUTO:
        return dict(probes)
    get_tokenizer(name, suggested=(AUTO,))
    return {
        key: replace(cast(Any, probe), tokenizer=name)
        if getattr(probe, "tokenizer", None) == AUTO
        else probe
        for key, probe in probes.items()
    }


def run_probe(probe: Probe, benchmark: Benchmark, inputs: ProbeInputs) -> Result:
    """Call a probe with those of the inputs that it takes."""
    needs = plugins.inputs_of(probe)
    return probe(benchmark, **{need: inputs[need] for need in needs if need in inputs})


def run_audit(
    benchmark: Benchmark,
    selected_probes: dict[str, Probe] | None = None,
    progress: Callable[[str], None] | None = None,
    inputs: ProbeInputs | None = None,
    tokenizer: str = AUTO,
    checkpoint: AuditCheckpoint | None = None,
) -> Audit:
    """Audit a benchmark: run the probes and correct their verdicts for each other.

    `selected_probes` are the probes to run, by name; by default all that can run. `inputs` maps
    names such as `predictions`, `accuracies` and `ratings` to what probes take besides the
    benchmark. `progress` is called with the name of each probe. `tokenizer` is set for all probes
    that have none of their own. With a `checkpoint`, results are saved as probes end, and those
    that it contains are not computed again. A probe that raises a HansproofError becomes a
    failure; other errors are not caught.
    """
    inputs = inputs or {}
    probes = default_probes(inputs) if selected_probes is None else selected_probes
    probes = set_tokenizer(probes, tokenizer)
    unadjusted: dict[str, Result] = {}
    failures: list[Failure] = []
    for name, probe in probes.items():
        if progress is not None:
            progress(name)
        try:
            unadjusted[name] = _run_or_resume(probe, benchmark, inputs, checkpoint)
        except HansproofError as error:
            subject: Subject = getattr(probe, "subject", "benchmark")
            failures.append(Failure(name, str(error), subject))
    for name, probe in _probes_at_floor(probes, unadjusted).items():
        unadjusted[name] = run_probe(probe, benchmark, inputs)
    notes = sample_notes(benchmark)
    results = [
        replace(result, notes=(*notes, *result.notes))
        for result in adjust_verdicts([*unadjusted.values()])
    ]
    return Audit(
        schema=Audit.SCHEMA,
        version=metadata.version("hansproof"),
        benchmark=benchmark.name,
        sha256=benchmark.sha256(),
        sizes={split: len(items) for split, items in benchmark.splits.items()},
        card=benchmark.card,
        results=tuple(results),
        failures=tuple(failures),
        environment=describe_environment(),
        items=_evidence_items(benchmark, results),
    )


def _run_or_resume(
    probe: Probe, benchmark: Benchmark, inputs: ProbeInputs, checkpoint: AuditCheckpoint | None
) -> Result:
    """Return the saved result of a probe, or run it and save its result."""
    if checkpoint is None:
        return run_probe(probe, benchmark, inputs)
    result = checkpoint.find_result(probe)
    if result is None:
        result = run_probe(probe, benchmark, inputs)
        checkpoint.add_result(probe, result)
    return result


def _probes_at_floor(
    probes: Mapping[str, Probe], results: Mapping[str, Result]
) -> dict[str, Probe]:
    """Return probes to run again with more randomisations, since their number decides.

    These have the smallest p that their randomisations can show, and the correction for the other
    probes would overrule it.
    """
    n_tests = sum(result.p is not None for result in results.values())
    adjusted = dict(zip(results, adjust_verdicts([*results.values()]), strict=True))
    repeated: dict[str, Probe] = {}
    for name, result in results.items():
        is_overruled = adjusted[name].verdict != result.verdict
        if result.p is None or not (is_overruled and is_at_floor(result)):
            continue
        stronger = with_more_randomisations(probes[name], result.p, n_tests)
        if stronger is not None:
            repeated[name] = stronger
    return repeated


def adjust_verdicts(results: Sequence[Result]) -> list[Result]:
    """Correct verdicts for the number of tests: many tests find something by chance alone.

    Applies Holm's correction to the results with a p-value; a verdict that does not survive
    becomes clear, or undecided if the probe had too few items to see an effect.
    """
    p_values = [result.p for result in results if result.p is not None]
    adjusted_p_values = iter(holm(p_values).tolist() if p_values else ())
    reason = (
        f"After correction for the {len(p_values)} tests of this audit, this is not significant."
    )
    return [
        result if result.p is None else downgrade(result, next(adjusted_p_values), reason)
        for result in results
    ]


def overall_verdict(audit: Audit) -> Verdict | None:
    """Return the verdict on the benchmark; None if no probe could judge it.

    The worst verdict counts; what is undecided may turn out worse than a caution.
    """
    verdicts = {result.verdict for result in audit.results if result.subject == "benchmark"}
    order: tuple[Verdict, ...] = ("exposed", "undecided", "caution", "clear")
    worst = next((verdict for verdict in order if verdict in verdicts), None)
    has_failed = any(failure.subject == "benchmark" for failure in audit.failures)
    return "undecided" if worst in ("clear", "caution") and has_failed else worst


def explain_missing(audit: Audit, probe: str) -> HansproofError:
    """Build the error about a probe of which an audit has no result: it says how to get one."""
    name = probe.replace("-", "_")
    for failure in audit.failures:
        if failure.probe in (probe, name):
            return BadInput(failure.probe, f"could not be run: {failure.error}")
    if name not in plugins.names("probes"):
        known_names = [result.probe for result in audit.results]
        return UnknownName("probe of this audit", probe, known_names)
    needs = plugins.load_class("probes", name).needs
    reason = f"it needs {' or '.join(needs)}" if needs else f"name it, as in probes=[{name!r}]"
    return BadInput(name, f"was not run: {reason}")


def _evidence_items(benchmark: Benchmark, results: Iterable[Result]) -> tuple[Item, ...]:
    """Return the items that a report may quote: the first ones of each piece of evidence."""
    evidence_ids = {
        id
        for result in results
        for ids in result.evidence.values()
        for id in ids[:MAX_EVIDENCE_ITEMS]
    }
    return tuple(i for items in benchmark.splits.values() for i in items if i.id in evidence_ids)


def describe_environment() -> dict[str, str]:
    """Return the versions of Python and of the packages that can change a number."""
    versions = {"python": platform.python_version(), "platform": platform.system()}
    for package in RECORDED_PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return versions


def save_audit(audit: Audit, path: str | os.PathLike[str]) -> None:
    """Save an audit as JSON."""
    atomic_io.write_file(os.fspath(path), encode_json(audit))


def load_audit(path: str | os.PathLike[str]) -> Audit:
    """Load a saved audit: a file, or the folder that contains `audit.json`.

    Raises BadInput if its schema is not the one of this version.
    """
    folder = path
    if os.path.isdir(folder):
        path = os.path.join(folder, "audit.json")
        if not os.path.exists(path):
            raise _not_an_audit(folder, "it contains no audit.json")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise _not_an_audit(path, str(error.strerror)) from None
    try:
        schema = msgspec.json.decode(content, type=_SchemaVersion).schema
        if schema != Audit.SCHEMA:
            is_newer = schema > Audit.SCHEMA
            age, remedy = ("newer", "upgrade it") if is_newer else ("older", "run the audit again")
            message = f"{schema} is {age} than this hansproof reads ({Audit.SCHEMA}): {remedy}"
            raise BadInput(path, message, field="schema")
        audit = msgspec.json.decode(content, type=Audit)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _not_an_audit(path, str(error)) from None
    for result in audit.results:
        for name, table in result.tables.items():
            if any(len(row) != len(table.columns) for row in table.rows):
                message = "a row has more or fewer cells than there are columns"
                raise BadInput(path, message, field=f"{result.probe}/{name}")
    return audit


def _not_an_audit(path: str | os.PathLike[str], reason: str) -> BadInput:
    hint = "give the folder that `hansproof audit -o` wrote"
    return BadInput(path, f"is not a saved audit ({reason}); {hint}")


class _SchemaVersion(msgspec.Struct):
    schema: int
