"""Small indexes, and what Python's own definition of a tokenizer finds in a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hansproof.contamination.building import build
from hansproof.contamination.index import Index
from hansproof.contamination.scanner import Finder, Scanner
from hansproof.contamination.tally import Tally
from hansproof.text import ngrams, tokenizer
from hansproof.types import Benchmark, Item


def benchmark(*questions: str, name: str = "made") -> Benchmark:
    items = tuple(
        Item(f"i{at}", {"question": text}, ("", ""), 0) for at, text in enumerate(questions)
    )
    return Benchmark(name, {"test": items})


def index(*questions: str, n: int = 3, tokens: str = "word") -> Index:
    return build([benchmark(*questions)], tokens, n)


def defined(made: Index, texts: Iterable[bytes]) -> Counter[str]:
    """How often each N-gram stands in some documents, by definition."""
    cut = tokenizer(made.head.tokenizer)
    known = {made.gram(number) for number in range(len(made))}
    sizes = {gram.count(" ") + 1 for gram in known}
    found: Counter[str] = Counter()
    for raw in texts:
        tokens = cut.split(raw.decode("utf-8", "replace"))
        found.update(gram for n in sizes for gram in ngrams(tokens, n) if gram in known)
    return found


def scanned(made: Index, texts: Iterable[bytes], chunk: int, piece: int = 1 << 30) -> Tally:
    scanner = Scanner(Finder(made), chunk=chunk)
    for document, raw in enumerate(texts):
        scanner.start(document)
        for at in range(0, len(raw), piece):
            scanner.feed(raw[at : at + piece])
        scanner.end()
    return scanner.finish()


def named(made: Index, counts: dict[int, int]) -> Counter[str]:
    return Counter({made.gram(number): count for number, count in counts.items()})
