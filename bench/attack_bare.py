"""TextAttack where there are torch and transformers and little else, as on a lent GPU machine.

TextAttack imports at once what all its attacks need. What cannot be imported and TextFooler, put
together as in bench/attack_peer.py, does not call is stood in for by names that hold nothing. Its
own files and lru-dict must lie on the path.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import types
from typing import Any

import transformers

UNUSED = (
    "Levenshtein", "OpenHowNet", "bert_score", "datasets", "editdistance", "flair", "jieba",
    "langdetect", "language_tool_python", "lemminflect", "more_itertools", "nltk", "num2words",
    "pandas", "pinyin", "scipy", "terminaltables", "word2number",
)  # fmt: skip
NAMES = (  # that TextAttack takes from transformers
    "AutoModel", "AutoModelForMaskedLM", "AutoModelForSequenceClassification", "AutoTokenizer",
    "MarianMTModel", "MarianTokenizer", "PreTrainedModel", "T5ForConditionalGeneration",
    "WhisperForConditionalGeneration", "WhisperProcessor",
)  # fmt: skip


class _Anything(type):
    """A class of which every attribute is one, and whose instances hold nothing."""

    def __getattr__(cls, name: str) -> Any:
        return _named(name)


class _Module(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        return _named(name)


def _named(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    nothing = {"__init__": lambda self, *_, **__: None, "__iter__": lambda self: iter(())}
    return _Anything(name, (), nothing)


class _Finder:
    """Finds whatever begins with a name that is missing."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        self.missing = missing

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] in self.missing:
            return importlib.util.spec_from_loader(name, self, is_package=True)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: Any) -> types.ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def missing() -> tuple[str, ...]:
    """What is stood in for."""
    return tuple(name for name in UNUSED if importlib.util.find_spec(name) is None)


def stand_in() -> None:
    """Import TextAttack with names in the place of what is missing."""
    absent = missing()
    for name in NAMES:  # before anything that transformers would ask for seems to be there
        with contextlib.suppress(ImportError, AttributeError):
            getattr(transformers, name)
    finder = _Finder(absent)
    sys.meta_path.append(finder)
    importlib.import_module("textattack")
    importlib.import_module("nltk")
    sys.meta_path.remove(finder)
    for name in [name for name in sys.modules if name.partition(".")[0] in absent]:
        if name != "nltk":  # the tagger takes a place in it
            del sys.modules[name]


if __name__ == "__main__":
    stand_in()
    from bench.attack_peer import main

    main(*sys.argv[1:])
