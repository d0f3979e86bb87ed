"""Asks a server about many items at once, each request once, and keeps every answer.

So many requests are under way together as the settings allow; items wait as items, not as requests,
so that their number costs no memory. Requests that are equal are sent once. A run stops when the
server fails again and again, or when the budget is spent; what was answered is kept.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..capabilities import ItemReply, Question
from ..spending import (
    BudgetSpent,
    Price,
    Spending,
    estimate_prompt_tokens,
    estimate_tokens,
    format_dollars,
)
from .client import EndpointClient, RequestError
from .journal import AnswerJournal, request_key
from .replies import BadReply, ServerReply, TokenScore, count_tokens, parse_reply
from .reservation import Reservation
from .ways import AskingWay, ModelRequest

MAX_FAILURES = 10  # items in a row without an answer, after which the server is given up
# long prompts with so few tokens were cut; no tokenizer makes tokens as long
CHECKED_SIZE, MAX_BYTES_PER_TOKEN = 2_000, 16
MIN_DIFFERENT = 10  # requests whose log-probabilities cannot all be the same
NEARLY_CERTAIN = -1e-6  # log-probability of a model that is sure, whose others may all be rounded
UPDATE_SECONDS = 0.2  # between two updates of the progress bar
_REFUSAL_CODES = ("content_filter", "content_policy_violation", "moderation_blocked", "safety")


class AskingError(Exception):
    """A run cannot be finished; the message says why, in words for the user."""


@dataclass(slots=True)
class Usage:
    """What the answers of a run took, whether they are new or were kept."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    n_estimated: int = 0  # answers whose tokens the server did not count

    def add(self, request: ModelRequest, reply: ServerReply, sign: int = 1) -> None:
        """Add an answer; with sign -1, take it back."""
        counted = (reply.prompt_tokens, reply.completion_tokens)
        estimated = (estimate_prompt_tokens(request.prompt), estimate_tokens(reply.text))
        prompt_tokens, completion_tokens = (
            guess if count is None else count
            for count, guess in zip(counted, estimated, strict=True)
        )
        self.requests += sign
        self.prompt_tokens += sign * prompt_tokens
        self.completion_tokens += sign * completion_tokens
        self.n_estimated += sign * (None in counted)


# called with the number of items that have an answer, the tokens and the dollars so far, and the
# number of items that have failed
ProgressCallback = Callable[[int, Usage, float, int], None]


