"""A fine-tuned model as `predict --keep` has saved it, applied unchanged.

`kept:FOLDER` scores any benchmark with it, in that benchmark's input format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import MissingExtra
from ..types import Items, Shares
from . import _checkpoint, _device

if TYPE_CHECKING:
    from ._fitted import Fitted
    from ._gradients import Method


@dataclass(frozen=True, slots=True)
class Kept:
    """It learns nothing more."""

    source: str = ""  # the folder of a kept run
    device: str = "auto"  # cpu, cuda, or cuda where there is one

    @property
    def tokenizer(self) -> str:
        return self._fitted().tokenizer

    @property
    def sequences(self) -> int:
        return self._fitted().sequences

    @property
    def cut(self) -> int:
        return self._fitted().cut

    @property
    def length(self) -> int:
        return self._fitted().length

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One score per choice."""
        return self._fitted().score(items)

    def gradients(
        self, items: Items, method: Method = "gradient", steps: int = 32
    ) -> list[tuple[Shares, ...]]:
        """How much the score of each choice hangs on each token of what is read."""
        return self._fitted().gradients(items, method, steps)

    def materials(self) -> dict[str, str]:
        """The fingerprint of the folder."""
        return {"fingerprint": _checkpoint.fingerprint(self.source)}

    def _fitted(self) -> Fitted:
        _device.find(self.device)  # says what is missing
        return _read(self.source, _checkpoint.fingerprint(self.source), self.device)


@lru_cache(maxsize=1)
def _read(source: str, _: str, device: str) -> Fitted:
    try:
        from ._fitted import read
    except ImportError:
        raise MissingExtra("models", "a pretrained model") from None
    return read(source, device)
