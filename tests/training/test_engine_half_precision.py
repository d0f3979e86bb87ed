"""Half precision: as good as single, on a task where both could do better and worse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hansproof import models
from hansproof.training.selection import selection_accuracy
from hansproof.types import Item, Items
from tests.support import checkpoints

pytest.importorskip("torch")
pytest.importorskip("transformers")
stats = pytest.importorskip("scipy.stats")

pytestmark = pytest.mark.usefixtures("alone")
CUE, *OTHERS = checkpoints.WORDS


def noisy(n: int, seed: int) -> Items:
    """Two choices, one with the cue: in four of five items the right one, in the fifth the other.

    So nobody can get more than about .8, and by guessing .5.
    """
    draw = np.random.default_rng(seed)
    made = []
    for at in range(n):
        answer = int(draw.integers(2))
        cued = answer if draw.random() < 0.8 else 1 - answer
        choices = tuple(
            " ".join(draw.permutation([*([CUE] if i == cued else []), *draw.choice(OTHERS, 3)]))
            for i in range(2)
        )
        made.append(Item(str(at), {"goal": " ".join(draw.choice(OTHERS, 2))}, choices, answer))
    return tuple(made)


@pytest.mark.slow
def test_accuracies_in_half_and_single_precision_do_not_differ(tmp_path: Path) -> None:
    """Over ten seeds, each with items of its own; the test is paired."""
    folder = checkpoints.checkpoint(tmp_path, "bert", num_hidden_layers=1)
    test = noisy(200, 99)
    spec = f"hf:source={folder},rates=3e-3,epochs=5,batches=16,pooling=mean,device=cpu"
    earned: dict[str, list[float]] = {"fp32": [], "bf16": []}
    scores: dict[str, list[float]] = {"fp32": [], "bf16": []}
    for precision in earned:
        model = models.load(f"{spec},precision={precision}")
        for seed in range(10):
            fitted = model.fit(noisy(150, seed), (), seed)
            rows = fitted.score(test)
            earned[precision].append(selection_accuracy(rows, test))
            scores[precision].append(rows[0][0])
        assert fitted.chosen["precision"] == {"fp32": "float32", "bf16": "bfloat16"}[precision]
    assert scores["fp32"] != scores["bf16"]
    assert all(0.6 < np.mean(some) < 0.95 for some in earned.values())
    assert np.std(earned["fp32"]) > 0.01  # seeds matter, so that a difference could be seen
    if earned["fp32"] != earned["bf16"]:
        assert stats.ttest_rel(earned["fp32"], earned["bf16"]).pvalue > 0.01
    assert abs(np.mean(earned["fp32"]) - np.mean(earned["bf16"])) < 0.02
