"""The compiled part of decision lists: learn rules on all folds but one, and apply them to it.

Counts are kept by cue and fold, so what the training folds have is a difference of two sums, and
rows are read once for all folds.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._infra.compilation import compile_function

MIN_SUPPORT = 5  # training items that a rule must cover
MAX_RULES = 1000  # of a list
_Z2 = 3.8414588206941254  # square of the 97.5% quantile of a normal distribution
_SURE = 1 - 1e-9  # below this share of what is needed, rounding cannot make a gain positive


def count_by_fold(
    cue: NDArray[np.int32],
    item: NDArray[np.int32],
    is_counted: NDArray[np.bool_],
    folds: NDArray[np.int32],
    n_folds: int,
    cues: int,
) -> NDArray[np.int32]:
    """Count the marked rows of each cue by the fold of their items; the last column is the sum."""
    counts = np.zeros((cues, n_folds + 1), np.int32)
    _add_rows(cue, item, is_counted, folds, counts)
    return counts


@compile_function(nogil=True)
def _add_rows(cue, item, is_counted, folds, counts):  # type: ignore[no-untyped-def]
    total = counts.shape[1] - 1
    for row in range(cue.size):
        if is_counted[row]:
            counts[cue[row], folds[item[row]]] += 1
            counts[cue[row], total] += 1


def score_items(
    rows: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]],
    by_cue: tuple[NDArray[np.int32], NDArray[np.int64]],
    hit: NDArray[np.bool_],
    folds: NDArray[np.int32],
    n_by_fold: NDArray[np.int32],
    cue_chance: NDArray[np.float64],
    item_chance: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the credit of every item by a decision list learnt on the other folds.

    `rows` are cue and item of each row, and where the rows of an item start; `by_cue` are rows in
    the order of cues, and where those of a cue start.
    """
    cue, item, _ = rows
    cues, n_folds = cue_chance.size, n_by_fold.shape[1] - 1
    hits_by_fold = count_by_fold(cue, item, hit, folds, n_folds, cues)
    # allocated by numpy, which needs no compilation
    counts = np.empty((cues, 3), np.int32)  # items, hits, the last rule that changed it
    leaves = 1 << max(cues - 1, 0).bit_length()
    tree, changed = np.empty(2 * leaves), np.empty(cues, np.int64)
    rules, telling = np.empty(MAX_RULES, np.int64), np.empty(MAX_RULES, np.bool_)
    credits, is_left = item_chance.copy(), np.empty(folds.size, np.bool_)
    scratch = (counts, tree, changed, is_left, rules, telling)
    chances = (cue_chance, item_chance)
    _score_folds(rows, by_cue, hit, folds, n_by_fold, hits_by_fold, chances, scratch, credits)
    return credits


@compile_function(nogil=True)
def _score_folds(rows, by_cue, hit, folds, n_by_fold, hits_by_fold, chances, scratch, credits):  # type: ignore[no-untyped-def]
    """Learn a list without each fold, and write what it earns on the items of the fold."""
    counts, _, _, is_left, rules, telling = scratch
    cue_chance, item_chance = chances
    total = n_by_fold.shape[1] - 1
    for held_out in range(total):
        for c in range(counts.shape[0]):
            counts[c, 0] = n_by_fold[c, total] - n_by_fold[c, held_out]
            counts[c, 1] = hits_by_fold[c, total] - hits_by_fold[c, held_out]
            counts[c, 2] = -1
        for i in range(folds.size):
            is_left[i] = folds[i] != held_out
        n_rules = _learn_list(rows, by_cue, hit, cue_chance, scratch)
        for r in range(n_rules - 1, -1, -1):  # the first rule that covers an item decides
            _apply_rule(
                rules[r], telling[r], rows[1], by_cue, hit, folds, held_out, item_chance, credits
            )


