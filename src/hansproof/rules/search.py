"""Searches some items for rules: single features, two joined, and three.

A rule is ranked by its score statistic: the square of how much more often than by chance its
choices are right, in standard deviations, minus twice the logarithm of the number of rules of its
kind that were tried. So a simple rule is preferred to a long one that is hardly better.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from ..stats import Floats
from .columns import FeatureColumns, Matrix
from .features import Ints, Mask
from .rule import NO_PICK, Rule, pick_choices

MIN_INFORMATION = 2.0  # variance of the number of hits: eight items of two choices
N_SINGLES, N_PAIRS, N_EXTENDED = 60, 60, 4  # candidates that are looked at closely
MAX_RULES = 6  # of one search
MIN_STRENGTH = 4.0  # of a rule that is tested on other items
SIMPLER = 0.8  # a simpler rule comes first if it has that share of the strongest's statistic
MANY_CHOICES = 10  # of an item, for its products to be summed by itself
AS_STRONG = 0.9  # of equally simple rules, those with that share of the statistic count as equal


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule, and which choice it picks in each item."""

    rule: Rule
    picks: Ints  # by item: the row of the choice, or NO_PICK
    penalty: float  # for the number of rules of its kind


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that a search found, and whether the choice it picks tends to be right or wrong."""

    rule: Rule
    picks: Ints
    is_telling: bool  # right more often than by chance
    hits: int  # in the items that were searched
    n: int


class RuleSearch:
    """What can be computed about some items before their answers are looked at."""

    def __init__(self, columns: FeatureColumns, is_searched: Mask) -> None:
        self.columns, self.is_searched = columns, is_searched
        layout = columns.layout
        self.in_row = is_searched[layout.item]
        self.chance = layout.chance[layout.item]
        self.matrix: Matrix = columns.matrix[self.in_row]  # of the joined features
        self._picks: dict[Rule, Ints] = {}

    def find_rules(self, answers: Ints) -> list[FoundRule]:
        """Find rules in the searched items; each is strong also without those before it."""
        layout = self.columns.layout
        right = np.zeros(layout.item.size, np.bool_)
        right[layout.first[:-1] + answers] = True
        excess = np.where(self.in_row, right - self.chance, 0.0)
        singles = self._single_strengths(excess)
        right_rows = (layout.first[:-1] + answers)[self.is_searched]
        joint = self._count_joint(right_rows)
        candidates = [*self._list_singles(singles), *self._list_joined(joint, excess, singles)]
        rules: list[FoundRule] = []
        is_free = self.is_searched.copy()
        while candidates and len(rules) < MAX_RULES:
            strengths = [self._strength(c, right, is_free) for c in candidates]
            best = int(np.argmax(strengths))
            if strengths[best] < MIN_STRENGTH:
                break
            chosen = self._choose(candidates, strengths, best, right)
            rules.append(self._describe(chosen, right))
            is_free &= chosen.picks == NO_PICK
            candidates = [c for c, s in zip(candidates, strengths, strict=True)
                          if s >= MIN_STRENGTH and c is not chosen]  # fmt: skip
        return rules

    def _choose(
        self, candidates: list[Candidate], strengths: list[float], best: int, right: Mask
    ) -> Candidate:
        """Return the simplest of the rules that are nearly as strong as the best.

        Simple means a low rung, then few features. Of equally simple rules that are equally strong,
        one whose choice tends to be right comes before one whose choice tends to be wrong.
        """
        # of the statistic itself: less is lost by chance than the penalties leave
        full = [s + c.penalty for s, c in zip(strengths, candidates, strict=True)]
        least = max(strengths[best] - (1 - SIMPLER) * full[best], MIN_STRENGTH)
        strong = [k for k, strength in enumerate(strengths) if strength >= least]
        lowest = min(self._rank(candidates[k].rule) for k in strong)
        simplest = [k for k in strong if self._rank(candidates[k].rule) == lowest]
        limit = AS_STRONG * max(full[k] for k in simplest)
        equal = [candidates[k] for k in simplest if full[k] >= limit]
        return min(equal, key=lambda c: (not self._describe(c, right).is_telling, c.rule.features))

    def _rank(self, rule: Rule) -> tuple[int, int]:
        """Rank a rule by its rung and its number of features."""
        rungs = [block.rung for block in self.columns.blocks]
        return rungs.index(self.columns.rung_of(rule.features)), len(rule.features)

    def _strength(self, candidate: Candidate, right: Mask, is_free: Mask) -> float:
        items = is_free & (candidate.picks != NO_PICK)
        chance = self.columns.layout.chance[items]
        variance = float((chance * (1 - chance)).sum())
        if variance < MIN_INFORMATION:
            return -math.inf
        z2 = float(right[candidate.picks[items]].sum() - chance.sum()) ** 2 / variance
        return z2 - candidate.penalty

    def _describe(self, candidate: Candidate, right: Mask) -> FoundRule:
        items = self.is_searched & (candidate.picks != NO_PICK)
        hits, n = int(right[candidate.picks[items]].sum()), int(items.sum())
        expected = float(self.columns.layout.chance[items].sum())
        return FoundRule(candidate.rule, candidate.picks, hits > expected, hits, n)

    def _make_candidate(self, rule: Rule, penalty: float) -> Candidate:
        if rule not in self._picks:
            fits = rule.combine_columns([self.columns.column(f) for f in rule.features])
            self._picks[rule] = pick_choices(fits, self.columns.layout)
        return Candidate(rule, self._picks[rule], penalty)

    # single features

    @cached_property
    def _rows(self) -> tuple[Ints, Ints]:
        """Return the feature and the choice of each row of the searched items."""
        rows = self.in_row[self.columns.choice]
        return self.columns.feature[rows], self.columns.choice[rows]

    @cached_property
    def _single_variance(self) -> Floats:
        """Return the variance of each feature's score under random answers."""
        columns, layout = self.columns, self.columns.layout
        feature, choice = self._rows
        item = layout.item[choice].astype(np.int64)
        pairs, counts = np.unique(feature * layout.chance.size + item, return_counts=True)
        share = counts * layout.chance[pairs % layout.chance.size]
        size = int(columns.offsets[-1])
        variance = np.bincount(pairs // layout.chance.size, share * (1 - share), size)
        return np.asarray(variance, np.float64)

    @cached_property
    def single_penalties(self) -> Floats:
        """Return the penalty of each single feature: for the number of features of its rung."""
        usable = self._single_variance >= MIN_INFORMATION
        block = np.repeat(np.arange(len(self.columns.blocks)), np.diff(self.columns.offsets))
        counts = np.bincount(block, usable, len(self.columns.blocks))
        return np.asarray(2 * np.log(np.maximum(counts, 1.0))[block], np.float64)

    @cached_property
    def _single_precision(self) -> Floats:
        """Return 1 / variance of each feature's score, 0 if there are too few items."""
        variance = self._single_variance
        usable = variance >= MIN_INFORMATION
        return np.where(usable, 1 / np.where(usable, variance, 1), 0.0)

    def _single_strengths(self, excess: Floats) -> Floats:
        feature, choice = self._rows
        score = np.bincount(feature, excess[choice], int(self.columns.offsets[-1]))
        return score**2 * self._single_precision - self.single_penalties

    def _list_singles(self, strengths: Floats) -> list[Candidate]:
        strong = np.flatnonzero(strengths >= MIN_STRENGTH)
        best = strong[np.argsort(-strengths[strong], kind="stable")[:N_SINGLES]]
        return [
            self._make_candidate(Rule((int(f),), (False,)), float(self.single_penalties[f]))
            for f in best
        ]

    # two features joined, and three

    @cached_property
    def _expected_joint(self) -> Matrix:
        """Return how many right choices have both features of a pair by chance."""
        chance = self.chance[self.in_row].astype(np.float32)
        return np.asarray((self.matrix * chance[:, None]).T @ self.matrix, np.float32)

    def _count_joint(self, right_rows: Ints) -> Matrix:
        """Return how many more right choices have both features of a pair than by chance.

        What is expected is the same for all permuted answers, so only right choices are counted.
        """
        right = self.columns.matrix[right_rows]
        return right.T @ right - self._expected_joint

    @cached_property
    def _pair_variances(self) -> Matrix:
        """Return the variances of the scores of `a and b`, `a and not b`, `exactly one of both`.

        For an item with m choices of which t fit, the variance is t/m - (t/m)². The sums of both
        over items follow from matrix products, also for joined features.
        """
        chance = self.chance[self.in_row].astype(np.float32)
        share = self._expected_joint  # sum of t_ab / m
        diagonal: Matrix = (self.matrix * (chance * chance)[:, None]).T @ self.matrix
        joint, mixed, total = self._sum_products()
        joint, mixed = joint + diagonal, mixed + diagonal
        single = np.diag(share)[:, None]
        square = np.diag(total)[:, None]
        xor_square = square + square.T + 4 * joint + 2 * total - 4 * (mixed + mixed.T)
        return np.stack(
            [
                share - joint,
                single - share - (square - 2 * mixed + joint),
                single + single.T - 2 * share - xor_square,
            ]
        )

    def _sum_products(self) -> tuple[Matrix, Matrix, Matrix]:
        """Return sums over items of t_ab² / m² and t_a t_ab / m², without the terms of one choice,
        and of t_a t_b / m².
        """
        layout, full = self.columns.layout, self.columns.matrix
        first, sizes = layout.first[:-1][self.is_searched], np.diff(layout.first)[self.is_searched]
        joint, mixed, total = np.zeros((3, self.matrix.shape[1], self.matrix.shape[1]), np.float32)
        is_many = sizes > MANY_CHOICES  # pairs of these choices would take too much time
        for m in np.unique(sizes[~is_many]).tolist():
            stack = [full[first[sizes == m] + j] for j in range(m)]
            sums = np.add.reduce(stack) / np.float32(m)
            total += sums.T @ sums
            for choice, other in combinations(stack, 2):
                pair = choice * other
                joint += np.float32(2 / m**2) * (pair.T @ pair)
                mixed += np.float32(1 / m**2) * (pair.T @ (choice + other))
        for start, m in zip(first[is_many], sizes[is_many], strict=True):
            _add_products(full[start : start + m], joint, mixed, total)
        return joint, mixed, total

    @cached_property
    def _pair_penalty(self) -> float:
        n = self.columns.joined_features.size
        return 2 * math.log(max(2 * n * (n - 1), 1))  # and, two times and-not, xor

    @cached_property
    def _pair_precisions(self) -> Matrix:
        """Return 1 / variance by form and pair; 0 where it is too small, or the pair is listed
        already the other way round.
        """
        variances = self._pair_variances
        usable = variances >= MIN_INFORMATION
        usable[[0, 2]] &= ~np.tri(variances.shape[1], dtype=np.bool_)
        np.fill_diagonal(usable[1], val=False)
        return np.where(usable, 1 / np.where(usable, variances, 1), 0).astype(np.float32)

    def _pair_strengths(self, joint: Matrix, singles: Floats) -> Matrix:
        """Return the strength of `and`, `and not` and `xor` of all pairs; 0 or less where it does
        not exceed that of its parts.
        """
        single = np.diag(joint)
        strengths = np.empty((3, *joint.shape), np.float32)
        strengths[0] = joint
        np.subtract(single[:, None], joint, out=strengths[1])
        np.subtract(single[None], joint, out=strengths[2])
        strengths[2] += strengths[1]
        strengths *= strengths
        strengths *= self._pair_precisions
        part = np.maximum(singles[self.columns.joined_features], 0).astype(np.float32)
        strengths -= self._pair_penalty
        strengths[strengths < np.maximum(part[:, None], part[None])] = 0
        return strengths

    def _list_joined(self, joint: Matrix, excess: Floats, singles: Floats) -> list[Candidate]:
        if self.columns.joined_features.size < 2:
            return []
        forms = (("and", (False, False)), ("and", (False, True)), ("xor", (False, False)))
        strengths = self._pair_strengths(joint, singles)
        flat = strengths.ravel()
        strong = np.flatnonzero(flat >= MIN_STRENGTH)
        chosen = strong[np.argsort(-flat[strong], kind="stable")[:N_PAIRS]]
        rules = []
        for form, a, b in zip(*np.unravel_index(chosen, strengths.shape), strict=True):
            connective, negated = forms[int(form)]
            features = (int(self.columns.joined_features[a]), int(self.columns.joined_features[b]))
            rules.append(Rule(features, negated, connective))  # type: ignore[arg-type]
        pairs = [self._make_candidate(rule, self._pair_penalty) for rule in rules]
        values = [float(flat[index]) for index in chosen]
        return pairs + self._extend_pairs(pairs, values, excess)

    def _extend_pairs(
        self, pairs: list[Candidate], strengths: list[float], excess: Floats
    ) -> list[Candidate]:
        """Join a third feature to the best pairs."""
        layout, joined = self.columns.layout, self.columns.joined_features
        penalty = self._pair_penalty + 2 * math.log(2 * joined.size)
        extended = []
        conjunctions = [
            (p, s) for p, s in zip(pairs, strengths, strict=True) if p.rule.connective == "and"
        ]
        for pair, strength in conjunctions[:N_EXTENDED]:
            columns = [self.columns.column(f) for f in pair.rule.features]
            rows = np.flatnonzero(pair.rule.combine_columns(columns) & self.in_row)
            matrix, item = self.columns.matrix[rows], layout.item[rows]
            starts = np.flatnonzero(np.r_[True, np.diff(item) != 0])
            weights, chance = excess[rows].astype(np.float32), self.chance[rows][starts]
            fitting = np.add.reduceat(matrix, starts, axis=0) * chance[:, None]
            pair_share = np.add.reduceat(np.ones(rows.size), starts) * chance
            for is_not in (False, True):
                share = pair_share[:, None] - fitting if is_not else fitting
                variance = (share * (1 - share)).sum(axis=0)
                score = weights @ (1 - matrix if is_not else matrix)
                z2 = np.where(variance >= MIN_INFORMATION, score**2 / np.maximum(variance, 1e-9), 0)
                third = int(np.argmax(z2))
                if z2[third] - penalty > strength and joined[third] not in pair.rule.features:
                    rule = Rule(
                        (*pair.rule.features, int(joined[third])), (*pair.rule.negated, is_not)
                    )
                    extended.append(self._make_candidate(rule, penalty))
        return extended


def _add_products(rows: Matrix, joint: Matrix, mixed: Matrix, total: Matrix) -> None:
    """Add the products of an item with many choices to the sums of `RuleSearch._sum_products`."""
    occurring = np.flatnonzero(rows.any(axis=0))
    rows = rows[:, occurring]
    pair_counts, counts = rows.T @ rows, rows.sum(axis=0)  # choices with two features, and with one
    cells, scale = np.ix_(occurring, occurring), np.float32(1 / len(rows) ** 2)
    joint[cells] += scale * (pair_counts * pair_counts - pair_counts)
    mixed[cells] += scale * (counts[:, None] * pair_counts - pair_counts)
    total[cells] += scale * np.outer(counts, counts)
