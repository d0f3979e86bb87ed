"""A fine-tuned model saved by `predict --keep`, applied unchanged.

`saved:FOLDER` scores any benchmark with it, in that benchmark's input format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..capabilities import AttributionMethod, Attributions
from ..errors import MissingExtra
from ..pretrained import checkpoint, devices
from ..types import FitInfo, Items

if TYPE_CHECKING:
    from ._transformers.finetuned import FinetunedTransformer


@dataclass(frozen=True, slots=True)
class SavedModel:
    """A saved model; it is not trained further."""

    source: str = ""  # folder of a saved run
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    @property
    def fit_info(self) -> FitInfo:
        """Report on its scoring; its training was reported when it was trained."""
        fitted = self._load_model().fit_info
        return FitInfo(
            cut=fitted.cut,
            sequences=fitted.sequences,
            length=fitted.length,
            tokenizer=fitted.tokenizer,
            device=devices.describe_setting(self.device),
        )

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return one score per choice."""
        return self._load_model().score(items)

    def gradients(
        self, items: Items, method: AttributionMethod = "gradient", steps: int = 32
    ) -> list[tuple[Attributions, ...]]:
        """Return how much the score of each choice depends on each token that is read."""
        return self._load_model().gradients(items, method, steps)

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the folder."""
        return {"fingerprint": checkpoint.fingerprint(self.source)}

    def _load_model(self) -> FinetunedTransformer:
        devices.find_device(self.device)  # raises if torch or the device is missing
        return _load_cached(self.source, checkpoint.fingerprint(self.source), self.device)


@lru_cache(maxsize=1)
def _load_cached(source: str, _: str, device: str) -> FinetunedTransformer:
    try:
        from ._transformers.finetuned import load_finetuned
    except ImportError:
        raise MissingExtra("models", "a pretrained model") from None
    return load_finetuned(source, device)
