"""The Brown corpus: a million words of American English of 1961, each with its part of speech."""

from __future__ import annotations

import re
import zipfile

from ...download import find_file, github_file
from ...errors import BadInput
from .tagset import from_brown_tag

Sentence = tuple[tuple[str, ...], tuple[str, ...]]  # words, and the Universal tag of each

SOURCE = github_file(
    "corpora/brown.zip",
    "nltk/nltk_data",
    "packages/corpora/brown.zip",
    "5db857e6f7df11eabb5e5665836db9ec8df07e28",
    "9b275f9b3b95d7bd66ccfb7cd259f445a13bbe5d1f4107aba09fd3e8364bafa6",
)
MAX_BYTES = 2**20  # bytes of one text; the longest has 24 thousand
MAX_TEXTS = 1000  # texts; there are 500
_TEXT_NAME = re.compile(r"(?:.*/)?c[a-r]\d\d")


def corpus_path() -> str:
    """Return the path of the corpus; download it if it is not found."""
    return find_file(SOURCE)


def read_corpus(path: str) -> list[list[Sentence]]:
    """Read the sentences of every text, in the order of the texts' names."""
    from ...download.archive import ARCHIVE_ERRORS

    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(filter(_TEXT_NAME.fullmatch, archive.namelist()))[:MAX_TEXTS]
            texts = [
                _parse_sentences(path, name, _read_text(archive, path, name)) for name in names
            ]
    except ARCHIVE_ERRORS as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise BadInput(path, f"cannot be read: {reason or type(error).__name__}") from None
    if not any(texts):
        raise BadInput(path, "contains no text of the Brown corpus (ca01 to cr09)")
    return texts


def _read_text(archive: zipfile.ZipFile, path: str, name: str) -> str:
    with archive.open(name) as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise BadInput(path, f"{name} is longer than {MAX_BYTES >> 20} MiB")
    return content.decode("utf-8", "replace")


def _parse_sentences(path: str, name: str, text: str) -> list[Sentence]:
    """Parse one sentence per line, with tokens like `The/at jury/nn`."""
    sentences: list[Sentence] = []
    universal_tags: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        pairs = [token.rpartition("/") for token in line.split()]
        if not all(word and tag for word, _, tag in pairs):
            raise BadInput(f"{path}/{name}", "is not of the form: word/tag", line=number)
        for _, _, tag in pairs:
            if tag not in universal_tags:
                universal_tags[tag] = from_brown_tag(tag)
        if pairs:
            words, tags = zip(*((word, universal_tags[tag]) for word, _, tag in pairs), strict=True)
            sentences.append((words, tags))
    return sentences
