"""Free text, read by rules (`endpoints.reading`): every server can do this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...capabilities import ItemReply, Question
from ..replies import ServerReply
from .base import ModelRequest, RequestOptions, read_text, reply_of


@dataclass(frozen=True, slots=True)
class FreeText:
    """Asks for an answer and reads it."""

    options: RequestOptions

    @property
    def name(self) -> str:
        """The name of the way."""
        return "text"

    def build_requests(self, question: Question) -> tuple[ModelRequest, ...]:
        """Return the one request of an item."""
        return (self.options.build(question.item),)

    def read_replies(self, question: Question, replies: Sequence[ServerReply]) -> ItemReply:
        """Read the answer by the rules."""
        return reply_of(read_text(question, replies[0]), question.item)
