"""Decision lists: how many items can be answered by cues alone?

Rules are cross-validated: learnt on all folds but one and scored on that one, with leakage groups
kept together; an item that no rule covers scores 1/m. Scores of different folds depend on each
other through shared rules, so both the interval and the p come from the same procedure on rotated
answers (see `permutation`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .._infra.compilation import compile_function
from .._infra.progress import track
from ..stats import assign_folds, group_count, mean_interval
from ..text.detect_script import choose_tokenizer
from ..text.tokenizers import AUTO
from ..training.leakage_groups import find_leakage_groups
from ..types import Estimate, Items
from .counts import ChoiceLayout, build_layout, count_cues
from .incidence import Incidence, build_incidence, sort_rows_by
from .permutation import rotate_answers

MIN_SUPPORT = 5  # training items that a rule must cover
MAX_RULES = 1000  # of a list
REPEATS = 3  # of the cross-validation, with new folds, as the choice of folds adds noise
DEFAULT_RANDOMISATIONS = 99  # each is a complete repeated cross-validation

CUE_CEILING = "cue_ceiling"  # the metric of a decision list's accuracy


@dataclass(frozen=True, slots=True)
class CueCeiling:
    """Cross-validated accuracy of the best single cue and of a decision list over all cues."""

    single: Estimate
    decision_list: Estimate
    p: float  # of the list, one-sided, by randomisation
    p_floor: float  # the smallest p that the randomisations can show


def cross_validate_rules(
    name: str,
    items: Items,
    groups: Sequence[str],
    incidence: Incidence,
    layout: ChoiceLayout,
    k: int,
    randomisations: int,
    seed: int,
) -> CueCeiling:
    """Estimate both accuracies for one split; no fold separates items of one of the `groups`."""
    rules = build_rules(groups, incidence, layout, k, seed)
    list_scores = rules.score(incidence.hit, as_list=True)

    def mean_under_null(answers: NDArray[np.int64]) -> float:
        return float(rules.score(incidence.choice == answers[incidence.item], as_list=True).mean())

    null_answers = rotate_answers(items, groups, randomisations, seed)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # compiled code releases the lock
        means = track(
            pool.map(mean_under_null, null_answers), randomisations, f"{name}: null of the rules"
        )
        null = np.array(list(means))
    # means of the same terms may differ by rounding, which must not decide
    p = (1 + int((null >= list_scores.mean() - 1e-9).sum())) / (null.size + 1)
    single_scores = rules.score(incidence.hit, as_list=False)
    return CueCeiling(
        replace(
            _accuracy_estimate(f"{name}: best single cue", single_scores, groups, layout, 0.0),
            split=name,
        ),
        replace(
            _accuracy_estimate(
                f"{name}: cue ceiling", list_scores, groups, layout, 1.96 * float(null.std())
            ),
            split=name,
            metric=CUE_CEILING,
        ),
        p,
        1 / (null.size + 1),
    )


def blind_credit(items: Items, ngram: int, folds: int, seed: int) -> NDArray[np.float64]:
    """Compute what rules over cues, learnt on the other folds, get right: a blind model.

    Returns the expected correctness of every item; 1 only if it is right in every repeat.
    """
    layout = build_layout(items)
    counts = count_cues(items, choose_tokenizer(AUTO, items), ngram, layout)
    incidence = build_incidence(counts, layout, MIN_SUPPORT)
    rules = build_rules(find_leakage_groups(items), incidence, layout, folds, seed)
    return rules.score(incidence.hit, as_list=True)


def build_rules(
    groups: Sequence[str], incidence: Incidence, layout: ChoiceLayout, k: int, seed: int
) -> CrossValidatedRules:
    """Prepare rules that are learnt on all folds but one, for each fold and repeat."""
    k = min(k, group_count(groups))
    fold_numbers = (
        [assign_folds(groups, k, seed + repeat) for repeat in range(REPEATS)] if k > 1 else []
    )
    return CrossValidatedRules(incidence, layout, fold_numbers)


def _accuracy_estimate(
    name: str,
    scores: NDArray[np.float64],
    groups: Sequence[str],
    layout: ChoiceLayout,
    spread: float,
) -> Estimate:
    mean = float(scores.mean())
    low, high = mean_interval(scores, groups)
    low, high = min(low, max(mean - spread, 0.0)), max(high, min(mean + spread, 1.0))
    return Estimate(name, mean, low, high, scores.size, float(layout.chance.mean()))


class CrossValidatedRules:
    """Rules learnt and scored fold by fold; only the answers change between calls."""

    def __init__(
        self, incidence: Incidence, layout: ChoiceLayout, fold_numbers: list[NDArray[np.int64]]
    ) -> None:
        self.incidence, self.fold_numbers, self.chance = incidence, fold_numbers, layout.chance
        self.by_cue = sort_rows_by(incidence.cue, incidence.cues)
        self.cue_chance = incidence.mean_chance(layout)

    def score(self, hit: NDArray[np.bool_], as_list: bool) -> NDArray[np.float64]:
        """Return the expected correctness of every item, by rules learnt on the other folds."""
        if not self.fold_numbers or self.incidence.cues == 0:
            return self.chance.copy()
        total = np.zeros_like(self.chance)
        for item_folds in self.fold_numbers:
            total += self._score_once(hit, as_list, item_folds)
        return total / len(self.fold_numbers)

    def _score_once(
        self, hit: NDArray[np.bool_], as_list: bool, item_folds: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        incidence, out = self.incidence, self.chance.copy()
        for held_out in range(int(item_folds.max()) + 1):
            training = item_folds != held_out
            learn = _learn_decision_list if as_list else _best_single_rule
            rank, telling = learn(
                incidence.cue,
                incidence.item,
                hit,
                incidence.start,
                *self.by_cue,
                training,
                self.cue_chance,
            )
            _apply_rules(
                incidence.cue, hit, incidence.start, training, rank, telling, self.chance, out
            )
        return out


@compile_function(nogil=True)
def _count_hits(cue, item, hit, training, cues):  # type: ignore[no-untyped-def]
    n, hits = np.zeros(cues, np.int64), np.zeros(cues, np.int64)
    for row in range(cue.size):
        if training[item[row]]:
            n[cue[row]] += 1
            hits[cue[row]] += hit[row]
    return n, hits


@compile_function(nogil=True)
def _best_single_rule(cue, item, hit, start, by_cue, cue_start, training, chance):  # type: ignore[no-untyped-def]
    """Return the one cue that gains most over chance on the training items, as a list of one."""
    n, hits = _count_hits(cue, item, hit, training, chance.size)
    tell = hits - n * chance
    eliminate = (n - hits) * chance / (1 - chance) - n * chance
    rank = np.full(chance.size, MAX_RULES, np.int64)
    rank[np.argmax(np.maximum(tell, eliminate))] = 0
    return rank, tell >= eliminate


@compile_function(nogil=True)
def _rule_gain(hits, n, chance):  # type: ignore[no-untyped-def]
    """Return a rule's gain over guessing, by the lower Wilson bound, and whether it is telling."""
    if n < MIN_SUPPORT:
        return -1.0, True
    z2 = 3.8414588206941254  # 95%
    p = hits / n
    half = math.sqrt(z2 * p * (1 - p) / n + z2 * z2 / (4 * n * n))
    tell = (p + z2 / (2 * n) - half) / (1 + z2 / n) - chance
    wrong = (1 - p + z2 / (2 * n) - half) / (1 + z2 / n)
    eliminate = wrong * chance / (1 - chance) - chance  # exclude the choice, guess among the others
    return max(tell, eliminate), tell >= eliminate


