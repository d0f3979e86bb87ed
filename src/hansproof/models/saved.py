"""A fine-tuned model as `predict --keep` has saved it, applied unchanged.

`kept:FOLDER` scores any benchmark with it, in that benchmark's input format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import MissingExtra
from ..pretrained import checkpoint, devices
from ..types import Attributions, Items

if TYPE_CHECKING:
    from ._transformers.attribution import Method
    from ._transformers.finetuned import FinetunedTransformer


@dataclass(frozen=True, slots=True)
class Saved:
    """It learns nothing more."""

    source: str = ""  # the folder of a kept run
    device: str = "auto"  # cpu, cuda, or cuda where there is one

    @property
    def tokenizer(self) -> str:
        return self._load_model().tokenizer

    @property
    def sequences(self) -> int:
        return self._load_model().sequences

    @property
    def cut(self) -> int:
        return self._load_model().cut

    @property
    def length(self) -> int:
        return self._load_model().length

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One score per choice."""
        return self._load_model().score(items)

    def gradients(
        self, items: Items, method: Method = "gradient", steps: int = 32
    ) -> list[tuple[Attributions, ...]]:
        """How much the score of each choice hangs on each token of what is read."""
        return self._load_model().gradients(items, method, steps)

    def materials(self) -> dict[str, str]:
        """The fingerprint of the folder."""
        return {"fingerprint": checkpoint.fingerprint(self.source)}

    def _load_model(self) -> FinetunedTransformer:
        devices.find_device(self.device)  # says what is missing
        return _load_cached(self.source, checkpoint.fingerprint(self.source), self.device)


@lru_cache(maxsize=1)
def _load_cached(source: str, _: str, device: str) -> FinetunedTransformer:
    try:
        from ._transformers.finetuned import load_finetuned
    except ImportError:
        raise MissingExtra("models", "a pretrained model") from None
    return load_finetuned(source, device)
