"""Fine-tune for multiple choice with the papers' loop and with Hugging Face's Trainer.

Two choices favour these peers: both pad to the longest sequence of a (micro-)batch, not to 32
tokens as the papers did, and only epochs are timed, not the preparation before the first. Nothing
is tokenised while the clock runs. Needs only numpy, torch, transformers and accelerate.
"""

from __future__ import annotations

import gc
import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
import transformers
from torch.utils.data import DataLoader
from transformers import AutoModel, BertConfig, BertForMultipleChoice

BATCH, MICRO, EPOCHS = 32, 4, 10
RATE, DECAY, CLIP, WARM_UP = 2e-5, 0.01, 1.0, 0.1
LONGEST = 32  # tokens in a sequence

ItemTensors = dict[str, Any]  # inputs of a model for one item


@dataclass(frozen=True, slots=True)
class BertShape:
    """Sizes of a BERT without weights; dropout is .1 everywhere, the default."""

    layers: int
    width: int
    heads: int
    inner: int
    vocabulary: int = 30522

    def config(self) -> Any:
        return BertConfig(
            vocab_size=self.vocabulary, hidden_size=self.width, num_hidden_layers=self.layers,
            num_attention_heads=self.heads, intermediate_size=self.inner,
        )  # fmt: skip


SHAPES = {
    "bert-large": BertShape(24, 1024, 16, 4096),
    "minilm": BertShape(6, 384, 12, 1536),
    "tiny": BertShape(2, 64, 2, 256),  # for quick trials
}


@dataclass(frozen=True, slots=True)
class TokenizedItems:
    """Items as token ids: by item and choice, a sequence of tokens and their segments."""

    tokens: list[list[list[int]]]
    segments: list[list[list[int]]]
    answers: list[int]

    @classmethod
    def read(cls, folder: str, split: str) -> TokenizedItems:
        return cls(**json.loads(Path(folder, "copa.json").read_text())[split])

    @property
    def updates(self) -> int:
        """Updates in an epoch; items that do not fill a batch are left out."""
        return len(self.answers) // BATCH

    def lengths(self) -> list[int]:
        return [len(sequence) for item in self.tokens for sequence in item]

    def rows(self) -> list[ItemTensors]:
        """Return tensors made once, so that a batch is only stacked and trimmed."""
        return [
            {
                "input_ids": _pad_sequences(tokens),
                "token_type_ids": _pad_sequences(segments),
                "attention_mask": _pad_sequences([[1] * len(sequence) for sequence in tokens]),
                "labels": torch.tensor(answer),
            }
            for tokens, segments, answer in zip(
                self.tokens, self.segments, self.answers, strict=True
            )
        ]


def _pad_sequences(sequences: list[list[int]]) -> torch.Tensor:
    return torch.tensor([[*sequence, *[0] * (LONGEST - len(sequence))] for sequence in sequences])


