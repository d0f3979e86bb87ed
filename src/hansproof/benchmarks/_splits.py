"""Loads a named benchmark from its files and compares it with the published version."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from .._infra.hashing import file_sha256
from .._infra.join_names import join_names
from ..download import Archive, DataFile, find_file, is_downloaded
from ..errors import BadInput
from ..formats import ColumnMapping, read_files
from ..types import CHANGED_COPY, UNCONFIRMED_COPY, Benchmark, Card, Items, fingerprint


@dataclass(frozen=True, slots=True)
class PublishedSplit:
    """The file of a split, that of its labels if it has one, and the fingerprint of its items.

    Without a fingerprint, only a file with the published bytes is known to be as published.
    """

    file: DataFile
    fingerprint: str | None
    labels: DataFile | None = None
    mapping: ColumnMapping = field(default_factory=ColumnMapping)


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
            split: (paths[split], replace(source.mapping, labels=_find_labels(source, folder)))
            for split, source in sources.items()
        }
    )
    published = {split: s.fingerprint for split, s in sources.items() if s.fingerprint is not None}
    for split, expected in published.items():
        if sources[split].file.sha256 is None:
            check_downloaded(paths[split], items.splits[split], expected)
    unconfirmed = [
        split
        for split, source in sources.items()
        if split not in published and not _has_published_bytes(paths[split], source.file)
    ]
    benchmark = Benchmark(name, items.splits, roles, card, notes=items.notes)
    return mark_unconfirmed(mark_changes(benchmark, published), unconfirmed)


def mark_changes(benchmark: Benchmark, published: dict[str, str]) -> Benchmark:
    """Warn about splits that differ from the published ones, also in the title."""
    fingerprints = benchmark.sha256()
    changed = [split for split, sha256 in published.items() if fingerprints[split] != sha256]
    if not changed:
        return benchmark
    verb, owner = ("differs", "its") if len(changed) == 1 else ("differ", "their")
    digests = ", ".join(fingerprints[split][:12] for split in changed)
    message = (
        f"{verb} from the published version (sha256 {digests}); "
        f"{owner} figures are not comparable with published ones"
    )
    return _mark_copy(benchmark, changed, message, CHANGED_COPY)


def mark_unconfirmed(benchmark: Benchmark, splits: Sequence[str]) -> Benchmark:
    """Warn about splits that may differ from the published ones, also in the title.

    They are splits of which only the bytes of the published file are known, not its items.
    """
    if not splits or benchmark.card.title.endswith(CHANGED_COPY):  # which says more
        return benchmark
    owner = "its file does" if len(splits) == 1 else "their files do"
    message = (
        f"may differ from the published version: {owner} not have the published bytes, "
        "and no fingerprint of the published items is known"
    )
    return _mark_copy(benchmark, splits, message, UNCONFIRMED_COPY)


def keep_meta(benchmark: Benchmark, names: Collection[str]) -> Benchmark:
    """Keep only these properties of items; other columns repeat texts or give answers away."""
    splits = {
        split: tuple(
            replace(item, meta={name: item.meta[name] for name in names if name in item.meta})
            for item in items
        )
        for split, items in benchmark.splits.items()
    }
    return replace(benchmark, splits=splits)


def check_downloaded(path: str, items: Items, expected: str) -> None:
    """Raise if a downloaded file without a checksum does not contain the expected items."""
    if is_downloaded(path) and fingerprint(items) != expected:
        message = (
            "the download does not contain the published items; put your own copy into "
            "HANSPROOF_DATA"
        )
        raise BadInput(path, message)


def _has_published_bytes(path: str, file: DataFile) -> bool:
    """Tell whether a file has the published bytes, or comes from the archive that has them."""
    if isinstance(file.origin, Archive) and file.origin.sha256 and is_downloaded(path):
        return True  # the archive was checked
    return file_sha256((path,)) == file.sha256


def _find_labels(source: PublishedSplit, folder: str | None) -> str | None:
    return None if source.labels is None else find_file(source.labels, folder)


def _mark_copy(benchmark: Benchmark, splits: Sequence[str], message: str, mark: str) -> Benchmark:
    warnings.warn(f"{benchmark.name}:{join_names(splits)} {message}", stacklevel=3)
    return replace(benchmark, card=replace(benchmark.card, title=f"{benchmark.card.title} {mark}"))
