"""Characters that cannot be seen, or that reorder what can be, shown as labelled symbols.

A benchmark's text is somebody else's: a right-to-left override in an item must not turn the page
around it, an escape character must not reach the terminal, and a zero-width blank that gives an
answer away should be seen. The joiners U+200C and U+200D stay: scripts and emoji need them.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_HIDDEN_RANGES = (
    (0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F),  # controls, without tab and newlines
    (0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F),
    (0x2028, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),
    (0xD800, 0xDFFF),  # half a character: no file in UTF-8 can hold it
    (0xE0000, 0xE007F),
)  # fmt: skip

# The page's script makes its own expression of this very string, so the two cannot differ.
HIDDEN_CHARS = "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _HIDDEN_RANGES) + "]"
_HIDDEN_PATTERN = re.compile(HIDDEN_CHARS)


def reveal_hidden(text: str) -> str:
    """Plain text with every hidden character written out, as in ‹U+202E›."""
    return _HIDDEN_PATTERN.sub(lambda match: f"‹{_codepoint_label(match)}›", text)


def escape_html(text: object) -> Markup:
    """The same for a page: escaped, each symbol a chip, and the whole kept to its own direction."""
    parts, cursor = [], 0
    for match in _HIDDEN_PATTERN.finditer(str(text)):
        parts += [escape(str(text)[cursor : match.start()]), _codepoint_chip(match)]
        cursor = match.end()
    return Markup("<bdi>{}</bdi>").format(Markup("").join([*parts, escape(str(text)[cursor:])]))


def _codepoint_chip(match: re.Match[str]) -> Markup:
    return Markup('<span class="hidden-character">{}</span>').format(_codepoint_label(match))


def _codepoint_label(match: re.Match[str]) -> str:
    return f"U+{ord(match[0]):04X}"
