"""Shapes that a careless reader gets wrong: quotes, lists and letters that are texts, odd names."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import escape

from .item_shapes import (
    BANK,
    Question,
    Questions,
    Shape,
    ask,
    document,
    lines_of,
    table,
    with_passages,
    workbook,
)
from .shapes_elsewhere import HEADER, aiken, gift, numbered_rows
from .shapes_in_json import by_letter
from .shapes_in_tables import lettered

OPTIONS = HEADER[1:]


def odd_answers() -> list[Shape]:
    """Answers that are written in unusual ways."""

    def keyed(name: str, answers: list[str]) -> Shape:
        rows = [[q.text, *q.choices, a] for q, a in zip(BANK, answers, strict=True)]
        return Shape(name, {"quiz.csv": table(OPTIONS, rows)}, BANK)

    letters = ask("Which letter is the last of the alphabet?", "C", "Z", "A", "B", answer=1)
    return [
        keyed("answers with a decimal point", [f"{q.answer}.0" for q in BANK]),
        keyed("answers with letter and text", [f"{q.letter}. {q.right}" for q in BANK]),
        keyed("answers in brackets", [f"({q.letter})" for q in BANK]),
        Shape("choices that are letters", {"quiz.csv": table(OPTIONS, lettered((*BANK, letters)))},
              (*BANK, letters)),
    ]  # fmt: skip


def odd_texts() -> list[Shape]:
    """Texts with separators, lists and quotes in them, which are texts all the same."""
    clauses = tuple(replace(q, texts=(f"Think; then answer; {q.text}",), choices=tuple(
        f"{c}; nothing else" for c in q.choices)) for q in BANK)  # fmt: skip
    lists = tuple(
        ask(f"Which list has the sum {n}?", *(str([n + k - a, 0]) for k in range(4)), answer=a)
        for n, a in ((3, 0), (5, 1), (7, 2), (9, 3), (4, 2), (8, 1), (6, 0), (2, 3))
    )
    quoted = tuple(replace(q, texts=(f'"{q.text.split()[0]}" {n}" wide: ' + q.text,))
                   for n, q in enumerate(BANK))  # fmt: skip
    raw = "\n".join("\t".join([q.text, *q.choices, q.letter]) for q in quoted)
    loose = replace(BANK[0], texts=('"Tis the season: what do we measure?',))
    unbalanced = "\n".join("\t".join([q.text, *q.choices, q.letter]) for q in (*BANK[1:], loose))
    titles = "\t".join(OPTIONS) + "\n"
    slashes = table(OPTIONS, lettered()).replace('""', '\\"')
    return [
        Shape("semicolons in every text", {"quiz.csv": table(OPTIONS, lettered(clauses))}, clauses),
        Shape("choices that are lists", {"quiz.csv": table(OPTIONS, lettered(lists))}, lists),
        Shape("tabs, and quotes that quote nothing", {"quiz.tsv": titles + raw + "\n"}, quoted),
        Shape("tabs, and a quote without its pair", {"quiz.tsv": titles + unbalanced + "\n"},
              (*BANK[1:], loose), unusual="a quote may begin a cell that ends in a later line"),
        Shape("backslashes before quotes", {"quiz.csv": slashes}, BANK,
              unusual="only MySQL writes them"),
        Shape("numbered choices", {"quiz.csv": table(OPTIONS, [
            [f"{n}. {q.text}", *(f"{a}. {c}" for a, c in zip("ABCD", q.choices, strict=True)),
             q.letter] for n, q in enumerate(BANK, 1)])},
            tuple(replace(q, texts=(f"{n}. {q.text}",)) for n, q in enumerate(BANK, 1)),
            labelled_choices=True),
    ]  # fmt: skip


def objects_in_cells() -> list[Shape]:
    """Cells with what Python prints for a tuple or an object; pandas writes them so."""

    def cells(name: str, show: Callable[[Question], object]) -> Shape:
        rows = [[q.text, str(show(q)), q.letter] for q in BANK]
        return Shape(name, {"quiz.csv": table(["question", "choices", "answerKey"], rows)}, BANK)

    def array(values: Iterable[str]) -> str:
        return f"array({list(values)}, dtype=object)"

    return [
        cells("Python tuples", lambda q: q.choices),
        cells("Python objects", lambda q: dict(zip("ABCD", q.choices, strict=True))),
        cells("ARC as a table", lambda q: {"text": list(q.choices), "label": list("ABCD")}),
        replace(
            cells("ARC as pandas writes it",
                  lambda q: f"{{'text': {array(q.choices)}, 'label': {array('ABCD')}}}"),
            unusual="it cannot be read again in Python either"),
    ]  # fmt: skip


def other_languages() -> list[Shape]:
    header = ["Frage", "Antwort A", "Antwort B", "Antwort C", "Antwort D", "Richtige Antwort"]
    chinese = tuple(
        ask(f"{n}加{n}等于多少？", *(f"{2 * n + k - a}个" for k in range(4)), answer=a)
        for n, a in ((2, 0), (3, 1), (4, 2), (5, 3), (6, 1), (7, 2), (8, 0), (9, 3))
    )
    return [
        Shape("German names", {"Quiz.csv": table(header, lettered(), ";")}, BANK,
              undecidable="the names are in a language that nobody promised"),
        Shape("Chinese texts", {"quiz.csv": table(OPTIONS, lettered(chinese))}, chinese),
        Shape("Chinese texts without header", {"quiz.csv": table(None, lettered(chinese))},
              chinese),
    ]  # fmt: skip


def odd_documents() -> list[Shape]:
    records = [by_letter(n, q) for n, q in enumerate(BANK)]
    trivia = [
        {"category": "science", "id": f"622a{n}", "correctAnswer": q.right,
         "incorrectAnswers": list(q.wrong), "question": {"text": q.text}, "tags": ["facts"],
         "type": "text_choice", "difficulty": "easy", "regions": [], "isNiche": False}
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    topics = {"history": records[:4], "nature": records[4:]}
    splits = {"train": records[:4], "validation": records[4:6], "test": records[6:]}
    expected = {"train": BANK[:4], "validation": BANK[4:6], "test": BANK[6:]}
    race = [
        {"id": f"high{n}.txt", "article": q.texts[0], "questions": [q.text],
         "options": [list(q.choices)], "answers": [q.letter]}
        for n, q in enumerate(with_passages())
    ]  # fmt: skip
    lines = "\ufeff" + lines_of(records).replace("\n", "\r\n")
    after = "\n".join(json.dumps(record, indent=2) for record in records)
    return [
        Shape("the Trivia API", {"trivia.json": document(trivia)}, BANK, ordered=False, drawn=True,
              by_line=False),
        Shape("topics", {"quiz.json": document(topics)}, BANK, by_line=False),
        Shape("splits in a document", {"quiz.json": document(splits)}, expected, by_line=False),
        Shape("JSON lines of Windows", {"quiz.txt": lines}, BANK),
        Shape("objects one after another", {"quiz.json": after}, BANK, by_line=False,
              unusual="no JSON, but jq writes it"),
        Shape("RACE as published", {"race.jsonl": lines_of(race)}, with_passages(),
              unusual="a line contains several questions"),
    ]  # fmt: skip


def odd_workbooks() -> list[Shape]:
    sums = tuple(
        ask(f"What is {n} + {n}?", *(str(2 * n + k - a) for k in range(4)), answer=a)
        for n, a in ((2, 0), (3, 1), (4, 2), (5, 3), (6, 1), (7, 2), (8, 0), (9, 3))
    )
    numbers: list[list[object]] = [
        [*OPTIONS],
        *([q.text, *map(int, q.choices), q.letter] for q in sums),
    ]
    plain = [OPTIONS, *lettered()]
    return [
        Shape("workbook with numbers as choices", {"sums.xlsx": workbook(numbers)}, sums,
              by_line=False),
        Shape("workbook with shared strings", {"quiz.xlsx": _shared(plain)}, BANK, by_line=False),
    ]  # fmt: skip


def _shared(rows: list[list[str]]) -> bytes:
    """Return a workbook as Excel writes it: texts are in a table of their own."""
    texts = sorted({text for row in rows for text in row})
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    sheet = "".join(
        f'<row r="{n}">'
        + "".join(
            f'<c r="{chr(65 + place)}{n}" t="s"><v>{texts.index(text)}</v></c>'
            for place, text in enumerate(row)
        )
        + "</row>"
        for n, row in enumerate(rows, 1)
    )
    return workbook([], more={
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">'
        + "".join(f"<si><t>{escape(text)}</t></si>" for text in texts) + "</sst>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData>'
        "</worksheet>",
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/'
        f'package/2006/relationships"><Relationship Id="rId1" Type="{office}/worksheet" '
        f'Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="{office}/sharedStrings" '
        'Target="sharedStrings.xml"/></Relationships>',
    })  # fmt: skip


def odd_folders() -> list[Shape]:
    splits = {"train": BANK[:4], "test": BANK[4:]}
    files: dict[str, str | bytes] = {f"data/{n}.csv": numbered_rows(q) for n, q in splits.items()}
    company: dict[str, str | bytes] = {
        "data/README.md": "# Quiz\n", "data/LICENSE.txt": "MIT License\n\nCopyright\n",
        "data/.DS_Store": b"\0\0\0\1Bud1", "data/__MACOSX/._train.csv": b"\0\5\x16\7\0",
        "data/.ipynb_checkpoints/train-checkpoint.csv": files["data/train.csv"],
    }  # fmt: skip
    hidden: dict[str, Questions] = {"train": BANK[:6], "test": BANK[6:]}
    return [
        Shape("a folder with other files", files | company, splits, ("data",)),
        Shape("brackets in names", {"quiz [2024]/items (1).csv": numbered_rows(BANK)}, BANK),
        Shape("a colon in a name", {"quiz 10:30.csv": numbered_rows(BANK)}, BANK),
        Shape("hidden answers are -1", {f"data/{name}.jsonl": lines_of(
            {"question": q.text, "choices": list(q.choices),
             "label": -1 if name == "test" else q.answer} for q in questions)
            for name, questions in hidden.items()}, hidden, ("data",), unlabelled="test"),
        Shape("hidden answers are empty", {f"data/{name}.csv": table(OPTIONS, [
            [q.text, *q.choices, "" if name == "test" else q.letter] for q in questions])
            for name, questions in hidden.items()}, hidden, ("data",), unlabelled="test"),
    ]  # fmt: skip


def odd_frames() -> list[Shape]:
    """Frames and sets as people have them in memory."""

    def without_names() -> Any:
        return importlib.import_module("pandas").DataFrame(lettered())

    def of_arrays() -> Any:
        pandas, numpy = (importlib.import_module(name) for name in ("pandas", "numpy"))
        columns = {"question": [q.text for q in BANK], "answer": [q.answer for q in BANK],
                   "choices": [numpy.array(q.choices, dtype=object) for q in BANK]}  # fmt: skip
        return pandas.DataFrame(columns, index=[f"row {n}" for n in range(8)])

    def hub_sets() -> Any:
        datasets = importlib.import_module("datasets")
        return datasets.DatasetDict({
            name: datasets.Dataset.from_list([_plain(q) for q in questions])
            for name, questions in splits.items()
        })  # fmt: skip

    splits = {"train": BANK[:5], "test": BANK[5:]}
    return [
        Shape("a DataFrame without names", {}, BANK, memory=without_names),
        Shape("a DataFrame of arrays", {}, BANK, memory=of_arrays),
        Shape("a DatasetDict", {}, splits, memory=hub_sets),
    ]


def _plain(q: Question) -> dict[str, object]:
    return {"question": q.text, "choices": list(q.choices), "answer": q.answer}


def loose_files() -> list[Shape]:
    """Files that are not quite in their format, or in one that nobody promised to read."""
    moodle = "<quiz>" + "".join(
        f'<question type="multichoice"><questiontext><text>{q.text}</text></questiontext>'
        + "".join(f'<answer fraction="{100 * (c == q.right)}"><text>{c}</text></answer>'
                  for c in q.choices) + "</question>" for q in BANK) + "</quiz>"  # fmt: skip
    return [
        Shape("Aiken without blank lines", {"quiz.txt": aiken().replace("\n\n", "\n")}, BANK),
        Shape("Aiken with Answer:", {"quiz.txt": aiken().replace("ANSWER", "Answer")}, BANK,
              unusual="Moodle wants capitals"),
        Shape("GIFT without blank lines", {"quiz.gift": gift().replace("\n\n", "\n")}, BANK,
              unusual="Moodle wants blank lines"),
        Shape("Moodle's XML", {"quiz.xml": moodle}, BANK, by_line=False,
              unusual="nobody promised to read it"),
        Shape("a table as .json", {"quiz.json": numbered_rows(BANK)}, BANK,
              unusual="it is called what it is not"),
        Shape("vertical bars", {"quiz.csv": table(OPTIONS, lettered(), "|")}, BANK,
              unusual="nobody promised to read it"),
        Shape("a title above the header", {"quiz.csv": "Quiz 2024,,,,,,\n" + numbered_rows(BANK)},
              BANK, unusual="the first line is no header"),
    ]  # fmt: skip


TRAPS = [
    *odd_answers(), *odd_texts(), *objects_in_cells(), *other_languages(), *odd_documents(),
    *odd_workbooks(), *odd_folders(), *odd_frames(), *loose_files(),
]  # fmt: skip
