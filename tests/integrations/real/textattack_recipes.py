"""TextAttack's own recipes on our items: run by `make attack`, in an environment that has it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from textattack.attack_recipes import DeepWordBugGao2018
from textattack.attack_results import SkippedAttackResult, SuccessfulAttackResult
from textattack.constraints.pre_transformation import InputColumnModification
from textattack.goal_functions import UntargetedClassification
from textattack.shared import AttackedText

from hansproof import BadInput, Item, ModelError, load, models
from hansproof.integrations.textattack import (
    MultipleChoiceWrapper,
    RowShape,
    build_dataset,
    group_by_shape,
)
from hansproof.types import Items

ITEMS = load("toy:original").splits["original"]


@dataclass
class Said:
    """Scores that a test says; and what was asked."""

    scores: tuple[float, ...]
    asked: Items = ()

    def score(self, items: Items) -> list[tuple[float, ...]]:
        self.asked = items
        return [self.scores] * len(items)


@pytest.fixture(scope="module")
def model() -> Any:
    return models.load("bow").fit(ITEMS, (), 0)


def attacked(model: Any, items: Items, *extra: Any) -> list[tuple[Item, RowShape, Any]]:
    """Every item with its shape and what became of it."""
    found = []
    for shape, some in group_by_shape(items).items():
        attack = DeepWordBugGao2018.build(MultipleChoiceWrapper(model, shape))
        attack.pre_transformation_constraints += [make(shape) for make in extra]
        for item, (columns, label) in zip(some, build_dataset(some), strict=True):
            found.append((item, shape, attack.attack(columns, label)))
    return found


def test_a_recipe_flips_items_that_the_model_then_gets_wrong(model: Any) -> None:
    states = []
    for item, shape, result in attacked(model, ITEMS[:24]):
        states.append(type(result))
        (scores,) = model.score((item,))
        assert isinstance(result, SkippedAttackResult) == (int(np.argmax(scores)) != item.answer)
        if isinstance(result, SuccessfulAttackResult):
            texts = result.perturbed_result.attacked_text.tokenizer_input
            (after,) = model.score((shape.to_item(texts),))
            assert int(np.argmax(after)) != item.answer
            assert texts != (*item.fields.values(), *item.choices)
    assert states.count(SuccessfulAttackResult) >= 3


def test_a_column_that_is_barred_stays_as_it_is(model: Any) -> None:
    def no_choice(shape: RowShape) -> Any:
        return InputColumnModification(shape.columns, set(shape.columns[len(shape.fields) :]))

    changed = 0
    for item, shape, result in attacked(model, ITEMS[:24], no_choice):
        texts = result.perturbed_result.attacked_text.tokenizer_input
        assert shape.to_item(texts).choices == item.choices
        changed += shape.to_item(texts).fields != item.fields
    assert changed


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[3] / "docs" / "robustness-textattack.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    exec(code, {})
    assert "Item(" in capsys.readouterr().out


def test_what_copa_asks_for_reaches_the_model() -> None:
    for asked in ("cause", "effect"):
        item = Item("7", {"premise": "It fell."}, ("a b", "c d"), 0, meta={"asks_for": asked})
        model = Said((1.0, 0.0))
        wrapper = MultipleChoiceWrapper(model, RowShape.from_item(item))
        text = AttackedText(build_dataset((item,))[0][0])
        wrapper([text.tokenizer_input])
        assert model.asked == (Item("", item.fields, item.choices, None, meta=item.meta),)


@pytest.mark.parametrize("scores", [(0.25, 0.75), (3.0, -2.0), (-900.0, 900.0), (0.5, 0.5)])
def test_scores_are_never_taken_for_shares(scores: tuple[float, ...]) -> None:
    item = Item("", {}, ("a", "b"), 0)
    goal = UntargetedClassification(MultipleChoiceWrapper(Said(scores), RowShape.from_item(item)))
    result, _ = goal.init_attack_example(AttackedText(build_dataset((item,))[0][0]), 0)
    said = np.exp(np.array(scores) - max(scores))
    assert float(result.score) == pytest.approx(1 - said[0] / said.sum())


def test_what_cannot_be_attacked_is_refused_in_a_line() -> None:
    item = Item("7", {}, ("a", "b"), 0)
    with pytest.raises(ModelError, match="a score is no number"):
        MultipleChoiceWrapper(Said((float("nan"), 0.0)), RowShape.from_item(item))([("a", "b")])
    with pytest.raises(BadInput, match="with one choice"):
        MultipleChoiceWrapper(Said((0.0,)), RowShape((), 1))
    with pytest.raises(BadInput, match="7 has no answer"):
        build_dataset((Item("7", {}, ("a", "b"), None),))
    with pytest.raises(BadInput, match="2 shapes"):
        build_dataset((item, Item("8", {}, ("a", "b", "c"), 0)))
