"""Broken files: valid seeds in every shape with random edits, and files made to hurt a reader."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from random import Random
from struct import pack as pack_numbers

from hansproof import ColumnMapping

from .item_shapes import BANK, document, lines_of, table, workbook
from .shapes_elsewhere import HEADER, aiken, gift_with_all
from .shapes_in_json import by_letter
from .shapes_in_tables import lettered

Edit = Callable[[Random, bytes], bytes]
Files = dict[str, tuple[str, bytes]]  # what is wrong -> name and content

ROWS: list[list[object]] = [
    [*HEADER],
    *([n, q.text, *q.choices, q.letter] for n, q in enumerate(BANK)),
]
QUESTIONS = [{"question": q.text, "options": list(q.choices), "correct": q.answer} for q in BANK]
QUIZ = {"title": "Trivia", "sections": [{"questions": QUESTIONS}]}
BY_COLUMN = {
    "question": {str(n): q.text for n, q in enumerate(BANK)},
    "choices": {str(n): list(q.choices) for n, q in enumerate(BANK)},
    "answer": {str(n): q.answer for n, q in enumerate(BANK)},
}
LISTS = ["question", "choices", "answer"]

# kind -> name of the file, a valid content, how to read it
SEEDS: dict[str, tuple[str, bytes, ColumnMapping | None]] = {
    kind: (name, content if isinstance(content, bytes) else content.encode(), mapping)
    for kind, name, content, mapping in (
        ("semicolons", "x.csv", table(HEADER, ROWS[1:], ";"), None),
        ("tabs", "x.tsv", table(HEADER, ROWS[1:], "\t"), None),
        ("no header", "x.csv", table(None, lettered()), None),
        ("lines as .json", "x.json", lines_of(by_letter(0, q) for q in BANK), None),
        ("quiz", "x.json", document(QUIZ), None),
        ("columns", "x.json", document(BY_COLUMN, None), None),
        ("Aiken", "x.txt", aiken(), None),
        ("GIFT", "x.gift", gift_with_all(), None),
        ("workbook", "x.xlsx", workbook(ROWS), None),
        ("sheet", "x.xlsx", workbook(ROWS), None),
        ("Python lists", "x.csv",
         table(LISTS, [[q.text, str(list(q.choices)), q.answer] for q in BANK]), None),
        ("separated lists", "x.csv",
         table(LISTS, [[q.text, ";".join(q.choices), q.letter] for q in BANK]),
         ColumnMapping(list_separator=";")),
    )
}  # fmt: skip

TOKENS = [token if isinstance(token, bytes) else token.encode() for token in (
    '"', '""', "'", "{", "}", "[", "]", "{}", "[]", "(", ")", "\\", "\\\\", ",", ";", "\t", "\n",
    "\r", "\n\n", "\0", "\ufeff", b"\xff\xfe", b"\xed\xa0\x80", "\\ud800", '"\\ud800"', "\u2028",
    "\x1b[31m", "\u202e", "²", "١", "Ⅳ", "-1", "0", "1e400", "-0", "NaN", "Infinity", "null",
    "true", "9" * 5000, "0x1f", "1_000", "[" * 3000, "{" * 300, '{"a":' * 2000, "(" * 500, "~", "=",
    "#", "~%", "~%50%", "->", "//", "$CATEGORY:", "::", "ANSWER:", "ANSWER: É", "ß", "A.", "sep=;",
    "<", "&", "&#0;", "]]>", "<!DOCTYPE a>", "x" * 200_000, "f'{1/0}'", "__import__('os')", b"PK",
)]  # fmt: skip


def _flip(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 12)):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _span(random: Random, data: bytes, longest: int = 200) -> tuple[int, int]:
    start = random.randrange(len(data))
    return start, min(len(data), start + random.randint(1, longest))


def _cut(random: Random, data: bytes) -> bytes:
    start, end = _span(random, data)
    return data[:start] if random.random() < 0.5 else data[:start] + data[end:]


def _duplicate(random: Random, data: bytes) -> bytes:
    start, end = _span(random, data)
    return data[:end] + data[start:end] * random.choice([1, 2, 300]) + data[end:]


def _insert(random: Random, data: bytes) -> bytes:
    place = random.choice([0, len(data), random.randrange(len(data) + 1)])
    return data[:place] + random.choice(TOKENS) + data[place:]


def _replace_word(random: Random, data: bytes) -> bytes:
    """Put a token for a word, a number or a mark."""
    words = [*re.finditer(rb"\w+|[^\w\s]", data)]
    if not words:
        return _insert(random, data)
    word = random.choice(words)
    return data[: word.start()] + random.choice(TOKENS) + data[word.end() :]


EDITS: list[Edit] = [_flip, _cut, _duplicate, _insert, _replace_word, _replace_word]


def break_file(kind: str, number: int) -> bytes:
    """Return the seed of this kind with one to three edits, the same for the same number."""
    random = Random(f"{kind} {number}")
    data = SEEDS[kind][1]
    if kind == "sheet":
        return _edit_member(random, data)
    return _edit(random, data)


def _edit(random: Random, data: bytes) -> bytes:
    for _ in range(random.randint(1, 3)):
        data = random.choice(EDITS)(random, data or b"x")
    return data


def _edit_member(random: Random, data: bytes) -> bytes:
    """Return a sound archive in which a member is broken, missing, doubled or misnamed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice(sorted(members))
    if random.random() < 0.4:
        name = "xl/worksheets/sheet1.xml"
    content = members.pop(name)
    how = random.random()
    if how > 0.3:
        members[name] = _edit(random, content)
    elif how > 0.2:
        members["../" + name] = content
    elif how > 0.1:
        members[name] = random.choice(sorted(members.values()))
    return pack(members)


