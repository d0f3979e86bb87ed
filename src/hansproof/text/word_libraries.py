"""Libraries that find words in text without spaces: jieba, SudachiPy and PyThaiNLP.

They are loaded on first use and use the dictionaries in their packages: nothing is downloaded.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable
from functools import cache
from importlib import metadata

from ..errors import MissingExtra

CutWords = Callable[[str], list[str]]

_MAX_SUDACHI = 10_000  # characters at a time: SudachiPy takes at most 49,149 bytes


@cache
def load_jieba() -> tuple[str, CutWords]:
    """Return the name, with its version, and the function of jieba, for Chinese."""
    try:
        import jieba
    except ImportError:
        raise MissingExtra("jieba", "the jieba tokenizer") from None
    logging.getLogger("jieba").setLevel(logging.ERROR)
    segmenter = jieba.Tokenizer()
    # it would read a cache from the shared folder of temporary files, where anybody may put one
    with tempfile.TemporaryDirectory() as folder:
        segmenter.tmp_dir = folder
        segmenter.initialize()
    return f"jieba {metadata.version('jieba')}", segmenter.lcut


@cache
def load_sudachi() -> tuple[str, CutWords]:
    """Return the name, with its version, and the function of SudachiPy, for Japanese."""
    try:
        import sudachidict_core  # noqa: F401 (the dictionary, which is a package of its own)
        import sudachipy
    except ImportError:
        raise MissingExtra("sudachi", "the sudachi tokenizer") from None
    segmenter = sudachipy.Dictionary(dict="core").tokenizer(mode=sudachipy.SplitMode.C)

    def cut_words(text: str) -> list[str]:
        parts = (text[i : i + _MAX_SUDACHI] for i in range(0, len(text), _MAX_SUDACHI))
        return [word.surface() for part in parts for word in segmenter.tokenize(part)]

    versions = [metadata.version(package) for package in ("sudachipy", "sudachidict_core")]
    return f"sudachi {versions[0]} core {versions[1]}", cut_words


@cache
def load_pythainlp() -> tuple[str, CutWords]:
    """Return the name, with its version, and the function of PyThaiNLP, for Thai."""
    # neither fetch data nor make a folder for them at home
    os.environ.setdefault("PYTHAINLP_OFFLINE", "1")
    if "PYTHAINLP_READ_MODE" not in os.environ:  # the older name of the same; both are refused
        os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
    try:
        from pythainlp.tokenize import word_tokenize
    except ImportError:
        raise MissingExtra("pythainlp", "the pythainlp tokenizer") from None

    def cut_words(text: str) -> list[str]:
        return list(word_tokenize(text, engine="newmm", keep_whitespace=False))

    return f"pythainlp {metadata.version('pythainlp')}", cut_words
