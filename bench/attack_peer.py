"""TextAttack's TextFooler on multiple choice, as its user would put it together: bench/attack.py.

Runs in an environment of its own, through bench/attack_bare.py, with what was packed. Search,
transformation and constraints are TextAttack's own classes with its recipe's settings. What it
would download is handed to it: word vectors, the tagger in NLTK's place, the sentence encoder in
that of TensorFlow Hub. The model is `plain`, padded batches through transformers, or `bridge`,
hansproof's own scorer behind hansproof's bridge.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nltk
import numpy as np
import torch
from safetensors.torch import load_file
from textattack import Attack
from textattack.constraints.grammaticality import PartOfSpeech
from textattack.constraints.pre_transformation import RepeatModification, StopwordModification
from textattack.constraints.semantics import WordEmbeddingDistance
from textattack.constraints.semantics.sentence_encoders import SentenceEncoder
from textattack.goal_functions import UntargetedClassification
from textattack.models.wrappers import ModelWrapper
from textattack.search_methods import GreedyWordSwapWIR
from textattack.shared import WordEmbedding
from textattack.transformations import WordSwapEmbedding
from transformers import AutoModel, AutoTokenizer

from bench.attack import WARM, Clock, Run, read, serve
from hansproof import models
from hansproof.attack.pos_tagging import perceptron
from hansproof.integrations.textattack import (
    MultipleChoiceWrapper,
    RowShape,
    build_dataset,
    group_by_shape,
)
from hansproof.pretrained.input_formats import format_pair
from hansproof.types import Item
from hansproof.vectors.table import normalize_rows

PLACE = "cuda" if torch.cuda.is_available() else "cpu"
STATES = {"Successful": "flipped", "Failed": "held", "Skipped": "wrong"}


class Plain(ModelWrapper):  # type: ignore[misc]
    """All choices of all texts in one padded batch."""

    def __init__(self, folder: str, shape: RowShape) -> None:
        about = json.loads(Path(folder, "hansproof.json").read_text())
        assert (about["pooling"], about["inputs"]) == ("mean", "pair")
        self.shape, self.length = shape, about["length"]
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = opened(folder)
        self.head = load_file(os.path.join(folder, "head.safetensors"), device=PLACE)

    def __call__(self, text_input_list: Sequence[Sequence[str]]) -> Any:
        items = [self.shape.to_item(texts) for texts in text_input_list]
        pairs = [format_pair(item, choice) for item in items for choice in item.choices]
        one, two = zip(*pairs, strict=True)
        pooled = mean_of(self.tokenizer, self.model, self.length, list(one), list(two))
        scores = pooled @ self.head["head.w"].T + self.head["head.b"]
        return scores.reshape(len(items), -1)


class Encoder(SentenceEncoder):  # type: ignore[misc]
    """The mean of the tokens of a sentence."""

    def __init__(self, folder: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = opened(folder)

    def encode(self, sentences: list[str]) -> Any:
        return mean_of(self.tokenizer, self.model, 256, sentences)


def opened(folder: str) -> Any:
    """A network in single precision."""
    return AutoModel.from_pretrained(folder, dtype=torch.float32).eval().to(PLACE)


def mean_of(tokenizer: Any, model: Any, length: int, *texts: list[str]) -> Any:
    """What sentence-transformers calls mean pooling."""
    inputs = tokenizer(
        *texts, padding=True, truncation=True, max_length=length, return_tensors="pt"
    ).to(PLACE)
    with torch.inference_mode():
        hidden = model(**inputs).last_hidden_state
    mask = inputs["attention_mask"][..., None].to(hidden.dtype)
    return (hidden * mask).sum(1) / mask.sum(1)


def embedding(folder: str) -> Any:
    """Word vectors with neighbours and their cosines, as TextAttack's own come."""
    with np.load(os.path.join(folder, "vectors.npz"), allow_pickle=False) as file:
        words, vectors = file["words"].tolist(), normalize_rows(file["vectors"])
    with np.load(os.path.join(folder, "near.npz"), allow_pickle=False) as file:
        rows, near, cosines = file["rows"], file["near"], file["cosines"]
    table = np.zeros((len(words), 1 + near.shape[1]), np.int32)  # the word itself comes first
    table[rows, 1:] = near
    numbers = {word: row for row, word in enumerate(words)}
    made = WordEmbedding(vectors, numbers, dict(enumerate(words)), table)
    for row, others, some in zip(rows.tolist(), near.tolist(), cosines.tolist(), strict=True):
        for other, cosine in zip(others, some, strict=True):
            made._cos_sim_mat[min(row, other)][max(row, other)] = cosine
    return made