@compile_function(nogil=True)
def _learn_decision_list(cue, item, hit, start, by_cue, cue_start, training, chance):  # type: ignore[no-untyped-def]
    """Learn a greedy decision list: take the best rule, set its items aside, repeat.

    A tournament tree over the cues keeps the best at its root, so a rule costs only its items.
    """
    cues = chance.size
    n, hits = _count_hits(cue, item, hit, training, cues)
    tree, leaves, tells = _build_tree(hits, n, chance)
    rank, telling = np.full(cues, MAX_RULES, np.int64), np.ones(cues, np.bool_)
    remaining = training.copy()
    changed, stamp = np.empty(cues, np.int64), np.full(cues, -1, np.int64)
    for r in range(MAX_RULES):
        if tree[1] <= 0:
            break
        node = 1
        while node < leaves:
            node = 2 * node if tree[2 * node] == tree[node] else 2 * node + 1
        best = node - leaves
        rank[best], telling[best] = r, tells[best]
        n_changed = 0
        for row in by_cue[cue_start[best] : cue_start[best + 1]]:
            i = item[row]
            if not remaining[i]:
                continue
            remaining[i] = False
            for other in range(start[i], start[i + 1]):
                c = cue[other]
                if stamp[c] != r and n[c] >= MIN_SUPPORT:  # below, it is out of the tree already
                    stamp[c], changed[n_changed] = r, c
                    n_changed += 1
                n[c] -= 1
                hits[c] -= hit[other]
        for c in changed[:n_changed]:
            gain, tells[c] = _rule_gain(hits[c], n[c], chance[c])
            _update_tree(tree, leaves + c, gain)
    return rank, telling


@compile_function(nogil=True)
def _build_tree(hits, n, chance):  # type: ignore[no-untyped-def]
    """Build a tournament tree of gains; return it, its number of leaves, and which rules tell."""
    leaves = 1
    while leaves < chance.size:
        leaves *= 2
    tree, tells = np.full(2 * leaves, -1.0), np.ones(chance.size, np.bool_)
    for c in range(chance.size):
        tree[leaves + c], tells[c] = _rule_gain(hits[c], n[c], chance[c])
    for node in range(leaves - 1, 0, -1):
        tree[node] = max(tree[2 * node], tree[2 * node + 1])
    return tree, leaves, tells


@compile_function(nogil=True)
def _update_tree(tree, node, gain):  # type: ignore[no-untyped-def]
    """Change the gain of a leaf, and the maxima above it."""
    tree[node] = gain
    while node > 1:
        node //= 2
        best = max(tree[2 * node], tree[2 * node + 1])
        if tree[node] == best:
            break
        tree[node] = best


@compile_function(nogil=True)
def _apply_rules(cue, hit, start, training, rank, telling, chance, out):  # type: ignore[no-untyped-def]
    """Apply the rules to the held-out items: the first rule that covers an item decides it."""
    for i in range(training.size):
        if training[i]:
            continue
        best = MAX_RULES
        for row in range(start[i], start[i + 1]):
            c = cue[row]
            if rank[c] < best:
                best = rank[c]
                if telling[c]:
                    out[i] = 1.0 if hit[row] else 0.0
                else:
                    out[i] = 0.0 if hit[row] else chance[i] / (1 - chance[i])