@compile_function(nogil=True)
def _rule_gain(n, hits, chance):  # type: ignore[no-untyped-def]
    """Return a rule's gain over guessing, by the lower Wilson bound, and whether it is telling.

    The gain is -1 where it is not positive, which a comparison of squares tells without a root.
    """
    distance = hits - n * chance
    if n < MIN_SUPPORT or distance * distance < _Z2 * n * chance * (1 - chance) * _SURE:
        return -1.0, True
    p = hits / n
    half = math.sqrt(_Z2 * p * (1 - p) / n + _Z2 * _Z2 / (4 * n * n))
    tell = (p + _Z2 / (2 * n) - half) / (1 + _Z2 / n) - chance
    wrong = (1 - p + _Z2 / (2 * n) - half) / (1 + _Z2 / n)
    eliminate = wrong * chance / (1 - chance) - chance  # exclude the choice, guess among the others
    return max(tell, eliminate), tell >= eliminate


@compile_function(nogil=True)
def _learn_list(rows, by_cue, hit, chance, scratch):  # type: ignore[no-untyped-def]
    """Write a greedy decision list: take the best rule, set its items aside, repeat.

    A tournament tree over the cues keeps the best at its root, so a rule costs only its items.
    Returns the number of rules.
    """
    cue, item, start = rows
    order, cue_start = by_cue
    counts, tree, changed, is_left, rules, telling = scratch
    leaves = tree.size // 2
    _build_tree(tree, counts, chance)
    for r in range(MAX_RULES):
        if tree[1] <= 0:
            return r
        node = 1
        while node < leaves:
            node = 2 * node if tree[2 * node] == tree[node] else 2 * node + 1
        best = node - leaves
        rules[r] = best
        telling[r] = _rule_gain(counts[best, 0], counts[best, 1], chance[best])[1]
        n_changed = 0
        for position in range(cue_start[best], cue_start[best + 1]):
            i = item[order[position]]
            if not is_left[i]:
                continue
            is_left[i] = False
            for other in range(start[i], start[i + 1]):
                c = cue[other]
                if counts[c, 2] != r and counts[c, 0] >= MIN_SUPPORT:  # below, it is out already
                    counts[c, 2], changed[n_changed] = r, c
                    n_changed += 1
                counts[c, 0] -= 1
                counts[c, 1] -= hit[other]
        for k in range(n_changed):
            c = changed[k]
            gain, _ = _rule_gain(counts[c, 0], counts[c, 1], chance[c])
            _update_tree(tree, leaves + c, gain)
    return MAX_RULES


@compile_function(nogil=True)
def _build_tree(tree, counts, chance):  # type: ignore[no-untyped-def]
    """Fill a tournament tree with the gains of all cues."""
    leaves = tree.size // 2
    for c in range(leaves):
        gain = -1.0
        if c < chance.size:
            gain, _ = _rule_gain(counts[c, 0], counts[c, 1], chance[c])
        tree[leaves + c] = gain
    for node in range(leaves - 1, 0, -1):
        tree[node] = max(tree[2 * node], tree[2 * node + 1])


@compile_function(nogil=True)
def _update_tree(tree, node, gain):  # type: ignore[no-untyped-def]
    """Change the gain of a leaf, and the maxima above it."""
    if tree[node] == gain:
        return
    tree[node] = gain
    while node > 1:
        node //= 2
        best = max(tree[2 * node], tree[2 * node + 1])
        if tree[node] == best:
            break
        tree[node] = best


@compile_function(nogil=True)
def _apply_rule(cue, is_telling, item, by_cue, hit, folds, held_out, chance, credits):  # type: ignore[no-untyped-def]
    """Write what a rule earns on the held-out items that it covers."""
    order, cue_start = by_cue
    for position in range(cue_start[cue], cue_start[cue + 1]):
        row = order[position]
        i = item[row]
        if folds[i] != held_out:
            continue
        if is_telling:
            credits[i] = 1.0 if hit[row] else 0.0
        else:
            credits[i] = 0.0 if hit[row] else chance[i] / (1 - chance[i])
