"""The prose of Markdown pages, without code, addresses and markup, for checks of style."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
# written by programs from strings of the package, which are checked where they are written
GENERATED = {ROOT / "docs" / name for name in ("cli.md", "papers.md", "gallery.md")}
FOLDERS = ("docs", "tests", ".github")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for name in FOLDERS for page in (ROOT / name).rglob("*.md"))]
)
_FENCED = re.compile(r"(?ms)^ *(?P<fence>`{3,})[^\n`]*\n.*?^ *(?P=fence)$")
_INDENTED = re.compile(r"(?m)^ {4}.*$")


def name_page(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines outside fenced code, with their numbers."""
    without_code = _FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)
    yield from enumerate(without_code.splitlines(), 1)


def extract_prose(text: str) -> str:
    """Return the sentences of a page; semicolons separate list items and cells of tables."""
    text = _INDENTED.sub("", _FENCED.sub("", text))
    text = re.sub(r"(?s)<!--.*?-->|<[^>\n]+>|(?m:^:::.*?$)|\{[^}\n]*\}", " ", text)
    text = re.sub(r"(?m)^\|.*$", lambda row: row[0].replace("|", " ; "), text)
    text = re.sub(r"(?m)^#+(.*)$", r"\1.", text)
    text = re.sub(r"(?m)^(?:- |\d+\. )", "; ", text)
    counter = iter(range(10**6))
    text = re.sub(r"`[^`\n]*`", lambda _: f"code{next(counter)}", text)  # no word is repeated
    text = re.sub(r"\d[\d.,]*(?=\W)", "#", text)
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", text)
    return re.sub(r"[*]+|(?<!\w)_|_(?!\w)", "", text)
