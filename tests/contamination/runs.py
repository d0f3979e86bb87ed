"""Scans of files, as the command makes them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hansproof.contamination.checkpoint import path_of
from hansproof.contamination.found import Found, read
from hansproof.contamination.index import Index
from hansproof.contamination.job import Job
from hansproof.contamination.run import run
from hansproof.contamination.scanner import CHUNK
from hansproof.corpus import Source
from hansproof.corpus import found as sources
from hansproof.corpus.read import Reading


def job_of(
    made: Index, *names: str | Path | Source, chunk: int = CHUNK, stretch: int | None = None,
    reading: Reading | None = None,
) -> Job:  # fmt: skip
    """A scan of files; of sources as they were listed before."""
    listed = [
        source
        for name in names
        for source in ([name] if isinstance(name, Source) else sources([str(name)]))
    ]
    return Job.of(made, listed, reading or Reading(), chunk, stretch)


def scan(job: Job, output: Path, threads: int = 1) -> Found:
    """The result, which is also what was written, with nothing left beside it."""
    before = {*output.parent.iterdir()} - {Path(path_of(str(output)))}
    result = run(job, str(output), threads)
    assert read(str(output)) == result
    assert {*output.parent.iterdir()} <= before | {output}
    return result


def counts(result: Found) -> Counter[str]:
    """How often each N-gram was found."""
    return Counter({gram.text: gram.count for gram in result.grams})
