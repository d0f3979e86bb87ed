"""Finds out what a server can do, by asking: each way of asking is proved before it is used.

Servers accept requests and silently ignore a part of them: scores fall to chance, and nothing else
shows it. So a way is used only after two tests. *Copying* (`self_tests`): a model must repeat a
letter that it has answered several times, which even the smallest does if the server reads its
prompt and returns what was asked for. *Planted questions* in both orders: how many come out right
is recorded, and a model that does no better than guessing is pointed out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from .._infra.join_names import join_names
from ..capabilities import Question
from ..prompts.likelihood_scores import ScoreBy
from .asking import Asker
from .client import RequestError
from .planted import PlantedScore, planted_items, score_planted
from .replies import BadReply, ServerReply
from .self_tests import NotAble, check_following, check_forcing, check_limit, check_mass, gather
from .ways import (
    AskingWay,
    FirstToken,
    ForcedLabel,
    FreeText,
    PromptLikelihood,
    RequestOptions,
)
from .ways import forced as forced_way
from .ways import likelihood as likelihood_way
from .ways.first_token import TOPS

WayName = Literal["likelihood", "first-token", "forced", "text"]
STRONGEST_FIRST: tuple[WayName, ...] = ("likelihood", "first-token", "forced", "text")
# by default models are asked as the prompt file says, which likelihoods do not follow
BY_PROMPT: tuple[WayName, ...] = ("first-token", "forced", "text")
MIN_PLANTED_MASS = 0.05  # of the letters among first tokens, together


def candidate_ways(options: RequestOptions, ask: str, has_choices: bool) -> tuple[WayName, ...]:
    """Return the ways that may be used, the first that works; all but one are ruled out by name."""
    if not has_choices:
        return ("text",)  # the answer is free
    if ask != "auto":
        return (cast(WayName, ask),)
    # samples and reasoning are in the text
    return ("text",) if options.temperature or options.template.reasons_first else BY_PROMPT


@dataclass(frozen=True, slots=True)
class ProvenWay:
    """A way of asking that works at a server, and how the planted questions came out."""

    way: AskingWay
    description: str
    planted: PlantedScore
    served: str = ""  # the name that the server gives the model
    lacks: tuple[str, ...] = ()  # why stronger ways of asking were not used

    @property
    def self_test(self) -> str:
        """The outcome of the planted questions, for the record."""
        return f"{self.planted.n_right:g} of {self.planted.n_asked} test questions right"


async def prove_way(
    name: WayName, asker: Asker, options: RequestOptions, score_by: ScoreBy = "sum"
) -> ProvenWay:
    """Prove that a way of asking works; raise NotAble if it does not."""
    if options.template.reasons_first and name in ("first-token", "forced"):
        raise NotAble(f"cannot be asked so with the prompt {options.template.name}")
    dialects_by_reason: dict[str, list[str]] = {}
    for dialect, way in _candidates(name, options, score_by):
        try:
            return await _prove(asker, way)
        except NotAble as error:
            dialects_by_reason.setdefault(str(error), []).append(dialect)
        except BadReply as error:
            dialects_by_reason.setdefault(f"sends an answer that {error}", []).append(dialect)
        except RequestError as error:
            if error.kind != "rejected":
                raise
            reason = f"rejects the request: {error.message}"
            dialects_by_reason.setdefault(reason, []).append(dialect)
    reasons = [
        reason + (f" (tried {join_names(dialects)})" if dialects[0] else "")
        for reason, dialects in dialects_by_reason.items()
    ]
    raise NotAble("; it ".join(reasons))


def _candidates(
    name: WayName, options: RequestOptions, score_by: ScoreBy
) -> Iterator[tuple[str, AskingWay]]:
    """Yield a way in each of its dialects, with their names."""
    if name == "likelihood":
        for likelihood_dialect in likelihood_way.DIALECTS:
            yield likelihood_dialect, PromptLikelihood(options, likelihood_dialect, score_by)
    elif name == "first-token":
        for n_top in TOPS:
            yield f"top {n_top}", FirstToken(options, n_top)
    elif name == "forced":
        for dialect in forced_way.DIALECTS:
            yield dialect, ForcedLabel(options, dialect)
    else:
        yield "", FreeText(options)


async def _prove(asker: Asker, way: AskingWay) -> ProvenWay:
    """Test a way; raise NotAble, BadReply or RequestError if it does not work."""
    if isinstance(way, ForcedLabel):
        await check_forcing(asker, way)
    await check_following(asker, way)
    questions = planted_items()
    answers = await gather([_fetch_all(asker, way, question) for question in questions])
    if isinstance(way, FirstToken):
        _check_first_tokens(way, [reply for replies in answers for reply in replies])
    replies = [way.read_replies(*pair) for pair in zip(questions, answers, strict=True)]
    planted = score_planted(questions, replies)
    if planted.n_unread > planted.n_asked / 2:
        check_limit(way, answers[0][0])
        text = " ".join(answers[0][0].text.split())[:60]
        n_read = planted.n_asked - planted.n_unread
        raise NotAble(
            f"answers only {n_read} of {planted.n_asked} test questions so that a choice can be "
            f"read (the first answer is {text!r})"
        )
    if isinstance(way, PromptLikelihood) and not planted.follows_questions:
        raise NotAble(
            "returns log-probabilities that do not follow the prompt: "
            f"{planted.n_right:g} of {planted.n_asked} test questions are right"
        )
    return ProvenWay(way, _describe(way), planted, answers[0][0].model)


async def _fetch_all(asker: Asker, way: AskingWay, question: Question) -> list[ServerReply]:
    return await gather([asker.fetch(request) for request in way.build_requests(question)])


def _check_first_tokens(way: FirstToken, replies: list[ServerReply]) -> None:
    """Raise NotAble if the first tokens of planted answers are not what was asked for."""
    if len({reply.top for reply in replies}) == 1:
        raise NotAble("returns the same log-probabilities whatever it is asked")
    check_mass(replies, MIN_PLANTED_MASS)


def _describe(way: AskingWay) -> str:
    """Describe a way with its dialect."""
    if isinstance(way, FirstToken):
        return f"first-token (top {way.n_top} log-probabilities)"
    if isinstance(way, ForcedLabel | PromptLikelihood):
        return f"{way.name} ({way.dialect})"
    return way.name
