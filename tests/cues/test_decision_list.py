from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from hansproof.cues.counts import build_layout, count_cues
from hansproof.cues.decision_list import MIN_SUPPORT, REPEATS, cross_validate_rules
from hansproof.cues.incidence import build_incidence
from hansproof.stats import assign_folds
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Item

WORD = get_tokenizer("word")
Rule = tuple[str, bool]  # cue, telling


def run(items: tuple[Item, ...], randomisations: int = 19, k: int = 5):  # type: ignore[no-untyped-def]
    where = build_layout(items)
    found = build_incidence(count_cues(items, WORD, 1, where), where, MIN_SUPPORT)
    return cross_validate_rules(
        "x", items, find_leakage_groups(items), found, where, k, randomisations, seed=0
    )


def exclusive(item: Item) -> dict[str, int]:
    """The cues of an item and the choice each singles out."""
    sets = [set(WORD.split(choice)) for choice in item.choices]
    return {w: j for j, own in enumerate(sets) for w in own if sum(w in s for s in sets) == 1}


def surest(items: list[Item], cues: set[str], chance: dict[str, float]) -> tuple[float, Rule]:
    """The rule of largest lower Wilson bound over chance, by looking at each."""
    best: tuple[float, Rule] = (0.0, ("", True))
    z2 = 1.959963984540054**2
    for cue in cues:
        picks = [(exclusive(i)[cue], i.answer) for i in items if cue in exclusive(i)]
        n, c = len(picks), chance[cue]
        if n < MIN_SUPPORT:
            continue
        p = sum(a == b for a, b in picks) / n
        half = sqrt(z2 * p * (1 - p) / n + z2 * z2 / (4 * n * n))
        for telling, share in ((True, p), (False, 1 - p)):
            low = (share + z2 / (2 * n) - half) / (1 + z2 / n)
            gain = low - c if telling else low * c / (1 - c) - c
            if gain > best[0] + 1e-12:
                best = (gain, (cue, telling))
    return best


def by_hand(items: tuple[Item, ...], k: int, seed: int) -> float:
    """Greedy decision lists learnt and scored fold by fold, in plain Python."""
    fold = assign_folds([item.group for item in items], k, seed)
    applies = {w: [i for i in items if w in exclusive(i)] for it in items for w in exclusive(it)}
    cues = {w for w, found in applies.items() if len(found) >= MIN_SUPPORT}
    chance = {w: float(np.mean([1 / len(i.choices) for i in applies[w]])) for w in cues}
    scores = []
    for held in range(k):
        left = [i for i, f in zip(items, fold, strict=True) if f != held]
        rules: list[Rule] = []
        while (best := surest(left, cues, chance))[0] > 0:
            rules.append(best[1])
            left = [i for i in left if best[1][0] not in exclusive(i)]
        for item in (i for i, f in zip(items, fold, strict=True) if f == held):
            m, own = len(item.choices), exclusive(item)
            cue, telling = next((r for r in rules if r[0] in own), ("", True))
            if not cue:
                scores.append(1 / m)
            elif telling:
                scores.append(float(own[cue] == item.answer))
            else:
                scores.append(0.0 if own[cue] == item.answer else 1 / (m - 1))
    return float(np.mean(scores))


def items(seed: int, n: int, lean: float) -> tuple[Item, ...]:
    """Items of two to four choices in which the word `a` leans towards the answer."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        m = int(rng.integers(2, 5))
        texts = [" ".join(rng.choice(list("bcdefghij"), 3)) for _ in range(m)]
        answer = int(rng.integers(m))
        spot = answer if rng.random() < lean else int(rng.integers(m))
        texts[spot] += " a"
        found.append(Item(str(i), {}, tuple(texts), answer))
    return tuple(found)


@pytest.mark.parametrize("seed", range(4))
def test_the_decision_list_is_the_one_built_by_hand(seed: int) -> None:
    sample = items(seed, 60, 0.4)
    assert run(sample).decision_list.value == pytest.approx(
        np.mean([by_hand(sample, 5, repeat) for repeat in range(REPEATS)])
    )


def test_a_real_cue_is_worth_what_it_says() -> None:
    found = run(items(0, 300, 0.8), randomisations=99)
    assert found.single.value > 0.7
    assert found.decision_list.low is not None
    assert found.decision_list.low > found.decision_list.chance
    assert found.p == 0.01


def test_on_noise_the_p_is_even() -> None:
    p = [run(items(seed, 80, 0.0)).p for seed in range(60)]
    assert 0.35 < np.mean(p) < 0.65
    assert np.mean(np.array(p) <= 0.1) <= 0.2


def test_mirrored_pairs_cannot_be_learnt() -> None:
    sample = tuple(
        Item(f"{i.id}-{m}", {}, i.choices[:2], m, group=i.id)
        for i in items(1, 60, 0.0)
        for m in (0, 1)
    )
    found = run(sample)
    assert found.decision_list.value == found.single.value == 0.5
    assert (found.decision_list.low, found.decision_list.high, found.p) == (0.5, 0.5, 1.0)


def test_too_few_items_for_a_fold_or_a_cue() -> None:
    found = run((Item("1", {}, ("a", "b"), 0),))
    assert found.decision_list.value == 0.5
