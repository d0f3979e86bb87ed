"""Finds out what a server can do, by asking: each way of asking is proved before it is used.

Servers accept wishes and silently return something else, and scores fall to chance without a word.
So a way is used only after two tests. *Copying*: shown `A` several times, and then `B`, the model
must answer the same letter again, which the smallest model does if the server reads its prompt and
returns what was asked for. *Planted questions* in both orders: how many come out right is recorded,
and a model that does no better than guessing is pointed out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Literal, TypeVar, cast

from .._infra.join_names import join_names
from ..capabilities import Question
from ..prompts.likelihood_scores import ScoreBy
from ..prompts.template import RenderedPrompt
from ..types import Item
from .asking import Asker
from .client import RequestError
from .planted import PlantedScore, planted_items, score_planted
from .replies import BadReply, ServerReply
from .ways import (
    AskingWay,
    FirstToken,
    ForcedLabel,
    FreeText,
    ModelRequest,
    PromptLikelihood,
    RequestOptions,
)
from .ways import forced as forced_way
from .ways import likelihood as likelihood_way
from .ways.first_token import TOPS, label_masses

T = TypeVar("T")
WayName = Literal["likelihood", "first-token", "forced", "text"]
STRONGEST_FIRST: tuple[WayName, ...] = ("likelihood", "first-token", "forced", "text")
# by default models are asked as the prompt file says, which likelihoods do not follow
BY_PROMPT: tuple[WayName, ...] = ("first-token", "forced", "text")
MIN_COPY_MASS, MIN_PLANTED_MASS = 0.5, 0.05  # of the letters among first tokens, together
MIN_LONGER = 1.3  # times as many tokens as its half: the least that a prompt that is read has
N_COPIES = 4  # how often a letter is shown before it must be copied
_WORDS = (" lamp", " river", " seven")  # of which each is repeated once, and compared with others
_ODD_LABELS = ("Q7", "X4")  # that nobody says who is asked to say hello


def candidate_ways(options: RequestOptions, ask: str, has_choices: bool) -> tuple[WayName, ...]:
    """Return the ways that may be used, the first that works; all but one are ruled out by name."""
    if not has_choices:
        return ("text",)  # the answer is free
    if ask != "auto":
        return (cast(WayName, ask),)
    # samples and reasoning are in the text
    return ("text",) if options.temperature or options.template.reasons_first else BY_PROMPT


class NotAble(Exception):
    """A server lacks an ability; the message is the predicate of a sentence about the server."""


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
        await _test_forcing(asker, way)
    if isinstance(way, PromptLikelihood):
        await _test_repeating(asker, way)
    else:
        await _test_copying(asker, way)
    questions = planted_items()
    answers = await _gather([_fetch_all(asker, way, question) for question in questions])
    if isinstance(way, FirstToken):
        _check_first_tokens(way, [reply for replies in answers for reply in replies])
    replies = [way.read_replies(*pair) for pair in zip(questions, answers, strict=True)]
    planted = score_planted(questions, replies)
    if planted.n_unread > planted.n_asked / 2:
        _check_limit(way, answers[0][0])
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
    return await _gather([asker.fetch(request) for request in way.build_requests(question)])


async def _gather(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines together until all have ended: none goes on when another has failed."""
    outcomes = await asyncio.gather(*coroutines, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return cast(list[T], outcomes)


async def confirm_way(asker: Asker, way: AskingWay) -> None:
    """Test once more, after the items, that answers follow the prompt; raise NotAble if not."""
    try:
        if isinstance(way, PromptLikelihood):
            await _test_repeating(asker, way)
        else:
            await _test_copying(asker, way)
    except BadReply as error:
        raise NotAble(f"sends an answer that {error}") from None


async def check_length(asker: Asker, options: RequestOptions, text: str) -> None:
    """Check that a server reads all of a long prompt: a half of it must have fewer tokens."""
    replies = await _gather(
        [
            asker.fetch(options.build_prompt(RenderedPrompt((("user", part),), ""), 1))
            for part in (text, text[len(text) // 2 :])
        ]
    )
    n_tokens, n_half = (reply.prompt_tokens for reply in replies)
    if n_tokens and n_half and n_tokens < MIN_LONGER * n_half:
        raise NotAble(
            f"cuts long prompts (it counts {n_tokens:,} tokens for {len(text):,} characters, and "
            f"{n_half:,} for the second half of them): give it a longer context"
        )


async def _test_copying(asker: Asker, way: FirstToken | ForcedLabel | FreeText) -> None:
    """Check that a letter that was answered several times is answered again."""
    for index, letter in enumerate("AB"):
        item = Item("", {}, ("the first", "the second"), index)
        question = Question(item, item.choices)
        turns = (("user", f"Say {letter}."), ("assistant", letter)) * N_COPIES
        prompt = RenderedPrompt((*turns, ("user", f"Say {letter}.")), "Answer:")
        (request,) = way.build_requests(question)
        reply = await asker.fetch(_with_prompt(request, prompt, way.options))
        if isinstance(way, FirstToken):
            if not reply.top:
                raise NotAble("returns no log-probabilities of the first token")
            _check_mass([reply], MIN_COPY_MASS)
        scores = way.read_replies(question, [reply]).scores
        if not scores or scores.index(max(scores)) != index:
            _check_limit(way, reply)
            text = " ".join(reply.text.split())[:60]
            raise NotAble(
                f"does not answer {letter} where it has answered {letter} {N_COPIES} times before "
                f"(it answers {text!r}): what it returns does not follow the prompt"
            )


def _check_limit(way: AskingWay, reply: ServerReply) -> None:
    """Raise NotAble if an answer ended at the limit of tokens, as reasoning models may do."""
    if reply.is_cut_off:
        raise NotAble(
            f"ends an answer at the limit of {way.options.token_limit:,} tokens: a model that "
            "reasons needs more (max_tokens=4000)"
        )


def _with_prompt(
    request: ModelRequest, prompt: RenderedPrompt, options: RequestOptions
) -> ModelRequest:
    """Return a request with another prompt."""
    other = options.build_prompt(prompt).body
    texts: dict[str, Any] = {name: other[name] for name in ("messages", "prompt") if name in other}
    return replace(request, body={**request.body, **texts}, prompt=prompt.plain)


async def _test_forcing(asker: Asker, way: ForcedLabel) -> None:
    """Check that a server forces a label that no model would say by itself."""
    constraint = forced_way.build_constraint(way.dialect, _ODD_LABELS)
    prompt = RenderedPrompt((("user", "Say hello."),), way.options.template.cue)
    request = way.options.build_prompt(prompt, forced_way.FORCED_TOKENS, **constraint)
    request.body.pop("stop", None)
    reply = await asker.fetch(request)
    if forced_way.read_forced(reply.text) not in _ODD_LABELS:
        raise NotAble("forces no answer")


async def _test_repeating(asker: Asker, way: PromptLikelihood) -> None:
    """Check that a word that the prompt repeats is likelier to come again than another."""
    for word, other in permutations(_WORDS, 2):
        prompt = f"The word is{word}. " * N_COPIES + "The word is"
        likelihoods = []
        for pair in ((prompt, word), (prompt, other)):
            reply = await asker.fetch(way.build_pair(pair))
            likelihoods.append(likelihood_way.read_likelihood(pair, reply).log)
        if likelihoods[0] <= likelihoods[1]:
            raise NotAble("returns log-probabilities that do not follow the prompt")


def _check_first_tokens(way: FirstToken, replies: list[ServerReply]) -> None:
    """Raise NotAble if the first tokens of planted answers are not what was asked for."""
    if len({reply.top for reply in replies}) == 1:
        raise NotAble("returns the same log-probabilities whatever it is asked")
    _check_mass(replies, MIN_PLANTED_MASS)


def _check_mass(replies: Sequence[ServerReply], least: float) -> None:
    """Raise NotAble if answers rarely begin with a letter, as those of reasoning models."""
    masses = [sum(label_masses(reply.top, "AB")) for reply in replies]
    if sum(masses) / len(masses) < least:
        token = max(replies[0].top, key=lambda pair: pair[1])[0] if replies[0].top else ""
        raise NotAble(f"begins its answers not with a letter, but with {token!r}")


def _describe(way: AskingWay) -> str:
    """Describe a way with its dialect."""
    if isinstance(way, FirstToken):
        return f"first-token (top {way.n_top} log-probabilities)"
    if isinstance(way, ForcedLabel | PromptLikelihood):
        return f"{way.name} ({way.dialect})"
    return way.name