def tag_with(path: str) -> None:
    """Put our tagger in the place of NLTK's, whose weights are a download."""
    tagger = perceptron.load_tagger(path)

    def pos_tag(words: list[str], **_: str) -> list[tuple[str, str]]:
        (tags,) = tagger.tag_texts([tuple(words)])
        return list(zip(words, tags, strict=True))

    nltk.pos_tag = pos_tag


def recipe(wrapper: Any, folder: str, vectors: Any, setting: dict[str, Any]) -> Any:
    """TextFoolerJin2019.build with thresholds, and no column barred."""
    stop_words = Path(folder, "stop_words.txt").read_text().split()
    # TextAttack compares case and all; hansproof keeps `The`, too
    cases = [one for word in stop_words for one in (word, word.capitalize(), word.upper())]
    constraints = [
        RepeatModification(),
        StopwordModification(stopwords=cases),
        WordEmbeddingDistance(embedding=vectors, min_cos_sim=setting["word_cosine"]),
        PartOfSpeech(allow_verb_noun_swap=True),
        Encoder(
            os.path.join(folder, "encoder"),
            threshold=setting["sentence"],
            metric="angular",
            compare_against_original=False,
            window_size=15,
            skip_text_shorter_than_window=True,
        ),
    ]
    return Attack(
        UntargetedClassification(wrapper),
        constraints,
        WordSwapEmbedding(max_candidates=50, embedding=vectors),
        GreedyWordSwapWIR(wir_method="delete"),
    )


def record(item: Item, result: Any) -> dict[str, Any]:
    """What became of an item."""
    state = STATES[type(result).__name__.removesuffix("AttackResult")]
    before, after = (
        one.attacked_text.words for one in (result.original_result, result.perturbed_result)
    )
    swaps = [[at, *pair] for at, pair in enumerate(zip(before, after, strict=True))]
    return {
        "id": item.id, "state": state, "queries": result.perturbed_result.num_queries,
        "swaps": [one for one in swaps if one[1] != one[2]] if state == "flipped" else [],
    }  # fmt: skip


def contender(folder: str, way: str) -> Run:
    """Attacks items one after the other, as TextAttack does."""
    items, kept = read(folder), os.path.join(folder, "model")
    ((shape, _),) = group_by_shape(items).items()
    wrapper: Any = Plain(kept, shape)
    if way == "bridge":
        wrapper = MultipleChoiceWrapper(models.load(f"saved:{kept}"), shape)
    tag_with(os.path.join(folder, "tagger.npz"))
    vectors, rows = embedding(folder), list(zip(items, build_dataset(items), strict=True))

    def run(setting: dict[str, float]) -> dict[str, Any]:
        clock, attack = Clock(), recipe(wrapper, folder, vectors, setting)
        attack.goal_function.model = clock.around(wrapper)
        encoder = attack.constraints[-1]
        encoder.encode = clock.around(encoder.encode)
        for _, row in rows[:WARM]:
            attack.attack(*row)
        found = clock.time(lambda: [attack.attack(*row) for _, row in rows])
        return {**found, "items": list(map(record, items, found["items"]))}

    return run


def main(folder: str, way: str) -> None:
    """`plain` or `bridge`, asked for runs line by line."""
    serve(contender(folder, way))
