"""The likelihood of each choice as the prompt's continuation, as the model plug-in `lm` has it.

Servers return the log-probabilities of a prompt's tokens for `echo` or `prompt_logprobs`. Which of
them belong to the choice is told by their texts, from the end; a token that begins before the
choice and reaches into it belongs to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

from ...capabilities import ItemReply, Question
from ...prompts.formats import Pair
from ...prompts.likelihood_scores import SCORINGS, PairLikelihood, ScoreBy
from ..replies import BadReply, ServerReply
from .base import PATHS, ModelRequest, RequestOptions

MIN_RETURNED = 0.5  # of the characters of a prompt
# how servers write a token that is a part of a character, or none
_PIECE = re.compile(r"bytes:(?:\\x[0-9a-fA-F]{2})+|<0x[0-9a-fA-F]{2}>|<unk>|\[UNK\]")

LikelihoodDialect = Literal["echo", "echo of one more token", "prompt_logprobs"]
DIALECTS: tuple[LikelihoodDialect, ...] = get_args(LikelihoodDialect)


@dataclass(frozen=True, slots=True)
class PromptLikelihood:
    """Asks how likely the tokens of a prompt are."""

    options: RequestOptions
    dialect: LikelihoodDialect = "echo"
    score_by: ScoreBy = "sum"

    @property
    def name(self) -> str:
        """The name of the way."""
        return "likelihood"

    def build_requests(self, question: Question) -> tuple[ModelRequest, ...]:
        """Return a request for each pair of texts of an item."""
        return tuple(self.build_pair(pair) for pair in self._pairs(question) if pair[1])

    def _pairs(self, question: Question) -> list[Pair]:
        build_pairs, _ = SCORINGS[self.score_by]
        return [pair for choice_pairs in build_pairs(question.item) for pair in choice_pairs]

    def build_pair(self, pair: Pair) -> ModelRequest:
        """Build the request for the likelihood of the second text after the first."""
        text = "".join(pair)
        body = {"model": self.options.model, "prompt": text, "temperature": 0.0, "max_tokens": 1}
        if self.dialect == "prompt_logprobs":
            body["prompt_logprobs"] = 0
        else:
            body |= {"echo": True, "logprobs": 1}
            body["max_tokens"] = 0 if self.dialect == "echo" else 1
        return ModelRequest(PATHS["completions"], body, text, 1)

    def read_replies(self, question: Question, replies: Sequence[ServerReply]) -> ItemReply:
        """Return the score of each choice."""
        pairs = self._pairs(question)
        answered = iter(replies)
        likelihoods = iter(
            [read_likelihood(pair, next(answered)) if pair[1] else CERTAIN for pair in pairs]
        )
        build_pairs, combine = SCORINGS[self.score_by]
        rows = [
            (choice, [next(likelihoods) for _ in choice_pairs])
            for choice, choice_pairs in zip(
                question.item.choices, build_pairs(question.item), strict=True
            )
        ]
        return ItemReply(tuple(combine(choice, row) for choice, row in rows))


@dataclass(frozen=True, slots=True)
class ServedLikelihood:
    """The likelihood of the second text of a pair."""

    log: float
    tokens: int


CERTAIN = ServedLikelihood(0.0, 0)  # an empty text is certain


def read_likelihood(pair: Pair, reply: ServerReply) -> PairLikelihood:
    """Return the likelihood of the second text of a pair; raise BadReply if it cannot be told."""
    _, continuation = pair
    tokens = _prompt_part(reply)
    _check_prompt("".join(pair), [text for text, _ in tokens])
    start, tail = len(tokens), ""
    while len(tail) < len(continuation) and start:
        start -= 1
        tail = tokens[start][0] + tail
    while start and not tokens[start - 1][0]:  # the first bytes of a character have no text
        start -= 1
    if not tail.endswith(continuation):
        raise BadReply("has tokens whose texts are not those of the prompt")
    scores = [score for _, score in tokens[start:]]
    if any(score is None for score in scores):
        raise BadReply("has no log-probability for a part of the choice")
    return ServedLikelihood(float(sum(score for score in scores if score is not None)), len(scores))


def _check_prompt(prompt: str, tokens: Sequence[str]) -> None:
    """Raise BadReply if tokens are those of a part of the prompt, or of another one.

    Tokens may be parts of characters, and spaces may be missing: letters and digits of ASCII tell,
    of texts as they are or as tokenizers normalise them.
    """
    returned = "".join(token for token in tokens if not _PIECE.fullmatch(token))
    variants = ({text, unicodedata.normalize("NFKC", text)} for text in (returned, prompt))
    if not any(
        _plain_letters(actual).endswith(_plain_letters(expected))
        for actual, expected in product(*variants)
    ):
        raise BadReply("has tokens whose texts are not those of the prompt")
    if sum(map(len, tokens)) < MIN_RETURNED * len(prompt):  # also in other scripts
        raise BadReply("has the tokens of a part of the prompt only")


def _plain_letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", text).lower()


def _prompt_part(reply: ServerReply) -> Sequence[tuple[str, float | None]]:
    """Return the tokens of the prompt, without generated ones; check that their number is right."""
    n_tokens, n_prompt = len(reply.prompt), reply.prompt_tokens
    if not n_tokens:
        raise BadReply("has no log-probabilities of the prompt")
    if n_prompt is None:
        raise BadReply("does not say how many tokens the prompt has")
    if n_tokens not in (n_prompt, n_prompt + (reply.completion_tokens or 0)):
        raise BadReply(f"has {n_tokens} log-probabilities for a prompt of {n_prompt} tokens")
    return reply.prompt[:n_prompt]