def pack(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), content,
                             zipfile.ZIP_DEFLATED)  # fmt: skip
    return out.getvalue()


def _sheet(body: str, before: str = "") -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return workbook([], more={"xl/worksheets/sheet1.xml": f'{before}<worksheet xmlns="{main}">'
                              f"<sheetData>{body}</sheetData></worksheet>"})  # fmt: skip


def _hidden_bomb() -> bytes:
    """Return a workbook whose sheet is of 660 MB, and of 1000 bytes as its directory says."""
    packer = zlib.compressobj(9, wbits=-15)
    start = packer.compress(b"<worksheet><sheetData>") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(b"<row></row>" * 100_000) + packer.flush(zlib.Z_FULL_FLUSH)
    sheet = start + block * 600 + packer.flush()
    with zipfile.ZipFile(io.BytesIO(workbook([]))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    data, directory = b"", b""
    for name, content in members.items():
        packed, size, method = content, len(content), 0
        if name.endswith("sheet1.xml"):
            packed, size, method = sheet, 1000, 8
        numbers = (20, 0, method, 0, 0, zlib.crc32(content), len(packed), size, len(name), 0)
        place = len(data)
        data += b"PK\3\4" + pack_numbers("<HHHHHIIIHH", *numbers) + name.encode() + packed
        directory += b"PK\1\2" + pack_numbers("<HHHHHHIIIHHHHHII", 20, *numbers, 0, 0, 0, 0, place)
        directory += name.encode()
    ends = (0, 0, len(members), len(members), len(directory), len(data), 0)
    return data + directory + b"PK\5\6" + pack_numbers("<HHHHIIH", *ends)


def hostile_workbooks() -> Files:
    """Archives that grow, lie about their size, or have a cell far away."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    laughs = f'<?xml version="1.0"?><!DOCTYPE worksheet [<!ENTITY e0 "ha">{entities}]>'
    text = '<row r="1"><c r="A1" t="inlineStr"><is><t>&e9;</t></is></c></row>'
    cell = '<row r="{0}"><c r="{1}{0}" t="inlineStr"><is><t>x</t></is></c></row>'
    sound = workbook(ROWS)
    lie = bytearray(sound)
    start = sound.rindex(b"PK\x01\x02")
    lie[start + 24 : start + 28] = b"\xf0\xff\xff\x7f"  # two gigabytes, the directory says
    return {
        "a bomb of zeros": ("x.xlsx", _sheet("\0" * 10_000_000)),
        "a bomb of rows": ("x.xlsx", _sheet("<row></row>" * 500_000)),
        "a bomb that hides its size": ("x.xlsx", _hidden_bomb()),
        "a billion laughs": ("x.xlsx", _sheet(text, laughs)),
        "a cell far away": ("x.xlsx", _sheet(cell.format(1, "A") + cell.format(1048576, "XFD"))),
        "a cell beyond": ("x.xlsx", _sheet(cell.format(99999999999, "A"))),
        "a size that is a lie": ("x.xlsx", bytes(lie)),
        "deep marks": ("x.xlsx", _sheet("<row>" * 100_000)),
        "another archive": ("x.xlsx", pack({"readme.txt": b"hello"})),
        "no archive": ("x.xlsx", b"PK\x03\x04" + b"\0" * 100),
    }


def hostile_texts() -> Files:
    """Texts on which a reader may take long, recurse or overflow."""
    times = 30_000
    lone = json.dumps({"question": "\ud800 what?", "choices": ["\udfff", "b"], "answer": 0})
    texts = {
        "deep lists": ("x.json", "[" * 100_000),
        "deep objects": ("x.json", '{"a":' * 100_000 + "1" + "}" * 100_000),
        "a deep choice": ("x.jsonl", '{"question": "q", "choices": ' + "[" * 5000 + "]" * 5000 +
                          ', "answer": 0}\n'),
        "lone surrogates": ("x.jsonl", f"{lone}\n" * 6),
        "a number without end": ("x.jsonl", '{"question": "q", "choices": ["a", "b"], "answer": '
                                 + "9" * 50_000 + "}\n"),
        "a raised two": ("x.csv", "question,A,B,answer\nq?,x,y,²\nq?,x,y,١\n"),
        "numbers without end": ("x.csv", f"question,A,B,answer\nq?,x,y,{'1' * 50_000}\n"),
        "many columns": ("x.csv", ",".join(f"c{n}" for n in range(times)) + "\n" + "x," * times),
        "one column, many names": ("x.csv", "option1," * times + "\n"),
        "an escape in a name": ("x.csv", "\x1b[31mfoo,bar\u2028baz,qux\x7f\nq?,x,y\n"),
        "a long name": ("x.csv", f"{'x' * 200_000},y,z\nq?,x,y\n"),
        "many short rows": ("x.csv", "a\n" * 50_000),
        "an open quote": ("x.csv", 'question,A,B,answer\n"' + "x,y\n" * 100_000),
        "a long cell": ("x.csv", f"question,A,B,answer\n{'q' * 3_000_000}?,x,y,A\n"),
        "an open list": ("x.csv", 'question,choices,answer\nq?,"[' + "'a', " * times + '",0\n'),
        "a deep list": ("x.csv", 'question,choices,answer\nq?,"' + "[" * 5000 + "]" * 5000 +
                        '",0\n'),
        "a deep sum": ("x.csv", 'question,choices,answer\nq?,"[' + "-" * 50_000 + '1]",0\n'),
        "quotes in a list": ("x.csv", 'question,choices,answer\nq?,"[' + "'a' " * times + 'x",0\n'),
        "backslashes in a list": ("x.csv", 'question,choices,answer\nq?,"[\'' + "\\" * times +
                                  '",0\n'),
        "braces": ("x.gift", "q {" * times),
        "choices without end": ("x.gift", "q {" + "~a " * times),
        "backslashes": ("x.gift", "q {=" + "\\" * times + "}"),
        "colons": ("x.gift", "::" * times + " {=a ~b}"),
        "percents": ("x.gift", "q {" + "~%" * times + "=a}"),
        "comments": ("x.gift", "//\n" * times),
        "letters": ("x.txt", "A. " * times + "\nANSWER: A\n"),
        "choices in lines": ("x.txt", "q\n" + "A. a\n" * times + "ANSWER: A\n"),
        "answers": ("x.txt", "ANSWER: A\n" * times),
        "blanks": ("x.txt", " " * 300_000 + "\nA. a\nB. b\nANSWER: A\n"),
    }  # fmt: skip
    return {name: (file, text.encode()) for name, (file, text) in texts.items()}
