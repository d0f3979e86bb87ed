"""Tests of a server: whether what it returns follows what it is asked.

*Copying*: shown a letter several times, the model must answer it again. *Repeating*: a word that a
prompt repeats must be likelier to come again than another. *Forcing*: a label that nobody would say
must be said. *Length*: a long prompt must have as many tokens as its halves together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any, TypeVar, cast

from ..capabilities import Question
from ..prompts.template import RenderedPrompt
from ..types import Item
from .asking import Asker
from .replies import ServerReply
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
from .ways.first_token import label_masses

T = TypeVar("T")
N_COPIES = 4  # how often a letter is shown before it must be copied
MIN_COPY_MASS = 0.5  # of the letters among first tokens, together
SHORT_ANSWER = 16  # tokens: the least that some providers accept
LEAST_OF_PARTS = 0.95  # of the tokens of its halves, which a prompt that is read whole must have
_WORDS = (" lamp", " river", " seven")  # of which each is repeated, and compared with others
_ODD_LABELS = ("Q7", "X4")  # that nobody says who is asked to say hello


class NotAble(Exception):
    """A server lacks an ability; the message is the predicate of a sentence about the server."""


class CutOff(NotAble):
    """A model needs more tokens than it is given."""


async def gather(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines together until all have ended: none goes on when another has failed."""
    outcomes = await asyncio.gather(*coroutines, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return cast(list[T], outcomes)


async def check_following(asker: Asker, way: AskingWay, greeting: str = "") -> None:
    """Check that what a server returns follows the prompt; raise NotAble if it does not.

    With another greeting, a cache between us and the server cannot know the answers.
    """
    if isinstance(way, PromptLikelihood):
        await _check_repeating(asker, way, greeting)
    else:
        await _check_copying(asker, way, greeting)


def copying_requests(
    way: FirstToken | ForcedLabel | FreeText, greeting: str = ""
) -> list[tuple[Question, ModelRequest]]:
    """Return questions to which the letter that was answered several times is the answer."""
    pairs = []
    for index, letter in enumerate("AB"):
        item = Item("", {}, ("the first", "the second"), index)
        question = Question(item, item.choices)
        turns = (("user", f"{greeting}Say {letter}."), ("assistant", letter)) * N_COPIES
        prompt = RenderedPrompt((*turns, ("user", f"{greeting}Say {letter}.")), "Answer:")
        (request,) = way.build_requests(question)
        pairs.append((question, _with_prompt(request, prompt, way.options)))
    return pairs


async def _check_copying(
    asker: Asker, way: FirstToken | ForcedLabel | FreeText, greeting: str
) -> None:
    """Check that a letter that was answered several times is answered again."""
    for question, request in copying_requests(way, greeting):
        index = question.item.answer or 0
        letter = "AB"[index]
        reply = await asker.fetch(request)
        if isinstance(way, FirstToken):
            if not reply.top:
                raise NotAble("returns no log-probabilities of the first token")
            check_mass([reply], MIN_COPY_MASS)
        scores = way.read_replies(question, [reply]).scores
        if not scores or scores.index(max(scores)) != index:
            check_limit(way, reply)
            text = " ".join(reply.text.split())[:60]
            raise NotAble(
                f"does not answer {letter} where it has answered {letter} {N_COPIES} times before "
                f"(it answers {text!r}): what it returns does not follow the prompt"
            )


def check_limit(way: AskingWay, reply: ServerReply) -> None:
    """Raise CutOff if an answer ended at the limit of tokens, as reasoning models may do."""
    if reply.is_cut_off:
        raise CutOff(
            f"ends an answer at the limit of {way.options.token_limit:,} tokens: a model that "
            "reasons needs more (max_tokens=4000)"
        )


def check_mass(replies: Sequence[ServerReply], least: float) -> None:
    """Raise NotAble if answers rarely begin with a letter, as those of reasoning models."""
    masses = [sum(label_masses(reply.top, "AB")) for reply in replies]
    if sum(masses) / len(masses) < least:
        token = max(replies[0].top, key=lambda pair: pair[1])[0] if replies[0].top else ""
        raise NotAble(f"begins its answers not with a letter, but with {token!r}")


def _with_prompt(
    request: ModelRequest, prompt: RenderedPrompt, options: RequestOptions
) -> ModelRequest:
    """Return a request with another prompt."""
    other = options.build_prompt(prompt).body
    texts: dict[str, Any] = {name: other[name] for name in ("messages", "prompt") if name in other}
    return replace(request, body={**request.body, **texts}, prompt=prompt.plain)


async def _check_repeating(asker: Asker, way: PromptLikelihood, greeting: str) -> None:
    """Check that a word that the prompt repeats is likelier to come again than another."""
    for word, other in permutations(_WORDS, 2):
        prompt = greeting + f"The word is{word}. " * N_COPIES + "The word is"
        likelihoods = []
        for pair in ((prompt, word), (prompt, other)):
            reply = await asker.fetch(way.build_pair(pair))
            likelihoods.append(likelihood_way.read_likelihood(pair, reply).log)
        if likelihoods[0] <= likelihoods[1]:
            raise NotAble("returns log-probabilities that do not follow the prompt")


async def check_forcing(asker: Asker, way: ForcedLabel) -> None:
    """Check that a server forces a label that no model would say by itself."""
    constraint = forced_way.build_constraint(way.dialect, _ODD_LABELS)
    prompt = RenderedPrompt((("user", "Say hello."),), way.options.template.cue)
    request = way.options.build_prompt(prompt, forced_way.FORCED_TOKENS, **constraint)
    request.body.pop("stop", None)
    reply = await asker.fetch(request)
    if forced_way.read_forced(reply.text) not in _ODD_LABELS:
        raise NotAble("forces no answer")


async def check_length(asker: Asker, options: RequestOptions, text: str) -> None:
    """Check that a server reads all of a long prompt: it has the tokens of both its halves.

    The whole comes first, so that a cache of prompts shortens no count but those of the parts.
    """
    middle = len(text) // 2
    counts = []
    for part in (text, text[:middle], text[middle:], "x"):
        limit = max(options.token_limit, SHORT_ANSWER)
        prompt = RenderedPrompt((("user", part),), "")
        counts.append((await asker.fetch(options.build_prompt(prompt, limit))).prompt_tokens)
    n_tokens, n_first, n_second, n_template = (count or 0 for count in counts)
    n_expected = n_first + n_second - n_template
    if all(counts) and n_tokens < LEAST_OF_PARTS * n_expected:
        raise NotAble(
            f"cuts long prompts (it counts {n_tokens:,} tokens for {len(text):,} characters, and "
            f"{n_expected:,} for their two halves): give it a longer context"
        )
