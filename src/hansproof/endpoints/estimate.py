"""Estimates what questions would take, from the requests that would be sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .._infra.join_names import join_names
from ..capabilities import AskingContext, Question
from ..spending import estimate_prompt_tokens
from .abilities import WayName, candidate_ways
from .respond import build_options
from .ways import AskingWay, FirstToken, ForcedLabel, FreeText, PromptLikelihood
from .ways.base import hides_choices

UNASKED = "–"  # the way of models that are not asked


@dataclass(frozen=True, slots=True)
class WayEstimate:
    """What questions would take at most."""

    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: WayEstimate) -> WayEstimate:
        return WayEstimate(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
        )


def estimate_requests(
    model: Any, questions: Sequence[Question], context: AskingContext
) -> tuple[str, WayEstimate]:
    """Estimate the requests of questions, and name the ways in which they may be asked."""
    ways = _possible_ways(model, questions, context)
    return join_names([way.name for way in ways], "or"), _estimate_ways(ways, questions)


def _possible_ways(
    model: Any, questions: Sequence[Question], context: AskingContext
) -> list[AskingWay]:
    """Return the ways that may be used, in the order in which they are tried."""
    options = build_options(model, context)
    has_choices = not any(hides_choices(question.item) for question in questions)
    ways: dict[WayName, AskingWay] = {
        "likelihood": PromptLikelihood(options, score_by=model.score_by),
        "first-token": FirstToken(options),
        "forced": ForcedLabel(options),
        "text": FreeText(options),
    }
    return [ways[name] for name in candidate_ways(options, model.ask, has_choices)]


def _estimate_ways(ways: Sequence[AskingWay], questions: Sequence[Question]) -> WayEstimate:
    """Count the requests of the first way, equal ones once, with the longest answers of all."""
    total, seen_keys = WayEstimate(), set[int]()
    for question in questions:
        n_answer_tokens = max(
            request.max_tokens for way in ways for request in way.build_requests(question)
        )
        for request in ways[0].build_requests(question):
            key = hash(json.dumps([request.path, request.body], sort_keys=True))
            if key not in seen_keys:
                seen_keys.add(key)
                prompt_tokens = estimate_prompt_tokens(request.prompt)
                total += WayEstimate(1, prompt_tokens, n_answer_tokens)
    return total


def render_first(model: Any, question: Question, context: AskingContext) -> str:
    """Return the prompt of a question as text: the turns of a chat with their roles."""
    way = _possible_ways(model, [question], context)[0]
    if way.options.via != "chat" or isinstance(way, PromptLikelihood):
        return way.build_requests(question)[0].prompt
    prompt = way.options.template.render(question.item, way.options.examples)
    return "\n\n".join(f"[{role}]\n{text}" for role, text in prompt.messages)
