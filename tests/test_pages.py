"""Commands on pages do what the pages show; those that cannot be run here are at least commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from hansproof.cli import cli

from .support.doc_pages import ALL, PAGES, ROOT, Session, blocks, written

MINE = '''"""Is it mine?"""
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Mine:
    needs: ClassVar[tuple[str, ...]] = ()
'''


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    assert written(page, tmp_path) == page.read_text(), "run `make docs`, and read what changed"
    if not all(block.has_what_it_needs() for block in blocks(page.read_text())):
        pytest.skip("needs HANSPROOF_DATA for some of its commands")


def test_output_that_changed_is_seen_and_keeps_what_it_leaves_out(tmp_path: Path) -> None:
    """A number in the middle, the first lines and the last: all are written again."""
    (tmp_path / "out").write_text("".join(f"line {n}: {n * n}\n" for n in range(1, 10)))
    session = Session(tmp_path)
    true = "$ cat out\nline 1: 1\n...\nline 5: 25\nline 6: 36\n...\nline 9: 81\n"
    assert session.block(true) == true
    for wrong in ("line 1: 7", "line 5: 26", "line 9: 80"):
        right = next(line for line in true.splitlines() if line.startswith(wrong[:6]))
        assert session.block(true.replace(right, wrong)) == true
    assert session.block("$ cat out | tail -n 1\n") == "$ cat out | tail -n 1\nline 9: 81\n"
    assert session.block("$ false\n$ echo $?\n0\n") == "$ false\n$ echo $?\n1\n"


def test_a_terminal_shows_both_streams_and_a_file_gets_one(tmp_path: Path) -> None:
    session = Session(tmp_path)
    shown = session.block("$ hansproof gate toy:balanced\n$ hansproof gate nowhere\n$ echo $?\n")
    assert "contradictions 0\npass  balance" in shown
    assert shown.endswith("\n2\n")
    assert session.block("$ hansproof gate toy:balanced > out\n").endswith(
        "Gate passed: 9 limits.\n"
    )
    assert (tmp_path / "out").read_text().startswith("pass  balance")


def commands(page: Path) -> list[str]:
    """Every line of code on a page that calls hansproof, comments cut off."""
    text = page.read_text()
    kinds = ("sh", "console", "yaml")
    code = "".join(block.body for block in blocks(text) if block.kind in kinds)
    lines = re.findall(r"(?m)^(?:\$ | *- run: )?(hansproof [a-z].*)", code)
    lines += re.findall(r"(?m)^ {4}(?:\$ )?(hansproof [a-z].*)", text)
    return [re.split(r" {2,}", line)[0] for line in lines]


def calls(line: str) -> list[list[str]]:
    """The arguments of each call of hansproof in a line of shell."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("();<>|&"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part[1:] for part in parts if part[:1] == ["hansproof"]]


@pytest.mark.parametrize("page", [page for page in ALL if commands(page)], ids=name)
def test_every_command_is_one_with_flags_that_it_has(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click.Command, "invoke", lambda self, context: None)
    monkeypatch.chdir(tmp_path)
    files = {block.title: block.body for block in blocks(page.read_text()) if block.title}
    for file, text in {"mine.py": MINE, **files}.items():
        Path(file).write_text(text)
    for line in commands(page):
        for args in calls(line):
            try:
                cli.main(args, prog_name="hansproof", standalone_mode=False)
            except click.ClickException as error:
                pytest.fail(f"{line}: {error.format_message()}")


def test_commands_that_are_not_run_say_why() -> None:
    """On the pages for beginners; reference pages show commands, and elsewhere they are run."""
    for page in [
        ROOT / "README.md",
        ROOT / "docs/tutorial.md",
        *(ROOT / "docs/howto").glob("*.md"),
    ]:
        for block in blocks(page.read_text()):
            if block.kind == "sh" and "hansproof " in block.body.replace("install hansproof", ""):
                assert block.mark.startswith("not run: "), f"{page.name}: {block.body}"


def test_every_how_to_is_in_the_index() -> None:
    index = (ROOT / "docs/howto/index.md").read_text()
    linked = re.findall(r"^- \[(.+)\]\((.+)\)", index, re.M)
    assert {page for _, page in linked} == {
        page.name for page in (ROOT / "docs/howto").glob("*.md") if page.stem != "index"
    }
    for question, page in linked:
        assert (ROOT / "docs/howto" / page).read_text().startswith(f"# {question}\n")
