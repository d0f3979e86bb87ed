"""A made-up audit of the shape the probes give, of any size, with cues that are really there."""

from __future__ import annotations

import math
import random

from hansproof.cues.decision_list import CUE_CEILING
from hansproof.probes.class_balance import BEST_FIXED
from hansproof.types import (
    Audit,
    Card,
    Cell,
    Estimate,
    Failure,
    Item,
    Items,
    Result,
    Table,
)

CUES = "split order cue applicability hits productivity low high coverage chance p q flag"
SUMMARY = "split n cues testable least_applicability telling eliminating ceiling_p"
STRENGTH = "split order strength null_mean null_low null_high ratio p"
POSITIONS = "split position count expected frequency low high n"
TESTS = "split n chi2 df p"
TELLS = "split slice tell accuracy low high chance n applies tie_rate p q flag"
FINDINGS = "finding splits count note severity"
TELL_NAMES = (
    "longest choice", "shortest choice", "first choice", "last choice", "most premise overlap",
    "least premise overlap", "unique capitalisation", "digits", "punctuation", "negation",
)  # fmt: skip


def sample(
    splits: tuple[str, ...] = ("dev", "test"),
    size: int = 500,
    rows: int = 300,
    flagged: int = 6,
    failures: tuple[Failure, ...] = (),
) -> Audit:
    """`rows` cues per split, of which `flagged` tell or eliminate."""
    items = {split: _items(split, size, flagged) for split in splits}
    parts = {**items, "pooled": tuple(i for split in items.values() for i in split)}
    if len(splits) == 1:
        parts = items
    results = (
        _class_balance(items),
        _cues(parts, rows, flagged),
        _integrity(items),
        _surface(items),
    )
    return audit(results, parts, failures)


def audit(
    results: tuple[Result, ...],
    parts: dict[str, Items],
    failures: tuple[Failure, ...] = (),
    card: Card | None = None,
) -> Audit:
    """Results with the items they point to."""
    wanted = {id for result in results for ids in result.evidence.values() for id in ids[:50]}
    every = {item.id: item for items in parts.values() for item in items}
    return Audit(
        schema=Audit.SCHEMA,
        version="0.1.0",
        benchmark="paddock",
        sha256={split: f"{len(split):02x}" * 32 for split in parts if split != "pooled"},
        sizes={split: len(items) for split, items in parts.items() if split != "pooled"},
        card=card
        or Card(
            "Questions from the Paddock",
            "https://example.org/paddock",
            "CC BY 4.0",
            "Osten (1904). On the arithmetic of horses. Berlin.",
        ),
        results=results,
        failures=failures,
        environment={"python": "3.11.2", "numpy": "2.4.6"},
        items=tuple(item for id, item in every.items() if id in wanted),
    )


