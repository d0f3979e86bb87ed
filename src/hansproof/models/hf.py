"""A pretrained transformer, fine-tuned to rank the choices.

`hf:bert-base-uncased`, `hf:./folder,recipe=kavumba-bert,rates=2e-5|1e-5`: any hub id or local
folder with safetensors. Encoders like BERT are packed and, on a GPU, trained several runs at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from ..errors import MissingExtra
from ..pretrained import checkpoint, devices
from ..training import recipes
from ..training.recipes import Recipe
from ..training.training_task import ProgressCallback, TrainingTask
from ..types import Items

if TYPE_CHECKING:
    from ._transformers.finetuned import FinetunedTransformer


@dataclass(frozen=True, slots=True)
class Hf:
    """Fine-tunes the whole network; one score for each choice, softmax over those of an item."""

    selects: ClassVar[bool] = True
    slow: ClassVar[bool] = True  # each run deserves its own core

    source: str = ""  # a transformers folder or hub id, with safetensors
    recipe: str = "default"  # default, kavumba-bert/-roberta/-albert, niven-bert, branco/-gpt2/-t5
    rates: tuple[float, ...] = ()  # learning rates to choose from, instead of the recipe's
    batches: tuple[int, ...] = ()  # batch sizes to choose from, instead of the recipe's
    epochs: int = 0  # number of epochs, instead of the recipe's
    length: int = 0  # longest sequence, in tokens, instead of the recipe's
    pooling: Literal["", "auto", "first", "pooler", "mean", "last"] = ""  # instead of the recipe's
    inputs: Literal["", "pair", "joined", "ranking"] = ""  # instead of the recipe's
    task: str = ""  # first word of a T5 prompt: arct, arc, csqa, piqa; default: from the fields
    precision: Literal["auto", "fp32", "bf16"] = "auto"  # of matrix products; weights are fp32
    deterministic: bool = False  # reproducible numbers on a GPU; trains one run at a time
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        self.effective_recipe().check_values("hf")

    def effective_recipe(self) -> Recipe:
        """Return the recipe, with the settings that override it."""
        from dataclasses import replace

        names = ("rates", "batches", "epochs", "length", "pooling", "inputs")
        overrides = {name: getattr(self, name) for name in names if getattr(self, name)}
        return replace(recipes.get_recipe(self.recipe), **overrides)

    def batch_capacity(self) -> int:
        """Return how many runs it trains at once: one on a CPU."""
        return 64 if devices.find_device(self.device).type == "cuda" else 1

    def fit(self, items: Items, select: Items, seed: int) -> FinetunedTransformer:
        """Train on items, and keep the epoch and the rate that are best on `select`."""
        return next(
            self.fit_many([TrainingTask(items, select, seed)], lambda share, accuracy: None)
        )

    def fit_many(
        self, tasks: Sequence[TrainingTask], watch: ProgressCallback
    ) -> Iterator[FinetunedTransformer]:
        """Train for several tasks, as many at once as fit in memory."""
        try:
            from ._transformers.finetune import finetune
        except ImportError:
            raise MissingExtra("models", "a pretrained model") from None
        return finetune(self, tasks, watch)

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the checkpoint."""
        return {"fingerprint": checkpoint.fingerprint(self.source)}
