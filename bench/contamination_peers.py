"""Measure how fast two peers find a benchmark's n-grams in text, on one core.

    python bench/contamination_peers.py janitor CORPUS.txt ITEMS.jsonl N SECONDS
    python bench/contamination_peers.py datatrove CORPUS.txt ITEMS.jsonl N SECONDS

`janitor` is the Python janitor of lm-evaluation-harness, `datatrove` is that library's n-gram
filter with its own word tokenizer for English, spaCy's. Both are called as their users call them,
in an environment without hansproof. Each line of CORPUS is a document, each line of ITEMS an object
with a "text".

The two do not find the same n-grams: each has its own words and its own normalisation. Neither
reads much further once a document is flagged (datatrove stops at the first n-gram, the janitor at
the eleventh), so a corpus with many planted items makes them look faster. The time is the wall
clock time of the peer's call for each document; building the index, a warm-up on the first
document, reading and decoding are not counted. Documents are read from the start of the file,
including the first one again, until SECONDS are spent.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

DocumentTest = Callable[[str], bool]  # whether a document is contaminated
THREADS = ("OMP", "MKL", "OPENBLAS", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM", "RAYON")


def build_janitor(texts: Sequence[str], n: int) -> tuple[DocumentTest, int]:
    """Build the harness's janitor, without its C++ version, which needs a compiler."""
    # it prints a warning about the missing C++ version, also to stdout
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        from lm_eval.decontamination.janitor import Janitor  # type: ignore[import-not-found]

    # by default (200), a short clean document comes back empty, as if it were contaminated
    peer = Janitor(ngram_n=n, minimum_slice_length=0)
    for text in texts:
        peer.register_contaminant_python(text)

    def is_contaminated(document: str) -> bool:
        return "".join(peer.clean_python(document)) != document

    return is_contaminated, len(peer.dirt_ngrams)


def build_datatrove(texts: Sequence[str], n: int) -> tuple[DocumentTest, int]:
    """Build datatrove's filter from hashes that its own indexer computed and saved."""
    import numpy as np
    from datatrove.data import Document  # type: ignore[import-not-found]
    from datatrove.pipeline.decont import (  # type: ignore[import-not-found]
        NGramsDecontConfig,
        NGramsDecontFilter,
        NGramsDecontIndexer,
    )

    config = NGramsDecontConfig(n_grams=n)
    with tempfile.TemporaryDirectory() as folder:
        # its `__new__` and `run` require lighteval, but these items are not lighteval tasks
        indexer = object.__new__(NGramsDecontIndexer)
        indexer.__init__(folder, config=config)
        # pass sequences as what it calls labels: it then searches for all their n-grams
        hashes = {digest for text in texts for digest in indexer.compute_hashes(text)}
        array = np.array(list(hashes), dtype=config.hash_config.np_descr)
        array.tofile(Path(folder, "items.index.hashes"))
        peer = NGramsDecontFilter(folder, config)
        peer.load_index_hashes()

    def is_contaminated(document: str) -> bool:
        return peer.filter(Document(text=document, id="")) is not True

    return is_contaminated, len(peer._index_hashes)


PEERS = {"janitor": ("lm-eval", build_janitor), "datatrove": ("datatrove", build_datatrove)}


def iter_documents(corpus: str) -> Iterator[tuple[str, int]]:
    """Yield each document with its size in bytes."""
    with open(corpus, "rb") as lines:
        for line in lines:
            line = line.rstrip(b"\r\n")
            yield line.decode(), len(line)


def measure_speed(is_contaminated: DocumentTest, corpus: str, seconds: float) -> dict[str, Any]:
    first, _ = next(iter_documents(corpus))
    is_contaminated(first)
    size = count = flagged = 0
    spent = 0.0
    for text, length in iter_documents(corpus):
        start = time.perf_counter()
        hit = is_contaminated(text)
        spent += time.perf_counter() - start
        size, count, flagged = size + length, count + 1, flagged + hit
        if spent >= seconds:
            break
    return {
        "bytes": size,
        "documents": count,
        "seconds": spent,
        "megabytes_per_second": size / 1e6 / spent,
        "documents_flagged": flagged,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("corpus")
    parser.add_argument("items")
    parser.add_argument("n", type=int)
    parser.add_argument("seconds", type=float)
    args = parser.parse_args()
    for name in THREADS:  # before numpy or torch is imported
        os.environ[f"{name}_NUM_THREADS"] = "1"
    with open(args.items, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    package, build = PEERS[args.peer]
    is_contaminated, ngrams = build(texts, args.n)
    result = measure_speed(is_contaminated, args.corpus, args.seconds)
    print(
        json.dumps(
            {"peer": args.peer, "version": version(package), **result, "ngrams": ngrams}, indent=1
        )
    )


if __name__ == "__main__":
    main()
