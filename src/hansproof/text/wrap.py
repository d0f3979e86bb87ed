"""Wrap the prose of Markdown at 100 columns; tables, code and comments stay as they are."""

from __future__ import annotations

import re
import textwrap

WIDTH = 100
_FENCE = re.compile(r" *(`{3,}|~{3,})")
# headings, tables, HTML, images, admonitions and references of mkdocstrings keep their line
_FIXED = re.compile(r"#|\||<|!\[|!!!|:::|\[\^|---|    ")
_ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])\s+")
_CODE_SPAN = re.compile(r"`[^`\n]+`")
_ADMONITION_TEXT = "    "
# words that would begin a list, a heading, a quotation or a table at the beginning of a line
_MARKUP_WORD = re.compile(r" (?=(?:[-*+>|]|#+|\d+[.)]) )")
_GLUE = "\0"


def wrap_markdown(text: str, width: int = WIDTH) -> str:
    """Wrap paragraphs and list items at `width` columns.

    >>> print(wrap_markdown("- one two three\\n", width=9), end="")
    - one two
      three
    """
    lines: list[str] = []
    paragraph: list[str] = []
    fence = ""
    admonition = False
    for line in text.splitlines():
        opening = _FENCE.match(line)
        if fence or opening:
            lines += _wrap_lines(paragraph, width)
            paragraph = []
            lines.append(line)
            if not fence and opening:
                fence = opening[1]
            elif line.strip() == fence:
                fence = ""
            continue
        in_note = admonition and line.startswith(_ADMONITION_TEXT)
        admonition = line.startswith("!!!") or (admonition and (in_note or not line))
        continues_item = bool(paragraph and _ITEM.match(paragraph[0]) and line.startswith("  "))
        is_fixed = not line.strip() or bool(_FIXED.match(line))
        if is_fixed and not in_note and not (continues_item and line.strip()):
            lines += _wrap_lines(paragraph, width)
            paragraph = []
            lines.append(line)
        elif _ITEM.match(line) and paragraph:
            lines += _wrap_lines(paragraph, width)
            paragraph = [line]
        else:
            paragraph.append(line)
    return "\n".join([*lines, *_wrap_lines(paragraph, width)]) + "\n"


def _wrap_lines(paragraph: list[str], width: int) -> list[str]:
    """Wrap a paragraph or a list item; code spans are not broken."""
    if not paragraph:
        return []
    indent = re.match(r"\s*", paragraph[0])
    item = _ITEM.match(paragraph[0])
    first = item[0] if item else (indent[0] if indent else "")
    rest = " " * len(first)
    text = " ".join([paragraph[0][len(first) :].strip(), *map(str.strip, paragraph[1:])])
    text = _CODE_SPAN.sub(lambda span: span[0].replace(" ", _GLUE), text.strip())
    text = _MARKUP_WORD.sub(_GLUE, text)
    wrapped = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_GLUE, " ") for line in wrapped]
