"""A model that is asked: it keeps the questions it gets, and replies by place or by text.

`ASKED` has a record of each call of the model that was loaded last.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hansproof.capabilities import AskingContext, ItemReply, Question, Replies
from hansproof.errors import ModelError
from hansproof.types import Item

Habit = Literal["text", "first place", "decline some", "few", "short", "nan", "break"]


class Lesson(NamedTuple):
    """The questions of one run."""

    questions: tuple[Question, ...]
    context: AskingContext
    n_records: int  # in the store, when they were asked


ASKED: list[Lesson] = []


@dataclass(frozen=True, slots=True)
class Pupil:
    """Scores the texts of choices alone, or has one of the habits."""

    habit: Habit = "text"
    examples: int = 0
    temperature: float = 0.0
    patience: int = 1000  # calls after which it breaks

    def respond(self, questions: Sequence[Question], context: AskingContext) -> Replies:
        """Keep the questions, and reply to each."""
        if self.habit == "break" and len(ASKED) >= self.patience:
            raise ModelError("pupil: is tired")
        ASKED.append(Lesson(tuple(questions), context, count_records(context.folder)))
        replies = tuple(self._reply(question) for question in questions)
        return Replies(replies[self.habit == "few" :], {"lessons": len(ASKED)})

    def _reply(self, question: Question) -> ItemReply:
        scores = tuple(map(score_text, question.choices))
        if len(question.item.choices) == 1:
            scores = (score_text(question.item.choices[0]),)
        # the text of its answer names the choice that it likes least
        text_answer = scores.index(min(scores))
        if self.habit == "first place":
            scores = (1.0, *(0.0 for _ in scores[1:]))
        elif self.habit == "short":
            scores = scores[:-1]
        elif self.habit == "nan":
            scores = (float("nan"), *scores[1:])
        elif self.habit == "decline some" and is_declined(question.item):
            return ItemReply(no_answer="refused", text_answer="ambiguous")
        return ItemReply(scores, text_answer=text_answer)


def score_text(text: str) -> float:
    """A number that a text determines."""
    return float(zlib.crc32(text.encode()) % 1009)


def is_declined(item: Item) -> bool:
    """Whether an item is one of those that the model declines."""
    return zlib.crc32(repr(sorted(item.fields.items())).encode()) % 3 == 0


def count_records(folder: str | None) -> int:
    """The number of records in a store."""
    return 0 if folder is None else sum(n.endswith(".jsonl") for n in os.listdir(folder))
