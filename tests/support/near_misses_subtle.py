"""Near misses that differ from items in little: logs of students, pairs, repeated headers."""

from __future__ import annotations

from .item_shapes import BANK, NearMiss, lines_of, table
from .near_misses import OPTIONS, csv_miss
from .shapes_in_json import by_letter

LETTERED = [[q.text, *q.choices, q.letter] for q in BANK]


def _other_rows() -> list[NearMiss]:
    """Rows without a header whose cells could be an item's, and are not."""
    pairs = [[n, q.text, BANK[n - 1].text, n % 2] for n, q in enumerate(BANK)]
    triples = [[q.text, q.text.upper(), BANK[n - 1].text] for n, q in enumerate(BANK)]
    sensors = [[f"2024-01-0{n + 1}", 20 + n, 21 + n, 22 + n, "ABC"[n % 3]] for n in range(8)]
    names = ("Arsenal", "Porto", "Ajax", "Lyon", "Roma", "Celtic", "Malmo", "Genk")
    games = [[f"Matchday {n + 1}", name, names[n - 1], n % 2] for n, name in enumerate(names)]
    return [
        csv_miss("pairs of questions", None, pairs, helps=False),
        csv_miss("triples of texts", None, triples, helps=False),
        csv_miss("sensors", None, sensors, helps=False),
        csv_miss("games", None, games, helps=False),
    ]


def _logs() -> list[NearMiss]:
    """Answers that people gave, not right answers."""
    responses = [
        [f"s{student}", q.text, *q.choices, "ABCD"[(student + n) % 4],
         int((student + n) % 4 == q.answer)]
        for student in range(3)
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    header = ["student", "question", "A", "B", "C", "D", "response", "correct"]
    votes = [[q.text, *q.choices, *(10 + n, 20, 30, 40 - n)] for n, q in enumerate(BANK)]
    names = ["question", "A", "B", "C", "D", "votes_A", "votes_B", "votes_C", "votes_D"]
    return [
        csv_miss("logs of students", header, responses),
        csv_miss("votes for choices", names, votes),
    ]


def _slips() -> list[NearMiss]:
    """Items with a slip in a row."""
    twice = [[n if n != 5 else 2, *row] for n, row in enumerate(LETTERED)]
    missing = [[*row[:-1], "" if n == 4 else row[-1]] for n, row in enumerate(LETTERED)]
    joined = [*LETTERED[:4], OPTIONS, *LETTERED[4:]]
    numbers = [
        [f"What is {n} + 1?", *"2314"[n % 4 :], *"2314"[: n % 4], n % 4 + 1] for n in range(8)
    ]
    second = [by_letter(n, q) for n, q in enumerate(BANK)]
    second[4] = second[4] | {"answer": ["B", "D"]}
    return [
        csv_miss("an id twice", ["id", *OPTIONS], twice, helps=False),
        csv_miss("an answer missing", OPTIONS, missing, flag="--drop-unlabelled", helps=False),
        csv_miss("a header in the middle", OPTIONS, joined, helps=False),
        csv_miss("numbers as texts or places", OPTIONS, numbers, flag="--answers-from",
                 helps=False),
        NearMiss("two right, once", {"quiz.jsonl": lines_of(second)}),
        NearMiss("a split in two formats", {
            "data/train.csv": table(OPTIONS, LETTERED),
            "data/train.jsonl": lines_of(by_letter(n, q) for n, q in enumerate(BANK)),
        }, target="data"),
        NearMiss("files that count differently", {
            "data/train.csv": table(OPTIONS, [[*r[:-1], q.answer] for r, q in zip(
                LETTERED, BANK, strict=True)]),
            "data/test.csv": table(OPTIONS, [[*r[:-1], q.answer + 1] for r, q in zip(
                LETTERED, BANK, strict=True)]),
        }, target="data"),
    ]  # fmt: skip


SUBTLE_MISSES = [*_other_rows(), *_logs(), *_slips()]
