"""A label that the server forces: by a list of choices, a grammar, or a JSON schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ...capabilities import ItemReply, Question
from ..replies import ServerReply
from .base import ModelRequest, RequestOptions, labels_of, reply_of

# vLLM; vLLM before 0.12; llama.cpp; OpenAI, Ollama and most others
ForcedDialect = Literal["structured_outputs", "guided_choice", "grammar", "json_schema"]
DIALECTS: tuple[ForcedDialect, ...] = get_args(ForcedDialect)
FORCED_TOKENS = 64  # a schema leaves room for blanks


@dataclass(frozen=True, slots=True)
class ForcedLabel:
    """Asks for one of the labels and nothing else."""

    options: RequestOptions
    dialect: ForcedDialect = "json_schema"

    @property
    def name(self) -> str:
        """The name of the way."""
        return "forced"

    def build_requests(self, question: Question) -> tuple[ModelRequest, ...]:
        """Return the one request of an item."""
        constraint = build_constraint(self.dialect, labels_of(question.item))
        limit = max(self.options.max_tokens, FORCED_TOKENS)
        request = self.options.build_prompt(
            self.options.template.render(question.item, self.options.examples), limit, **constraint
        )
        request.body.pop("stop", None)  # the constraint ends the answer
        return (request,)

    def read_replies(self, question: Question, replies: Sequence[ServerReply]) -> ItemReply:
        """Return the label; an answer that is none was not forced."""
        (reply,) = replies
        if reply.is_filtered:
            return ItemReply(no_answer="refused")
        label = read_forced(reply.text)
        labels = labels_of(question.item)
        if label not in labels:
            return ItemReply(no_answer="cut off" if reply.is_cut_off else "unparsed")
        return reply_of(labels.index(label), question.item)


def build_constraint(dialect: ForcedDialect, labels: Sequence[str]) -> dict[str, Any]:
    """Return the part of a request that allows these labels only."""
    if dialect == "structured_outputs":
        return {"structured_outputs": {"choice": [*labels]}}
    if dialect == "guided_choice":
        return {"guided_choice": [*labels]}
    if dialect == "grammar":
        return {"grammar": "root ::= " + " | ".join(json.dumps(label) for label in labels)}
    schema = {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": [*labels]}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    named_schema = {"name": "answer", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named_schema}}


def read_forced(text: str) -> str:
    """Return the label of a forced answer: the text itself, or the value of its JSON."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()
    if isinstance(document, dict):
        document = document.get("answer")
    return document if isinstance(document, str) else text.strip()
