"""Models by name, with the parameters that follow a colon."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof import models
from hansproof.errors import BadInput, UnknownName
from hansproof.models.chance import Chance
from hansproof.models.wordfreq import Wordfreq

MINE = '''"""Says what it was told."""
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Optional

@dataclass(frozen=True, slots=True)
class Mine:
    fixed: ClassVar[int] = 3
    path: str
    times: int = 1
    rate: float = 0.5
    loud: bool = False
    rates: tuple[float, ...] = (1.0,)
    how: Literal["up", "down"] = "up"
    most: int | None = None
    least: Optional[float] = None
    inner: int = field(default=0, init=False)

    def score(self, items):
        return [(float(self.times),) * len(item.choices) for item in items]
'''


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return str(tmp_path / "mine.py")


def test_a_name_alone_has_the_defaults() -> None:
    assert models.load("chance") == Chance()
    assert models.load("wordfreq") == Wordfreq()
    assert models.load("wordfreq:") == Wordfreq()


def test_parameters_are_what_their_fields_hold(mine: str) -> None:
    spec = "path=/a=b/c.npz, times = 2 ,rate=1e-3,loud=TRUE,rates=1|2|0.5,how=down,most=7,least=.5"
    made = models.load(f"{mine}:{spec}")
    assert made.path == "/a=b/c.npz"
    assert (made.times, made.rate, made.loud, made.rates) == (2, 0.001, True, (1.0, 2.0, 0.5))
    assert (made.how, made.most, made.least) == ("down", 7, 0.5)
    assert models.load(f"{mine}:path=x").rates == (1.0,)


def test_dashes_and_underscores_are_the_same() -> None:
    assert type(models.load("encoder-linear")).__name__ == "EncoderLinear"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("times=two", "times: is 'two', must be of type int"),
        ("rate=fast", "rate: is 'fast', must be of type float"),
        ("rates=1|x", "rates: is 'x', must be of type float"),
        ("loud=maybe", "loud: is 'maybe', must be true or false"),
        ("how=sideways", "how: is 'sideways', must be up or down"),
        ("most=x", "most: is 'x', must be of type int"),
        ("times", "times has no value"),
        ("times=2", "path must be given"),
        ("", "path must be given"),
    ],
)
def test_a_wrong_value_is_one_line(mine: str, given: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        models.load(f"{mine}:{given}")


@pytest.mark.parametrize("name", ["tims", "fixed", "inner"])
def test_an_unknown_parameter_is_met_with_the_nearest(mine: str, name: str) -> None:
    with pytest.raises(UnknownName, match=f"unknown parameter of .*mine.py '{name}'"):
        models.load(f"{mine}:{name}=1")


def test_an_unknown_model_is_met_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="unknown model 'chanse'; did you mean chance"):
        models.load("chanse:x=1")
