"""Loads a named benchmark from its files and compares it with the published version."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

from .._infra.join_names import join_names
from ..download import DataFile, find_file, is_downloaded
from ..errors import BadInput
from ..formats import ColumnMapping, read_files
from ..types import CHANGED_COPY, Benchmark, Card, Items, fingerprint


@dataclass(frozen=True, slots=True)
class PublishedSplit:
    """The file of a split, that of its labels if it has one, and the fingerprint of its items."""

    file: DataFile
    fingerprint: str
    labels: DataFile | None = None


def load_published(
    name: str,
    sources: dict[str, PublishedSplit],
    roles: dict[str, str],
    card: Card,
    folder: str | None,
) -> Benchmark:
    """Load a benchmark; warn if a copy of the user differs from the published version."""
    paths = {split: find_file(source.file, folder) for split, source in sources.items()}
    items = read_files(
        {
            split: (paths[split], ColumnMapping(labels=_find_labels(source, folder)))
            for split, source in sources.items()
        }
    )
    for split, source in sources.items():
        if source.file.sha256 is None:
            check_downloaded(paths[split], items.splits[split], source.fingerprint)
    benchmark = Benchmark(name, items.splits, roles, card, notes=items.notes)
    return mark_changes(benchmark, {split: sources[split].fingerprint for split in sources})


def mark_changes(benchmark: Benchmark, published: dict[str, str]) -> Benchmark:
    """Warn of splits that differ from the published ones, and say so in the title, too."""
    fingerprints = benchmark.sha256()
    changed = [split for split, sha256 in published.items() if fingerprints[split] != sha256]
    if not changed:
        return benchmark
    names = f"{benchmark.name}:{join_names(changed)}"
    verb, owner = ("differs", "its") if len(changed) == 1 else ("differ", "their")
    digests = ", ".join(fingerprints[split][:12] for split in changed)
    warnings.warn(
        f"{names} {verb} from the published version (sha256 {digests}); "
        f"{owner} figures are not comparable with published ones",
        stacklevel=2,
    )
    card = replace(benchmark.card, title=f"{benchmark.card.title} {CHANGED_COPY}")
    return replace(benchmark, card=card)


def _find_labels(source: PublishedSplit, folder: str | None) -> str | None:
    return None if source.labels is None else find_file(source.labels, folder)


def check_downloaded(path: str, items: Items, expected: str) -> None:
    """Raise if a downloaded file without a checksum does not contain the expected items."""
    if is_downloaded(path) and fingerprint(items) != expected:
        message = "not the items that were published; put your own copy into HANSPROOF_DATA"
        raise BadInput(path, message)
