"""Fine-tuned transformers: they score, can be saved, and can be loaded again."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, get_args

import numpy as np
import torch

from ...capabilities import AttributionMethod, Attributions
from ...errors import ModelError
from ...pretrained import checkpoint, devices
from ...training.engine import score_sequences
from ...training.packing import Sequences
from ...training.recipes import Inputs, Pooling, Recipe
from ...training.step import TrainConfig
from ...types import FitInfo, Items
from .._architectures import InputFormat, LoadedModel, load_model
from .._architectures.item_tokenizer import TextSegments, TokenSequence
from . import attribution

HEAD_FILE, SETTINGS_FILE = "head.safetensors", "hansproof.json"
BATCH_SEQUENCES = 64  # scored at once on a CPU
BATCH_TOKENS = 1 << 16  # scored at once on a GPU, which small batches would leave idle
INTEGRATION_STEPS = 32  # of integrated gradients


@dataclass(frozen=True, slots=True, eq=False)
class FinetunedTransformer:
    """A fine-tuned network; one whose training diverged has no weights and scores ties."""

    base_model: LoadedModel
    weights: dict[str, torch.Tensor] | None
    torch_device: torch.device
    chosen: dict[str, Any] = field(default_factory=dict)
    trials: tuple[str, ...] = ()
    read_texts: set[TextSegments] = field(default_factory=set)  # in training and in scoring

    @property
    def fit_info(self) -> FitInfo:
        item_tokenizer = self.base_model.item_tokenizer
        return FitInfo(
            chosen=self.chosen,
            trials=self.trials,
            cut=len(self.read_texts & item_tokenizer.cut_texts),
            sequences=len(self.read_texts),
            length=item_tokenizer.length,
            tokenizer=f"{type(self.base_model.tokenizer).__name__}, "
            f"at most {item_tokenizer.length} tokens",
            device=devices.describe_device(self.torch_device),
            diverged=self.weights is None,
        )

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return one score per choice; equal sequences are scored once, so they tie."""
        if self.weights is None or not items:
            return [(0.0,) * len(item.choices) for item in items]
        item_sequences = self.base_model.item_tokenizer.encode(items, self.read_texts)
        unique_sequences = sorted(
            {sequence for sequences in item_sequences for sequence in sequences},
            key=lambda sequence: (len(sequence[0]), sequence),
        )
        weights = _lane_weights(self)
        score_of: dict[TokenSequence, float] = {}
        size = BATCH_SEQUENCES
        if self.torch_device.type == "cuda":
            size = max(size, BATCH_TOKENS // len(unique_sequences[-1][0]))
        for start in range(0, len(unique_sequences), size):
            batch = unique_sequences[start : start + size]
            score_of.update(zip(batch, self._score_batch(weights, batch), strict=True))
        return [tuple(score_of[sequence] for sequence in sequences) for sequences in item_sequences]

    def _score_batch(
        self, weights: dict[str, torch.Tensor], sequences: Sequence[TokenSequence]
    ) -> list[float]:
        table = Sequences.from_lists(
            [list(token_ids) for token_ids, _ in sequences],
            [list(segment_ids) for _, segment_ids in sequences],
            self.torch_device,
        )
        net = self.base_model.architecture.build_scorer()
        config = TrainConfig(
            net, table, Recipe(), len(sequences), 1, self.torch_device, torch.float32
        )
        rows = np.arange(len(sequences), dtype=np.int64)[:, None]
        (scores,) = score_sequences(config, weights, [rows], len(sequences[-1][0]))
        return [float(score) for score in scores[:, 0]]

    def gradients(
        self, items: Items, method: AttributionMethod = "gradient", steps: int = INTEGRATION_STEPS
    ) -> list[tuple[Attributions, ...]]:
        """Return how much the score of each choice depends on each token that is read."""
        return attribution.attribute_scores(self, items, method, steps)

    def save(self, folder: str) -> None:
        """Write a folder that transformers can load, with the head; `saved:FOLDER` loads both."""
        from safetensors.torch import save_file

        if self.weights is None:
            raise ModelError(f"{folder}: training diverged, so there is nothing to save")
        os.makedirs(folder, exist_ok=True)
        module_state, head_state = self.base_model.architecture.split_state(
            {n: w.cpu() for n, w in self.weights.items()}
        )
        self.base_model.config.save_pretrained(folder)
        self.base_model.tokenizer.save_pretrained(folder)
        contiguous = {name: weight.contiguous().clone() for name, weight in module_state.items()}
        save_file(contiguous, os.path.join(folder, "model.safetensors"), {"format": "pt"})
        contiguous = {name: weight.contiguous() for name, weight in head_state.items()}
        save_file(contiguous, os.path.join(folder, HEAD_FILE))
        input_format = self.base_model.item_tokenizer.input_format
        settings = {
            "pooling": self.base_model.pooling, "inputs": input_format.inputs,
            "length": self.base_model.item_tokenizer.length, "task": input_format.task,
            "chosen": self.chosen,
        }  # fmt: skip
        with open(os.path.join(folder, SETTINGS_FILE), "w", encoding="utf-8") as file:
            json.dump(settings, file, indent=1)


@lru_cache(maxsize=1)
def _lane_weights(fitted: FinetunedTransformer) -> dict[str, torch.Tensor]:
    """Return the weights on the device, as one lane; those of the last model stay cached."""
    return {
        name: weight[None].to(fitted.torch_device)
        for name, weight in (fitted.weights or {}).items()
    }


def load_finetuned(folder: str, device: str = "auto") -> FinetunedTransformer:
    """Load a model that `save` wrote."""
    from safetensors.torch import load_file

    torch_device = devices.find_device(device)
    with checkpoint.translate_load_errors(folder):
        with open(os.path.join(folder, SETTINGS_FILE), encoding="utf-8") as file:
            settings = json.load(file)
        input_format, chosen = _parse_input_format(settings), dict(settings["chosen"])
        head = load_file(os.path.join(folder, HEAD_FILE))
    base_model = load_model(folder, checkpoint.fingerprint(folder), input_format)
    start_weights = base_model.architecture.build_scorer().start(0)
    _, expected_head = base_model.architecture.split_state(start_weights)
    if {n: w.shape for n, w in head.items()} != {n: w.shape for n, w in expected_head.items()}:
        raise ModelError(f"{folder}: {HEAD_FILE} does not belong to the model in this folder")
    return FinetunedTransformer(base_model, {**start_weights, **head}, torch_device, chosen)


def _parse_input_format(settings: Any) -> InputFormat:
    """Return the input format in a settings file, after checking its values."""
    length = int(settings["length"])
    for name, allowed in (("pooling", get_args(Pooling)), ("inputs", get_args(Inputs))):
        if settings[name] not in allowed:
            raise ValueError(f"{name} is {settings[name]!r}, must be {' or '.join(allowed)}")
    if length < 1:
        raise ValueError(f"length is {length}, must be at least 1")
    return InputFormat(settings["pooling"], settings["inputs"], length, 0.0, str(settings["task"]))
