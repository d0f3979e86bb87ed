"""Is every cue exactly balanced over the groups, and is every group whole?

Kavumba et al. 2019, Niven and Kao 2019: in a mirrored benchmark every choice is right as often as
any other of its group, so that no word of the choices says anything. Looks at groups whose items
share their choices; where there are none, nothing is mirrored and nothing is asked.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import ClassVar

from ...checks import check
from ...text import Tokenizer, tokenizer
from ...types import POOLED, Benchmark, Cell, Items, Result, Table
from .._splits import labelled
from .cues import COLUMNS, Unbalanced, unbalanced
from .cuts import Cut, own, tools
from .groups import CONTRADICTORY, Broken, Group, broken, mirrored

SHOWN = 1000  # broken groups that a table holds
NOTHING = (
    "No two items of a group share their choices: nothing is mirrored, so there is nothing to "
    "check."
)


@dataclass(frozen=True, slots=True)
class Balance:
    """What mirroring promises, checked: every cue at chance, every group whole, no cut through it.

    Splits are looked at together, since partners may lie in different ones.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it all labelled splits together
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "word"  # word, nltk or whitespace
    folds: int = 10  # of the cross-validations that must not part a group
    seed: int = 0  # of these folds

    def __post_init__(self) -> None:
        check("ngram", self.ngram, 1)
        check("folds", self.folds, 2)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        tokens = tokenizer(self.tokenizer)
        parts, notes = labelled(benchmark, self.split)
        groups, beside = mirrored(parts)
        found = self._found(benchmark, parts, groups, tokens)
        return Result(
            probe="balance",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict="caution" if found.wrong() else "clear",
            sentence=found.sentence(),
            tables=found.tables(),
            evidence=found.evidence(),
            notes=(*notes, *beside),
        )

    def _found(
        self, benchmark: Benchmark, parts: dict[str, Items], groups: list[Group], tokens: Tokenizer
    ) -> Found:
        if not groups:
            return Found()
        items = tuple(item for group in groups for _, item in group.members)
        name = next(iter(parts)) if len(parts) == 1 else POOLED
        cuts = [*own(groups, benchmark), *tools(items, self.folds, self.seed)]
        cues = unbalanced(name, items, tokens, self.ngram)
        return Found(tuple(groups), tuple(broken(groups)), cues, tuple(cuts))


@dataclass(frozen=True, slots=True)
class Found:
    """All that was looked at, and what of it is not as it should be."""

    groups: tuple[Group, ...] = ()
    broken: tuple[Broken, ...] = ()
    cues: Unbalanced = field(default_factory=Unbalanced)
    cuts: tuple[Cut, ...] = ()

    def wrong(self) -> list[str]:
        """What is amiss, in words."""
        said = []
        if self.broken:
            bad = len({one.group.name for one in self.broken})
            said.append(f"{bad:,} of {len(self.groups):,} groups {_why(self.broken, bad)}")
        if self.cues.number:
            said.append(f"{self.cues.number:,} of {self.cues.of:,} cues are off balance")
        parted = [cut for cut in self.cuts if cut.parted and cut.matters]
        return said + [
            f"{cut.parted:,} {'group is' if cut.parted == 1 else 'groups are'} parted by {cut.name}"
            for cut in parted
        ]

    def sentence(self) -> str:
        if not self.groups:
            return NOTHING
        wrong = self.wrong()
        held = [f"each of {self.cues.of:,} cues is right exactly as often as chance has it"]
        held = held if not self.cues.number else []
        if wrong:
            return f"{_capital('; '.join(wrong + held))}."
        return f"All {len(self.groups):,} groups are whole and balanced: {held[0]}."

    def tables(self) -> dict[str, Table]:
        """Those that have something to say."""
        reasons = {why: [b for b in self.broken if b.why == why] for why in _reasons(self.broken)}
        counts = ((why, len(some), sum(len(b.ids) for b in some)) for why, some in reasons.items())
        cuts = ((cut.name, len(self.groups), cut.parted) for cut in self.cuts)
        tables = {
            "reasons": Table(("why", "groups", "items"), tuple(counts)),
            "groups": Table(("group", "items", "why"), _rows(self.broken[:SHOWN])),
            "cues": Table(COLUMNS, self.cues.rows),
            "cuts": Table(("cut", "groups", "parted"), tuple(cuts)),
        }
        return {name: table for name, table in tables.items() if table.rows}

    def evidence(self) -> dict[str, tuple[str, ...]]:
        return {
            why: tuple(id for one in self.broken if one.why == why for id in one.ids)
            for why in _reasons(self.broken)
        }


def _reasons(found: tuple[Broken, ...]) -> list[str]:
    return list(dict.fromkeys(one.why for one in found))


def _why(found: tuple[Broken, ...], groups: int) -> str:
    """What is said of broken groups, in short where they are all contradictions."""
    counts = {why: sum(one.why == why for one in found) for why in _reasons(found)}
    if list(counts) == [CONTRADICTORY]:
        return f"{'asks' if groups == 1 else 'ask'} the same with different answers"
    listed = ", ".join(f"{why}: {n:,}" for why, n in counts.items())
    return f"{'is not as it' if groups == 1 else 'are not as they'} should be ({listed})"


def _rows(found: tuple[Broken, ...]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((one.group.name, " ".join(one.ids), one.why) for one in found)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
