"""How others fine-tune for multiple choice: the papers' loop, and Hugging Face's Trainer.

Both pad to the longest sequence of a (micro-)batch, not to 32 tokens as the papers did, and only
epochs are timed, not what comes before the first: what is kinder to them. Nothing is tokenised
while the clock runs. Needs numpy, torch, transformers and accelerate, and nothing else.
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
LONGEST = 32  # tokens, of a sequence

Row = dict[str, Any]  # what a model gets of one item, as tensors


@dataclass(frozen=True, slots=True)
class Shape:
    """A BERT without weights; dropout is .1 everywhere, the default."""

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
    "bert-large": Shape(24, 1024, 16, 4096),
    "minilm": Shape(6, 384, 12, 1536),
    "tiny": Shape(2, 64, 2, 256),  # to see whether all of this runs
}


@dataclass(frozen=True, slots=True)
class Data:
    """Items in numbers: by item and choice, a sequence of tokens and the segment each is of."""

    tokens: list[list[list[int]]]
    segments: list[list[list[int]]]
    answers: list[int]

    @classmethod
    def read(cls, folder: str, split: str) -> Data:
        return cls(**json.loads(Path(folder, "copa.json").read_text())[split])

    @property
    def updates(self) -> int:
        """In an epoch; items that do not fill a batch are left out."""
        return len(self.answers) // BATCH

    def lengths(self) -> list[int]:
        return [len(sequence) for item in self.tokens for sequence in item]

    def rows(self) -> list[Row]:
        """Tensors made once, so that a batch is only stacked and cut."""
        return [
            {
                "input_ids": _filled(tokens),
                "token_type_ids": _filled(segments),
                "attention_mask": _filled([[1] * len(sequence) for sequence in tokens]),
                "labels": torch.tensor(answer),
            }
            for tokens, segments, answer in zip(
                self.tokens, self.segments, self.answers, strict=True
            )
        ]


def _filled(sequences: list[list[int]]) -> torch.Tensor:
    return torch.tensor([[*one, *[0] * (LONGEST - len(one))] for one in sequences])


def collate(rows: Sequence[Row]) -> Row:
    """A batch, as long as the longest sequence in it."""
    batch = {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
    longest = int(batch["attention_mask"].sum(-1).max())
    return {
        key: value if key == "labels" else value[..., :longest].contiguous()
        for key, value in batch.items()
    }


@dataclass(frozen=True, slots=True)
class Plan:
    """So many epochs, timed together, so many times over, after one to warm up."""

    epochs: int
    repetitions: int

    @property
    def total(self) -> int:
        return 1 + self.epochs * self.repetitions


class Clock:
    """Seconds of every epoch. It waits for the device, so that only what is done is timed."""

    def __init__(self, device: str) -> None:
        self.device, self.seconds, self.since = device, list[float](), 0.0

    def begin(self) -> None:
        self._wait()
        self.since = time.perf_counter()

    def end(self) -> None:
        self._wait()
        self.seconds.append(time.perf_counter() - self.since)

    def _wait(self) -> None:
        if self.device != "cpu":
            torch.cuda.synchronize()


@dataclass(frozen=True, slots=True)
class Timing:
    """What every repetition took, in seconds, for so many updates of so many runs at once."""

    seconds: tuple[float, ...]
    updates: int  # of each run, in a repetition
    precision: str
    runs: int = 1
    set_up: float = 0.0  # seconds before the first update that every set of runs pays again

    @classmethod
    def of(cls, clock: Clock, data: Data, plan: Plan, precision: str) -> Timing:
        """From the seconds of every epoch, of which the first was to warm up."""
        if len(clock.seconds) != plan.total:
            raise ValueError(f"{len(clock.seconds)} epochs were timed, not {plan.total}")
        epochs = iter(clock.seconds[1:])
        seconds = tuple(sum(islice(epochs, plan.epochs)) for _ in range(plan.repetitions))
        return cls(seconds, data.updates * plan.epochs, precision)

    @property
    def update(self) -> float:
        """Milliseconds for an update of one run."""
        return 1000 * statistics.median(self.seconds) / self.updates / self.runs

    def run(self, updates: int) -> float:
        """Seconds for one run of so many updates."""
        return self.set_up / self.runs + updates * self.update / 1000

    def record(self, updates: int) -> dict[str, Any]:
        each = [round(1000 * one / self.updates / self.runs, 4) for one in self.seconds]
        return {
            "ms_per_update": round(self.update, 4), "seconds_per_run": round(self.run(updates), 4),
            "ms_per_update_each": each, **asdict(self),
        }  # fmt: skip


def papers(shape: Shape, data: Data, device: str, plan: Plan) -> Timing:
    """Kavumba et al. 2019: single precision, four items at a time, eight times for an update."""
    torch.set_float32_matmul_precision("highest")  # no TF32: the default, whatever ran before
    transformers.set_seed(0)
    model = BertForMultipleChoice(shape.config()).to(device).train()
    adam = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    updates, parts = data.updates * plan.total, BATCH // MICRO
    warm = int(WARM_UP * updates)
    schedule = transformers.get_linear_schedule_with_warmup(adam, warm, updates)
    loader = DataLoader(data.rows(), MICRO, shuffle=True, drop_last=True, collate_fn=collate)
    clock = Clock(device)
    for _ in range(plan.total):
        clock.begin()
        for at, batch in enumerate(islice(loader, data.updates * parts), 1):
            loss = model(**{key: value.to(device) for key, value in batch.items()}).loss
            (loss / parts).backward()
            if at % parts == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
                adam.step()
                schedule.step()
                adam.zero_grad()
        clock.end()
    return Timing.of(clock, data, plan, "fp32")


def trainer(shape: Shape, data: Data, device: str, plan: Plan) -> Timing:
    """Hugging Face's Trainer, in bf16 where there is a GPU."""
    transformers.set_seed(0)
    clock = Clock(device)
    train(BertForMultipleChoice(shape.config()), data, plan.total, clock, seed=0)
    return Timing.of(clock, data, plan, "fp32" if device == "cpu" else "bf16")


