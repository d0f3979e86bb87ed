"""Rules found in one half of the items are tested in the other half, and the other way round.

The tests of one direction are exact, as their rules do not depend on the answers that they are
tested on. Holm's correction covers the rules of each direction, and doubling covers the two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..stats import Floats, holm
from .columns import FeatureColumns
from .features import Ints
from .pick_tests import PickTester
from .rule import NO_PICK, Rule
from .search import FoundRule, RuleSearch


@dataclass(frozen=True, slots=True)
class TestedRule:
    """A rule with its hits in items that it was not searched in, and its corrected p."""

    rule: Rule
    picks: Ints  # by item: the row of the choice, or NO_PICK
    is_telling: bool
    tested: Ints  # the items with a pick among those in which it was not searched
    hits: int
    chance: float
    p: float

    @property
    def n(self) -> int:
        """The number of items on which the rule was tested."""
        return self.tested.size


@dataclass(frozen=True, slots=True)
class HalvedSearch:
    """A search in each half of the items."""

    columns: FeatureColumns
    tester: PickTester
    half: Ints  # 0 or 1, by item
    searches: tuple[RuleSearch, RuleSearch]

    def find_rules(self, answers: Ints) -> tuple[list[FoundRule], list[FoundRule]]:
        """Find rules in each half."""
        return self.searches[0].find_rules(answers), self.searches[1].find_rules(answers)

    def smallest_p(self, answers: Ints) -> float:
        """Return the smallest corrected p of all rules; 1 if none is found."""
        by_half = [self._test_half(rules, k, answers) for k, rules in
                   enumerate(self.find_rules(answers))]  # fmt: skip
        return min((float(p.min()) for p in by_half if p.size), default=1.0)

    def test_rules(
        self, by_half: tuple[list[FoundRule], list[FoundRule]], answers: Ints
    ) -> list[TestedRule]:
        """Test the rules of each half in the other; a rule found in both is listed once."""
        tested: dict[tuple[Rule, bool], TestedRule] = {}
        for k, rules in enumerate(by_half):
            for rule, p in zip(rules, self._test_half(rules, k, answers), strict=True):
                key = (rule.rule, rule.is_telling)
                new = self._describe(rule, 1 - k, float(p), answers)
                tested[key] = _join_halves(tested[key], new) if key in tested else new
        return sorted(tested.values(), key=lambda rule: rule.p)

    def _test_half(self, rules: list[FoundRule], k: int, answers: Ints) -> Floats:
        other = self.half != k
        p = [self.tester.test(rule.picks, answers, other, rule.is_telling) for rule in rules]
        return np.minimum(2 * holm(p), 1.0) if p else np.zeros(0)

    def _describe(self, rule: FoundRule, half: int, p: float, answers: Ints) -> TestedRule:
        layout = self.columns.layout
        items = np.flatnonzero((self.half == half) & (rule.picks != NO_PICK))
        hits = int((rule.picks[items] - layout.first[items] == answers[items]).sum())
        chance = float(layout.chance[items].mean()) if items.size else 0.0
        return TestedRule(rule.rule, rule.picks, rule.is_telling, items, hits, chance, p)


def prepare_search(columns: FeatureColumns, tester: PickTester, half: Ints) -> HalvedSearch:
    """Prepare a search in each half of the items."""
    searches = RuleSearch(columns, half == 0), RuleSearch(columns, half == 1)
    return HalvedSearch(columns, tester, half, searches)


def _join_halves(first: TestedRule, second: TestedRule) -> TestedRule:
    tested = np.union1d(first.tested, second.tested)
    chance = (first.chance * first.n + second.chance * second.n) / max(tested.size, 1)
    return TestedRule(
        first.rule, first.picks, first.is_telling, tested, first.hits + second.hits, chance,
        min(first.p, second.p),
    )  # fmt: skip
