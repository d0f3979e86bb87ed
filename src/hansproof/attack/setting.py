"""The flags of an attack: every threshold, with the value of Branco et al. 2021 unless it is set.

Who attacks (an edit, a probe) has these fields for its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from .. import digest, vectors
from ..checks import check, check_one
from ..drawn import drawn
from ..errors import BadInput, UnknownName
from ..progress import track
from ..types import Item, Items
from . import stop_words
from .candidates import BySynonyms, ByVectors
from .grammar import tagger
from .journal import Journal
from .meaning import meaning
from .outcomes import Outcome
from .reading import CONTEXT, RIGHT, WRONG, Reading
from .rules import Means, Reference, Rules, Scope, Short
from .together import Score, attack

# what the paper had that is not set by a number
PAPER = {
    "word vectors": "counter-fitted PARAGRAM",
    "sentence encoder": "Universal Sentence Encoder",
    "parts of speech": "NLTK",
}
RULES = ("where", "source", "neighbours", "word_cosine", "sentence", "scope", "window", "reference",
         "short", "stop_words")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """What may be changed, by what, and how much must stay the same."""

    split: str | None = None  # the part to attack; without it the test split, or all with answers
    where: str = "context,right,wrong"  # what may be changed: these, or fields; parted by , or |
    vectors: str = "counterfitted"  # word vectors: a file, glove-6b-50d, or what counterfit made
    source: str = "vectors"  # where words come from: vectors, wordnet or wordnet:FOLDER
    neighbours: int = 50  # nearest words that are tried, with --source vectors
    word_cosine: float = 0.9  # least cosine of a word and its substitute (TextFooler: .5)
    encoder: str = "use"  # of sentences: use, a transformers folder or hub id, or none
    sentence: float = 0.9  # least angular similarity (TextFooler: .840845); 0: not compared
    scope: Scope = "window"  # what is compared: a window of words, or all texts of an item
    window: int = 15  # words of the window
    reference: Reference = "previous"  # the text before a step, or the original
    short: Short = "skip"  # items of fewer words than the window: not compared, or compared
    tagger: str = "auto"  # of parts of speech: spacy, perceptron, none; auto: spacy if installed
    stop_words: str | None = None  # file of words never changed; else TextFooler's
    most: int = 0  # items to attack, drawn by the seed; 0: all
    seed: int = 0  # of the draw
    journal: str = ""  # folder for outcomes, to resume from; else hansproof/attacks in the cache
    device: str = "auto"  # of the encoder: cpu, cuda, or cuda where there is one

    def __post_init__(self) -> None:
        check("neighbours", self.neighbours, 1)
        check("word-cosine", self.word_cosine, -1, 1)
        check("sentence", self.sentence, 0, 1)
        check("window", self.window, 1)
        check("most", self.most, 0)
        check("seed", self.seed, 0)
        for flag, kind in (("scope", Scope), ("reference", Reference), ("short", Short)):
            check_one(flag, getattr(self, flag), get_args(kind))
        if self.source != "vectors" and self.source.partition(":")[0] != "wordnet":
            raise BadInput("--source", f"is {self.source!r}, must be vectors or wordnet")
        if self.encoder == "none" and self.sentence:
            raise BadInput("--encoder", "is none, so nothing can be compared: set --sentence 0")

    def rules(self) -> Rules:
        """What is allowed."""
        own = {} if self.stop_words is None else {"stop_words": stop_words.read(self.stop_words)}
        return Rules(
            where=tuple(part.strip() for part in re.split(r"[,|]", self.where) if part.strip()),
            word_cosine=self.word_cosine,
            sentence=self.sentence,
            scope=self.scope,
            window=self.window,
            reference=self.reference,
            short=self.short,
            grammar=self.tagger != "none",
            **own,
        )

    def means(self) -> Means:
        """What knows words, grammar and meaning; says what is missing."""
        kind, _, folder = self.source.partition(":")
        near = ByVectors(self.vectors, self.neighbours)
        source = near if kind == "vectors" else BySynonyms(self.vectors, folder)
        vectors.whole(self.vectors)
        return Means(
            source,
            None if self.tagger == "none" else tagger(self.tagger),
            None if self.encoder == "none" else meaning(self.encoder, self.device),
        )

    def drawn(self, items: Items) -> Items:
        """The items to attack, in their order."""
        return drawn(items, self.most, self.seed)

    def run(self, items: Items, score: Score, key: str, means: Means) -> dict[str, Outcome]:
        """The outcome of every item by id; `key` tells the model from others."""
        rules = self.rules()
        _check_parts(rules.where, items)
        self._check_words(items)
        by_id: dict[str, Item] = {item.id: item for item in items}
        with Journal(self._folder(), {**self._about(rules, means), "model": key}) as journal:
            found = journal.known(items)
            left = tuple(item for item in items if item.id not in found)
            for outcome in track(attack(left, score, rules, means), len(left), "attacking"):
                journal.add(by_id[outcome.id], outcome)
                found[outcome.id] = outcome
        return {item.id: found[item.id] for item in items}

    def told(self, means: Means) -> tuple[str, ...]:
        """In words: with what it was done, and where that is not as in the paper."""
        usual = {field.name: field.default for field in fields(Setting)}
        other = [name for name in RULES if getattr(self, name) != usual[name]]
        said = {name: (getattr(self, name), usual[name]) for name in other}
        who = (
            f"{self.vectors} (sha256 {vectors.sha256(self.vectors)[:12]})",
            "none" if means.meaning is None else means.meaning.name,
            "not asked for" if means.tagger is None else means.tagger.name,
        )
        said |= {what: (own, PAPER[what]) for what, own in zip(PAPER, who, strict=True)}
        told = "; ".join(f"{what}: {own} (there: {theirs})" for what, (own, theirs) in said.items())
        return (f"Otherwise than in Branco et al. 2021: {told}.",)

    def _about(self, rules: Rules, means: Means) -> Mapping[str, Any]:
        """All that can change an outcome, but for the item and the model."""
        return {
            **{name: getattr(self, name) for name in RULES},
            "stop_words": sorted(rules.stop_words),
            "vectors": vectors.sha256(self.vectors),
            "encoder": means.meaning.fingerprint if means.meaning else "",
            "tagger": means.tagger.name if means.tagger else "",
            "files": digest.sha256(self._files(means)),
        }

    def _files(self, means: Means) -> tuple[str, ...]:
        """Those that words and parts of speech were read from, beside the vectors."""
        tagger = self.tagger.partition(":")[2]
        return (*means.source.files(), *((tagger,) if tagger else ()))

    def _check_words(self, items: Items) -> None:
        """Refuse vectors of another language: nothing would be swapped, whatever the model."""
        known = vectors.whole(self.vectors).numbers
        words = {word.lower() for item in items for word in Reading.of(item).words}
        if words and not words & known.keys():
            raise BadInput(self.vectors, "has no vector for any word of these items")

    def _folder(self) -> str:
        from ..fetch import cache

        return self.journal or os.path.join(cache(), "attacks")


def _check_parts(where: tuple[str, ...], items: Items) -> None:
    """Refuse what is no part of any item."""
    known = (CONTEXT, RIGHT, WRONG, *dict.fromkeys(name for item in items for name in item.fields))
    for part in where:
        if part not in known:
            raise UnknownName("part", part, known)
    if not where:
        raise BadInput("--where", f"names nothing that may be changed: {', '.join(known)}")