def train(model: Any, data: Data, epochs: int, clock: Clock, seed: int) -> None:
    """With the papers' recipe, which costs nothing, and the Trainer's defaults for the rest."""
    cpu = clock.device == "cpu"
    with tempfile.TemporaryDirectory() as folder:
        given = transformers.TrainingArguments(
            output_dir=folder, num_train_epochs=epochs, per_device_train_batch_size=BATCH,
            learning_rate=RATE, weight_decay=DECAY, max_grad_norm=CLIP,
            warmup_steps=int(WARM_UP * epochs * data.updates),
            dataloader_drop_last=True, dataloader_num_workers=0, remove_unused_columns=False,
            eval_strategy="no", save_strategy="no", report_to="none", disable_tqdm=True,
            use_cpu=cpu, bf16=not cpu, seed=seed,
        )  # fmt: skip
        made = transformers.Trainer(
            model, given, train_dataset=data.rows(), data_collator=collate,
            callbacks=[Epochs(clock)],
        )  # fmt: skip
        made.remove_callback(transformers.PrinterCallback)
        made.train()
    if made.state.global_step != epochs * data.updates:
        raise ValueError(f"{made.state.global_step} updates, not {epochs * data.updates}")
    made.accelerator.free_memory()  # it would keep the model


class Epochs(transformers.TrainerCallback):  # type: ignore[misc]
    """Tells a clock when an epoch of the Trainer begins and ends."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def on_epoch_begin(self, *given: Any, **named: Any) -> None:
        self.clock.begin()

    def on_epoch_end(self, *given: Any, **named: Any) -> None:
        self.clock.end()


@dataclass(frozen=True, slots=True)
class Trained:
    """One run from pretrained weights: what is right in test, and the seconds of its training."""

    accuracy: float
    seconds: float


class Scorer(torch.nn.Module):  # type: ignore[misc]
    """A pretrained encoder, the mean of its tokens' vectors, and one number per choice."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(source, dtype=torch.float32)
        self.encoder.pooler = None  # what is not looked at is not trained either
        self.head = torch.nn.Linear(self.encoder.config.hidden_size, 1)
        torch.nn.init.normal_(self.head.weight, std=0.02)  # as transformers' own heads, and ours
        torch.nn.init.zeros_(self.head.bias)

    def forward(
        self,
        input_ids: torch.Tensor,
        token_type_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        labels: torch.Tensor,
    ) -> dict[str, torch.Tensor]:
        choices = input_ids.shape[1]
        there = attention_mask.flatten(0, 1)
        outputs = self.encoder(
            input_ids=input_ids.flatten(0, 1), attention_mask=there,
            token_type_ids=token_type_ids.flatten(0, 1),
        ).last_hidden_state  # fmt: skip
        mask = there.unsqueeze(2).to(outputs.dtype)
        mean = (outputs * mask).sum(1) / mask.sum(1)
        logits = self.head(mean).view(-1, choices)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


def pretrained(source: str, data: Data, test: Data, device: str, seed: int) -> Trained:
    """Ten epochs with the Trainer, the last of which is tested."""
    transformers.set_seed(seed)
    model, clock = Scorer(source), Clock(device)
    train(model, data, EPOCHS, clock, seed)
    model.eval()
    right = 0
    with torch.inference_mode():
        for batch in DataLoader(test.rows(), BATCH, collate_fn=collate):
            there = {key: value.to(device) for key, value in batch.items()}
            right += int((model(**there)["logits"].argmax(1) == there["labels"]).sum())
    return Trained(right / len(test.answers), sum(clock.seconds))


@contextmanager
def freed(device: str) -> Iterator[dict[str, float]]:
    """Nothing is left of a model afterwards; tells the most memory there was, and what was left."""
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
