"""Import TextAttack where little more than torch and transformers is installed.

TextAttack imports the packages of all its attacks at once. Packages that are missing and that
TextFooler, as built in bench/attack_peer.py, never calls are replaced by empty placeholders. The
files of TextAttack and lru-dict must be on the path.
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
TRANSFORMERS_NAMES = (  # names that TextAttack imports from transformers
    "AutoModel", "AutoModelForMaskedLM", "AutoModelForSequenceClassification", "AutoTokenizer",
    "MarianMTModel", "MarianTokenizer", "PreTrainedModel", "T5ForConditionalGeneration",
    "WhisperForConditionalGeneration", "WhisperProcessor",
)  # fmt: skip


class _PlaceholderClass(type):
    """Metaclass of placeholders: each attribute is a placeholder too, instances are empty."""

    def __getattr__(cls, name: str) -> Any:
        return _make_placeholder(name)


class _PlaceholderModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        return _make_placeholder(name)


def _make_placeholder(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    attributes = {"__init__": lambda self, *_, **__: None, "__iter__": lambda self: iter(())}
    return _PlaceholderClass(name, (), attributes)


class _PlaceholderFinder:
    """Import finder that returns placeholders for the missing packages and their submodules."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] in self.packages:
            return importlib.util.spec_from_loader(name, self, is_package=True)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: Any) -> types.ModuleType:
        return _PlaceholderModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def missing_packages() -> tuple[str, ...]:
    """Return the packages that are replaced by placeholders."""
    return tuple(name for name in UNUSED if importlib.util.find_spec(name) is None)


def import_with_placeholders() -> None:
    """Import TextAttack with placeholders for the missing packages."""
    absent = missing_packages()
    # load these first, while transformers still sees that optional packages are missing
    for name in TRANSFORMERS_NAMES:
        with contextlib.suppress(ImportError, AttributeError):
            getattr(transformers, name)
    finder = _PlaceholderFinder(absent)
    sys.meta_path.append(finder)
    importlib.import_module("textattack")
    importlib.import_module("nltk")
    sys.meta_path.remove(finder)
    for name in [name for name in sys.modules if name.partition(".")[0] in absent]:
        if name != "nltk":  # needed: its tagger is replaced later
            del sys.modules[name]


if __name__ == "__main__":
    import_with_placeholders()
    from bench.attack_peer import main

    main(*sys.argv[1:])
