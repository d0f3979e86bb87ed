"""A learner that keeps what it is shown, and can be told to misbehave."""

from __future__ import annotations

import os
import signal
import zlib
from dataclasses import dataclass, field
from typing import Any, Literal

from hansproof.errors import BadInput
from hansproof.types import FitInfo, Items

FITTED: list[Fitted] = []  # by the last model that was loaded


@dataclass(frozen=True, slots=True)
class Spy:
    """Learns nothing; tells what training settled on and what it is made of."""

    choose: bool = False
    rates: tuple[float, ...] = (0.5, 1.0)
    does: Literal["well", "nan", "short", "few", "refuse", "break", "die", "die once"] = "well"
    at: int = -1  # the seed with which it misbehaves; -1: every
    once: str = ""  # a file that is there when it has died once

    @property
    def selects(self) -> bool:
        """Whether it wants items to choose by."""
        return self.choose

    def materials(self) -> dict[str, str]:
        """As if it used a file."""
        return {"vectors": "ab" * 32}

    def fit(self, items: Items, select: Items, seed: int) -> Fitted:
        """Keep what is shown."""
        does = self.does if self.at in (-1, seed) else "well"
        if does == "refuse":
            raise BadInput("spy", "will not", line=3)
        if does == "break":
            raise ZeroDivisionError("spy broke")
        if does == "die" or (does == "die once" and not os.path.exists(self.once)):
            if self.once:
                open(self.once, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        made = Fitted(items, select, seed, does, {"rate": self.rates[seed % 2]})
        FITTED.append(made)
        return made


@dataclass(frozen=True, slots=True)
class Fitted:
    """Scores by what it sees, and keeps it."""

    learnt: Items
    select: Items
    seed: int
    does: str
    chosen: dict[str, Any]
    scored: list[Items] = field(default_factory=list)

    @property
    def fit_info(self) -> FitInfo:
        """Report what training settled on."""
        return FitInfo(self.chosen, tokenizer="spy's own")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """A number that the texts determine; the same for the same texts."""
        self.scored.append(items)
        rows = [tuple(float(_number(i.fields, c)) for c in i.choices) for i in items]
        if self.does == "nan":
            return [(float("nan"),) * len(row) for row in rows]
        return [row[:-1] for row in rows] if self.does == "short" else rows[self.does == "few" :]


def _number(fields: dict[str, str], choice: str) -> int:
    return zlib.crc32(repr((sorted(fields.items()), choice)).encode()) % 1000
