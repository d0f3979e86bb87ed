"""Generate benchmarks of real clauses with a planted shortcut of known strength, and clean ones.

    python -m bench.plants [--n 20000]    shows what the plants leave balanced

Half of a benchmark's items have the cue: one choice is cued, and it is right with the probability
`strength`. A planted word replaces a word that is as long, or both choices get the same words, only
arranged otherwise; so whatever belongs to an earlier rung has the same distribution in the right
and the wrong choices. An *eliminating token* is in one of four choices, which is right with the
probability (1 - strength) / 2: at strength .5 as often as by chance, at strength 1 never.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from bench.clauses import Accept, Rng, TextSource, Words, read_common_words, read_nouns
from hansproof.types import Benchmark, Item

EXPECTED_RUNG: dict[str, str] = {
    "token": "words",
    "eliminating token": "words",
    "bigram": "pairs",
    "xor of two words": "pairs",
    "skip-gram": "patterns",
    "word at a place": "patterns",
    "first and last word": "patterns",
    "final full stop": "typography",
    "doubled space": "typography",
    "no-break space": "typography",
    "zero-width character": "typography",
    "inner capital": "typography",
    "exact word count": "typography",
    "length and negation": "words",
    "odd one out": "relations",
    "n-gram order": "likelihood",
    "place": "place",
}
"""The rung that should lead for each kind of plant; fixed before the probe was run."""

RUNGS = ("typography", "place", "words", "pairs", "patterns", "word classes", "relations",
         "likelihood", "encoder")  # fmt: skip
STRENGTHS = (0.6, 0.7, 0.85)  # how often the cued choice is right
COVERAGE = 0.5  # share of items that have the cue
FOUR_CHOICES = ("eliminating token", "odd one out")
LOWER = r"[a-z]+,?(?: [a-z]+,?)* [a-z]+"  # only words in lower case, perhaps with commas
LETTERS = re.compile("[a-z]+")
XOR_WORDS = ("indeed", "rather")

Build = Callable[[TextSource], list[str]]  # the cued choice, then the others


def _like(body: str, *planted: str) -> Accept:
    """Accept texts that match a pattern and have none of the planted words."""
    words = "|".join(planted) or "(?!)"
    return re.compile(rf"(?!.*\b(?i:{words})\b){body}").fullmatch


def _slot(word: str) -> Accept:
    """Accept texts without the word that have an inner word as long."""
    return _like(rf"\S+ (?:.+ )?[a-z]{{{len(word)}}} .+", word)


def _mark(change: Callable[[Rng, Words], str], accept: Accept = bool, choices: int = 2) -> Build:
    """Return a builder of items in which only the cued choice is changed."""

    def build(source: TextSource) -> list[str]:
        drawn = [source.draw(accept) for _ in range(choices)]
        return [change(source.rng, drawn[0]), *map(" ".join, drawn[1:])]

    return build


def _fill(rng: Rng, words: Words, *fillers: str, fits: Accept = LETTERS.fullmatch) -> str:
    """Put each filler in the place of an inner word that is as long."""
    for filler in rng.permutation(np.array(fillers)).tolist():
        slots = [i for i in range(1, len(words) - 1)
                 if len(words[i]) == len(filler) and words[i] not in fillers
                 and fits(words[i])]  # fmt: skip
        words[int(rng.choice(slots))] = filler
    return " ".join(words)


def _join(rng: Rng, words: Words, blank: str) -> str:
    """Join words by single spaces, but put `blank` in one place."""
    i = int(rng.integers(1, len(words)))
    return " ".join(words[:i]) + blank + " ".join(words[i:])


def _capitalise(rng: Rng, words: Words) -> str:
    i = int(rng.integers(1, len(words)))
    return " ".join([*words[:i], words[i].capitalize(), *words[i + 1 :]])


def _insert(words: Words, *places: tuple[int, str]) -> str:
    """Put new words before the words with these indices."""
    for i, word in sorted(places, reverse=True):
        words = [*words[:i], word, *words[i:]]
    return " ".join(words)


def _build_xor(source: TextSource) -> list[str]:
    """Put either word into the cued choice, and both or neither into the other."""
    accept = _like(r"\S+ (?:.+ )?[a-z]{6} (?:.+ )?[a-z]{6} .+", *XOR_WORDS)
    either = XOR_WORDS[int(source.rng.integers(2))]
    both = XOR_WORDS if source.rng.random() < 0.5 else ()
    return [_fill(source.rng, source.draw(accept), *words) for words in ((either,), both)]


def _build_order(source: TextSource, adjacent: bool, pair: tuple[str, str]) -> list[str]:
    """Put both words into both choices: adjacent or apart, or else in this order or the other.

    They keep away from the ends, where the neighbours of the first word would tell the order.
    """
    texts: list[str] = []
    gap = int(source.rng.integers(1, 4))
    for first, second in (pair, pair if adjacent else pair[::-1]):
        words = source.draw(_like(r"(?=(?:\S+ ){8})" + LOWER, *pair))
        i = int(source.rng.integers(3, len(words) - 4))
        j = i if adjacent and not texts else i + gap
        texts.append(_insert(_insert(words, (j, second)).split(" "), (i, first)))
    return texts


def _build_place(source: TextSource) -> list[str]:
    """Begin the cued choice with a word that stands inside the other.

    Its neighbours are rare words, so that no pair with it occurs often.
    """
    cued, other = (source.draw(_like(LOWER, "perhaps")) for _ in range(2))
    common = read_common_words()
    while cued[0] in common:
        cued = source.draw(_like(LOWER, "perhaps"))
    while not (
        places := [i for i in range(1, len(other)) if common.isdisjoint(other[i - 1 : i + 1])]
    ):
        other = source.draw(_like(LOWER, "perhaps"))
    return [
        _insert(cued, (0, "perhaps")),
        _insert(other, (int(source.rng.choice(places)), "perhaps")),
    ]


def _build_ends(source: TextSource) -> list[str]:
    """Give the cued choice both ends or, as often, neither, and the other choice one of them."""
    both, first = source.rng.random(2) < 0.5
    texts = []
    for begins, ends in ((both, both), (first, not first)):
        words = source.draw(_like(LOWER, "sometimes", "again"))
        i, j = source.rng.permutation(np.arange(1, len(words)))[:2]
        places = (0 if begins else i, "sometimes"), (len(words) if ends else j, "again")
        texts.append(_insert(words, *places))
    return texts


def _build_count(source: TextSource) -> list[str]:
    """Draw a cued choice of seven words, and another of five, six, eight or nine."""
    other = (4, 5, 7, 8)[int(source.rng.integers(4))]
    counts = [re.compile(rf"\w+(?:,? \w+){{{n}}}").fullmatch for n in (6, other)]
    return [" ".join(source.draw(accept)) for accept in counts]


def _build_negation(source: TextSource) -> list[str]:
    """Cue the longer choice, or the shorter if *not* is in both choices; it is in both or none."""

    def has_slot(text: str) -> bool:
        words = text.split(" ")
        return "not" not in words and any(len(w) == 3 and _is_rare(w) for w in words[1:-1])

    drawn = [source.draw(has_slot) for _ in range(2)]
    while not _is_longer(drawn[0], drawn[1]):
        drawn = [source.draw(has_slot) for _ in range(2)]
    if source.rng.random() < 0.5:
        return [" ".join(words) for words in drawn]
    return [_fill(source.rng, words, "not", fits=_is_rare) for words in reversed(drawn)]


def _is_longer(words: Words, others: Words) -> bool:
    return len(words) > len(others) and len(" ".join(words)) > len(" ".join(others))


def _is_rare(word: str) -> bool:
    return bool(LETTERS.fullmatch(word)) and word not in read_common_words()


def _build_odd(source: TextSource) -> list[str]:
    """Put a noun into three choices, and another, as long, into the cued one."""
    nouns = read_nouns()[int(source.rng.integers(4, 10))]
    odd, shared = source.rng.choice(np.array(nouns), 2, replace=False).tolist()
    others = frozenset(nouns) - {odd, shared}

    def has_slot(text: str) -> bool:
        words = text.split(" ")
        return not others.isdisjoint(words[1:-1]) and not {odd, shared} & {*words}

    fillers = (odd, shared, shared, shared)
    return [
        _fill(source.rng, source.draw(has_slot), filler, fits=others.__contains__)
        for filler in fillers
    ]


BUILDERS: dict[str, Build] = {
    "token": _mark(lambda rng, words: _fill(rng, words, "actually"), _slot("actually")),
    "eliminating token": _mark(
        lambda rng, words: _fill(rng, words, "certainly"), _slot("certainly"), choices=4
    ),
    "bigram": partial(_build_order, adjacent=True, pair=("still", "often")),
    "xor of two words": _build_xor,
    "skip-gram": partial(_build_order, adjacent=False, pair=("maybe", "later")),
    "word at a place": _build_place,
    "first and last word": _build_ends,
    "final full stop": _mark(lambda rng, words: " ".join(words) + "."),
    "doubled space": _mark(partial(_join, blank="  ")),
    "no-break space": _mark(partial(_join, blank="\u00a0")),
    "zero-width character": _mark(partial(_join, blank="\u200b ")),
    "inner capital": _mark(_capitalise, _like(LOWER)),
    "exact word count": _build_count,
    "length and negation": _build_negation,
    "odd one out": _build_odd,
    "n-gram order": lambda source: source.draw_pair("high", "low"),
    "place": lambda source: source.draw_clean(2),
}


def make_clean(seed: int, n: int = 500, choices: int = 2) -> Benchmark:
    """Generate items whose answers cannot be predicted: question and choices are any clauses."""
    rng = np.random.default_rng(seed)
    source = TextSource(rng)
    items = tuple(
        Item(f"{seed}-{i}", {"question": " ".join(source.draw())},
             tuple(source.draw_clean(choices)), int(rng.integers(choices)))
        for i in range(n)
    )  # fmt: skip
    return Benchmark(f"clean-{seed}", {"all": items})


def plant(kind: str, strength: float, seed: int, n: int = 500) -> Benchmark:
    """Generate a benchmark with a planted shortcut."""
    rng = np.random.default_rng([seed, list(EXPECTED_RUNG).index(kind)])
    source = TextSource(rng)
    items = tuple(_draw_item(kind, strength, source, f"{seed}-{i}") for i in range(n))
    return Benchmark(f"{kind}-{strength}-{seed}", {"all": items})


def right_share(kind: str, strength: float) -> float:
    """Return how often the cued choice is right."""
    return (1 - strength) / 2 if kind == "eliminating token" else strength


def reachable_accuracy(kind: str, strength: float) -> float:
    """Return the accuracy of knowing how often the cued choice is right, and guessing elsewhere."""
    choices = 4 if kind in FOUR_CHOICES else 2
    share = right_share(kind, strength)
    best = max(share, (1 - share) / (choices - 1))
    return COVERAGE * best + (1 - COVERAGE) / choices


def _draw_item(kind: str, strength: float, source: TextSource, id: str) -> Item:
    """Draw an item; in half of them, the first text is cued before the order is drawn."""
    rng, choices = source.rng, 4 if kind in FOUR_CHOICES else 2
    order = rng.permutation(choices)
    if rng.random() < COVERAGE:
        texts = BUILDERS[kind](source)
        is_right = rng.random() < right_share(kind, strength)
        right = 0 if is_right else int(rng.integers(1, choices))
        order = np.sort(order) if kind == "place" else order
    else:
        model = ("high", "low")[int(rng.integers(2))]
        is_ngram = kind == "n-gram order"
        texts = source.draw_pair(model, model) if is_ngram else source.draw_clean(choices)
        right = int(rng.integers(choices))
    fields = {"question": " ".join(source.draw())}
    answer = order.tolist().index(right)
    return Item(id, fields, tuple(texts[k] for k in order), answer)


def _features(rung: str, item: Item, choice: int) -> dict[str, float]:
    """Return simple features of a choice: numbers, or 1 for what it contains."""
    text = item.choices[choice]
    words = re.findall(r"\w+", text.lower())
    if rung == "typography":
        counts = {c: float(text.count(c)) for c in (*",.'-;:", "  ", "\u00a0", "\u200b")}
        return counts | {"words": len(words), "characters": len(text), "seven": len(words) == 7,
                         "capitals": sum(map(str.isupper, text)), "first": text[0].isupper(),
                         "digits": sum(map(str.isdigit, text))}  # fmt: skip
    if rung == "place":
        return {"first": choice == 0}
    if rung == "words":
        return dict.fromkeys(words, 1.0)
    if rung == "pairs":
        return dict.fromkeys(map(" ".join, pairwise(words)), 1.0)
    apart = [f"{words[i]} _{gap} {words[i + gap + 1]}"
             for gap in (1, 2, 3) for i in range(len(words) - gap - 1)]  # fmt: skip
    return dict.fromkeys([*apart, f"^{words[0]}", f"{words[-1]}$"], 1.0)


def find_strongest(rung: str, benchmark: Benchmark) -> tuple[float, str, int]:
    """Return the largest |z| of a feature between the right choice and a random wrong choice."""
    rng, wins, losses = np.random.default_rng(0), Counter[str](), Counter[str]()
    for item in benchmark.splits["all"]:
        right = item.answer or 0
        wrong = (right + int(rng.integers(1, len(item.choices)))) % len(item.choices)
        ours, theirs = _features(rung, item, right), _features(rung, item, wrong)
        for feature in ours.keys() | theirs.keys():
            difference = ours.get(feature, 0.0) - theirs.get(feature, 0.0)
            if difference:
                (wins if difference > 0 else losses)[feature] += 1
    scores = {f: (wins[f] - losses[f]) / (wins[f] + losses[f]) ** 0.5 for f in wins | losses}
    strongest = max(scores, key=lambda feature: abs(scores[feature]))
    return scores[strongest], strongest, len(scores)


def main() -> None:
    """Print the strongest feature of each rung for each kind; before the expected rung: noise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--n", type=int, default=20_000)
    n = parser.parse_args().n
    for kind, expected in EXPECTED_RUNG.items():
        size = min(n, 2500) if kind == "n-gram order" else n  # the pool has no more texts
        benchmark = plant(kind, 1.0, 0, size)
        print(f"{kind} ({expected}), n = {size}")
        for rung in RUNGS[:5]:
            z, feature, tests = find_strongest(rung, benchmark)
            limit = NormalDist().inv_cdf(1 - 0.005 / tests)  # of all features of the rung
            verdict = "balanced" if abs(z) < limit else "PREDICTS"
            is_fine = verdict == "balanced" or RUNGS.index(rung) >= RUNGS.index(expected)
            print(f"  {rung:10} {verdict}  z = {z:+6.1f} of {limit:.1f}  {feature!r}"
                  + "   BEFORE THE EXPECTED RUNG" * (not is_fine), flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
