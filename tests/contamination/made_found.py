"""What a scan of a made-up text finds of a benchmark."""

from __future__ import annotations

from hansproof.contamination.building import build
from hansproof.contamination.found import Found, found
from hansproof.contamination.job import Job
from hansproof.contamination.scanner import Finder, Scanner
from hansproof.corpus import Source
from hansproof.corpus.read import Part, Reading
from hansproof.types import Benchmark


def scan_of(
    benchmark: Benchmark, *documents: str, n: int | None = None, near: bool = True,
    also: tuple[Benchmark, ...] = (),
) -> Found:  # fmt: skip
    """The result of a scan of some documents for all items."""
    index = build([benchmark, *also], "word", n, near)
    source = Source("made.jsonl", "jsonl", size=sum(len(text.encode()) for text in documents))
    job = Job(index, (source,), Reading(), parts=(Part(0),))
    scanner = Scanner(Finder(index))
    for number, text in enumerate(documents, start=1):
        scanner.start(number)
        scanner.feed(text.encode())
        scanner.end()
    return found(job, scanner.finish(), [len(documents)])


def some_of(benchmark: Benchmark) -> Found:
    """A text in which every third item stands with its answer, and some questions do."""
    documents = []
    for items in benchmark.splits.values():
        for at, item in enumerate(items):
            words = [*item.fields.values(), item.choices[item.answer or 0] if at % 3 == 0 else ""]
            documents.append(" ".join(words) if at % 3 < 2 else "nothing to be seen here")
    return scan_of(benchmark, *documents, n=3)
