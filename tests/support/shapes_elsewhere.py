"""Shapes in quiz formats, workbooks, several files, and in memory."""

from __future__ import annotations

import importlib
import io
from dataclasses import replace
from typing import Any

from .item_shapes import (
    BANK,
    LETTERS,
    Question,
    Questions,
    Shape,
    lines_of,
    table,
    with_choices,
    workbook,
)

Cells = list[list[object]]
HEADER = ["id", "question", "A", "B", "C", "D", "answer"]


def aiken(questions: Questions = BANK, mark: str = ".", end: str = "\n") -> str:
    """Return a quiz in the Aiken format."""
    blocks = []
    for q in questions:
        choices = (f"{a}{mark} {c}" for a, c in zip(LETTERS, q.choices, strict=False))
        blocks.append(end.join([q.text, *choices, f"ANSWER: {q.letter}"]) + end)
    return end.join(blocks)


def gift(questions: Questions = BANK) -> str:
    """Return a quiz in the GIFT format, each question in one line."""
    return "\n\n".join(f"{q.text} {{{_gift_choices(q, ' ')}}}" for q in questions) + "\n"


def gift_with_all() -> str:
    """Return the quiz with comments, a category, titles, feedback, formats and escapes."""
    blocks = ["// exported by Moodle", "$CATEGORY: $course$/top/Trivia"]
    for n, q in enumerate(BANK):
        choices = _gift_choices(q, "\n\t", "#Think again, that is a common mistake.")
        text = q.text.replace(":", "\\:")
        blocks.append(f"// question: {n}  name: Q{n}\n::Q{n}::[html]{text}{{\n\t{choices}\n}}")
    return "\n\n".join(blocks) + "\n"


def _gift_choices(q: Question, join: str, feedback: str = "") -> str:
    return join.join(
        f"{'=' if c == q.right else '~'}{c}{'' if c == q.right else feedback}" for c in q.choices
    )


def quiz_files() -> list[Shape]:
    pairs = with_choices(2)
    return [
        Shape("Aiken", {"quiz.txt": aiken()}, BANK),
        Shape("Aiken with brackets and CRLF", {"moodle.txt": aiken(mark=")", end="\r\n")}, BANK),
        Shape("Aiken with two choices", {"quiz.txt": "\ufeff" + aiken(pairs)}, pairs),
        Shape("GIFT", {"quiz.gift": gift()}, BANK),
        Shape("GIFT with all its marks", {"quiz.gift": gift_with_all()}, BANK),
        Shape("GIFT as .txt", {"quiz.txt": gift()}, BANK),
    ]


def workbooks() -> list[Shape]:
    plain: Cells = [[*HEADER], *([n, q.text, *q.choices, q.letter] for n, q in enumerate(BANK, 1))]
    kahoot: Cells = [
        ["Question - max 120 characters", *(f"Answer {n} - max 75 characters" for n in range(1, 5)),
         "Time limit (sec) – 5, 10, 20", "Correct answer(s) - choose at least one"],
        *([q.text, *q.choices, 20, q.answer + 1] for q in BANK),
    ]  # fmt: skip
    quizizz: Cells = [
        ["Question Text", "Question Type", *(f"Option {n}" for n in range(1, 6)), "Correct Answer",
         "Time in seconds", "Image Link"],
        *([q.text, "Multiple Choice", *q.choices, "", q.answer + 1, 300, ""] for q in BANK),
    ]  # fmt: skip
    shapes = [
        replace(
            Shape("workbook", {"quiz.xlsx": workbook(plain)}, BANK),
            ids=tuple(str(n) for n in range(1, 9)),
        ),
        Shape("Quizizz's workbook", {"import.xlsx": workbook(quizizz, "Questions")}, BANK),
        Shape("Kahoot's workbook", {"kahoot.xlsx": workbook(kahoot, "Kahoot")}, BANK),
        Shape("workbook without header", {"quiz.xlsx": workbook([r[1:] for r in plain[1:]])}, BANK),
    ]
    return [replace(shape, by_line=False) for shape in shapes]


def numbered_rows(questions: Questions, start: int = 1) -> str:
    rows = [[n, q.text, *q.choices, q.letter] for n, q in enumerate(questions, start)]
    return table(HEADER, rows)


def several_files() -> list[Shape]:
    splits = {"train": BANK[:4], "dev": BANK[4:6], "test": BANK[6:]}
    halves = {"one.csv": numbered_rows(BANK[:4]), "two.csv": numbered_rows(BANK[4:])}
    mixed: dict[str, str | bytes] = {
        "quiz/history.csv": numbered_rows(BANK[:3]),
        "quiz/nature.jsonl": lines_of(
            {"id": n, "question": q.text, "A": q.choices[0], "B": q.choices[1],
             "C": q.choices[2], "D": q.choices[3], "answer": q.letter}
            for n, q in enumerate(BANK[3:6], 1)
        ),
        "quiz/more/places.csv": numbered_rows(BANK[6:]),
    }  # fmt: skip
    return [
        Shape("a folder of splits", {
            f"data/{name}.csv": numbered_rows(qs) for name, qs in splits.items()
        }, splits, ("data",)),
        Shape("a folder for each split", {
            f"data/{name}/part-0.csv": numbered_rows(qs) for name, qs in splits.items()
        }, splits, ("data",)),
        Shape("several files, ids restart", {**halves}, BANK, ("one.csv", "two.csv")),
        Shape("a wildcard", {**halves, "three.md": "# Notes\n"}, BANK, ("*.csv",)),
        Shape("formats and folders, by a wildcard", mixed, BANK, ("quiz/**/*",)),
    ]  # fmt: skip


def _records() -> list[dict[str, Any]]:
    return [
        {"question": q.text, "choices": list(q.choices), "answer": q.answer, "id": f"m{n}"}
        for n, q in enumerate(BANK)
    ]


def _columns() -> dict[str, list[Any]]:
    return {name: [record[name] for record in _records()] for name in _records()[0]}


def _parquet() -> bytes:
    """Return the hub's ARC as Parquet: choices are a struct of lists."""
    arrow, parquet = (importlib.import_module(f"pyarrow{name}") for name in ("", ".parquet"))
    rows = [
        {"id": f"m{n}", "question": q.text, "answerKey": q.letter,
         "choices": {"text": list(q.choices), "label": list("ABCD")}}
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    out = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows), out)
    return out.getvalue()


def in_memory() -> list[Shape]:
    def frame() -> Any:
        columns = ["Question", "Option A", "Option B", "Option C", "Option D", "Answer"]
        rows = [[q.text, *q.choices, q.letter] for q in BANK]
        return importlib.import_module("pandas").DataFrame(rows, columns=columns)

    def hub_set() -> Any:
        return importlib.import_module("datasets").Dataset.from_dict(_columns())

    def arrow_table() -> Any:
        return importlib.import_module("pyarrow").table(_columns())

    ids = tuple(f"m{n}" for n in range(8))
    sources = {"a list of dicts": _records, "a Dataset": hub_set, "a pyarrow table": arrow_table}
    return [
        Shape("a DataFrame", {}, BANK, memory=frame),
        *(Shape(name, {}, BANK, memory=make, ids=ids) for name, make in sources.items()),
    ]


ELSEWHERE = [
    *quiz_files(),
    *workbooks(),
    *several_files(),
    *in_memory(),
    Shape("Parquet", {"arc.parquet": _parquet()}, BANK, by_line=False),
]
