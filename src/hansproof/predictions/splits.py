"""Finds the split of a benchmark that a file belongs to, in the same version."""

from __future__ import annotations

import glob
import os
import shlex

from ..benchmarks import take_split
from ..errors import BadInput, UnknownName
from ..types import Benchmark, Items, fingerprint


class BenchmarkSplits:
    """The splits of a benchmark with their fingerprints, computed once for many files."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self._fingerprints = benchmark.sha256()

    def load_split(self, split: str) -> tuple[Items, str]:
        """Return the items of a split and their fingerprint."""
        if split in self._fingerprints:
            return self.benchmark.splits[split], self._fingerprints[split]
        items = take_split(self.benchmark, split).splits[split]
        return items, fingerprint(items)

    def find_split(self, split: str, sha256: str, file: str, made_for: str) -> tuple[str, Items]:
        """Find the split that a file was made for; raise if its version differs.

        `made_for` is the name of its benchmark, which may have another name here.
        """
        for name, known_sha256 in self._fingerprints.items():
            if known_sha256 == sha256:
                return name, self.benchmark.splits[name]
        if made_for != self.benchmark.name:
            message = f"are predictions for {made_for}, not for {self.benchmark.name}"
            raise BadInput(file, message + _suggest_pattern(file, made_for, self.benchmark.name))
        try:
            items, known_sha256 = self.load_split(split)
        except UnknownName as error:
            raise BadInput(file, str(error), field="split") from None
        if known_sha256 != sha256:
            message = (
                f"made for another version of {self.benchmark.name}:{split} "
                f"(sha256 {sha256[:12]}, here {known_sha256[:12]}): "
                "load that version, or make the predictions again"
            )
            raise BadInput(file, message)
        return split, items


def _suggest_pattern(file: str, made_for: str, benchmark: str) -> str:
    """Suggest the files beside this one that are for the benchmark, if their names say so."""
    folder, name = os.path.split(file)
    suffix = os.path.splitext(name)[1]
    pattern = os.path.join(glob.escape(folder), f"{glob.escape(benchmark)}.*{suffix}")
    if not name.startswith(f"{made_for}.") or not glob.glob(pattern):
        return ""
    return f": give only those for {benchmark}: {shlex.quote(pattern)}"