def word(at: int) -> str:
    """The at-th word of a made-up language."""
    first, second = "bdfgklmnprstv", ("a", "e", "i", "o", "u", "ai", "ou")
    size = len(first) * len(second)
    syllable = first[at % len(first)] + second[at // len(first) % len(second)]
    return syllable + (word(at // size - 1) if at >= size else "n")


def _items(split: str, size: int, flagged: int) -> Items:
    chosen = random.Random(split)
    made = []
    for at in range(size):
        texts = [" ".join(word(chosen.randrange(3000)) for _ in range(8)) for _ in range(3)]
        answer = chosen.randrange(2)
        cue = at % max(flagged, 1)  # every item carries one flagged cue
        side = answer if cue % 3 or not flagged else 1 - answer
        texts[1 + side] += f" {word(cue)} indeed."
        made.append(
            Item(
                f"{split}-{at + 1}",
                {"premise": f"{texts[0].capitalize()}."},
                (texts[1].capitalize(), texts[2].capitalize()),
                answer,
            )
        )
    return tuple(made)


def _wilson(hits: int, n: int) -> tuple[float, float]:
    z = 1.96
    middle = (hits + z * z / 2) / (n + z * z)
    reach = z * math.sqrt(hits * (n - hits) / n + z * z / 4) / (n + z * z)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def _p(hits: float, n: int, chance: float) -> float:
    return math.erfc(abs(hits / n - chance) / math.sqrt(chance * (1 - chance) / n) / math.sqrt(2))


def _cue_row(split: str, at: int, n: int, applies: int, hits: int, flag: str) -> tuple[Cell, ...]:
    p = _p(hits, applies, 0.5)
    order = 1 if at % 3 else 2
    cue = word(at) if order == 1 or flag else f"{word(at)} {word(at + 7)}"
    return (
        split, order if not flag else 1, cue, applies, hits, hits / applies,
        *_wilson(hits, applies), applies / n, 0.5, p, min(p * (1 if flag else 40), 1.0), flag,
    )  # fmt: skip


def _cues(parts: dict[str, Items], rows: int, flagged: int) -> Result:
    chosen = random.Random(1)
    table: list[tuple[Cell, ...]] = []
    evidence: dict[str, tuple[str, ...]] = {}
    for split, items in parts.items():
        found = []
        for at in range(rows):
            if at < flagged:
                ids = tuple(item.id for item in items[at::flagged])
                n = len(ids) + chosen.randrange(3, 12)
                flag = "telling" if at % 3 else "eliminating"
                hits = len(ids) if at % 3 else n - len(ids)
                evidence[f"{split}: {word(at)}"] = ids
            else:
                n = max(3, int(len(items) * 0.3 * (at + 1) ** -0.7))
                flag = ""
                hits = sum(chosen.random() < 0.5 for _ in range(n))
            found.append(_cue_row(split, at, len(items), n, hits, flag))
        table += sorted(found, key=lambda row: -float(row[8] or 0))
    level = sum(1 for row in table if row[-1])
    sentences = (
        [
            f"{level} words or phrases in pooled give answers away: where only one choice has "
            f"“{word(1)}”, it is right 83 of 91 times.",
            "Rules based on words and phrases in the choices answer 71.4% of items (chance 50.0%).",
        ]
        if flagged
        else [
            "No single word or phrase in dev is significant after correction.",
            "Taken together, single words predict the answer significantly; rules based on them "
            "answer 52.1% "
            "of items (chance 50.0%), which is not significant.",
        ]
    )
    return Result(
        probe="cues",
        params={"split": None, "ngram": 2, "tokenizer": "word", "level": 0.05, "margin": 0.05,
                "folds": 10,
                "randomisations": 999, "seed": 0},
        verdict="exposed" if flagged else "caution",
        summary=" ".join(sentences),
        key=f"{next(iter(parts))}: rules over words",
        headline=sentences[-1] if flagged else sentences[0],
        gain=0.214 if flagged else 0.021,
        estimates=tuple(
            estimate
            for split, items in parts.items()
            for estimate in (
                Estimate(f"{split}: best word or phrase", 0.548, 0.504, 0.592, len(items), 0.5,
                         split=split),
                Estimate(f"{split}: rules over words", 0.714, 0.673, 0.752, len(items), 0.5,
                         split=split, metric=CUE_CEILING),
            )
        ),
        tables={
            "cues": Table(tuple(CUES.split()), tuple(table)),
            "summary": Table(
                tuple(SUMMARY.split()),
                tuple(
                    (split, len(items), 4210, 388, 6, flagged - flagged // 3, flagged // 3, 0.005)
                    for split, items in parts.items()
                ),
            ),
            "strength": Table(
                tuple(STRENGTH.split()),
                tuple((split, 1, 912.4, 524.1, 462.0, 601.9, 1.74, 0.002) for split in parts),
            ),
        },
        evidence=evidence,
        notes=("hidden: skipped, has no answers.",),
    )  # fmt: skip


def _class_balance(items: dict[str, Items]) -> Result:
    rows: list[tuple[Cell, ...]] = []
    tests: list[tuple[Cell, ...]] = []
    estimates = []
    for split, part in items.items():
        n = len(part)
        counts = [sum(item.answer == at for item in part) for at in (0, 1)]
        for at, count in enumerate(counts):
            rows.append((split, at + 1, count, n / 2, count / n, *_wilson(count, n), n))
        chi2 = sum((count - n / 2) ** 2 / (n / 2) for count in counts)
        tests.append((split, n, chi2, 1, math.erfc(math.sqrt(chi2 / 2))))
        most = max(counts)
        low, high = _wilson(most, n)
        estimates.append(
            Estimate(f"{split}: best fixed position", most / n, low, high, n, 0.5,
                     split=split, metric=BEST_FIXED)
        )  # fmt: skip
    return Result(
        "class_balance", {"level": 0.05}, "clear",
        "No position is right significantly more often than the others. A shortcut worth 5 "
        "points would "
        "have been found almost certainly.",
        tuple(estimates),
        {
            "positions": Table(tuple(POSITIONS.split()), tuple(rows)),
            "tests": Table(tuple(TESTS.split()), tuple(tests)),
        },
    )  # fmt: skip


def _surface(items: dict[str, Items]) -> Result:
    chosen = random.Random(2)
    rows: list[tuple[Cell, ...]] = []
    evidence = {}
    for split, part in items.items():
        for part_name, n in (("", len(part)), ("asks_for=cause", len(part) // 2)):
            for tell in TELL_NAMES:
                lucky = tell == "longest choice" and not part_name
                right = round(n * 0.62) if lucky else sum(chosen.random() < 0.5 for _ in range(n))
                low, high = _wilson(right, n)
                p = _p(right, n, 0.5)
                flag = "tell" if lucky else ""
                q = p if lucky else min(10 * p, 1.0)
                rows.append(
                    (split, part_name, tell, right / n, low, high, 0.5, n, 0.83, 0.04, p, q, flag)
                )
        evidence[f"{split}: longest choice"] = tuple(
            item.id for item in part[: round(len(part) * 0.62)]
        )
    summary = f"Taking the longest choice answers 62.0% of {next(iter(items))} (chance 50.0%)."
    return Result(
        "surface", {"level": 0.05}, "exposed", summary,
        tuple(
            Estimate(f"{row[0]}: {row[2]}", float(row[3] or 0), float(row[4] or 0),
                     float(row[5] or 0), int(row[7] or 0), 0.5, split=str(row[0]))
            for row in rows if not row[1]
        ),
        {"tells": Table(tuple(TELLS.split()), tuple(rows))},
        evidence,
        key=f"{next(iter(items))}: longest choice",
        headline=summary,
        gain=0.12,
    )  # fmt: skip


def _integrity(items: dict[str, Items]) -> Result:
    split = next(iter(items))
    return Result(
        "integrity", {}, "caution", "Two items stand in both dev and test.", (),
        {
            "findings": Table(
                tuple(FINDINGS.split()),
                (
                    ("exact duplicates", split, 2, "the same question and choices", "problem"),
                    ("empty texts", split, 0, "", "notice"),
                ),
            )
        },
        {f"exact duplicates: {split}": tuple(item.id for item in items[split][:2])},
    )  # fmt: skip
