"""Benchmarks by name, by path, or from the hub: one file per benchmark."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import Any, cast

from .. import plugins
from ..download import is_url
from ..errors import BadInput, UnknownName
from ..formats import ColumnMapping, read_benchmark
from ..types import POOLED, Benchmark
from ._check_source import check_source

__all__ = ["load", "load_all", "take_split"]


def load(spec: Any, mapping: ColumnMapping | None = None, folder: str | None = None) -> Benchmark:
    """Load a benchmark by name, path, web address or `hf:org/name`, each with an optional `:split`.

    A split may be an alias, several splits joined by `+`, or `pooled`: all splits with answers.
    A path may be a file, a folder or a wildcard. `spec` may also be a list of paths, or the items
    themselves: a list of dicts, a DataFrame, or a `datasets.Dataset`; or a dict from split to a
    path or to items. `mapping` names columns that are not recognised. `folder` contains the files
    of a named benchmark, if they are not in the usual places.
    """
    spec = check_source(spec, mapping)
    if not isinstance(spec, str):
        return _load_objects(spec, mapping, folder)
    source, split = _parse_spec(spec)
    benchmark = _load_source(source, mapping, folder)
    if split is None:
        return benchmark
    if split == POOLED and not benchmark.labelled_splits():
        raise BadInput(spec, "no split has answers")
    return take_split(benchmark, split)


def _load_objects(spec: Any, mapping: ColumnMapping | None, folder: str | None) -> Benchmark:
    """Load several files as one benchmark, or items in memory."""
    if folder is not None:
        raise BadInput("--data", "applies only to a benchmark given by its name")
    for source in spec if isinstance(spec, list | tuple) else ():
        if not isinstance(source, str):
            break
        if _is_named(_parse_spec(source)[0]):
            message = (
                "several benchmarks are given: name files of one benchmark, or splits as "
                f"{_join_splits(spec)}"
            )
            raise BadInput(source, message)
        if not _is_file_source(source):
            raise BadInput(source, "no such file")
    return read_benchmark(spec, mapping)


def _join_splits(specs: Sequence[Any]) -> str:
    """Join `toy:a` and `toy:b` to `toy:a+b`; return an example if that is not possible."""
    pairs = [_parse_spec(spec) for spec in specs if isinstance(spec, str)]
    splits = [split for _, split in pairs if split]
    if len({name for name, _ in pairs}) == 1 and len(splits) == len(specs):
        return f"{pairs[0][0]}:{'+'.join(splits)}"
    return "toy:original+mirrored"


def load_all(
    specs: Sequence[str | list[str]],
    mapping: ColumnMapping | None = None,
    folder: str | None = None,
) -> list[Benchmark]:
    """Load several benchmarks: `mapping` is for the files among them, `folder` for the names.

    Raises BadInput if there is no benchmark that `mapping` or `folder` is for.
    """
    are_named = [isinstance(spec, str) and _is_named(_parse_spec(spec)[0]) for spec in specs]
    return [
        load(
            spec,
            None if is_named and not all(are_named) else mapping,
            folder if is_named or not any(are_named) else None,
        )
        for spec, is_named in zip(specs, are_named, strict=True)
    ]


def take_split(benchmark: Benchmark, split: str) -> Benchmark:
    """Return one split of a benchmark; the error for an unknown name suggests similar ones."""
    try:
        return benchmark.take_split(split)
    except KeyError as error:
        known_splits = (*benchmark.splits, *benchmark.aliases, POOLED)
        raise UnknownName("split", str(error.args[0]), known_splits) from None


def _parse_spec(spec: str) -> tuple[str, str | None]:
    """Divide a spec into source and split; a path that exists has no split."""
    start = len("hf:") if spec.startswith("hf:") else spec.rfind("/") if is_url(spec) else 0
    if os.path.exists(spec) or ":" not in spec[start:]:
        return spec, None
    source, _, split = spec.rpartition(":")
    return source, split


def _load_source(source: str, mapping: ColumnMapping | None, folder: str | None) -> Benchmark:
    if _is_named(source):
        if mapping not in (None, ColumnMapping()):
            raise BadInput(
                source, "has a fixed format: a mapping of columns applies only to files and tables"
            )
        return cast(Benchmark, plugins.load_module("benchmarks", source).load(folder))
    if folder is not None:
        raise BadInput(source, "a data folder applies only to a benchmark given by its name")
    if source.startswith("hf:") or _is_file_source(source):
        return read_benchmark(source, mapping)
    if os.sep in source or os.path.splitext(source)[1]:
        raise BadInput(source, "no such file")
    raise UnknownName("benchmark", source, plugins.names("benchmarks"))


def _is_file_source(source: str) -> bool:
    """Tell whether a source is a path that exists, a wildcard or an address on the web."""
    return is_url(source) or glob.has_magic(source) or os.path.exists(source)


def _is_named(source: str) -> bool:
    """Tell whether a source is code that loads a benchmark: by name, or a Python file."""
    return source.endswith(".py") or source.replace("-", "_") in plugins.names("benchmarks")
