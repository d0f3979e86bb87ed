"""Fine-tuning as anybody would write it: the module of transformers, padded, PyTorch's AdamW.

Nothing here comes from the engine, which is held against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hansproof.types import Item, Items


@dataclass
class Plain:
    """An encoder with a layer that scores, and how it is trained."""

    folder: Path
    pooling: str
    head: Any  # the weight and the bias that it begins with
    pooler: Any = None  # the same of a pooler, where the checkpoint has none
    rate: float = 1e-3
    decay: float = 0.01
    decay_all: bool = False
    clip: float = 0.0
    warm: int = 0  # steps
    steps: int = 20
    schedule: str = "linear"
    micro: int = 0  # items that go through at a time; 0: all of a batch

    def __post_init__(self) -> None:
        import torch
        from transformers import AutoTokenizer, BertModel

        self.encoder = BertModel.from_pretrained(self.folder).train()
        self.tokenizer = AutoTokenizer.from_pretrained(self.folder)
        self.last = torch.nn.Linear(self.encoder.config.hidden_size, 1)
        with torch.no_grad():
            for own, given in zip(self.last.parameters(), self.head, strict=True):
                own.copy_(given)
            if self.pooler is not None:
                for own, given in zip(self.encoder.pooler.parameters(), self.pooler, strict=True):
                    own.copy_(given)

    def losses(self, items: Items, batches: Sequence[Sequence[int]]) -> list[float]:
        """The loss of every step, before it is taken."""
        import torch

        optimizer, schedule = self._optimizer()
        weights = [one for group in optimizer.param_groups for one in group["params"]]
        found = []
        for batch in batches:
            micro = self.micro or len(batch)
            parts = [batch[at : at + micro] for at in range(0, len(batch), micro)]
            optimizer.zero_grad()
            summed = 0.0
            for part in parts:
                loss = self.loss([items[at] for at in part]) / len(parts)
                loss.backward()
                summed += loss.item()
            if self.clip:
                torch.nn.utils.clip_grad_norm_(weights, self.clip)
            optimizer.step()
            schedule.step()
            found.append(summed)
        return found

    def _optimizer(self) -> tuple[Any, Any]:
        import torch
        import transformers

        named = [*self.encoder.named_parameters(), *self.last.named_parameters(prefix="last")]
        bare = [w for n, w in named if "LayerNorm" in n or n.endswith("bias")]
        full = [w for n, w in named if not ("LayerNorm" in n or n.endswith("bias"))]
        optimizer = torch.optim.AdamW(
            [
                {"params": full, "weight_decay": self.decay},
                {"params": bare, "weight_decay": self.decay if self.decay_all else 0.0},
            ],
            lr=self.rate, betas=(0.9, 0.999), eps=1e-8,
        )  # fmt: skip
        if self.schedule == "constant":
            schedule = transformers.get_constant_schedule_with_warmup(optimizer, self.warm)
        else:
            named_so = getattr(transformers, f"get_{self.schedule}_schedule_with_warmup")
            schedule = named_so(optimizer, self.warm, self.steps)
        return optimizer, schedule

    def loss(self, items: Sequence[Item]) -> Any:
        """The mean over items: over the choices, or of yes and no where there is but one."""
        import torch
        from torch.nn import functional

        each = iter(self.scores(items))
        found = []
        for item in items:
            own = torch.stack([next(each) for _ in item.choices])
            if len(own) == 1:
                right = torch.tensor([float(item.answer == 0)])
                found.append(functional.binary_cross_entropy_with_logits(own, right))
            else:
                found.append(functional.cross_entropy(own[None], torch.tensor([item.answer])))
        return torch.stack(found).mean()

    def scores(self, items: Sequence[Item]) -> Any:
        """Of all choices of all items, in a row."""
        pairs = [(" ".join(i.fields.values()), choice) for i in items for choice in i.choices]
        given = self.tokenizer(
            [first for first, _ in pairs], [second for _, second in pairs],
            padding=True, return_tensors="pt",
        )  # fmt: skip
        said = self.encoder(**given)
        if self.pooling == "pooler":
            pooled = said.pooler_output
        elif self.pooling == "mean":
            there = given["attention_mask"][:, :, None].float()
            pooled = (said.last_hidden_state * there).sum(1) / there.sum(1)
        else:
            pooled = said.last_hidden_state[:, 0]
        return self.last(pooled)[:, 0]
