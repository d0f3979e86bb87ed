"""Benchmarks by name, by path, or from the hub: one file per benchmark."""

from __future__ import annotations

import os
from typing import cast

from .. import plugins
from ..errors import BadInput, UnknownName
from ..formats import ColumnMapping, read_benchmark
from ..types import POOLED, Benchmark

__all__ = ["load", "take_split"]


def load(spec: str, mapping: ColumnMapping | None = None, folder: str | None = None) -> Benchmark:
    """`name`, a path or `hf:org/name`, each with an optional `:split`.

    A split may be an alias, several joined by `+`, or `pooled`: all that have answers. `folder`
    is where a benchmark known by name has its files, if not in the usual places.
    """
    source, split = _parse_spec(spec)
    benchmark = _load_source(source, mapping, folder)
    if split is None:
        return benchmark
    if split == POOLED and not benchmark.labelled_splits():
        raise BadInput(spec, "no split has answers")
    return take_split(benchmark, split)


def take_split(benchmark: Benchmark, split: str) -> Benchmark:
    """Only that part of a benchmark; a name it does not have is met with the nearest."""
    try:
        return benchmark.take_split(split)
    except KeyError as error:
        known_splits = (*benchmark.splits, *benchmark.aliases, POOLED)
        raise UnknownName("split", str(error.args[0]), known_splits) from None


def _parse_spec(spec: str) -> tuple[str, str | None]:
    """Source and split; a path that exists as it stands has no split."""
    start = len("hf:") if spec.startswith("hf:") else 0
    if os.path.exists(spec) or ":" not in spec[start:]:
        return spec, None
    source, _, split = spec.rpartition(":")
    return source, split


def _load_source(source: str, mapping: ColumnMapping | None, folder: str | None) -> Benchmark:
    known_names = plugins.names("benchmarks")
    if source.endswith(".py") or source.replace("-", "_") in known_names:
        if mapping not in (None, ColumnMapping()):
            raise BadInput(source, "is read as it is: flags that name columns are for files")
        return cast(Benchmark, plugins.load_module("benchmarks", source).load(folder))
    if folder is not None:
        raise BadInput(source, "a folder of data goes with a benchmark known by name")
    if source.startswith("hf:") or os.path.exists(source):
        return read_benchmark(source, mapping)
    if os.sep in source or os.path.splitext(source)[1]:
        raise BadInput(source, "no such file")
    raise UnknownName("benchmark", source, known_names)