@dataclass(slots=True)
class Asker:
    """Asks about the items of one run."""

    client: EndpointClient
    journal: AnswerJournal
    server: str  # what tells servers and models apart in the journal
    sample: int = 0
    price: Price | None = None
    spending: Spending = field(default_factory=Spending)
    served: str = ""  # the name that the server gives the model; empty if not known yet
    usage: Usage = field(default_factory=Usage)
    reasons: dict[str, int] = field(default_factory=dict)  # why requests failed, and how often
    n_sent: int = 0  # requests that the journal could not answer
    _first_top: tuple[TokenScore, ...] | None = None
    _tops_differ: bool = False
    _counted: set[bytes] = field(default_factory=set)  # requests that `usage` includes
    _under_way: dict[bytes, asyncio.Future[ServerReply]] = field(default_factory=dict)
    _settled: asyncio.Condition = field(default_factory=asyncio.Condition)
    _stop: AskingError | None = None  # why no further item is asked
    _failures: int = 0  # in a row
    _last_failure: Exception | None = None
    _last_update: float = 0.0

    @property
    def n_different(self) -> int:
        """The number of different requests that have an answer."""
        return len(self._counted)

    async def ask_all(
        self, way: AskingWay, questions: Sequence[Question], on_progress: ProgressCallback
    ) -> list[ItemReply]:
        """Return the reply to each item; those that failed are asked once more at the end.

        Raises AskingError when the run must stop, after the requests under way are answered.
        """
        replies: dict[int, ItemReply] = {}
        for _ in range(2):
            self.reasons.clear()
            self._failures = 0
            missing = [
                index
                for index in range(len(questions))
                if index not in replies or replies[index].no_answer == "error"
            ]
            await self._ask_some(way, questions, missing, replies, on_progress)
            if self._stop is not None:
                raise self._stop
        return [replies[index] for index in range(len(questions))]

    async def _ask_some(
        self,
        way: AskingWay,
        questions: Sequence[Question],
        indices: Sequence[int],
        replies: dict[int, ItemReply],
        on_progress: ProgressCallback,
    ) -> None:
        """Ask about some items, as many together as the settings allow."""
        queue = iter(indices)

        async def work() -> None:
            for index in queue:
                if self._stop is not None:
                    return
                replies[index] = await self._ask_item(way, questions[index])
                self._report(on_progress, len(replies), len(questions))

        n_workers = min(self.client.settings.concurrency, len(indices))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(n_workers):
                    group.create_task(work())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def _report(self, on_progress: ProgressCallback, n_done: int, n_items: int) -> None:
        n_done -= sum(self.reasons.values())  # what has failed will be asked again
        now = time.monotonic()
        if n_done == n_items or now - self._last_update >= UPDATE_SECONDS:
            self._last_update = now
            on_progress(n_done, self.usage, self.spending.spent, sum(self.reasons.values()))

    async def _ask_item(self, way: AskingWay, question: Question) -> ItemReply:
        """Ask about an item; a failure becomes its outcome, unless the server is to be given up."""
        requests = way.build_requests(question)
        replies: list[ServerReply] = []
        try:
            for request in requests:
                replies.append(await self.fetch(request))  # noqa: PERF401  kept if one fails
            item_reply = way.read_replies(question, replies)
        except BadReply as error:
            # a kept answer that cannot be used would fail again
            for request, reply in zip(requests, replies, strict=False):
                self._forget(request, reply)
            return self._note_failure(f"an answer {error}", error)
        except RequestError as error:
            if error.kind == "fatal":
                self._stop = AskingError(error.message)
            return self._note_failure(error.message, error)
        except BudgetSpent:
            budget = format_dollars(self.spending.budget or 0.0)
            self._stop = AskingError(f"the budget of {budget} is spent")
            return ItemReply(no_answer="error")
        except AskingError as error:
            self._stop = error
            return ItemReply(no_answer="error")
        self._failures = 0
        return item_reply

    def _forget(self, request: ModelRequest, reply: ServerReply) -> None:
        """Discard the answer to a request, and take back what it took."""
        key = self._key(request)
        if key in self._counted:
            self._counted.discard(key)
            self.usage.add(request, reply, -1)
        self.journal.discard(key)

    @property
    def needs_confirmation(self) -> bool:
        """Whether the run asked anything, or uses answers after which no test was passed."""
        return self.n_sent > 0 or not self._counted.isdisjoint(self.journal.unconfirmed)

    @property
    def is_stuck(self) -> bool:
        """Whether different requests all got the same probabilities, which are not just 0 and 1."""
        top = self._first_top or ()
        is_certain = not top or top[0][1] > NEARLY_CERTAIN
        return len(self._counted) >= MIN_DIFFERENT and not self._tops_differ and not is_certain

    def discard_unconfirmed(self) -> None:
        """Discard the answers of this run after which the server has passed no test."""
        for key in self._counted & self.journal.unconfirmed:
            self._counted.discard(key)
            self.journal.discard(key)

    def _note_failure(self, reason: str, error: Exception) -> ItemReply:
        """Count a failure; stop the run if there are many in a row."""
        self.reasons[reason] = self.reasons.get(reason, 0) + 1
        # items with equal prompts share a request, and its failure
        self._failures += error is not self._last_failure
        self._last_failure = error
        if self._failures >= MAX_FAILURES and self._stop is None:
            message = f"the server failed for {self._failures} items in a row ({reason})"
            self._stop = AskingError(message)
        return ItemReply(no_answer="error")

    def _key(self, request: ModelRequest) -> bytes:
        return request_key(self.server, request.path, request.body, self.sample)

    async def fetch(self, request: ModelRequest) -> ServerReply:
        """Return the answer to a request, from the journal if it was asked before."""
        key = self._key(request)
        if key in self._under_way:
            reply = await asyncio.shield(self._under_way[key])
        else:
            saved_reply = self.journal.find(key)
            reply = saved_reply if saved_reply is not None else await self._send_once(key, request)
        if key not in self._counted:
            self._counted.add(key)
            self.usage.add(request, reply)
            if self._first_top is None:
                self._first_top = reply.top
            self._tops_differ |= reply.top != self._first_top
        return reply

    async def _send_once(self, key: bytes, request: ModelRequest) -> ServerReply:
        """Send a request while others that want the same answer wait for it."""
        future: asyncio.Future[ServerReply] = asyncio.get_running_loop().create_future()
        self._under_way[key] = future
        try:
            reply = await self._send(request)
            self.journal.add(key, reply, request.body)
            future.set_result(reply)
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # nobody may be waiting
            raise
        finally:
            del self._under_way[key]
        return reply

    async def _send(self, request: ModelRequest) -> ServerReply:
        """Send a request, within the budget."""
        estimate = estimate_prompt_tokens(request.prompt)
        limit = self._cost(math.ceil(estimate * self.spending.token_ratio), request.max_tokens)
        reservation = Reservation(self.spending, self._settled, limit)
        await reservation.open()
        self.n_sent += 1
        cost = limit  # of a request that is cancelled: the provider may have answered it
        try:
            data = await self.client.post(request.path, request.body, reservation.renew)
            cost = self._count_cost(request, data)
            reply = parse_reply(data)
        except RequestError as error:
            cost = limit if error.may_cost else 0.0
            if any(code in error.code for code in _REFUSAL_CODES):
                return ServerReply("", "content_filter", prompt_tokens=0, completion_tokens=0)
            raise
        finally:
            await reservation.close(cost)
        self.spending.learn_ratio(estimate, reply.prompt_tokens)
        self._check(request, reply)
        return reply

    def _check(self, request: ModelRequest, reply: ServerReply) -> None:
        """Raise if the server cut the prompt, or has begun to answer with another model."""
        size = len(request.prompt.encode("utf-8", "replace"))
        n_tokens = reply.prompt_tokens
        if n_tokens is not None and size > CHECKED_SIZE and n_tokens * MAX_BYTES_PER_TOKEN < size:
            raise BadReply(
                f"counts {n_tokens} tokens for a prompt of {size:,} bytes: the server cuts "
                "prompts, so give it a longer context"
            )
        if self.served and reply.model and reply.model != self.served:
            raise AskingError("the server has changed its model while it was asked")

    def _count_cost(self, request: ModelRequest, data: object) -> float:
        """Return what an answer cost, also if it cannot be used."""
        prompt_tokens, completion_tokens = count_tokens(data)
        return self._cost(
            estimate_prompt_tokens(request.prompt) if prompt_tokens is None else prompt_tokens,
            request.max_tokens if completion_tokens is None else completion_tokens,
        )

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return self.price.cost(prompt_tokens, completion_tokens) if self.price else 0.0