def collate(rows: Sequence[ItemTensors]) -> ItemTensors:
    """Stack items to a batch, trimmed to its longest sequence."""
    batch = {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
    longest = int(batch["attention_mask"].sum(-1).max())
    return {
        key: value if key == "labels" else value[..., :longest].contiguous()
        for key, value in batch.items()
    }


@dataclass(frozen=True, slots=True)
class TimingPlan:
    """Number of epochs timed together, and of repetitions, after one epoch of warm-up."""

    epochs: int
    repetitions: int

    @property
    def total(self) -> int:
        return 1 + self.epochs * self.repetitions


class EpochClock:
    """Records the seconds of each epoch; waits for the device, so that all work is counted."""

    def __init__(self, device: str) -> None:
        self.device, self.seconds, self.started = device, list[float](), 0.0

    def begin(self) -> None:
        self._wait_for_device()
        self.started = time.perf_counter()

    def end(self) -> None:
        self._wait_for_device()
        self.seconds.append(time.perf_counter() - self.started)

    def _wait_for_device(self) -> None:
        if self.device != "cpu":
            torch.cuda.synchronize()


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of each repetition, for a number of updates of several parallel runs."""

    seconds: tuple[float, ...]
    updates: int  # of each run in a repetition
    precision: str
    runs: int = 1
    set_up: float = 0.0  # seconds before the first update, once for each set of parallel runs

    @classmethod
    def from_clock(
        cls, clock: EpochClock, data: TokenizedItems, plan: TimingPlan, precision: str
    ) -> Timing:
        """Build from the seconds of each epoch; the first is the warm-up."""
        if len(clock.seconds) != plan.total:
            raise ValueError(f"{len(clock.seconds)} epochs were timed, not {plan.total}")
        epochs = iter(clock.seconds[1:])
        seconds = tuple(sum(islice(epochs, plan.epochs)) for _ in range(plan.repetitions))
        return cls(seconds, data.updates * plan.epochs, precision)

    @property
    def update_milliseconds(self) -> float:
        """Milliseconds for an update of one run."""
        return 1000 * statistics.median(self.seconds) / self.updates / self.runs

    def seconds_per_run(self, updates: int) -> float:
        """Return the seconds for one run with this number of updates."""
        return self.set_up / self.runs + updates * self.update_milliseconds / 1000

    def to_record(self, updates: int) -> dict[str, Any]:
        milliseconds = [
            round(1000 * seconds / self.updates / self.runs, 4) for seconds in self.seconds
        ]
        return {
            "ms_per_update": round(self.update_milliseconds, 4),
            "seconds_per_run": round(self.seconds_per_run(updates), 4),
            "ms_per_update_each": milliseconds,
            **asdict(self),
        }


def time_papers(shape: BertShape, data: TokenizedItems, device: str, plan: TimingPlan) -> Timing:
    """Time Kavumba et al. 2019: single precision, eight micro-batches of four items per update."""
    # no TF32, which is the default; earlier code may have changed it
    torch.set_float32_matmul_precision("highest")
    transformers.set_seed(0)
    model = BertForMultipleChoice(shape.config()).to(device).train()
    adam = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    updates, parts = data.updates * plan.total, BATCH // MICRO
    warmup = int(WARM_UP * updates)
    schedule = transformers.get_linear_schedule_with_warmup(adam, warmup, updates)
    loader = DataLoader(data.rows(), MICRO, shuffle=True, drop_last=True, collate_fn=collate)
    clock = EpochClock(device)
    for _ in range(plan.total):
        clock.begin()
        for i, batch in enumerate(islice(loader, data.updates * parts), 1):
            loss = model(**{key: value.to(device) for key, value in batch.items()}).loss
            (loss / parts).backward()
            if i % parts == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
                adam.step()
                schedule.step()
                adam.zero_grad()
        clock.end()
    return Timing.from_clock(clock, data, plan, "fp32")


def time_trainer(shape: BertShape, data: TokenizedItems, device: str, plan: TimingPlan) -> Timing:
    """Time Hugging Face's Trainer, in bf16 on a GPU."""
    transformers.set_seed(0)
    clock = EpochClock(device)
    run_trainer(BertForMultipleChoice(shape.config()), data, plan.total, clock, seed=0)
    return Timing.from_clock(clock, data, plan, "fp32" if device == "cpu" else "bf16")


def run_trainer(
    model: Any, data: TokenizedItems, epochs: int, clock: EpochClock, seed: int
) -> None:
    """Train with the papers' recipe and the Trainer's defaults for everything else."""
    cpu = clock.device == "cpu"
    with tempfile.TemporaryDirectory() as folder:
        arguments = transformers.TrainingArguments(
            output_dir=folder, num_train_epochs=epochs, per_device_train_batch_size=BATCH,
            learning_rate=RATE, weight_decay=DECAY, max_grad_norm=CLIP,
            warmup_steps=int(WARM_UP * epochs * data.updates),
            dataloader_drop_last=True, dataloader_num_workers=0, remove_unused_columns=False,
            eval_strategy="no", save_strategy="no", report_to="none", disable_tqdm=True,
            use_cpu=cpu, bf16=not cpu, seed=seed,
        )  # fmt: skip
        trainer = transformers.Trainer(
            model, arguments, train_dataset=data.rows(), data_collator=collate,
            callbacks=[EpochCallback(clock)],
        )  # fmt: skip
        trainer.remove_callback(transformers.PrinterCallback)
        trainer.train()
    if trainer.state.global_step != epochs * data.updates:
        raise ValueError(f"{trainer.state.global_step} updates, not {epochs * data.updates}")
    trainer.accelerator.free_memory()  # otherwise it keeps the model


class EpochCallback(transformers.TrainerCallback):  # type: ignore[misc]
    """Tells a clock when an epoch of the Trainer begins and ends."""

    def __init__(self, clock: EpochClock) -> None:
        self.clock = clock

    def on_epoch_begin(self, *args: Any, **kwargs: Any) -> None:
        self.clock.begin()

    def on_epoch_end(self, *args: Any, **kwargs: Any) -> None:
        self.clock.end()


@dataclass(frozen=True, slots=True)
class AccuracyResult:
    """Test accuracy of a run from pretrained weights, and the seconds of its training."""

    accuracy: float
    seconds: float


class MeanPoolingScorer(torch.nn.Module):  # type: ignore[misc]
    """A pretrained encoder with mean pooling, and a linear layer that scores a choice."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(source, dtype=torch.float32)
        self.encoder.pooler = None  # unused, so it need not be trained
        self.head = torch.nn.Linear(self.encoder.config.hidden_size, 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)  # like transformers' own heads, and ours
        torch.nn.init.zeros_(self.head.bias)

    def forward(
        self,
        input_ids: torch.Tensor,
        token_type_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        labels: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        choices = input_ids.shape[1]
        flat_mask = attention_mask.flatten(0, 1)
        outputs = self.encoder(
            input_ids=input_ids.flatten(0, 1), attention_mask=flat_mask,
            token_type_ids=token_type_ids.flatten(0, 1),
        ).last_hidden_state  # fmt: skip
        mask = flat_mask.unsqueeze(2).to(outputs.dtype)
        mean = (outputs * mask).sum(1) / mask.sum(1)
        logits = self.head(mean).view(-1, choices)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


def train_pretrained(
    source: str, data: TokenizedItems, test: TokenizedItems, device: str, seed: int
) -> AccuracyResult:
    """Train ten epochs with the Trainer, and test the last."""
    transformers.set_seed(seed)
    model, clock = MeanPoolingScorer(source), EpochClock(device)
    run_trainer(model, data, EPOCHS, clock, seed)
    model.eval()
    correct = 0
    with torch.inference_mode():
        for batch in DataLoader(test.rows(), BATCH, collate_fn=collate):
            inputs = {key: value.to(device) for key, value in batch.items()}
            correct += int((model(**inputs)["logits"].argmax(1) == inputs["labels"]).sum())
    return AccuracyResult(correct / len(test.answers), sum(clock.seconds))


@contextmanager
def track_memory(device: str) -> Iterator[dict[str, float]]:
    """Free the memory of a model afterwards; record the peak, and how much was left."""
    memory: dict[str, float] = {}
    if device != "cpu":
        torch.cuda.reset_peak_memory_stats()
    try:
        yield memory
    finally:
        gc.collect()
        if device != "cpu":
            memory["peak_mib"] = round(torch.cuda.max_memory_allocated() / 2**20)
            memory["left_mib"] = round(torch.cuda.memory_allocated() / 2**20)
            torch.cuda.empty_cache()
