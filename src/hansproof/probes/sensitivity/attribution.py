"""Attribution of a trained model's scores to the tokens of its input."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from ...capabilities import fit_info_of
from ...scoring import check_scores, expected_credit
from ...sweeps import TrainedModel
from ...types import Cell, Items
from ...views import apply_view, fields_of, parse_view
from .cue_attributions import AttributionTotals, CueFinder, ItemAttributions, total_attributions

RUN_COLUMNS = ("model", "group", "items", "skipped", "accuracy", "mean_tokens", "reads", "device")


@dataclass(frozen=True, slots=True, eq=False)
class ModelAttributions:
    """The scores of one model, and the share of each token in them."""

    name: str
    tally: AttributionTotals
    accuracy: float
    tokenizer_name: str  # its own tokenizer
    device: str
    item_shares: ItemAttributions  # of every item the shares of each choice
    scores: list[tuple[float, ...]]

    def table_row(self, group: str) -> tuple[Cell, ...]:
        tokens = [len(shares.tokens) for choices in self.item_shares for shares in choices]
        return (
            self.name, group, self.tally.n_items, self.tally.n_skipped, self.accuracy,
            statistics.fmean(tokens), self.tokenizer_name, self.device,
        )  # fmt: skip


def attribute_model(
    trained: TrainedModel,
    items: Items,
    finder: CueFinder,
    method: str,
    steps: int,
    picked_only: bool,
) -> ModelAttributions:
    """Score the items, and attribute the scores to tokens and cues."""
    model: Any = trained.model
    visible_items = apply_view(parse_view("full", fields_of(items)), items, answers=False)
    scores = check_scores(model.score(visible_items), visible_items, trained.name)
    item_shares = model.gradients(visible_items, method, steps)
    model_info = fit_info_of(model)
    item_credits = [
        expected_credit(s, item.answer or 0) for s, item in zip(scores, items, strict=True)
    ]
    return ModelAttributions(
        trained.name,
        total_attributions(item_shares, finder, scores if picked_only else None),
        statistics.fmean(item_credits),
        model_info.tokenizer,
        model_info.device,
        item_shares,
        scores,
    )
