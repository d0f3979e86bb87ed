"""The flags of an attack: every threshold, with the value of Branco et al. 2021 unless it is set.

The edit `textfooler` and the probe `robustness` inherit these fields.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

from .. import vectors
from .._infra import hashing
from .._infra.progress import track
from .._infra.validation import check_choice, check_range
from ..errors import BadInput, UnknownName
from ..sampling import sample_items
from ..types import Item, Items
from . import stop_words
from .batching import ScoreFunction, attack_all
from .candidates import VectorNeighbours, WordNetSynonyms
from .item_words import CONTEXT, RIGHT, WRONG, ItemWords
from .journal import AttackJournal
from .outcomes import AttackOutcome
from .pos_tagging import get_tagger
from .rules import AttackResources, AttackRules, Reference, Scope, ShortItems
from .sentence_similarity import load_sentence_encoder

# resources of the paper
PAPER_RESOURCES = {
    "word vectors": "counter-fitted PARAGRAM",
    "sentence encoder": "Universal Sentence Encoder",
    "parts of speech": "NLTK",
}
RULE_FIELDS = (
    "where", "source", "neighbours", "word_cosine", "sentence", "scope", "window", "reference",
    "short", "stop_words",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AttackConfig:
    """The settings of an attack: which words may change, to what, and which thresholds hold."""

    split: str | None = None  # the split to attack; default: test, or all with answers
    where: str = "context,right,wrong"  # what may be changed: these or fields, separated by , or |
    vectors: str = "counterfitted"  # word vectors: a file, glove-6b-50d, or counterfitted
    source: str = "vectors"  # source of synonyms: vectors, wordnet or wordnet:FOLDER
    neighbours: int = 50  # number of nearest words to try, with --source vectors
    word_cosine: float = 0.9  # lowest cosine of a word and its substitute (TextFooler: .5)
    encoder: str = "use"  # sentence encoder: use, a transformers folder or hub id, or none
    sentence: float = 0.9  # lowest angular similarity (TextFooler: .840845); 0: no limit
    scope: Scope = "window"  # what is compared: a window of words, or all texts of an item
    window: int = 15  # size of the window, in words
    reference: Reference = "previous"  # compare with the text before a step, or the original
    short: ShortItems = "skip"  # items shorter than the window: skip or make the comparison
    tagger: str = "auto"  # part-of-speech tagger: spacy, perceptron, none; auto: spacy if installed
    stop_words: str | None = None  # file of words never changed; default: TextFooler's list
    most: int = 0  # number of items to sample and attack; 0: all
    seed: int = 0  # random seed of the sample
    journal: str = ""  # folder to resume from; default: hansproof/attacks in your cache
    device: str = "auto"  # device of the encoder: cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        check_range("neighbours", self.neighbours, 1)
        check_range("word-cosine", self.word_cosine, -1, 1)
        check_range("sentence", self.sentence, 0, 1)
        check_range("window", self.window, 1)
        check_range("most", self.most, 0)
        check_range("seed", self.seed, 0)
        for flag, kind in (("scope", Scope), ("reference", Reference), ("short", ShortItems)):
            check_choice(flag, getattr(self, flag), get_args(kind))
        if self.source != "vectors" and self.source.partition(":")[0] != "wordnet":
            raise BadInput("--source", f"is {self.source!r}, must be vectors or wordnet")
        if self.encoder == "none" and self.sentence:
            raise BadInput(
                "--encoder", "is none, so sentences cannot be compared: set --sentence 0"
            )

    def build_rules(self) -> AttackRules:
        """Return the rules of the attack."""
        overrides = (
            {}
            if self.stop_words is None
            else {"stop_words": stop_words.read_stop_words(self.stop_words)}
        )
        return AttackRules(
            parts=tuple(part.strip() for part in re.split(r"[,|]", self.where) if part.strip()),
            word_cosine=self.word_cosine,
            min_similarity=self.sentence,
            scope=self.scope,
            window=self.window,
            reference=self.reference,
            short_items=self.short,
            same_tag=self.tagger != "none",
            **overrides,
        )

    def load_resources(self) -> AttackResources:
        """Load the candidate source, tagger and encoder; raise an error if one is missing."""
        kind, _, folder = self.source.partition(":")
        by_vectors = VectorNeighbours(self.vectors, self.neighbours)
        source = by_vectors if kind == "vectors" else WordNetSynonyms(self.vectors, folder)
        vectors.load_table(self.vectors)
        return AttackResources(
            source,
            None if self.tagger == "none" else get_tagger(self.tagger),
            None if self.encoder == "none" else load_sentence_encoder(self.encoder, self.device),
        )

    def select_items(self, items: Items) -> Items:
        """Draw the items to attack, in their order."""
        return sample_items(items, self.most, self.seed)

    def attack_items(
        self, items: Items, score: ScoreFunction, key: str, resources: AttackResources
    ) -> dict[str, AttackOutcome]:
        """Attack items and return their outcomes by id; `key` identifies the model."""
        rules = self.build_rules()
        _check_parts(rules.parts, items)
        self._check_words(items)
        items_by_id: dict[str, Item] = {item.id: item for item in items}
        with AttackJournal(
            self._journal_folder(), {**self._journal_settings(rules, resources), "model": key}
        ) as journal:
            outcomes = journal.load_outcomes(items)
            remaining = tuple(item for item in items if item.id not in outcomes)
            for outcome in track(
                attack_all(remaining, score, rules, resources), len(remaining), "attacking"
            ):
                journal.append_outcome(items_by_id[outcome.id], outcome)
                outcomes[outcome.id] = outcome
        return {item.id: outcomes[item.id] for item in items}

    def describe_differences(self, resources: AttackResources) -> tuple[str, ...]:
        """Describe the resources and settings that differ from those of the paper."""
        defaults = {field.name: field.default for field in fields(AttackConfig)}
        changed = [name for name in RULE_FIELDS if getattr(self, name) != defaults[name]]
        differences = {name: (getattr(self, name), defaults[name]) for name in changed}
        resource_names = (
            f"{self.vectors} (sha256 {vectors.source_sha256(self.vectors)[:12]})",
            "none" if resources.encoder is None else resources.encoder.name,
            "not checked" if resources.tagger is None else resources.tagger.name,
        )
        differences |= {
            label: (value, PAPER_RESOURCES[label])
            for label, value in zip(PAPER_RESOURCES, resource_names, strict=True)
        }
        listing = "; ".join(
            f"{label}: {value} (paper: {paper_value})"
            for label, (value, paper_value) in differences.items()
        )
        return (f"Settings that differ from Branco et al. 2021: {listing}.",)

    def _journal_settings(
        self, rules: AttackRules, resources: AttackResources
    ) -> Mapping[str, Any]:
        """Return everything that can change an outcome, except the item and the model."""
        return {
            **{name: getattr(self, name) for name in RULE_FIELDS},
            "stop_words": sorted(rules.stop_words),
            "vectors": vectors.source_sha256(self.vectors),
            "encoder": resources.encoder.fingerprint if resources.encoder else "",
            "tagger": resources.tagger.name if resources.tagger else "",
            "files": hashing.file_sha256(self._resource_files(resources)),
        }

    def _resource_files(self, resources: AttackResources) -> tuple[str, ...]:
        """Return the files of the candidate source and the tagger, besides the vectors."""
        tagger_path = self.tagger.partition(":")[2]
        return (*resources.source.source_files(), *((tagger_path,) if tagger_path else ()))

    def _check_words(self, items: Items) -> None:
        """Raise BadInput if no word has a vector, as with vectors of another language."""
        vocabulary = vectors.load_table(self.vectors).row_of
        words = {word.lower() for item in items for word in ItemWords.from_item(item).words}
        if words and not words & vocabulary.keys():
            raise BadInput(self.vectors, "has no vector for any word of these items")

    def _journal_folder(self) -> str:
        from ..download import cache_dir

        return self.journal or os.path.join(cache_dir(), "attacks")


def _check_parts(parts: tuple[str, ...], items: Items) -> None:
    """Raise an error for names that are not parts of any item."""
    known_parts = (
        CONTEXT,
        RIGHT,
        WRONG,
        *dict.fromkeys(name for item in items for name in item.fields),
    )
    for part in parts:
        if part not in known_parts:
            raise UnknownName("part", part, known_parts)
    if not parts:
        raise BadInput(
            "--where", f"must name what may be changed, out of: {', '.join(known_parts)}"
        )
