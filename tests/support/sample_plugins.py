"""Source of a probe in a file of the user's own."""

from __future__ import annotations

MINE = '''"""Is the sky blue?"""
from dataclasses import dataclass
from typing import ClassVar
from hansproof.types import Result

@dataclass(frozen=True, slots=True)
class Mine:
    needs: ClassVar[tuple[str, ...]] = ()
    colour: str = "blue"  # of the sky
    def __call__(self, benchmark):
        return Result("mine", {"colour": self.colour}, "clear", f"It is {self.colour}.")
'''
