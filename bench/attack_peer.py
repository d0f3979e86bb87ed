"""Run TextAttack's TextFooler on multiple-choice items, for bench/attack.py.

Runs in its own environment, through bench/attack_bare.py, on the packed files. Search,
transformation and constraints are TextAttack's own classes with the settings of its recipe. The
files that TextAttack would download are replaced: word vectors, the tagger (for NLTK's) and the
sentence encoder (for the one from TensorFlow Hub). The model wrapper is `plain`, padded batches
through transformers, or `bridge`, hansproof's scorer behind hansproof's bridge.
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

from bench.attack import WARMUP_ITEMS, AttackClock, AttackRunner, read_items, serve_requests
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

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
STATES = {"Successful": "flipped", "Failed": "held", "Skipped": "wrong"}


class PaddedWrapper(ModelWrapper):  # type: ignore[misc]
    """Scores all choices of all texts in one padded batch."""

    def __init__(self, folder: str, shape: RowShape) -> None:
        settings = json.loads(Path(folder, "hansproof.json").read_text())
        assert (settings["pooling"], settings["inputs"]) == ("mean", "pair")
        self.shape, self.length = shape, settings["length"]
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = load_network(folder)
        self.head = load_file(os.path.join(folder, "head.safetensors"), device=DEVICE)

    def __call__(self, text_input_list: Sequence[Sequence[str]]) -> Any:
        items = [self.shape.to_item(texts) for texts in text_input_list]
        pairs = [format_pair(item, choice) for item in items for choice in item.choices]
        first_texts, second_texts = zip(*pairs, strict=True)
        pooled = mean_pool(
            self.tokenizer, self.model, self.length, list(first_texts), list(second_texts)
        )
        scores = pooled @ self.head["head.w"].T + self.head["head.b"]
        return scores.reshape(len(items), -1)


class MeanPoolingEncoder(SentenceEncoder):  # type: ignore[misc]
    """Encodes a sentence as the mean of its token vectors."""

    def __init__(self, folder: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = load_network(folder)

    def encode(self, sentences: list[str]) -> Any:
        return mean_pool(self.tokenizer, self.model, 256, sentences)


def load_network(folder: str) -> Any:
    """Load a network in single precision."""
    return AutoModel.from_pretrained(folder, dtype=torch.float32).eval().to(DEVICE)


def mean_pool(tokenizer: Any, model: Any, length: int, *texts: list[str]) -> Any:
    """Return the mean of the token vectors, as sentence-transformers computes it."""
    inputs = tokenizer(
        *texts, padding=True, truncation=True, max_length=length, return_tensors="pt"
    ).to(DEVICE)
    with torch.inference_mode():
        hidden = model(**inputs).last_hidden_state
    mask = inputs["attention_mask"][..., None].to(hidden.dtype)
    return (hidden * mask).sum(1) / mask.sum(1)


def load_embedding(folder: str) -> Any:
    """Load word vectors with neighbours and cosines, in the form of TextAttack's own."""
    with np.load(os.path.join(folder, "vectors.npz"), allow_pickle=False) as file:
        words, vectors = file["words"].tolist(), normalize_rows(file["vectors"])
    with np.load(os.path.join(folder, "near.npz"), allow_pickle=False) as file:
        rows, neighbours, cosines = file["rows"], file["near"], file["cosines"]
    table = np.zeros((len(words), 1 + neighbours.shape[1]), np.int32)  # the word itself comes first
    table[rows, 1:] = neighbours
    numbers = {word: row for row, word in enumerate(words)}
    embedding = WordEmbedding(vectors, numbers, dict(enumerate(words)), table)
    for row, row_neighbours, row_cosines in zip(
        rows.tolist(), neighbours.tolist(), cosines.tolist(), strict=True
    ):
        for neighbour, cosine in zip(row_neighbours, row_cosines, strict=True):
            embedding._cos_sim_mat[min(row, neighbour)][max(row, neighbour)] = cosine
    return embedding


def replace_nltk_tagger(path: str) -> None:
    """Replace NLTK's tagger, whose weights would be a download, with hansproof's."""
    tagger = perceptron.load_tagger(path)

    def pos_tag(words: list[str], **_: str) -> list[tuple[str, str]]:
        (tags,) = tagger.tag_texts([tuple(words)])
        return list(zip(words, tags, strict=True))

    nltk.pos_tag = pos_tag


def build_attack(wrapper: Any, folder: str, vectors: Any, setting: dict[str, Any]) -> Any:
    """Build TextFoolerJin2019 with the given thresholds, free to change every column."""
    stop_words = Path(folder, "stop_words.txt").read_text().split()
    # TextAttack compares stop words case-sensitively, hansproof does not
    cases = [variant for word in stop_words for variant in (word, word.capitalize(), word.upper())]
    constraints = [
        RepeatModification(),
        StopwordModification(stopwords=cases),
        WordEmbeddingDistance(embedding=vectors, min_cos_sim=setting["word_cosine"]),
        PartOfSpeech(allow_verb_noun_swap=True),
        MeanPoolingEncoder(
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


def result_to_record(item: Item, result: Any) -> dict[str, Any]:
    """Convert TextAttack's result of an item to a record."""
    state = STATES[type(result).__name__.removesuffix("AttackResult")]
    before, after = (
        goal_result.attacked_text.words
        for goal_result in (result.original_result, result.perturbed_result)
    )
    swaps = [[position, *pair] for position, pair in enumerate(zip(before, after, strict=True))]
    return {
        "id": item.id, "state": state, "queries": result.perturbed_result.num_queries,
        "swaps": [swap for swap in swaps if swap[1] != swap[2]] if state == "flipped" else [],
    }  # fmt: skip


def prepare_contender(folder: str, wrapper_kind: str) -> AttackRunner:
    """Return a function that attacks the items one after the other, as TextAttack does."""
    items, model_folder = read_items(folder), os.path.join(folder, "model")
    ((shape, _),) = group_by_shape(items).items()
    wrapper: Any = PaddedWrapper(model_folder, shape)
    if wrapper_kind == "bridge":
        wrapper = MultipleChoiceWrapper(models.load(f"saved:{model_folder}"), shape)
    replace_nltk_tagger(os.path.join(folder, "tagger.npz"))
    vectors, rows = load_embedding(folder), list(zip(items, build_dataset(items), strict=True))

    def run(setting: dict[str, float]) -> dict[str, Any]:
        clock, attack = AttackClock(), build_attack(wrapper, folder, vectors, setting)
        attack.goal_function.model = clock.wrap_network(wrapper)
        encoder = attack.constraints[-1]
        encoder.encode = clock.wrap_network(encoder.encode)
        for _, row in rows[:WARMUP_ITEMS]:
            attack.attack(*row)
        report = clock.time_work(lambda: [attack.attack(*row) for _, row in rows])
        return {**report, "items": list(map(result_to_record, items, report["items"]))}

    return run


def main(folder: str, wrapper_kind: str) -> None:
    """Answer requests with the `plain` or the `bridge` wrapper."""
    serve_requests(prepare_contender(folder, wrapper_kind))
