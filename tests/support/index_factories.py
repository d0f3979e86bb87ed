"""Small indexes, and what Python's own definition of a tokenizer finds in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hansproof.contamination.build_index import build_index
from hansproof.contamination.index import NgramIndex
from hansproof.contamination.scanner.compiled import CompiledIndex, CompiledScanner
from hansproof.contamination.scanner.hits import ScanHits
from hansproof.text.ngrams import extract_ngrams
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Benchmark, Item


def benchmark(*questions: str, name: str = "made") -> Benchmark:
    items = tuple(
        Item(f"i{at}", {"question": text}, ("", ""), 0) for at, text in enumerate(questions)
    )
    return Benchmark(name, {"test": items})


def index(*questions: str, n: int = 3, tokens: str = "word") -> NgramIndex:
    return build_index([benchmark(*questions)], tokens, n)


def defined(made: NgramIndex, texts: Iterable[bytes]) -> Counter[str]:
    """How often each N-gram stands in some documents, by definition."""
    cut = get_tokenizer(made.header.tokenizer)
    known = {made.ngram_text(number) for number in range(len(made))}
    sizes = {gram.count(" ") + 1 for gram in known}
    found: Counter[str] = Counter()
    for raw in texts:
        tokens = cut.split(raw.decode("utf-8", "replace"))
        found.update(gram for n in sizes for gram in extract_ngrams(tokens, n) if gram in known)
    return found


def scanned(made: NgramIndex, texts: Iterable[bytes], chunk: int, piece: int = 1 << 30) -> ScanHits:
    scanner = CompiledScanner(CompiledIndex(made), chunk_size=chunk)
    for document, raw in enumerate(texts):
        scanner.start_document(document)
        for at in range(0, len(raw), piece):
            scanner.feed(raw[at : at + piece])
        scanner.end_document()
    return scanner.finish()


def named(made: NgramIndex, counts: dict[int, int]) -> Counter[str]:
    return Counter({made.ngram_text(number): count for number, count in counts.items()})
