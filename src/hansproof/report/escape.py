"""Show invisible characters, and those that reorder text, as labelled symbols.

The text of a benchmark is untrusted: a right-to-left override in an item must not reorder the page,
an escape character must not reach the terminal, and a zero-width space that gives an answer away
should be visible. The joiners U+200C and U+200D stay: scripts and emoji need them. Spaces stay as
well, unless a mark contains nothing else: then a finding is about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

_HIDDEN_RANGES = (
    (0x00, 0x08), (0x0B, 0x0C), (0x0E, 0x1F), (0x7F, 0x9F),  # controls, without tab and newlines
    (0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F),
    (0x2028, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),
    (0xD800, 0xDFFF),  # surrogates: no UTF-8 file contains these
    (0xE0000, 0xE007F),
)  # fmt: skip

_BLANK_RANGES = (  # spaces, and joiners without a width
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x200C, 0x200D),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip


def _character_class(ranges: Iterable[tuple[int, int]]) -> str:
    """Return the pattern of one character in these ranges."""
    return "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "]"


# The script of the page compiles these same strings, so the two cannot differ.
HIDDEN_CHARS = _character_class(_HIDDEN_RANGES)
BLANK_CHARS = _character_class((*_HIDDEN_RANGES, *_BLANK_RANGES))  # nothing to see in a mark
_HIDDEN_PATTERN = re.compile(HIDDEN_CHARS)
_BLANK_PATTERN = re.compile(BLANK_CHARS)
_CODE_PATTERN = re.compile(r"`([^`\n]+)`")


def reveal_hidden(text: str) -> str:
    """Write out every hidden character of a plain text, as in ‹U+202E›."""
    return _HIDDEN_PATTERN.sub(lambda match: f"‹{_codepoint_label(match)}›", text)


def escape_html(text: object, spans: Iterable[tuple[int, int]] = ()) -> Markup:
    """Escape text for HTML, with hidden characters as chips, isolated from the text direction.

    `spans` are marked; those that overlap an earlier one are cut. A mark that contains only spaces
    has chips for these.
    """
    parts, cursor, string = [], 0, str(text)
    for start, end in sorted(spans):
        start = max(start, cursor)
        if start < end:
            marked = Markup("<mark>{}</mark>").format(_escape_marked(string[start:end]))
            parts += [_escape_with_chips(string[cursor:start]), marked]
            cursor = end
    parts.append(_escape_with_chips(string[cursor:]))
    return Markup("<bdi>{}</bdi>").format(Markup("").join(parts))


def escape_prose(text: object) -> Markup:
    """Escape a sentence for HTML as `escape_html` does, with `code` in backticks as <code>."""
    parts = _CODE_PATTERN.split(str(text))  # plain text and code in turns
    pieces = [
        Markup("<code>{}</code>").format(_escape_with_chips(part))
        if i % 2
        else _escape_with_chips(part)
        for i, part in enumerate(parts)
    ]
    return Markup("<bdi>{}</bdi>").format(Markup("").join(pieces))


def _escape_marked(text: str) -> Markup:
    is_blank = not _BLANK_PATTERN.sub("", text)
    return _escape_with_chips(text, _BLANK_PATTERN if is_blank else _HIDDEN_PATTERN)


def _escape_with_chips(text: str, pattern: re.Pattern[str] = _HIDDEN_PATTERN) -> Markup:
    parts, cursor = [], 0
    for match in pattern.finditer(text):
        parts += [escape(text[cursor : match.start()]), _codepoint_chip(match)]
        cursor = match.end()
    return Markup("").join([*parts, escape(text[cursor:])])


def _codepoint_chip(match: re.Match[str]) -> Markup:
    return Markup('<span class="hidden-character">{}</span>').format(_codepoint_label(match))


def _codepoint_label(match: re.Match[str]) -> str:
    return "space" if match[0] == " " else f"U+{ord(match[0]):04X}"
