"""How fast two peers find a benchmark's n-grams in text, each as its users call it, on one core.

    python bench/contamination_peers.py janitor CORPUS.txt ITEMS.jsonl N SECONDS
    python bench/contamination_peers.py datatrove CORPUS.txt ITEMS.jsonl N SECONDS

`janitor` is lm-evaluation-harness's Python janitor, `datatrove` that library's n-gram filter with
its own word tokenizer for English, spaCy's. Both run in an environment of their own that has
nothing of ours. A line of CORPUS is a document, a line of ITEMS an object with a "text".

They do not find the same: each has its own words and its own normalisation, and neither reads on
for long once a document is flagged (datatrove stops at the first n-gram found, the janitor at the
eleventh), so a corpus with many planted items flatters them. Wall-clock time is that spent in the
peer's call per document: building the index, a warm-up on the first document, reading and decoding
are not counted. Documents are taken from the front, the first one again, until SECONDS are spent.
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

Flags = Callable[[str], bool]  # whether a document is contaminated
THREADS = ("OMP", "MKL", "OPENBLAS", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM", "RAYON")


def janitor(texts: Sequence[str], n: int) -> tuple[Flags, int]:
    """The harness's janitor; its C++ twin, which asks for a compiler, is left out."""
    # it prints, to stdout too, that there is no C++
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        from lm_eval.decontamination.janitor import Janitor  # type: ignore[import-not-found]

    # with the default of 200 characters a short clean document comes back empty, as if dirty
    peer = Janitor(ngram_n=n, minimum_slice_length=0)
    for text in texts:
        peer.register_contaminant_python(text)

    def flags(document: str) -> bool:
        return "".join(peer.clean_python(document)) != document

    return flags, len(peer.dirt_ngrams)


def datatrove(texts: Sequence[str], n: int) -> tuple[Flags, int]:
    """datatrove's filter, on hashes that its own indexer computed, read from a file as it does."""
    import numpy as np
    from datatrove.data import Document  # type: ignore[import-not-found]
    from datatrove.pipeline.decont import (  # type: ignore[import-not-found]
        NGramsDecontConfig,
        NGramsDecontFilter,
        NGramsDecontIndexer,
    )

    config = NGramsDecontConfig(n_grams=n)
    with tempfile.TemporaryDirectory() as folder:
        # its `__new__` and its `run` ask for lighteval, whose tasks these items are not
        indexer = object.__new__(NGramsDecontIndexer)
        indexer.__init__(folder, config=config)
        # a whole sequence is what it calls a label: all its n-grams are searched for
        hashes = {one for text in texts for one in indexer.compute_hashes(text)}
        array = np.array(list(hashes), dtype=config.hash_config.np_descr)
        array.tofile(Path(folder, "items.index.hashes"))
        peer = NGramsDecontFilter(folder, config)
        peer.load_index_hashes()

    def flags(document: str) -> bool:
        return peer.filter(Document(text=document, id="")) is not True

    return flags, len(peer._index_hashes)


PEERS = {"janitor": ("lm-eval", janitor), "datatrove": ("datatrove", datatrove)}


def documents(corpus: str) -> Iterator[tuple[str, int]]:
    """Each document and its bytes."""
    with open(corpus, "rb") as lines:
        for line in lines:
            line = line.rstrip(b"\r\n")
            yield line.decode(), len(line)


def measured(flags: Flags, corpus: str, seconds: float) -> dict[str, Any]:
    first, _ = next(documents(corpus))
    flags(first)
    size = count = flagged = 0
    spent = 0.0
    for text, length in documents(corpus):
        start = time.perf_counter()
        found = flags(text)
        spent += time.perf_counter() - start
        size, count, flagged = size + length, count + 1, flagged + found
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
    given = parser.parse_args()
    for name in THREADS:  # before numpy or torch is imported
        os.environ[f"{name}_NUM_THREADS"] = "1"
    with open(given.items, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    package, build = PEERS[given.peer]
    flags, ngrams = build(texts, given.n)
    result = measured(flags, given.corpus, given.seconds)
    print(
        json.dumps(
            {"peer": given.peer, "version": version(package), **result, "ngrams": ngrams}, indent=1
        )
    )


if __name__ == "__main__":
    main()
