"""Shapes of tables: columns by many names, with several separators, with and without a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .item_shapes import (
    BANK,
    LETTERS,
    PAIRS,
    PASSAGES,
    Questions,
    Shape,
    ask,
    table,
    with_choices,
    with_passages,
)

TOPIC = "general knowledge"


def lettered(questions: Questions = BANK) -> list[list[str]]:
    """Rows of a question, its choices and a letter."""
    return [[q.text, *q.choices, q.letter] for q in questions]


def numbered(start: int, questions: Questions = BANK) -> list[list[object]]:
    """Rows of a question, its choices and a number."""
    return [[q.text, *q.choices, q.answer + start] for q in questions]


def csv_shape(
    name: str, header: Sequence[str] | None, rows: Sequence[Sequence[object]], *,
    file: str = "quiz.csv", separator: str = ",",
) -> Shape:  # fmt: skip
    return Shape(name, {file: table(header, rows, separator)}, BANK)


def with_header() -> list[Shape]:
    options = [f"Option {letter}" for letter in LETTERS[:4]]
    return [
        csv_shape("Option A, capitals", ["Question", *options, "Answer"], lettered()),
        replace(
            csv_shape(
                "option_a, semicolons",
                ["id", "question", *(f"option_{c}" for c in "abcd"), "correct_option", "category"],
                [[f"gk-{n}", *row, TOPIC] for n, row in enumerate(lettered())],
                separator=";",
            ),
            ids=tuple(f"gk-{n}" for n in range(8)),
        ),
        csv_shape(
            "answerA, tabs, number from 1",
            ["QUESTION", "answerA", "answerB", "answerC", "answerD", "correct"],
            numbered(1),
            file="quiz.tsv",
            separator="\t",
        ),
        csv_shape(
            "A), B) and a letter", ["Question", "A)", "B)", "C)", "D)", "Correct"], lettered()
        ),
        csv_shape(
            "stem and key",
            ["nr", "stem", "A", "B", "C", "D", "key"],
            [[n, *row] for n, row in enumerate(lettered(), 1)],
        ),
        csv_shape(
            "choice1 and answer_index",
            ["prompt", *(f"choice{n}" for n in range(1, 5)), "answer_index"],
            numbered(0),
        ),
    ]


def with_answers() -> list[Shape]:
    """Answers as numbers, texts, names and letters in other forms."""
    options = [f"Option {letter}" for letter in LETTERS[:4]]
    return [
        replace(
            csv_shape("1, 2, 3 and 4", ["question", "1", "2", "3", "4", "answer"], numbered(1)),
            undecidable="numbers as names may mean anything",
        ),
        csv_shape(
            "answers as texts",
            ["Question", *(f"Choice {n}" for n in range(1, 5)), "Correct Answer"],
            [[q.text, *q.choices, q.right] for q in BANK],
            separator=";",
        ),
        csv_shape(
            "answers as names of columns",
            ["question", *options, "correct answer"],
            [[q.text, *q.choices, f"Option {q.letter}"] for q in BANK],
        ),
        csv_shape(
            "answers as small letters with a bracket",
            ["Question Text", *options, "Correct Answer"],
            [[q.text, *q.choices, f"{q.letter.lower()})"] for q in BANK],
        ),
        csv_shape(
            "spaces around names and letters",
            [" Question ", " A ", " B ", " C ", " D ", " Answer "],
            [[q.text, *q.choices, f" {q.letter} "] for q in BANK],
        ),
        csv_shape(
            "answers in the first column",
            ["Answer", "Explanation", "D", "C", "B", "A", "Question"],
            [[q.letter, f"It is {q.right}.", *q.choices[::-1], q.text] for q in BANK],
        ),
    ]


def with_traps() -> list[Shape]:
    """Tables with further columns that must not be taken for fields, choices or answers."""
    return [
        csv_shape(
            "C-Eval: explanation",
            ["id", "question", "A", "B", "C", "D", "answer", "explanation"],
            [[n, *row, f"Step 1: think of {row[0]}"] for n, row in enumerate(lettered())],
        ),
        csv_shape(
            "CMMLU: a column without a name",
            ["", "Question", "A", "B", "C", "D", "Answer"],
            [[n, *row] for n, row in enumerate(lettered())],
        ),
        csv_shape(
            "numbers for points, level and time",
            ["No", "Level", "Points", "Question", "A", "B", "C", "D", "Answer", "Time limit"],
            [[n, n % 3 + 1, 1, *row, 20] for n, row in enumerate(lettered(), 1)],
        ),
        _cosmos(),
        _swag(),
        _numeric_choices(),
        _uneven(),
        _race(),
    ]


def _cosmos() -> Shape:
    header = ["id", "context", "question", *(f"answer{n}" for n in range(4)), "label"]
    rows = [
        [f"3Q9S##{n}", passage, *row]
        for n, (passage, row) in enumerate(zip(PASSAGES, numbered(0), strict=True))
    ]
    ids = tuple(str(row[0]) for row in rows)
    return Shape("CosmosQA", {"cosmos.csv": table(header, rows)}, with_passages(), ids=ids)


def _swag() -> Shape:
    """`gold-source` says where the right ending is from, and `startphrase` repeats two columns."""
    header = ["", "video-id", "fold-ind", "startphrase", "sent1", "sent2", "gold-source",
              "ending0", "ending1", "ending2", "ending3", "label"]  # fmt: skip
    questions = with_passages()
    rows = [
        [n, f"anetv_{n}", 3416 + n, f"{q.texts[0]} {q.text}", q.texts[0], q.text, "gold",
         *q.choices, q.answer]
        for n, q in enumerate(questions)
    ]  # fmt: skip
    return Shape(
        "SWAG",
        {"swag.csv": table(header, rows)},
        tuple(replace(q, texts=(" ".join(q.texts),)) for q in questions),
        may_show=("sent1", "sent2"),
        may_drop=tuple(" ".join(q.texts) for q in questions),
    )


def _numeric_choices() -> Shape:
    """Choices that are numbers beside answers that are letters."""
    questions = tuple(
        ask(f"What is {n} + {m}?", *(str(n + m + d - shift) for d in range(4)), answer=shift)
        for n, m, shift in ((2, 2, 0), (5, 3, 1), (7, 1, 2), (4, 9, 3), (8, 8, 1), (6, 1, 0),
                            (3, 9, 3), (20, 2, 2))
    )  # fmt: skip
    header = ["question", "A", "B", "C", "D", "answer"]
    return Shape("choices are numbers", {"sums.csv": table(header, lettered(questions))}, questions)


def _uneven() -> Shape:
    """Three to five choices, with empty cells after them."""
    more = ask(
        "Which month is the shortest?", "May", "June", "July", "August", "February", answer=4
    )
    questions = (*with_choices(3)[:4], *BANK[4:], more)
    header = ["question", *(f"option{n}" for n in range(1, 6)), "answer"]
    rows = [[q.text, *q.choices, *[""] * (5 - len(q.choices)), q.answer + 1] for q in questions]
    return Shape("three to five choices", {"quiz.csv": table(header, rows)}, questions)


def _race() -> Shape:
    header = ["example_id", "article", "answer", "question", "options"]
    rows = [
        [f"high{n}.txt", q.texts[0], q.letter, q.text, str(list(q.choices))]
        for n, q in enumerate(with_passages())
    ]
    return Shape("RACE with Python lists", {"race.csv": table(header, rows)}, with_passages())


def without_header() -> list[Shape]:
    tabs = table(None, lettered(), "\t")
    texts = [[q.text, *q.choices, q.right] for q in BANK]
    first = [[n, *row] for n, row in enumerate(lettered(), 1)]
    before = [[row[-1], *row[:-1]] for row in lettered()]
    after = [[*row, TOPIC] for row in lettered()]
    why = "another layout than usual, and no names"
    splits = {"test": BANK[:4], "val": BANK[4:6], "dev": BANK[6:]}
    mmlu: dict[str, str | bytes] = {
        "data/test/anatomy_test.csv": table(None, lettered(BANK[:2])),
        "data/test/virology_test.csv": table(None, lettered(BANK[2:4])),
        "data/val/anatomy_val.csv": table(None, lettered(BANK[4:6])),
        "data/dev/anatomy_dev.csv": table(None, lettered(BANK[6:])),
    }
    lonely = mmlu | {"data/val/anatomy_val.csv": table(None, lettered(BANK[4:5]))}
    lonely["data/val/virology_val.csv"] = table(None, lettered(BANK[5:6]))
    return [
        Shape("MMLU: folders of files without header", mmlu, splits, ("data",)),
        Shape("MMLU: a file with a single item", lonely, splits, ("data",)),
        Shape("MMLU: one file", {"anatomy.csv": table(None, lettered())}, BANK),
        Shape("no header, tabs", {"quiz.txt": tabs}, BANK),
        Shape("no header, semicolons", {"quiz.csv": table(None, lettered(), ";")}, BANK),
        Shape("no header, answers as texts", {"quiz.csv": table(None, texts)}, BANK),
        Shape("no header, a running number first", {"quiz.csv": table(None, first)}, BANK),
        Shape("no header, answers first", {"quiz.csv": table(None, before)}, BANK, undecidable=why),
        Shape("no header, topics last", {"quiz.csv": table(None, after)}, BANK, undecidable=why),
    ]


def as_programs_write() -> list[Shape]:
    """Marks of the programs that wrote the file: byte order, line ends, hints for Excel."""
    header = ["Question", "A", "B", "C", "D", "Answer"]
    semicolons = table(header, lettered(), ";", "\r\n")
    breaks = tuple(
        replace(q, texts=(q.text + "\nChoose with care.\n(One is right.)",)) for q in BANK
    )
    return [
        Shape("Excel: CSV UTF-8", {"Mappe1.csv": "\ufeff" + semicolons}, BANK),
        Shape("Excel: sep=;", {"Mappe1.csv": "sep=;\r\n" + semicolons}, BANK),
        Shape(
            "Excel: Unicode text",
            {"Book1.txt": table(header, lettered(), "\t", "\r\n").encode("utf-16")},
            BANK,
        ),
        Shape("breaks inside cells", {"quiz.csv": table(header, lettered(breaks))}, breaks),
        Shape(
            "blank lines and empty last columns",
            {"quiz.csv": "\n" + table([*header, "", ""], [[*r, "", ""] for r in lettered()], ",",
                                      "\n\n")},
            BANK,
        ),
    ]  # fmt: skip


def right_and_wrong() -> list[Shape]:
    """The right answer apart from the wrong ones: no order is told."""
    gpqa = ["Record ID", "Pre-Revision Question", "Pre-Revision Correct Answer",
            *(f"Pre-Revision Incorrect Answer {n}" for n in (1, 2, 3)), "Question",
            "Correct Answer", *(f"Incorrect Answer {n}" for n in (1, 2, 3)), "Explanation",
            "Subdomain"]  # fmt: skip
    gpqa_rows = [
        [f"rec{n}", "Old: " + q.text, "old right", "old 1", "old 2", "old 3", q.text, q.right,
         *q.wrong, f"Because it is {q.right}", "Physics"]
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    truthful = ["Type", "Category", "Question", "Best Answer", "Correct Answers",
                "Incorrect Answers", "Source"]  # fmt: skip
    truthful_rows = [
        ["Adversarial", "Misconceptions", q.text, q.right, f"{q.right}; surely {q.right}",
         "; ".join(q.wrong), "https://example.org/wiki"]
        for q in BANK
    ]  # fmt: skip
    plain = ["Question", "correct_answer", "distractor1", "distractor2", "distractor3"]
    shapes = [
        csv_shape(
            "correct_answer and distractors", plain, [[q.text, q.right, *q.wrong] for q in BANK]
        ),
        csv_shape("GPQA", gpqa, gpqa_rows, file="gpqa_main.csv"),
        replace(
            csv_shape("TruthfulQA", truthful, truthful_rows, file="TruthfulQA.csv"),
            undecidable="`;` may stand inside an answer: the choices are listed in one cell",
        ),
    ]
    return [replace(shape, ordered=False, drawn=True) for shape in shapes]


def lists_in_cells() -> list[Shape]:
    header = ["question", "choices", "answer"]

    def cells(join: str) -> str:
        return table(header, [[q.text, join.join(q.choices), q.right] for q in plain])

    plain = tuple(q for q in BANK if "," not in "".join(q.choices))
    json_rows = [
        [q.text, "[" + ", ".join(f'"{c}"' for c in q.choices) + "]", q.answer] for q in BANK
    ]
    numpy_rows = [
        [q.text, "[" + " ".join(f"'{c}'" for c in q.choices) + "]", q.answer] for q in BANK
    ]
    why = "nothing but its looks says that the cell is a list"
    return [
        csv_shape("Python lists", header, [[q.text, str(list(q.choices)), q.answer] for q in BANK]),
        csv_shape("JSON lists", ["Question", "Options", "Answer"], json_rows),
        csv_shape("numpy arrays as pandas writes them", header, numpy_rows),
        Shape("a; b; c", {"quiz.csv": cells("; ")}, plain, undecidable=why),
        Shape("a, b and c in lines", {"quiz.csv": cells("\n")}, plain, undecidable=why),
        Shape("a|b|c", {"quiz.csv": cells("|")}, plain, undecidable=why),
        Shape("a, b, c", {"quiz.csv": cells(", ")}, plain, undecidable=why),
    ]


def pairs() -> list[Shape]:
    rows = [[q.text, *q.choices, q.answer] for q in PAIRS]
    header = ["goal", "sol1", "sol2", "label"]
    return [Shape("PIQA as a table", {"piqa.tsv": table(header, rows, "\t")}, PAIRS)]


TABLES = [
    *with_header(), *with_answers(), *with_traps(), *without_header(), *as_programs_write(),
    *right_and_wrong(), *lists_in_cells(), *pairs(),
]  # fmt: skip
