"""The items of a run as its view shows them to the model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from .._infra.plural import plural
from ..capabilities import AskingContext, ItemReply, Question, Replies, Respondent
from ..errors import ModelError
from ..scoring import check_scores
from ..training.training_task import TrainingTask
from ..types import Item, Items, View
from ..views import (
    Scores,
    apply_view,
    is_shown,
    place_choice,
    regroup_scores,
    shown_choices,
)
from .plan import RunSpec


@dataclass(frozen=True, slots=True)
class ViewedRun:
    """A run with its parsed view; converts items for the model, and scores back to items."""

    run: RunSpec
    view: View

    @property
    def published(self) -> ViewedRun:
        """The run in the published order of the choices, in which models are trained."""
        return replace(self, view=replace(self.view, order=None))

    def shows(self, item: Item) -> bool:
        """Whether the run includes an item: with few choices, it has few orders."""
        return is_shown(self.view, item)

    def make_task(self, items: Items, select: Items) -> TrainingTask:
        """Make the training task for these items, as the view shows them."""
        view, seed = self.published.view, self.run.seed
        return TrainingTask(apply_view(view, items, seed), apply_view(view, select, seed), seed)

    def visible_items(self, items: Items) -> list[Items]:
        """Return what the view shows of each item, without answers: one or more items for each."""
        viewed_items = iter(apply_view(self.view, items, self.run.seed, answers=False))
        sizes = (1 if self.view.side_by_side else len(item.choices) for item in items)
        return [tuple(islice(viewed_items, size)) for size in sizes]

    def score(self, model: Any, items: Items, visible_items: Sequence[Items]) -> Scores:
        """Return a row of scores for each item, of which the model sees `visible_items`."""
        questions = tuple(question for group in visible_items for question in group)
        scores = self._check_scores(model.score(questions), questions)
        return regroup_scores(self.view, items, scores)

    def _check_scores(self, scores: Iterable[Any], questions: Items) -> Scores:
        """Return a row of finite scores for each question."""
        rows = check_scores(scores, questions, self.run.model, self._context)
        bad_score = next((value for row in rows for value in row if not math.isfinite(value)), None)
        if bad_score is not None:
            raise ModelError(f"{self.run.model}: a score is {bad_score}{self._context}")
        return rows

    @property
    def _context(self) -> str:
        """The end of an error about the model."""
        return f" (view {self.run.view}, seed {self.run.seed})"

    def make_questions(self, items: Items, visible_items: Sequence[Items]) -> list[Question]:
        """Return what is asked about items, of which a model sees parts."""
        return [
            Question(visible, self._readable_choices(item, visible))
            for item, group in zip(items, visible_items, strict=True)
            for visible in group
        ]

    def _readable_choices(self, item: Item, visible: Item) -> tuple[str, ...]:
        """Return the texts that an answer may name: random words, where a model sees these."""
        return visible.choices if self.view.random_words else shown_choices(self.view, item)

    def ask(
        self,
        model: Respondent,
        items: Items,
        visible_items: Sequence[Items],
        context: AskingContext,
    ) -> Replies:
        """Return the reply of a model to each item that the view shows, of which it sees parts."""
        questions = self.make_questions(items, visible_items)
        replies = model.respond(questions, context)
        if len(replies.items) != len(questions):
            counts = (
                f"{plural(len(replies.items), 'answer')} to {plural(len(questions), 'question')}"
            )
            raise ModelError(f"{self.run.model}: returned {counts}{self._context}")
        answered = [
            (question.item, reply.scores)
            for question, reply in zip(questions, replies.items, strict=True)
            if reply.no_answer is None
        ]
        self._check_scores([row for _, row in answered], tuple(item for item, _ in answered))
        remaining = iter(replies.items)
        regrouped = [
            self._regroup_reply(item, [*islice(remaining, len(group))])
            for item, group in zip(items, visible_items, strict=True)
        ]
        return replace(replies, items=tuple(regrouped))

    def _regroup_reply(self, item: Item, replies: Sequence[ItemReply]) -> ItemReply:
        """Return the reply to an item, with its choices as published, from those to its parts."""
        missing = next((reply for reply in replies if reply.no_answer is not None), None)
        text_answer = replies[0].text_answer if self.view.side_by_side else None
        if missing is not None:
            scores: tuple[float, ...] = ()
        else:
            (scores,) = regroup_scores(self.view, (item,), [reply.scores for reply in replies])
        if isinstance(text_answer, int):
            text_answer = place_choice(self.view, item, text_answer)
        return ItemReply(scores, None if missing is None else missing.no_answer, text_answer)
