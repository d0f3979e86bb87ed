"""Opens a connection, proves a way of asking, and asks about the items of a run."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from .._infra.join_names import join_names
from .._infra.plural import plural
from ..capabilities import ItemReply, Question
from ..errors import ModelError
from ..prompts.likelihood_scores import ScoreBy
from ..spending import BudgetSpent, Price, Spending, estimate_prompt_tokens, format_dollars
from ..types import Item
from .abilities import (
    STRONGEST_FIRST,
    ProvenWay,
    WayName,
    candidate_ways,
    prove_way,
)
from .asking import Asker, AskingError, ProgressCallback
from .client import UNKNOWN_PATH, EndpointClient, RequestError
from .journal import AnswerJournal
from .planted import planted_items
from .replies import BadReply
from .self_tests import CutOff, NotAble, check_following, check_length, copying_requests
from .settings import EndpointSettings
from .ways import AskingWay, FirstToken, PromptLikelihood, RequestOptions

T = TypeVar("T")
MIN_CHECKED = 2_000  # characters of a prompt that a server may cut
N_CLOSING_TESTS = 3  # before a server is said to have changed
N_CLOSING_TOKENS = 1_000  # of prompts and of answers, at most

_proven: dict[object, ProvenWay] = {}  # of this process, by server and options


@dataclass(frozen=True, slots=True)
class RunRequest:
    """All that a run asks, and how."""

    label: str  # of the model in errors
    settings: EndpointSettings
    options: RequestOptions
    ask: str  # the name of a way, or auto
    score_by: ScoreBy
    questions: Sequence[Question]
    has_choices: bool  # whether the view shows choices
    price: Price | None = None
    spending: Spending = field(default_factory=Spending)
    journal_path: str | None = None


@dataclass(frozen=True, slots=True)
class RunReplies:
    """The replies of a run, how it was asked, and what it took."""

    replies: list[ItemReply]
    proven: ProvenWay
    asker: Asker


def run_request(request: RunRequest, on_progress: ProgressCallback) -> RunReplies:
    """Prove the way of asking, and ask about all items; raise ModelError if that is impossible."""
    journal = AnswerJournal(request.journal_path)
    try:
        return _run_coroutine(_ask(request, journal, on_progress))
    except BudgetSpent:
        remaining = (request.spending.budget or 0.0) - request.spending.spent
        amount = format_dollars(max(remaining, 0.0))
        message = f"{amount} of the budget is left, too little for testing the server"
        raise ModelError(f"{request.label}: {message}") from None
    except (AskingError, RequestError) as error:
        _proven.clear()  # the server may be another one the next time
        raise ModelError(f"{request.label}: {request.settings.url}: {error}") from None
    finally:
        journal.close()


async def _ask(
    request: RunRequest, journal: AnswerJournal, on_progress: ProgressCallback
) -> RunReplies:
    async with EndpointClient(request.settings) as client:
        proven = await _find_way(request, client)
        # other weights under the same address often have another name at the server
        server = f"{request.settings.url} {request.settings.model} {proven.served}"
        sample = request.options.seed if request.options.temperature else 0
        asker = Asker(
            client, journal, server, sample, request.price, request.spending, proven.served
        )
        adapted = proven.way.options
        tester = _make_tester(request, client)
        if request.options.temperature:  # not as proved: some models refuse these settings
            adapted = await _adapt_options(tester, replace(request.options, examples=()))
        options = replace(
            request.options,
            token_field=adapted.token_field,
            sends_temperature=adapted.sends_temperature,
            sends_seed=adapted.sends_seed,
        )
        way = replace(proven.way, options=options)
        await _check_longest(request, tester, way)
        try:
            with request.spending.hold(_closing_cost(request, proven.way)):
                replies = await asker.ask_all(way, request.questions, on_progress)
            if asker.needs_confirmation:
                await _confirm(request, asker, client, proven.way)
                journal.confirm()
        except (AskingError, RequestError) as error:
            raise AskingError(f"{error}{_count_kept(asker)}") from None
    return RunReplies(replies, replace(proven, way=way), asker)


def _closing_cost(request: RunRequest, way: AskingWay) -> float:
    """Return what the test after the last item may cost."""
    if request.price is None:
        return 0.0
    if isinstance(way, PromptLikelihood):
        return request.price.cost(N_CLOSING_TOKENS, N_CLOSING_TOKENS)
    closing = [built for _, built in copying_requests(way, _greet())]
    prompt_tokens = sum(estimate_prompt_tokens(built.prompt) for built in closing)
    n_tokens = math.ceil(prompt_tokens * request.spending.token_ratio)
    return request.price.cost(n_tokens, sum(built.max_tokens for built in closing))


def _count_kept(asker: Asker) -> str:
    """Say how many answers of a run need not be asked for again."""
    n_kept = asker.n_different
    if asker.journal.path is None or not n_kept:
        return ""
    verb = "is" if n_kept == 1 else "are"
    return f"; {plural(n_kept, 'answer')} of this run {verb} kept: repeat the command to continue"


async def _check_longest(request: RunRequest, tester: Asker, way: AskingWay) -> None:
    """Raise AskingError if the server does not read all of the longest prompt."""
    if isinstance(way, PromptLikelihood):
        return  # the tokens of each prompt are compared with its text
    longest = max(request.questions, key=lambda question: _measure(question.item))
    text = max((built.prompt for built in way.build_requests(longest)), key=len)
    if len(text) < MIN_CHECKED:
        return
    try:
        await check_length(tester, replace(way.options, seed=0, temperature=0.0), text)
    except BadReply as error:
        raise AskingError(f"an answer {error}") from None
    except NotAble as error:
        raise AskingError(f"the server {error}") from None
    except RequestError as error:
        if error.kind != "rejected":
            raise  # a server that rejects long prompts does not cut them


def _measure(item: Item) -> int:
    """Return the number of characters of an item."""
    return sum(map(len, (*item.fields.values(), *item.choices)))


async def _confirm(
    request: RunRequest, asker: Asker, client: EndpointClient, way: AskingWay
) -> None:
    """Test after the last item that the server still answers what it is asked.

    Otherwise its answers are discarded: it may have been stuck, or exchanged, all the while.
    """
    reason = ""
    for _ in range(N_CLOSING_TESTS):
        try:
            await check_following(_make_tester(request, client), way, _greet())
        except BadReply as error:
            raise AskingError(f"an answer {error}") from None
        except CutOff as error:
            raise AskingError(f"the server {error}") from None
        except NotAble as error:
            reason = f"has changed while it was asked: it {error}"
        else:
            reason = ""
            break
    if isinstance(way, FirstToken) and asker.is_stuck:
        reason = f"returned the same log-probabilities for {asker.n_different:,} different prompts"
    if reason:
        asker.discard_unconfirmed()
        raise AskingError(f"the server {reason}. Its answers are discarded")


def _greet() -> str:
    """Return words that no cache has seen."""
    return f"Page {random.randrange(10_000, 100_000)}. "  # noqa: S311


async def _find_way(request: RunRequest, client: EndpointClient) -> ProvenWay:
    """Return the way of asking, proved once in this process; raise ModelError if there is none."""
    names = candidate_ways(request.options, request.ask, request.has_choices)
    # examples and seeds do not change what a server can do
    options = replace(request.options, examples=(), seed=0, temperature=0.0)
    key = (request.settings.url, options, names, request.score_by)
    if key not in _proven:
        tester = _make_tester(request, client)
        adapted = await _adapt_options(tester, options, names != ("likelihood",))
        _proven[key] = await _prove_first(request, tester, adapted, names)
    return _proven[key]


def _make_tester(request: RunRequest, client: EndpointClient) -> Asker:
    """Return an asker whose answers are not kept, for the tests of a server."""
    return Asker(client, AnswerJournal(), "", 0, request.price, request.spending)


async def _adapt_options(
    asker: Asker, options: RequestOptions, needs_path: bool = True
) -> RequestOptions:
    """Return options that the server accepts: some models have other names for some settings."""
    (question, *_) = planted_items()
    for _ in range(4):
        try:
            await asker.fetch(options.build(question.item))
        except BadReply:
            return options
        except RequestError as error:
            if error.kind != "rejected":
                raise
            if "max_tokens" in error.message and options.token_field == "max_tokens":  # noqa: S105
                options = replace(options, token_field="max_completion_tokens")  # noqa: S106
            elif "temperature" in error.message and options.temperature:
                raise  # other samples than were asked for
            elif "temperature" in error.message and options.sends_temperature:
                options = replace(options, sends_temperature=False)
            elif "seed" in error.message and options.sends_seed:
                options = replace(options, sends_seed=False)
            elif error.code == UNKNOWN_PATH and "model" in error.message.lower():
                raise  # there is no such model
            elif error.code == UNKNOWN_PATH and needs_path:
                path = options.build(question.item).path
                message = f"{error.message} at {path}: is the address right? It often ends with /v1"
                raise AskingError(message) from None
            else:
                return options
        else:
            return options
    return options


async def _prove_first(
    request: RunRequest, asker: Asker, options: RequestOptions, names: Sequence[WayName]
) -> ProvenWay:
    """Return the first of some ways that works; raise ModelError, which says what does work."""
    reasons: dict[WayName, str] = {}
    for name in names:
        try:
            proven = await prove_way(name, asker, options, request.score_by)
        except NotAble as error:
            reasons[name] = str(error)
        else:
            passed_over = (f"{way}: the server {reason}" for way, reason in reasons.items())
            return replace(proven, lacks=tuple(passed_over))
    remaining = []
    for name in STRONGEST_FIRST:
        if name not in names:
            with suppress(NotAble):
                await prove_way(name, asker, options, request.score_by)
                remaining.append(f"ask={name}")
    lacks = f"the server {'; it '.join(dict.fromkeys(reasons.values()))}"
    raise ModelError(
        f"{request.label}: {request.settings.url}: {lacks}. {_advise(request, names, remaining)}"
    )


def _advise(request: RunRequest, names: Sequence[WayName], remaining: Sequence[str]) -> str:
    """Say which way of asking cannot be used, and which can."""
    if not request.has_choices:
        return "A view without choices needs an answer in free text"
    if len(names) > 1 or not remaining:
        return "No way of asking works"
    return f"So ask={names[0]} cannot be used; {join_names(remaining)} can"


def _run_coroutine(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also where a loop is running, as in a notebook."""
    if not _is_loop_running():
        return asyncio.run(coroutine)
    loop = asyncio.new_event_loop()
    task = loop.create_task(coroutine)
    with ThreadPoolExecutor(1) as executor:
        future = executor.submit(loop.run_until_complete, task)
        try:
            return future.result()
        except BaseException:  # Ctrl-C, while the other thread goes on asking
            loop.call_soon_threadsafe(task.cancel)
            raise


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
