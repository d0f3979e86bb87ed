"""Whether a choice is the next sentence, by the head that BERT was pretrained with.

Kavumba et al. 2019: nothing is learnt; a choice's score is the logit of is-next less that of
not-next. Cause and effect stand in this order; without fields there is only the choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import BadInput
from ..types import Items
from . import _checkpoint, _device, _inputs, _segments
from ._bar import watched
from ._inputs import Segments


@dataclass(frozen=True, slots=True)
class Nsp:
    """A checkpoint with a next-sentence head, as it comes."""

    source: str = ""  # a transformers folder or hub id, with safetensors for the head too
    batch: int = 32  # texts read at a time
    device: str = "auto"  # cpu, cuda, or cuda where there is one

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise BadInput("nsp:batch", f"is {self.batch}, must be at least 1")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One score per choice."""
        if not items:
            return []
        rows = [[_inputs.pair(item, choice) for choice in item.choices] for item in items]
        found = self._margins([text for row in rows for text in row])
        return [tuple(found[text] for text in row) for row in rows]

    def _margins(self, texts: list[Segments]) -> dict[Segments, float]:
        """By text, each worked out once, so that equal texts have equal scores."""
        model, tokenizer = _loaded(self.source, _checkpoint.fingerprint(self.source), self.device)
        found: dict[Segments, float] = {}
        for part in watched(list(_segments.batches(texts, self.batch)), "reading texts"):
            found.update(zip(part, _margin(model, tokenizer, part), strict=True))
        return found

    def materials(self) -> dict[str, str]:
        """The fingerprint of the checkpoint."""
        return {"fingerprint": _checkpoint.fingerprint(self.source)}

    @property
    def tokenizer(self) -> str:
        return "of the model"


@lru_cache(maxsize=1)
def _loaded(source: str, print_of: str, device: str) -> tuple[Any, Any]:
    """The model and its tokenizer; the last one used stays in memory."""
    place = _device.find(device)
    model = _checkpoint.module(source, "AutoModelForNextSentencePrediction")
    return model.to(place), _segments.opened(_checkpoint.tokenizer(source))


def _margin(model: Any, tokenizer: Any, texts: list[Segments]) -> list[float]:
    import torch

    with torch.inference_mode():
        said = model(**_segments.tokens(model, tokenizer, texts)).logits
    logits = _checkpoint.finite(model, said).double()
    margins: list[float] = (logits[:, 0] - logits[:, 1]).tolist()  # 0 is the label of is-next
    return margins
