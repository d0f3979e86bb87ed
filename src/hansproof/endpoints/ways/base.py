"""What all ways of asking share: the options of requests, and their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...capabilities import ItemReply, Question
from ...prompts.template import NO, YES, PromptTemplate, RenderedPrompt, letters_of
from ...types import Item, Items
from ..reading import Reading, read_answer
from ..replies import ServerReply
from ..settings import Via

PATHS: dict[Via, str] = {
    "chat": "/chat/completions",
    "completions": "/completions",
    "native": "/completion",
}
STOPS = ["\nQuestion:"]  # here a base model begins to ask itself the next question


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request to a server."""

    path: str
    body: dict[str, Any]
    prompt: str  # its text, to estimate the number of tokens
    max_tokens: int


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """What all requests of a run have in common."""

    model: str
    template: PromptTemplate
    via: Via = "chat"
    examples: Items = ()
    temperature: float = 0.0
    max_tokens: int = 0  # 0: as the prompt file says
    seed: int = 0
    token_field: str = "max_tokens"  # noqa: S105  newer models of OpenAI want another name
    sends_temperature: bool = True  # some reasoning models accept only their own
    sends_seed: bool = True

    @property
    def token_limit(self) -> int:
        """The most tokens that an answer may have."""
        return self.max_tokens or self.template.max_tokens

    def build(self, item: Item, **further: Any) -> ModelRequest:
        """Build the request that puts an item to the model."""
        return self.build_prompt(self.template.render(item, self.examples), **further)

    def build_prompt(
        self, prompt: RenderedPrompt, max_tokens: int | None = None, **further: Any
    ) -> ModelRequest:
        """Build the request for a prompt, with further settings in its body."""
        limit = max_tokens or self.token_limit
        body: dict[str, Any] = {"model": self.model}
        if self.via == "chat":
            body["messages"] = [{"role": role, "content": text} for role, text in prompt.messages]
        else:
            body["prompt"] = prompt.plain
            if not self.template.reasons_first:
                body["stop"] = STOPS
        body["n_predict" if self.via == "native" else self.token_field] = limit
        if self.sends_temperature:
            body["temperature"] = self.temperature
        if self.temperature and self.sends_seed:
            body["seed"] = self.seed
        return ModelRequest(PATHS[self.via], {**body, **further}, prompt.plain, limit)


def labels_of(item: Item) -> Sequence[str]:
    """Return the labels that a model may answer with: letters, or yes and no for one choice."""
    return (YES, NO) if len(item.choices) == 1 else letters_of(item)


def hides_choices(item: Item) -> bool:
    """Whether an item is shown without choices, so that the answer is free."""
    return len(item.choices) > 1 and not any(item.choices)


def read_text(question: Question, reply: ServerReply) -> Reading:
    """Return the choice that an answer names; with one choice, 0 for yes and 1 for no."""
    if reply.is_filtered:
        return "refused"
    if len(question.item.choices) == 1:
        return read_answer(reply.text, (YES, NO), reply.is_cut_off, has_letters=False)
    has_letters = not hides_choices(question.item)
    return read_answer(reply.text, question.choices, reply.is_cut_off, has_letters)


def reply_of(reading: Reading, item: Item) -> ItemReply:
    """Return a reading as a reply: all of the score for the choice that was named."""
    if isinstance(reading, str):
        return ItemReply(no_answer=reading)
    if len(item.choices) == 1:
        return ItemReply((float(reading == 0),))
    return ItemReply(tuple(float(index == reading) for index in range(len(item.choices))))
