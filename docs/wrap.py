"""Wrap the prose of Markdown; tables, headings and code keep their lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

WIDTH = 100
_FENCE = re.compile(r" *(`{3,}|~{3,})")
# headings, tables, HTML, pictures, admonitions, mkdocstrings, code by indentation
_FIXED = re.compile(r"#|\||<|!\[|!!!|:::|---|    ")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_NOTE_INDENT = "    "
_CODE_SPAN = re.compile(r"`[^`\n]+`")
# a space before a word that would be markup at the beginning of a line, such as "- " or "2. "
_BEFORE_MARKUP = re.compile(r" (?=(?:[-*+>|]|#+|\d+[.)]) )")
_GLUE = "\0"  # stands for a space that must not be broken


def wrap_markdown(text: str, width: int = WIDTH) -> str:
    """Wrap paragraphs and list items.

    >>> print(wrap_markdown("- one two three", width=9), end="")
    - one two
      three
    """
    lines: list[str] = []
    for is_prose, block in _split_blocks(text.splitlines()):
        lines += _wrap_block(block, width) if is_prose else block
    return "\n".join(lines) + "\n"


def _split_blocks(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Yield paragraphs and list items (True), and lines to keep (False)."""
    paragraph: list[str] = []
    fence = ""
    in_note = False  # an admonition, whose text is indented like code
    for line in lines:
        opening = _FENCE.match(line)
        is_code = bool(fence or opening)
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opening:
            fence = opening[1]
        in_note = line.startswith("!!!") or (
            in_note and (not line or line.startswith(_NOTE_INDENT))
        )
        is_prose = not is_code and _is_prose(line, paragraph, in_note)
        if paragraph and (not is_prose or _ITEM.match(line)):
            yield True, paragraph
            paragraph = []
        if is_prose:
            paragraph.append(line)
        else:
            yield False, [line]
    if paragraph:
        yield True, paragraph


def _is_prose(line: str, paragraph: Sequence[str], in_note: bool) -> bool:
    if not line.strip():
        return False
    continues_item = bool(paragraph and _ITEM.match(paragraph[0]) and line.startswith("  "))
    continues_note = in_note and line.startswith(_NOTE_INDENT)
    return continues_item or continues_note or not _FIXED.match(line)


def _wrap_block(block: Sequence[str], width: int) -> list[str]:
    """Wrap a paragraph or a list item without breaking code spans."""
    indent = re.match(_ITEM, block[0]) or re.match(r"\s*", block[0])
    first = indent[0] if indent else ""
    text = " ".join([block[0][len(first) :], *block[1:]])
    text = _CODE_SPAN.sub(lambda span: span[0].replace(" ", _GLUE), re.sub(" +", " ", text))
    lines = textwrap.wrap(
        _BEFORE_MARKUP.sub(_GLUE, text),
        width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_GLUE, " ") for line in lines]
