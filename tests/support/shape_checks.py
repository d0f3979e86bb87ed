"""Writes the files of a shape, loads them, follows the advice of an error, and compares items."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hansproof import Benchmark, ColumnMapping, Item, benchmarks
from hansproof.errors import BadInput

from .item_shapes import NearMiss, Question, Shape

MARK = re.compile(r"^\(?[A-J][.)]\s*")
# flag -> field of ColumnMapping, and whether it may be repeated
VALUES = {
    "--field": ("fields", True), "--choices": ("choices", True), "--answer": ("answer", False),
    "--answers-from": ("answers_from", False), "--id": ("id", False), "--group": ("group", False),
    "--list-separator": ("list_separator", False), "--split-by": ("split_by", False),
}  # fmt: skip
SWITCHES: dict[str, tuple[str, bool]] = {
    "--header": ("header", True), "--no-header": ("header", False),
    "--drop-unlabelled": ("drop_unlabelled", True),
}  # fmt: skip


def write_files(files: dict[str, str | bytes], folder: Path) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def write_shape(shape: Shape, folder: Path) -> Any:
    """Write the files of a shape; returns what to load."""
    if shape.memory:
        return shape.memory()
    write_files(shape.files, folder)
    paths = [str(folder / name) for name in shape.target or shape.files]
    return paths if len(paths) > 1 else paths[0]


def write_near_miss(miss: NearMiss, folder: Path) -> str:
    write_files(miss.files, folder)
    return str(folder / (miss.target or next(iter(miss.files))))


def try_load(target: Any) -> Benchmark | BadInput:
    try:
        return benchmarks.load(target)
    except BadInput as error:
        return error


def notes_of(error: BadInput) -> list[str]:
    return list(getattr(error, "__notes__", []))


def advised_commands(error: BadInput) -> list[list[str]]:
    """Commands that the notes say to try, and flags that the message says to add."""
    tries = [note for note in notes_of(error) if note.startswith("try: ")]
    commands = [shlex.split(note.removeprefix("try: ")) for note in tries]
    flags = re.findall(r"--(?:answers-from|list-separator) (?:'[^']*'|\w+)", str(error))
    return commands + [shlex.split(flag) for flag in flags]


def read_mapping(command: list[str]) -> ColumnMapping:
    """Return the flags of a command as the argument of `hansproof.load`."""
    fields: dict[str, Any] = {}
    words = iter(command)
    for word in words:
        if word in VALUES:
            name, repeated = VALUES[word]
            value = next(words)
            fields[name] = (*fields.get(name, ()), value) if repeated else value
        elif word in SWITCHES:
            name, value = SWITCHES[word][0], ""
            fields[name] = SWITCHES[word][1]
        else:
            assert not word.startswith("--"), f"unknown flag {word}"
    return ColumnMapping(**fields)


def follow_advice(error: BadInput, target: Any) -> Iterator[Benchmark]:
    """Load with each of the commands that an error advises, where they load."""
    for command in advised_commands(error):
        try:
            yield benchmarks.load(target, read_mapping(command))
        except BadInput:
            continue


def expect_help(error: BadInput, columns: tuple[str, ...], example: str) -> None:
    """The notes show the columns, an example and a command."""
    notes = notes_of(error)
    names, rows = (
        " ".join(note for note in notes if note.startswith(start)) for start in ("columns:", "line")
    )
    assert [column for column in columns if column not in names] == [], f"notes: {notes}"
    assert example[:20] in rows, f"notes: {notes}"
    assert sum(note.startswith("try: ") for note in notes) == 1, notes
    assert all(note.isprintable() for note in notes)


def expect_questions(benchmark: Benchmark, shape: Shape) -> None:
    """The items are those of the shape, in their splits, and know where they stand."""
    expected = {"all": shape.questions} if isinstance(shape.questions, tuple) else shape.questions
    assert len(benchmark.splits) == len(expected), list(benchmark.splits)
    ids = [item.id for items in benchmark.splits.values() for item in items]
    assert len(set(ids)) == len(shape.all_questions), ids
    if shape.ids:
        assert tuple(ids) == shape.ids
    for names, questions in expected.items():
        split = next((name for name in names.split("|") if name in benchmark.splits), None)
        assert split is not None, list(benchmark.splits)
        items = benchmark.splits[split]
        assert len(items) == len(questions), [item.fields for item in items]
        if len(shape.files) > 1:
            items = tuple(sorted(items, key=lambda item: [*item.fields.values()]))
            questions = tuple(sorted(questions, key=lambda question: question.texts))
        for number, (item, question) in enumerate(zip(items, questions, strict=True)):
            expect_texts(item, question, shape)
            expect_choices(item, question, shape, split != shape.unlabelled)
            expect_place(item, question, shape, number)


def expect_texts(item: Item, question: Question, shape: Shape) -> None:
    texts = [*item.fields.values()]
    assert [t for t in question.texts if t not in (*texts, *shape.may_drop)] == [], texts
    more = {name: text for name, text in item.fields.items() if text not in question.texts}
    assert [name for name in more if name.lower() not in shape.may_show] == [], more
    words = {word for text in question.texts for word in text.split()}
    assert words <= {word for text in texts for word in text.split()}


def expect_choices(item: Item, question: Question, shape: Shape, has_answer: bool) -> None:
    choices = item.choices
    if shape.labelled_choices:
        choices = tuple(MARK.sub("", choice) for choice in choices)
    assert sorted(choices) == sorted(question.choices), choices
    assert not shape.ordered or choices == question.choices, choices
    assert item.answer is not None or not has_answer, "the answer was not read"
    right = None if item.answer is None else choices[item.answer]
    assert right == (question.right if has_answer else None), f"{right} of {choices}"
    assert item.meta.get("choice_order") == ("drawn" if shape.drawn else None), item.meta


def expect_place(item: Item, question: Question, shape: Shape, number: int) -> None:
    """The file is named as seen from what was loaded, and the line is where the item begins."""
    if shape.memory:
        assert item.line in (None, number + 1)
        return
    folder = shape.target[0] if len(shape.target) == 1 and "." not in shape.target[0] else ""
    folder = folder.partition("/*")[0]
    matches = [
        name for name in shape.files if item.file in (Path(name).relative_to(folder).as_posix(),)
        or (not folder and Path(name).name == item.file)
    ]  # fmt: skip
    assert len(matches) == 1, item.file
    content = shape.files[matches[0]]
    if isinstance(content, bytes) and not content.startswith(b"\xff\xfe"):
        return
    text = content.decode("utf-16") if isinstance(content, bytes) else content
    lines = re.split("\r\n|\n", text)
    start = " ".join(question.texts[0].replace('"', "").split()[1:4])
    if shape.by_line:
        assert item.line is not None
    if item.line is not None and not shape.by_row:
        record = lines[item.line - 1 : item.line if shape.by_line else item.line + 14]
        assert start in "\n".join(record).replace('"', ""), (item.line, start)
