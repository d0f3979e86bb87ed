"""Benchmarks by name, by path, or from the hub: one file per benchmark."""

from __future__ import annotations

import os
from typing import cast

from .. import plugins
from ..errors import BadInput, UnknownName
from ..formats import Mapping, read_benchmark
from ..types import POOLED, Benchmark

__all__ = ["load", "take"]


def load(spec: str, mapping: Mapping | None = None, folder: str | None = None) -> Benchmark:
    """`name`, a path or `hf:org/name`, each with an optional `:split`.

    A split may be an alias, several joined by `+`, or `pooled`: all that have answers. `folder`
    is where a benchmark known by name has its files, if not in the usual places.
    """
    source, split = _parts(spec)
    benchmark = _whole(source, mapping, folder)
    if split is None:
        return benchmark
    if split == POOLED and not benchmark.labelled():
        raise BadInput(spec, "no split has answers")
    return take(benchmark, split)


def take(benchmark: Benchmark, split: str) -> Benchmark:
    """Only that part of a benchmark; a name it does not have is met with the nearest."""
    try:
        return benchmark.take(split)
    except KeyError as error:
        known = (*benchmark.splits, *benchmark.aliases, POOLED)
        raise UnknownName("split", str(error.args[0]), known) from None


def _parts(spec: str) -> tuple[str, str | None]:
    """Source and split; a path that exists as it stands has no split."""
    start = len("hf:") if spec.startswith("hf:") else 0
    if os.path.exists(spec) or ":" not in spec[start:]:
        return spec, None
    source, _, split = spec.rpartition(":")
    return source, split


def _whole(source: str, mapping: Mapping | None, folder: str | None) -> Benchmark:
    known = plugins.names("benchmarks")
    if source.endswith(".py") or source.replace("-", "_") in known:
        if mapping not in (None, Mapping()):
            raise BadInput(source, "is read as it is: flags that name columns are for files")
        return cast(Benchmark, plugins.module("benchmarks", source).load(folder))
    if folder is not None:
        raise BadInput(source, "a folder of data goes with a benchmark known by name")
    if source.startswith("hf:") or os.path.exists(source):
        return read_benchmark(source, mapping)
    if os.sep in source or os.path.splitext(source)[1]:
        raise BadInput(source, "no such file")
    raise UnknownName("benchmark", source, known)
