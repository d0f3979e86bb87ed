"""What the probes that look at trained models say of `toy`, with figures that were made up."""

from __future__ import annotations

import random
import re
from functools import cache

from hansproof.benchmarks import toy
from hansproof.probes.robustness.attack_result import BEFORE
from hansproof.types import Audit, Cell, Estimate, Item, Result, Table

from .report_sample import audit, word

ITEMS = toy.load().splits["original"]
SYNONYMS = {
    "tunes": "melodies", "piece": "composition", "sour": "acid", "expert": "specialist",
    "seats": "chairs", "teacher": "educator", "shut": "close", "supper": "meal", "boards": "planks",
    "neighbours": "residents", "might": "power", "shelf": "ledge", "crack": "fissure",
    "drips": "droplets", "brother": "sibling", "soil": "earth", "fish": "trout", "pump": "siphon",
    "strangers": "foreigners", "wet": "moist", "wall": "barrier", "evening": "dusk",
}  # fmt: skip
ATTACKS = (
    "split model before after difference difference_low difference_high drop n attacked flipped "
    "queries words similarity"
)
CHANGES = "item model part before after before_marks after_marks picked similarity"
CUES = (
    "cue applicability productivity items sensitivity against difference difference_low "
    "difference_high sensitivity_all against_all difference_all"
)
LINE = "of slope low high intercept r cues seeds slope_seeds_low slope_seeds_high"
RUNS = "model group items skipped accuracy mean_tokens reads device"
WORDS = "item model choice text marks score"
MODELS = ("hf minilm copa seed 1", "kept runs/roberta-large-copa-7", "bow")

Row = tuple[Cell, ...]


def robustness() -> Result:
    rows: list[Row] = []
    for split in ("original", "mirrored"):
        for at, model in enumerate(MODELS):
            before, after = 0.93 - at / 9, 0.41 + at / 16
            lost = after - before
            many = 120, 108 - 9 * at, 51 - 5 * at
            ends = lost - 0.08, lost + 0.08
            rows.append((split, model, before, after, lost, *ends, -lost / before, *many,
                         61.5 + at, 1.4, 0.941))  # fmt: skip
    return Result(
        "robustness", {"word_cosine": 0.9, "similarity": 0.9, "where": "all"}, "caution",
        f"{MODELS[0]} loses 51 answers of the 108 it had right on original with 1.4 words swapped "
        "on average: 93.0% become 41.0%.",
        tuple(
            Estimate(f"accuracy before, {MODELS[0]} on {split}", 0.93, 0.88, 0.97, 120, 0.5,
                     split=split, metric=BEFORE)
            for split in ("original", "mirrored")
        ),
        {
            "attacks": Table(tuple(ATTACKS.split()), tuple(rows)),
            "changes": Table(tuple(CHANGES.split()), tuple(_changes())),
            "swaps": Table(("from", "to", "part", "times"), (("tunes", "melodies", "right", 3),)),
            "skipped": Table(("reason", "items"), (("no word can be swapped", 4),)),
        },
        {f"{MODELS[0]}: flipped": tuple(item.id for item in ITEMS[:30])},
        ("word cosine 0.9, not 0.5 as in the recipe",),
        key=f"accuracy before, {MODELS[0]} on original",
        subject="models",
    )  # fmt: skip


def _changes() -> list[Row]:
    found: list[Row] = []
    for item in ITEMS[:30]:
        parts = {f"choice {at + 1} ({'right' if at == item.answer else 'wrong'})": choice
                 for at, choice in enumerate(item.choices)}  # fmt: skip
        for part, text in (item.fields | parts).items():
            if any(known in SYNONYMS for known in re.findall(r"\w+", text)):
                picked = item.choices[1 - (item.answer or 0)]
                found.append((item.id, MODELS[0], part, *swapped(text), picked, 0.943))
    return found


def swapped(text: str) -> tuple[str, str, str, str]:
    """A text, the same with synonyms, and where they stand in both."""
    before = after = ""
    marks: tuple[list[str], list[str]] = ([], [])
    for part in re.split(r"(\w+)", text):
        new = SYNONYMS.get(part, part)
        if new != part:
            marks[0].append(f"{len(before)}-{len(before) + len(part)}")
            marks[1].append(f"{len(after)}-{len(after) + len(new)}")
        before, after = before + part, after + new
    return before, after, " ".join(marks[0]), " ".join(marks[1])


def sensitivity(against: bool = True) -> Result:
    """`against` another group of models, or of one alone."""
    rows = cue_rows(against)
    falls = sorted(rows, key=lambda row: float(row[6] or 0))[:5] if against else []
    line = ("difference", -0.0082, -0.013, -0.0034, 0.0041, -0.31, len(rows), 5, -0.011, -0.0054)
    run = (MODELS[0], "trained", 120, 0, 0.71, 21.5, "BertTokenizerFast", "cpu")
    return Result(
        "sensitivity", {"method": "gradient"}, "caution",
        "Models trained on balanced items look less at cues that are often right.",
        (Estimate("slope of the difference", -0.0082, -0.013, -0.0034, len(rows), 0.0,
                  kind="ratio"),),
        {
            "cues": Table(tuple(CUES.split()), tuple(rows)),
            "falls": Table(tuple(CUES.split()), tuple(falls)),
            "line": Table(tuple(LINE.split()), (line,)),
            "runs": Table(tuple(RUNS.split()), (run,)),
            "words": Table(tuple(WORDS.split()), tuple(_words(ITEMS[:9]))),
        },
        {"words": tuple(item.id for item in ITEMS[:9])},
        subject="models",
    )  # fmt: skip


def cue_rows(against: bool) -> list[Row]:
    chosen = random.Random(3)
    rows: list[Row] = []
    for at in range(180):
        applies = max(2, int(90 / (at + 1) ** 0.6))
        productivity = sum(chosen.random() < 0.5 for _ in range(applies)) / applies
        seen, items = chosen.uniform(0.03, 0.08), max(1, applies * 2 // 3)
        change = 0.004 - 0.008 * productivity + chosen.gauss(0, 0.02 / applies**0.5)
        compared: Row = (None,) * 4
        if against:
            compared = (seen + change, change, change - 0.004, change + 0.004)
        whole = seen * items / 500
        rest: Row = (whole, whole + change / 40, change / 40) if against else (whole, None, None)
        rows.append((word(at), applies, productivity, items, seen, *compared, *rest))
    return rows


def _words(items: tuple[Item, ...]) -> list[Row]:
    chosen, rows = random.Random(4), list[Row]()
    for item in items:
        for at, choice in enumerate(item.choices):
            text = f"{item.fields['premise']} {choice}"
            found = [match.span() for match in re.finditer(r"\w+", text)]
            parts = [chosen.random() ** 3 for _ in found]
            marks = " ".join(
                f"{start}-{end}:{part / sum(parts) * 0.8:.3g}"
                for (start, end), part in zip(found, parts, strict=True)
            )
            rows.append((item.id, MODELS[0], at, text, marks, chosen.gauss(0, 2)))
    return rows


@cache
def pressed() -> Audit:
    """Both, plain."""
    return audit((robustness(), sensitivity()), {"original": ITEMS})
