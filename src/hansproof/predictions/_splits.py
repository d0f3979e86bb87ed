"""Which split of a benchmark a file is about, and whether it is the same version."""

from __future__ import annotations

from ..benchmarks import take
from ..errors import BadInput, UnknownName
from ..types import Benchmark, Items, fingerprint


class Splits:
    """The splits of a benchmark with their fingerprints, worked out once for many files."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self._known = benchmark.sha256()

    def take(self, split: str) -> tuple[Items, str]:
        """The items of a part of the benchmark, and their fingerprint."""
        if split in self._known:
            return self.benchmark.splits[split], self._known[split]
        items = take(self.benchmark, split).splits[split]
        return items, fingerprint(items)

    def find(self, split: str, sha256: str, file: str) -> tuple[str, Items]:
        """The split a file was made for, which must be here in the same version."""
        for name, known in self._known.items():
            if known == sha256:
                return name, self.benchmark.splits[name]
        try:
            items, known = self.take(split)
        except UnknownName as error:
            raise BadInput(file, str(error), field="split") from None
        if known != sha256:
            what = (
                f"made for another version of {self.benchmark.name}:{split} "
                f"(sha256 {sha256[:12]}, here {known[:12]}): load that version, or predict again"
            )
            raise BadInput(file, what)
        return split, items
