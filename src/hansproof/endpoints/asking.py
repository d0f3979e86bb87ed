"""Asks a server about many items at once, each request once, and keeps every answer.

So many requests are under way together as the settings allow; items wait as items, not as requests,
so that their number costs no memory. Requests that are equal are sent once. A run stops when the
server fails again and again, or when the budget is spent; what was answered is kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..capabilities import ItemReply, Question
from ..spending import BudgetSpent, Price, Spending, estimate_tokens
from ..types import NoAnswer
from .client import EndpointClient, RequestError
from .journal import AnswerJournal, request_key
from .replies import BadReply, ServerReply, parse_reply
from .ways import AskingWay, ModelRequest

MAX_FAILURES = 10  # items in a row without an answer, after which the server is given up
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
    is_estimate: bool = False  # a server did not count

    def add(self, request: ModelRequest, reply: ServerReply) -> None:
        """Add an answer."""
        self.requests += 1
        for name, text in (("prompt_tokens", request.prompt), ("completion_tokens", reply.text)):
            counted = getattr(reply, name)
            self.is_estimate |= counted is None
            total = getattr(self, name) + (estimate_tokens(text) if counted is None else counted)
            setattr(self, name, total)


# called with the number of items that are done, the tokens and the dollars so far
ProgressCallback = Callable[[int, Usage, float], None]


@dataclass(slots=True)
class Asker:
    """Asks about the items of one run."""

    client: EndpointClient
    journal: AnswerJournal
    server: str  # what tells servers and models apart in the journal
    sample: int = 0
    price: Price | None = None
    spending: Spending = field(default_factory=Spending)
    usage: Usage = field(default_factory=Usage)
    reasons: dict[str, int] = field(default_factory=dict)  # why requests failed, and how often
    _under_way: dict[bytes, asyncio.Future[ServerReply]] = field(default_factory=dict)
    _failures: int = 0  # in a row
    _last_update: float = 0.0

    async def ask_all(
        self, way: AskingWay, questions: Sequence[Question], on_progress: ProgressCallback
    ) -> list[ItemReply]:
        """Return the reply to each item."""
        replies: list[ItemReply | None] = [None] * len(questions)
        pending = iter(enumerate(questions))
        n_done = 0

        async def work(queue: Iterator[tuple[int, Question]]) -> None:
            nonlocal n_done
            for index, question in queue:
                replies[index] = await self._ask_item(way, question)
                n_done += 1
                self._report(on_progress, n_done, len(questions))

        n_workers = min(self.client.settings.concurrency, max(len(questions), 1))
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(n_workers):
                    group.create_task(work(pending))
        except ExceptionGroup as errors:
            raise _first_error(errors) from None
        return [reply for reply in replies if reply is not None]

    def _report(self, on_progress: ProgressCallback, n_done: int, n_items: int) -> None:
        now = time.monotonic()
        if n_done == n_items or now - self._last_update >= UPDATE_SECONDS:
            self._last_update = now
            on_progress(n_done, self.usage, self.spending.spent)

    async def _ask_item(self, way: AskingWay, question: Question) -> ItemReply:
        """Ask about an item; a failure becomes its outcome, unless the server is to be given up."""
        try:
            replies = [await self.fetch(request) for request in way.build_requests(question)]
            item_reply = way.read_replies(question, replies)
        except BadReply as error:
            return self._note_failure(f"an answer {error}")
        except RequestError as error:
            if error.kind == "fatal":
                raise AskingError(error.message) from None
            is_refusal = any(code in error.code for code in _REFUSAL_CODES)
            return self._note_failure(error.message, "refused" if is_refusal else "error")
        except BudgetSpent:
            raise AskingError(f"the budget of ${self.spending.budget:,.2f} is spent") from None
        self._failures = 0
        return item_reply

    def _note_failure(self, reason: str, outcome: NoAnswer = "error") -> ItemReply:
        """Count a failure; stop the run if there are many in a row."""
        if outcome == "refused":
            return ItemReply(no_answer="refused")
        self.reasons[reason] = self.reasons.get(reason, 0) + 1
        self._failures += 1
        if self._failures >= MAX_FAILURES:
            raise AskingError(f"the server failed for {self._failures} items in a row ({reason})")
        return ItemReply(no_answer=outcome)

    async def fetch(self, request: ModelRequest) -> ServerReply:
        """Return the answer to a request, from the journal if it was asked before."""
        key = request_key(self.server, request.path, request.body, self.sample)
        if key in self._under_way:
            reply = await asyncio.shield(self._under_way[key])
        else:
            saved_reply = self.journal.find(key)
            reply = saved_reply if saved_reply is not None else await self._send_once(key, request)
        self.usage.add(request, reply)
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
        estimate = self._cost(estimate_tokens(request.prompt), request.max_tokens)
        self.spending.reserve(estimate)
        cost = 0.0
        try:
            reply = parse_reply(await self.client.post(request.path, request.body))
            counted = Usage()
            counted.add(request, reply)
            cost = self._cost(counted.prompt_tokens, counted.completion_tokens)
        finally:
            self.spending.settle(estimate, cost)
        return reply

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return self.price.cost(prompt_tokens, completion_tokens) if self.price else 0.0


def _first_error(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error of a group; what the user can act on comes first."""
    leaves = [*_leaves(errors)]
    return next((error for error in leaves if isinstance(error, AskingError)), leaves[0])


def _leaves(errors: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in errors.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
