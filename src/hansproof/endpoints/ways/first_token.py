"""The probabilities of the labels as the first token of the answer.

A label may be several tokens, such as `B` and ` B`; their probabilities are added. A label that is
not among the returned tokens is less likely than the least likely of them, and gets the number
right below it. Where all labels together are very unlikely, the model begins with something else,
such as its reasoning, and the item has no answer. The text of the answer is read as well, and kept
beside the scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...capabilities import ItemReply, Question
from ..replies import BadReply, ServerReply, TokenScore
from .base import ModelRequest, RequestOptions, labels_of, read_text

# log-probabilities to ask for: the most that servers commonly return, and what old ones do
TOPS = (20, 5)
MIN_RETURNED = 4  # with fewer, hardly any label is among them; equal texts may be merged
MIN_MASS = 0.01  # of all labels together
_AROUND = " \t\n\u2581\u0120\u010a"  # of a token: blanks, as tokenizers write them


@dataclass(frozen=True, slots=True)
class FirstToken:
    """Asks for the most likely first tokens."""

    options: RequestOptions
    n_top: int = TOPS[0]  # how many log-probabilities are asked for

    @property
    def name(self) -> str:
        """The name of the way."""
        return "first-token"

    def build_requests(self, question: Question) -> tuple[ModelRequest, ...]:
        """Return the one request of an item."""
        if self.options.via == "chat":
            return (self.options.build(question.item, logprobs=True, top_logprobs=self.n_top),)
        field = "n_probs" if self.options.via == "native" else "logprobs"
        return (self.options.build(question.item, **{field: self.n_top}),)

    def read_replies(self, question: Question, replies: Sequence[ServerReply]) -> ItemReply:
        """Return the log-probability of each label, and what the text says."""
        (reply,) = replies
        text_answer = read_text(question, reply)
        if reply.is_filtered:
            return ItemReply(no_answer="refused", text_answer=text_answer)
        labels = labels_of(question.item)
        if len(reply.top) < MIN_RETURNED:
            n_returned = len(reply.top)
            raise BadReply(f"has {n_returned} of {self.n_top} log-probabilities of first tokens")
        scores = score_labels(reply.top, labels)
        if scores is None or math.fsum(label_masses(reply.top, labels)) < MIN_MASS:
            return ItemReply(no_answer="unparsed", text_answer=text_answer)
        if len(question.item.choices) == 1:
            scores = (scores[0] - scores[1],)
        return ItemReply(scores, text_answer=text_answer)


def score_labels(top: Sequence[TokenScore], labels: Sequence[str]) -> tuple[float, ...] | None:
    """Return the log-probability of each label; None if none is among the tokens."""
    masses = label_masses(top, labels)
    if not any(masses):
        return None
    bound = math.nextafter(min(score for _, score in top), -math.inf)
    return tuple(math.log(mass) if mass else bound for mass in masses)


def label_masses(top: Sequence[TokenScore], labels: Sequence[str]) -> list[float]:
    """Return the probability of each label among the most likely tokens; 0 if it is not there."""
    words = [(_normalise(token, labels), score) for token, score in top]
    return [
        math.fsum(math.exp(score) for word, score in words if word == label) for label in labels
    ]


def _normalise(token: str, labels: Sequence[str]) -> str:
    """Return a token without blanks; in small letters where labels are words."""
    word = token.strip(_AROUND)
    return word.lower() if len(labels[0]) > 1 else word
