"""Planted questions, which anybody can answer, in both orders: what a server must get right.

A server that ignores what it was asked, or a shape that is read wrongly, shows here. A weak model
may prefer one place; so scores are compared over both orders, where that preference cancels out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..capabilities import ItemReply, Question
from ..scoring import expected_credit
from ..types import Item

_QUESTIONS = (
    ("The capital of France is", "Paris", "spoon"),
    ("Grass is usually", "green", "noisy"),
    ("The opposite of hot is", "cold", "Monday"),
    ("A cat is an", "animal", "opinion"),
)


@dataclass(frozen=True, slots=True)
class PlantedScore:
    """How a model did on the planted questions."""

    n_right: float  # ties by expectation
    n_asked: int
    n_unread: int  # answers without a choice
    margins: tuple[float, ...]  # of each question: how much higher the right choice scores

    @property
    def follows_questions(self) -> bool:
        """Whether the right choice scores higher over both orders in most questions."""
        n_higher = sum(margin > 0 for margin in self.margins)
        return n_higher > len(self.margins) / 2 and sum(self.margins) > 0


def planted_items() -> tuple[Question, ...]:
    """Return each question in both orders."""
    items = [
        Item("", {"question": f"{question} ..."}, choices, choices.index(right))
        for question, right, wrong in _QUESTIONS
        for choices in ((right, wrong), (wrong, right))
    ]
    return tuple(Question(item, item.choices) for item in items)


def score_planted(questions: Sequence[Question], replies: Sequence[ItemReply]) -> PlantedScore:
    """Score the replies to the planted questions."""
    n_right, n_unread, gaps = 0.0, 0, list[float]()
    for question, reply in zip(questions, replies, strict=True):
        answer = question.item.answer or 0
        if not reply.scores:
            n_unread += 1
            gaps.append(0.0)
            continue
        n_right += expected_credit(reply.scores, answer)
        gaps.append(reply.scores[answer] - reply.scores[1 - answer])
    margins = tuple(first + second for first, second in zip(gaps[::2], gaps[1::2], strict=True))
    return PlantedScore(n_right, len(questions), n_unread, margins)
