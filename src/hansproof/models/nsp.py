"""Whether a choice is the next sentence, by the head that BERT was pretrained with.

Kavumba et al. 2019: nothing is learnt; the score of a choice is the logit of is-next minus that of
not-next. The cause comes before the effect; without fields, only the choice is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .._infra.progress import track_optional
from ..errors import BadInput
from ..pretrained import checkpoint, devices, input_formats, text_batches
from ..pretrained.input_formats import Segments
from ..types import FitInfo, Items


@dataclass(frozen=True, slots=True)
class Nsp:
    """A checkpoint with a next-sentence head, without training."""

    source: str = ""  # a transformers folder or hub id, with safetensors for the head too
    batch: int = 32  # batch size, in texts
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise BadInput("nsp:batch", f"is {self.batch}, must be at least 1")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return one score per choice."""
        if not items:
            return []
        rows = [
            [input_formats.format_pair(item, choice) for choice in item.choices] for item in items
        ]
        margins = self._text_margins([text for row in rows for text in row])
        return [tuple(margins[text] for text in row) for row in rows]

    def _text_margins(self, texts: list[Segments]) -> dict[Segments, float]:
        """Return the margin of each distinct text, so that equal texts have equal scores."""
        model, tokenizer = _load_model(
            self.source, checkpoint.fingerprint(self.source), self.device
        )
        margins: dict[Segments, float] = {}
        for batch in track_optional(
            list(text_batches.batch_texts(texts, self.batch)), "reading texts"
        ):
            margins.update(zip(batch, _batch_margins(model, tokenizer, batch), strict=True))
        return margins

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the checkpoint."""
        return {"fingerprint": checkpoint.fingerprint(self.source)}

    @property
    def fit_info(self) -> FitInfo:
        device = devices.describe_setting(self.device)
        return FitInfo(tokenizer="of the model", device=device)


@lru_cache(maxsize=1)
def _load_model(source: str, fingerprint: str, device: str) -> tuple[Any, Any]:
    """Return the model and its tokenizer; the last pair used stays in memory."""
    torch_device = devices.find_device(device)
    model = checkpoint.load_module(source, "AutoModelForNextSentencePrediction")
    return model.to(torch_device), text_batches.enable_padding(checkpoint.load_tokenizer(source))


def _batch_margins(model: Any, tokenizer: Any, texts: list[Segments]) -> list[float]:
    import torch

    with torch.inference_mode():
        outputs = model(**text_batches.tokenize_batch(model, tokenizer, texts)).logits
    logits = checkpoint.require_finite(model, outputs).double()
    margins: list[float] = (logits[:, 0] - logits[:, 1]).tolist()  # label 0 is is-next
    return margins
