"""Shapes of item files: what a file must load as, a bank of questions, and writers of files."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.sax.saxutils import escape

LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class Question:
    """A question as a careful person reads it: the texts asked, the choices, the right one."""

    texts: tuple[str, ...]
    choices: tuple[str, ...]
    answer: int

    @property
    def text(self) -> str:
        return self.texts[-1]

    @property
    def right(self) -> str:
        return self.choices[self.answer]

    @property
    def wrong(self) -> tuple[str, ...]:
        return self.choices[: self.answer] + self.choices[self.answer + 1 :]

    @property
    def letter(self) -> str:
        return LETTERS[self.answer]


Questions = tuple[Question, ...]


@dataclass(frozen=True)
class Shape:
    """Files of items in one shape, and what they must load as."""

    name: str
    files: dict[str, str | bytes]
    questions: Questions | dict[str, Questions]  # of the only split, or by split
    target: tuple[str, ...] = ()  # what is loaded; the only file if empty, "." is the folder
    memory: Callable[[], Any] | None = None  # items that are in no file
    ordered: bool = True  # the file tells the order of the choices
    drawn: bool = False  # the file tells right from wrong and no order: it is drawn
    may_show: tuple[str, ...] = ()  # columns whose texts may or may not be fields
    may_drop: tuple[str, ...] = ()  # texts that are part of others
    labelled_choices: bool = False  # choices may keep their "(A)"
    by_line: bool = True  # an item begins in a line of its own
    by_row: bool = False  # lines are rows of a table that has no lines
    undecidable: str = ""  # why a careful person would have to ask: it may be refused, with help
    unusual: str = ""  # why nobody can count on it: it may be refused, but never read otherwise
    unlabelled: str = ""  # the split that tells no answers
    ids: tuple[str, ...] = ()

    @property
    def all_questions(self) -> Questions:
        if isinstance(self.questions, tuple):
            return self.questions
        return tuple(q for questions in self.questions.values() for q in questions)


@dataclass(frozen=True)
class NearMiss:
    """Files that look like items and are none, or that can be read in two ways."""

    name: str
    files: dict[str, str | bytes]
    columns: tuple[str, ...] = ()  # where columns are the matter: those that the notes must name
    example: str = ""  # of a row, as the notes must show it
    flag: str = ""  # that the message or the notes must name
    target: str = ""


def ask(text: str, *choices: str, answer: int) -> Question:
    return Question((text,), choices, answer)


# the answers cover all positions, so that their numbers count from 0 or 1 for certain
BANK: Questions = (
    ask("What does a thermometer measure?", "air pressure", "temperature", "humidity",
        "wind speed", answer=1),
    ask("Which planet is known as the red planet?", "Mars", "Venus", "Jupiter", "Saturn",
        answer=0),
    ask("Who wrote the play Hamlet, first staged about 1600?", "Ben Jonson", "John Webster",
        "Thomas Kyd", "William Shakespeare", answer=3),
    ask("Which metal is liquid at room temperature?", "iron", "copper", "mercury", "zinc",
        answer=2),
    ask("Bees collect nectar in order to make", "wax", "honey", "pollen", "silk", answer=1),
    ask("Which organ pumps blood, day and night?", "the liver", "the lungs", "the kidneys",
        "the heart", answer=3),
    ask('Which gas do plants take in to make "food"?', "carbon dioxide", "oxygen", "nitrogen",
        "helium", answer=0),
    ask("What is the capital of Canada?", "Toronto", "Montreal, Quebec", "Ottawa", "Vancouver",
        answer=2),
)  # fmt: skip

PAIRS: Questions = tuple(
    Question((text,), (first, second), answer)
    for text, first, second, answer in (
        ("keep cheese fresh for longer", "wrap it in waxed paper", "put it on the radiator", 0),
        ("open a tight jar lid", "paint the lid blue", "hold it under hot water", 1),
        ("remove ink from a shirt", "dab it with alcohol", "dab it with more ink", 0),
        ("sharpen a pencil", "dip it in a glass of milk", "turn it in a sharpener", 1),
        ("dry wet shoes overnight", "stuff them with newspaper", "fill them with sand", 0),
        ("cool a drink quickly", "wrap it in a warm blanket", "put it into ice water", 1),
        ("peel garlic faster", "crush it with a flat knife", "freeze the knife for a day", 0),
    )
)

PASSAGES = tuple(
    f"{name} had planned the trip for weeks, but {trouble} on the very first morning."
    for name, trouble in (
        ("Olga", "the train was late"), ("Pedro", "the tent leaked"), ("Wei", "a tyre burst"),
        ("Aisha", "the bridge was closed"), ("Tom", "the map was gone"), ("Ines", "it snowed"),
        ("Raj", "the dog ran off"), ("Mia", "her boots broke"),
    )
)  # fmt: skip


def with_passages(questions: Questions = BANK) -> Questions:
    """Return the questions with a passage before each."""
    return tuple(
        replace(question, texts=(passage, *question.texts))
        for question, passage in zip(questions, PASSAGES, strict=False)
    )


def with_choices(count: int, questions: Questions = BANK) -> Questions:
    """Return the questions with as many choices, the right one among them."""
    shorter = []
    for number, question in enumerate(questions):
        choices = list(question.wrong[: count - 1])
        choices.insert(number % count, question.right)
        shorter.append(Question(question.texts, tuple(choices), number % count))
    return tuple(shorter)


Rows = Iterable[Sequence[object]]


def table(header: Sequence[str] | None, rows: Rows, separator: str = ",", end: str = "\n") -> str:
    """Return a table as programs write it, with quotes where needed."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=end)
    if header is not None:
        writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def lines_of(records: Iterable[object]) -> str:
    """Return JSON lines."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def document(value: object, indent: int | None = 2) -> str:
    """Return a JSON document."""
    return json.dumps(value, ensure_ascii=False, indent=indent) + "\n"


def workbook(rows: Rows, name: str = "Sheet1", more: dict[str, str] | None = None) -> bytes:
    """Return an Excel workbook with one sheet; `more` are members that replace or join its own."""
    sheet = "".join(
        f'<row r="{number}">{"".join(_cell(number, *cell) for cell in enumerate(row))}</row>'
        for number, row in enumerate(rows, 1)
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    members = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}.worksheet+xml"/>'
        + (
            f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kinds}.sharedStrings+xml"/>'
            if "xl/sharedStrings.xml" in (more or {})
            else ""
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        f'<sheet name="{escape(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData>'
        "</worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in (members | (more or {})).items():
            info = zipfile.ZipInfo(member, (2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return out.getvalue()


def _cell(row: int, column: int, value: object) -> str:
    """Return a cell: a number, a truth value or a text; empty cells are left out, as in Excel."""
    place = f"{chr(65 + column)}{row}"
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'
