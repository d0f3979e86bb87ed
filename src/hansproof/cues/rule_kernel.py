"""The compiled part of decision lists: learn rules on all folds but one, and apply them to it.

Counts are kept by cue and fold, so what the training folds have is a difference of two sums, and
rows are read once for all folds.
"""

from __future__ import annotations

import math

import numpy as np

from .._infra.compilation import compile_function

MIN_SUPPORT = 5  # training items that a rule must cover
MAX_RULES = 1000  # of a list
_Z2 = 3.8414588206941254  # square of the 97.5% quantile of a normal distribution
_SURE = 1 - 1e-9  # below this share of what is needed, rounding cannot make a gain positive


@compile_function(nogil=True)
def count_by_fold(cue, item, is_counted, folds, n_folds, cues):  # type: ignore[no-untyped-def]
    """Count the marked rows of each cue by the fold of their items; the last column is the sum."""
    counts = np.zeros((cues, n_folds + 1), np.int32)
    for row in range(cue.size):
        if is_counted[row]:
            counts[cue[row], folds[item[row]]] += 1
            counts[cue[row], n_folds] += 1
    return counts


@compile_function(nogil=True)
def score_items(rows, by_cue, hit, folds, n_by_fold, cue_chance, item_chance, as_list):  # type: ignore[no-untyped-def]
    """Return the credit of every item by rules learnt on the other folds.

    `rows` are cue and item of each row, and where the rows of an item start; `by_cue` are rows in
    the order of cues, and where those of a cue start. With `as_list` the rules are a decision list,
    else the best single cue.
    """
    cue, item, _ = rows
    n_folds = n_by_fold.shape[1] - 1
    hits_by_fold = count_by_fold(cue, item, hit, folds, n_folds, cue_chance.size)
    counts = np.empty((cue_chance.size, 3), np.int32)  # items, hits, the last rule that changed it
    rules, telling = np.empty(MAX_RULES, np.int64), np.empty(MAX_RULES, np.bool_)
    credits = item_chance.copy()
    for held_out in range(n_folds):
        for c in range(cue_chance.size):
            counts[c, 0] = n_by_fold[c, n_folds] - n_by_fold[c, held_out]
            counts[c, 1] = hits_by_fold[c, n_folds] - hits_by_fold[c, held_out]
            counts[c, 2] = -1
        if as_list:
            is_left = folds != held_out
            n_rules = _learn_list(rows, by_cue, hit, is_left, counts, cue_chance, rules, telling)
        else:
            n_rules = _best_single_rule(counts, cue_chance, rules, telling)
        chosen = rules[:n_rules], telling
        _apply_rules(item, by_cue, hit, folds, held_out, chosen, item_chance, credits)
    return credits


@compile_function(nogil=True)
def _best_single_rule(counts, chance, rules, telling):  # type: ignore[no-untyped-def]
    """Write the one cue that gains most over chance on the training items, as a list of one."""
    n, hits = counts[:, 0], counts[:, 1]
    tell = hits - n * chance
    eliminate = (n - hits) * chance / (1 - chance) - n * chance
    rules[0] = np.argmax(np.maximum(tell, eliminate))
    telling[0] = tell[rules[0]] >= eliminate[rules[0]]
    return 1


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
def _learn_list(rows, by_cue, hit, is_left, counts, chance, rules, telling):  # type: ignore[no-untyped-def]
    """Write a greedy decision list: take the best rule, set its items aside, repeat.

    A tournament tree over the cues keeps the best at its root, so a rule costs only its items.
    Returns the number of rules; `is_left` and `counts` are changed.
    """
    cue, item, start = rows
    order, cue_start = by_cue
    tree, leaves = _build_tree(counts, chance)
    changed = np.empty(chance.size, np.int64)
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
        for row in order[cue_start[best] : cue_start[best + 1]]:
            i = item[row]
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
        for c in changed[:n_changed]:
            gain, _ = _rule_gain(counts[c, 0], counts[c, 1], chance[c])
            _update_tree(tree, leaves + c, gain)
    return MAX_RULES


@compile_function(nogil=True)
def _build_tree(counts, chance):  # type: ignore[no-untyped-def]
    """Build a tournament tree of gains; return it and its number of leaves."""
    leaves = 1
    while leaves < chance.size:
        leaves *= 2
    tree = np.full(2 * leaves, -1.0)
    for c in range(chance.size):
        tree[leaves + c] = _rule_gain(counts[c, 0], counts[c, 1], chance[c])[0]
    for node in range(leaves - 1, 0, -1):
        tree[node] = max(tree[2 * node], tree[2 * node + 1])
    return tree, leaves


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
def _apply_rules(item, by_cue, hit, folds, held_out, chosen, chance, credits):  # type: ignore[no-untyped-def]
    """Apply rules to the held-out items, the last rule first: the first that covers one decides."""
    order, cue_start = by_cue
    rules, telling = chosen
    for r in range(rules.size - 1, -1, -1):
        for row in order[cue_start[rules[r]] : cue_start[rules[r] + 1]]:
            i = item[row]
            if folds[i] != held_out:
                continue
            if telling[r]:
                credits[i] = 1.0 if hit[row] else 0.0
            else:
                credits[i] = 0.0 if hit[row] else chance[i] / (1 - chance[i])
