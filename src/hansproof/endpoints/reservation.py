"""Money that is set aside for a request while it is under way, try by try."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from ..spending import BudgetSpent, Spending


@dataclass(slots=True)
class Reservation:
    """What a request may cost at most; every try that failed is paid for before the next one."""

    spending: Spending
    settled: asyncio.Condition  # notified when money becomes free
    limit: float
    _is_open: bool = False

    async def open(self) -> None:
        """Set the money aside; wait while other requests, which cost less, may make room."""
        async with self.settled:
            while True:
                try:
                    self.spending.reserve(self.limit)
                except BudgetSpent:
                    if not self.spending.n_reserved:
                        raise
                    await self.settled.wait()
                else:
                    self._is_open = True
                    return

    async def close(self, cost: float) -> None:
        """Replace what is set aside, if anything is, by what the last try cost."""
        if self._is_open:
            self._is_open = False
            self.spending.settle(self.limit, cost)
            async with self.settled:
                self.settled.notify_all()

    async def renew(self) -> None:
        """Pay for a try that failed, and set money aside for the next one."""
        await self.close(self.limit)
        await self.open()
