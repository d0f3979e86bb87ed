"""Tokens and money that a command spends on language models, and the budget that stops it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

TOKENS_PER_PRICE = 1_000_000  # prices are per million tokens
BYTES_PER_TOKEN = 4  # of English text, roughly; used where a server does not count
OVERHEAD_TOKENS = 32  # of a chat template, which often has a text of its own


class BudgetSpent(Exception):
    """The next request might cost more than is left."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    prompt: float
    completion: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what tokens cost, in dollars."""
        total = prompt_tokens * self.prompt + completion_tokens * self.completion
        return total / TOKENS_PER_PRICE


@dataclass(slots=True)
class Spending:
    """What the runs of a command have spent so far; answers that were kept cost nothing."""

    budget: float | None = None  # dollars; None: no limit
    spent: float = 0.0
    reserved: float = 0.0  # for requests under way, at most
    n_reserved: int = 0  # requests under way
    closing_cost: float = 0.0  # for what must be asked at the end
    token_ratio: float = 1.0  # the most tokens of a prompt per estimated one, of any so far

    def reserve(self, cost: float) -> None:
        """Set money aside for a request; raise BudgetSpent if it might exceed the budget."""
        if (
            self.budget is not None
            and self.spent + self.reserved + self.closing_cost + cost > self.budget
        ):
            raise BudgetSpent
        self.reserved += cost
        self.n_reserved += 1

    def learn_ratio(self, estimated: int, counted: int | None) -> None:
        """Note how many tokens a server counts, so that later estimates are no lower."""
        self.token_ratio = max(self.token_ratio, (counted or 0) / estimated)

    @contextmanager
    def hold(self, cost: float) -> Iterator[None]:
        """Keep money for what must be asked at the end; raise BudgetSpent if it is too little."""
        self.reserve(cost)
        self.settle(cost, 0.0)
        self.closing_cost += cost
        try:
            yield
        finally:
            self.closing_cost = max(0.0, self.closing_cost - cost)

    def settle(self, reserved: float, cost: float) -> None:
        """Replace what was set aside for a request by what it cost."""
        self.n_reserved -= 1
        # nothing is left over by rounding
        self.reserved = max(0.0, self.reserved - reserved) if self.n_reserved else 0.0
        self.spent += cost


def estimate_tokens(text: str) -> int:
    """Estimate the number of tokens of a text, without a tokenizer."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def estimate_prompt_tokens(prompt: str) -> int:
    """Estimate the number of tokens of a prompt inside a chat template."""
    return OVERHEAD_TOKENS + estimate_tokens(prompt)


def format_dollars(amount: float) -> str:
    """Return an amount of money, small ones with the digits that they need: `$0.0008`, `$12.50`."""
    if amount >= 1 or amount <= 0:
        return f"${amount:,.2f}"
    n_digits = 1 - math.floor(math.log10(amount))  # two that count
    dollars, _, digits = f"{amount:.{max(2, n_digits)}f}".partition(".")
    return f"${dollars}.{digits[:2]}{digits[2:].rstrip('0')}"
