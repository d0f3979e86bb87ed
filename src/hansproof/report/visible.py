"""Characters that cannot be seen, or that reorder what can be, shown as labelled symbols.

A benchmark's text is somebody else's: a right-to-left override in an item must not turn the page
around it, an escape character must not reach the terminal, and a zero-width blank that gives an
answer away should be seen. The joiners U+200C and U+200D stay: scripts and emoji need them.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_RANGES = (
    (0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F),  # controls, without tab and newlines
    (0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F),
    (0x2028, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),
    (0xD800, 0xDFFF),  # half a character: no file in UTF-8 can hold it
    (0xE0000, 0xE007F),
)  # fmt: skip

# The page's script makes its own expression of this very string, so the two cannot differ.
HIDDEN = "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _RANGES) + "]"
_HIDDEN = re.compile(HIDDEN)


def visible(text: str) -> str:
    """Plain text with every hidden character written out, as in ‹U+202E›."""
    return _HIDDEN.sub(lambda found: f"‹{_code(found)}›", text)


def isolated(text: object) -> Markup:
    """The same for a page: escaped, each symbol a chip, and the whole kept to its own direction."""
    parts, cursor = [], 0
    for found in _HIDDEN.finditer(str(text)):
        parts += [escape(str(text)[cursor : found.start()]), _chip(found)]
        cursor = found.end()
    return Markup("<bdi>{}</bdi>").format(Markup("").join([*parts, escape(str(text)[cursor:])]))


def _chip(found: re.Match[str]) -> Markup:
    return Markup('<span class="hidden-character">{}</span>').format(_code(found))


def _code(found: re.Match[str]) -> str:
    return f"U+{ord(found[0]):04X}"
