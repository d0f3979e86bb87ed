"""The functions of `hansproof`: load, audit, run, predict, compare.

Every function takes a benchmark as anything that `load` takes. Inputs besides the benchmark, such
as `predictions`, are given as on the command line, by path or wildcard, or as objects.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from . import benchmarks
from ._infra.flag_names import keywords_in_errors, name_keywords
from ._infra.validation import check_range
from ._infra.value_types import convert_value
from .errors import BadInput
from .formats import ColumnMapping
from .inputs.check_benchmark import check_benchmark
from .types import FULL, Audit, Benchmark, Predictions, Probe, Result

Protocol = Literal["train-test", "cv"]
SEVERAL_SPLITS = "has several splits to score ({}): name one with `split`"


def load(
    source: Any, mapping: ColumnMapping | None = None, folder: str | os.PathLike[str] | None = None
) -> Benchmark:
    """Load a benchmark.

    Args:
        source: A name (`copa`; `hansproof list benchmarks` or
            `hansproof.plugins.names("benchmarks")` list them), a path, a wildcard, an `https://`
            address or `hf:org/name`, each with an optional `:split`; a list of paths; the items
            themselves: a list of dicts, a DataFrame, a `datasets.Dataset`; or a dict with a path or
            one of these for each split. A split may be an alias, several splits joined by `+`, or
            `pooled`: all splits that have answers. A Benchmark is checked and returned.
        mapping: Names columns that are not recognised.
        folder: The folder with the files of a named benchmark, if they are not in the usual places.

    Raises:
        UnknownName: There is no such benchmark or split.
        BadInput: A file, a record or another object cannot be read as items.

    Examples:
        >>> import hansproof
        >>> hansproof.load("toy:original").name
        'toy'
        >>> records = [{"question": "2 + 2?", "choices": ["3", "4"], "answer": "4"}]
        >>> benchmark = hansproof.load(records)
        >>> benchmark.splits["all"][0].answer
        1
    """
    with keywords_in_errors():
        if isinstance(source, Benchmark) and mapping is None and folder is None:
            return check_benchmark(source)
        return benchmarks.load(source, mapping, convert_value("data", folder, str | None))


def audit(
    benchmark: Any,
    *,
    probes: str | Probe | Iterable[str | Probe] | None = None,
    extra_probes: str | Probe | Iterable[str | Probe] = (),
    by: str | None = None,
    tokenizer: str = "auto",
    predictions: Any = None,
    accuracies: Any = None,
    ratings: Any = None,
    trained: Any = None,
    against: Any = None,
    scans: Any = None,
    reference: Any = None,
    others: Any = None,
    lm: Any = None,
    encoder: Any = None,
    blind: Any = None,
    progress: Callable[[str], None] | None = None,
) -> Audit:
    """Audit a benchmark: run the probes and correct their verdicts for each other.

    Inputs are paths, wildcards, objects that were loaded before, or lists of these.

    Args:
        benchmark: A Benchmark, or anything that `load` takes.
        probes: Run only these probes: names such as `"cues"` (`hansproof list probes` or
            `hansproof.plugins.names("probes")` list them), names with settings such as
            `"cues:ngram=1"`, Python files, or probe objects. By default, every probe runs that has
            what it needs, except those that run on request.
        extra_probes: Run these as well, as `--probe` does in the shell: probes that run on request,
            probes of your own, or other settings for a probe that runs by default.
        by: Also compare parts of the benchmark: a column of the items, `file` or `folder`.
        tokenizer: What counts as a word, for all probes that look at words; `"auto"` chooses by the
            script of the items.
        predictions: What models said: files of predictions or logs of other tools, `NAME=FILES`,
            `NAME@VIEW=FILES`, or Predictions.
        accuracies: Tables of accuracy by seed.
        ratings: What people said: tables of item, rater and choice.
        trained: Models to look into: `saved:FOLDER`, or a model that is trained first (`bow`).
        against: Models to compare these with.
        scans: What was found in a corpus: result files of `hansproof scan`.
        reference: What was found, with the same index, in text that cannot contain the items.
        others: Other benchmarks, each a Benchmark, a name or a path.
        lm: Causal language models, for how likely each choice is without its question: `lm:FOLDER`,
            a folder, a hub id, or a file with the likelihoods. Likelihoods are kept in the cache;
            by default, every cached model that covers all choices is used. `"none"` uses none.
        encoder: Sentence encoders, for the vector of each choice: a folder or a hub id. By default,
            every cached encoder that covers all choices is used. `"none"` uses none.
        blind: Models to run on the choices alone, for the probes partial_input and shortcuts: those
            that learn (`"hf:FOLDER"`, `"bow"`) are cross-validated on all items with answers,
            others (`"lm:FOLDER"`) score them as they are; or Predictions with the view `choices`.
        progress: Called with the name of each probe before it runs; None: nothing is called.

    Raises:
        HansproofError: The benchmark, a probe or an input cannot be loaded. A probe that fails
            while it runs does not raise: it is listed in `Audit.failures`.

    Examples:
        >>> import hansproof
        >>> audit = hansproof.audit("toy:original", probes=["integrity", "cues:ngram=1"])
        >>> {result.probe: result.verdict for result in audit.results}
        {'integrity': 'clear', 'cues': 'exposed'}
    """
    from . import auditing
    from .inputs.load import given_names
    from .probe_selection import add_blind_note, build_probes, check_probes, list_probes

    arguments = {
        "predictions": predictions, "accuracies": accuracies, "ratings": ratings,
        "trained": trained, "against": against, "scans": scans, "reference": reference,
        "others": others, "lm": lm, "encoder": encoder, "blind": blind,
    }  # fmt: skip
    with keywords_in_errors():
        by = convert_value("by", by, str | None)
        tokenizer = convert_value("tokenizer", tokenizer, str)
        only = None if probes is None else build_probes(list_probes(probes), argument="--probes")
        added_probes = build_probes(list_probes(extra_probes), by, argument="--extra-probes")
        loaded, names = load(benchmark), given_names(arguments)
        selected = (auditing.default_probes(names) if only is None else only) | added_probes
        check_probes(selected, loaded, names)
        inputs = _load_inputs(loaded, arguments, selected.values())
        audit = auditing.run_audit(loaded, selected, progress, inputs, tokenizer)
    return _name_keywords_in_failures(add_blind_note(audit, inputs))


def _load_inputs(
    benchmark: Benchmark, arguments: dict[str, Any], probes: Iterable[Any]
) -> dict[str, Sequence[Any]]:
    """Load the inputs that are given, and find others in the cache that the probes use."""
    from .inputs.load import find_cached_inputs, load_inputs

    inputs = load_inputs(benchmark, arguments)
    return inputs | find_cached_inputs(benchmark, probes, inputs)


def _name_keywords_in_failures(audit: Audit) -> Audit:
    """Let the errors of probes name arguments of Python, not options of the command line."""
    failures = (replace(f, error=name_keywords(f.error)) for f in audit.failures)
    return replace(audit, failures=tuple(failures))


def run(probe: str | Probe, benchmark: Any, **settings: Any) -> Result:
    """Run one probe on a benchmark.

    Args:
        probe: A name (see `hansproof.plugins.names("probes")`), a name with settings
            (`"cues:ngram=1"`), a Python file, or a probe object.
        benchmark: A Benchmark, or anything that `load` takes.
        settings: Settings of the probe, such as `ngram=1`, and its inputs, such as `predictions`:
            a path, a wildcard, an object that was loaded before, or a list of these. A setting of
            several names, such as `views` of `partial_input`, is a list of names, or a text with
            commas. `lm` and `encoder` have the same default as in `audit`.

    Raises:
        UnknownName: There is no such probe, or the probe has no such setting or input.
        BadInput: A setting has another type, or is out of range.

    Examples:
        >>> import hansproof
        >>> result = hansproof.run("cues", "toy:original", ngram=1)
        >>> result.params["ngram"], result.verdict
        (1, 'exposed')
    """
    from .auditing import run_probe
    from .probe_selection import check_order, check_probe, configure_probe, input_names

    with keywords_in_errors():
        check_order(probe, benchmark)
        check_probe(probe, "`probe`")
        values = {**settings}
        arguments = {name: values.pop(name, None) for name in input_names(probe)}
        configured = configure_probe(probe, values)
        loaded = load(benchmark)
        return run_probe(configured, loaded, _load_inputs(loaded, arguments, [configured]))


def predict(
    benchmark: Any,
    model: str,
    view: str = FULL,
    *,
    seed: int = 0,
    split: str | None = None,
    protocol: Protocol | None = None,
    folds: int = 5,
    store: str | os.PathLike[str] | None = None,
) -> Predictions:
    """Train a model if it learns, or ask it, and return its scores for every item of a split.

    Args:
        benchmark: A Benchmark, or anything that `load` takes.
        model: A name (see `hansproof.plugins.names("models")`), a name with settings
            (`"bow:ngram=1"`), or a Python file.
        view: What the model may see: `"full"`, `"choices"`, or fields and `choices` joined by `+`.
        seed: The seed of training and folds.
        split: The split to score; by default the test split, or the only one that has answers.
        protocol: Train on another split (`"train-test"`), or on folds of the scored one (`"cv"`).
            By default `"train-test"` if the benchmark has a training split.
        folds: The number of folds, with `"cv"`.
        store: A folder in which the run is kept, as by `hansproof predict --store`: it is not
            repeated, and a model behind a server is asked nothing twice. By default nothing is
            kept.

    Raises:
        UnknownName: There is no such model, view or split.
        BadInput: The benchmark has several splits to score, or none.

    Examples:
        >>> import hansproof
        >>> run = hansproof.predict("toy:original", "bow", "choices")
        >>> run.view, run.protocol, run.split
        ('choices', 'cv', 'original')
    """
    from . import sweeps

    with keywords_in_errors():
        _check_run_arguments(model, view, seed, split, protocol, folds)
        loaded = load(benchmark)
        runs = sweeps.plan_runs(loaded, [model], [view], [seed], protocol, split, folds)
        if len(runs) > 1:
            splits = ", ".join(run_spec.split for run_spec in runs)
            raise BadInput(loaded.name, SEVERAL_SPLITS.format(splits))
        if not store:
            return sweeps.predict(loaded, runs[0])
        folder = os.fspath(store) if isinstance(store, os.PathLike) else store
        (predictions,) = sweeps.run_sweep(loaded, runs, convert_value("store", folder, str))
        return predictions


def _check_run_arguments(
    model: Any, view: Any, seed: Any, split: Any, protocol: Any, folds: Any
) -> None:
    """Check the types of the arguments of `predict`."""
    convert_value("model", model, str)
    convert_value("view", view, str)
    check_range("seed", convert_value("seed", seed, int), 0)
    convert_value("split", split, str | None)
    convert_value("protocol", protocol, Protocol | None)
    convert_value("folds", folds, int)


def compare(
    a: Any, b: Any, benchmark: Any = None, *, seeds: Literal["mean", "pooled"] = "mean"
) -> Result:
    """Compare two systems item by item, on the items that both answered.

    Args:
        a: The runs of a system: a path, a wildcard, `NAME=FILES`, Predictions, or a list of these.
        b: The runs of the other system.
        benchmark: A Benchmark, or anything that `load` takes. It may be left out if `a` names a
            benchmark that hansproof knows.
        seeds: Count an item once by its mean over the runs of a system (`"mean"`), or once for
            each run (`"pooled"`).

    Raises:
        BadInput: `a` or `b` has runs of several systems, or they share no split.

    Examples:
        >>> import hansproof
        >>> toy = hansproof.load("toy:original")
        >>> a, b = hansproof.predict(toy, "bow"), hansproof.predict(toy, "longest")
        >>> hansproof.compare(a, b, toy).estimates[0].name
        'original: bow minus longest'
    """
    from .inputs.benchmark_name import find_benchmark_name
    from .inputs.load import as_list, load_inputs
    from .probes.compare import compare_runs

    with keywords_in_errors():
        convert_value("seeds", seeds, Literal["mean", "pooled"])
        sides = {"a": as_list(a), "b": as_list(b)}
        for name, side in sides.items():
            if not side:
                raise BadInput(name, "is empty, must be predictions")
        loaded = load(find_benchmark_name(sides["a"][0]) if benchmark is None else benchmark)
        runs_a, runs_b = (
            load_inputs(loaded, {"predictions": side})["predictions"] for side in sides.values()
        )
        label_a, label_b = (str(s[0]) if _is_path(s[0]) else n for n, s in sides.items())
        return compare_runs(loaded, (runs_a, runs_b), (label_a, label_b), seeds)


def _is_path(value: object) -> bool:
    return isinstance(value, str | os.PathLike)
