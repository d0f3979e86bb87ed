"""What a scan of a made-up text finds of a benchmark."""

from __future__ import annotations

from hansproof.contamination.build_index import build_index
from hansproof.contamination.result import ScanResult, build_result
from hansproof.contamination.scan import ScanPlan
from hansproof.contamination.scanner.compiled import CompiledIndex, CompiledScanner
from hansproof.corpus import CorpusSource
from hansproof.corpus.shards import CorpusReader, Shard
from hansproof.types import Benchmark


def scan_of(
    benchmark: Benchmark, *documents: str, n: int | None = None, near: bool = True,
    also: tuple[Benchmark, ...] = (),
) -> ScanResult:  # fmt: skip
    """The result of a scan of some documents for all items."""
    index = build_index([benchmark, *also], "word", n, near)
    source = CorpusSource("made.jsonl", "jsonl", size=sum(len(text.encode()) for text in documents))
    job = ScanPlan(index, (source,), CorpusReader(), shards=(Shard(0),))
    scanner = CompiledScanner(CompiledIndex(index))
    for number, text in enumerate(documents, start=1):
        scanner.start_document(number)
        scanner.feed(text.encode())
        scanner.end_document()
    return build_result(job, scanner.finish(), [len(documents)])


def some_of(benchmark: Benchmark) -> ScanResult:
    """A text in which every third item stands with its answer, and some questions do."""
    documents = []
    for items in benchmark.splits.values():
        for at, item in enumerate(items):
            words = [*item.fields.values(), item.choices[item.answer or 0] if at % 3 == 0 else ""]
            documents.append(" ".join(words) if at % 3 < 2 else "nothing to be seen here")
    return scan_of(benchmark, *documents, n=3)
