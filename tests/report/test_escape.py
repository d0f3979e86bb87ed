"""Hidden characters become visible, others stay."""

from __future__ import annotations

import re
import unicodedata

from hansproof.report.escape import BLANK_CHARS, escape_html, escape_prose, reveal_hidden


def test_hidden_characters_are_written_out() -> None:
    assert reveal_hidden("a\u202eb\x00\u2066\ufeff\U000e0041") == (
        "a‹U+202E›b‹U+0000›‹U+2066›‹U+FEFF›‹U+E0041›"
    )


def test_what_scripts_need_stays() -> None:
    for text in ("עברית", "می\u200cخواهم", "👩\u200d🚀", "tab\tand\nline", "naïve «so»"):
        assert reveal_hidden(text) == text


def test_pages_get_chips_in_isolation() -> None:
    assert escape_html("<i>\u202e&") == (
        '<bdi>&lt;i&gt;<span class="hidden-character">U+202E</span>&amp;</bdi>'
    )
    assert escape_html(3) == "<bdi>3</bdi>"


def test_spaces_have_chips_in_a_mark_of_their_own() -> None:
    assert escape_html("a  b\u202f", [(1, 3), (4, 5)]) == (
        '<bdi>a<mark><span class="hidden-character">space</span>'
        '<span class="hidden-character">space</span></mark>b'
        '<mark><span class="hidden-character">U+202F</span></mark></bdi>'
    )
    assert escape_html("of the\u00a0", [(0, 6)]) == "<bdi><mark>of the</mark>\u00a0</bdi>"


def test_every_space_is_blank_but_nothing_that_can_be_seen() -> None:
    blank = re.compile(BLANK_CHARS)
    for char in map(chr, range(0x3100)):
        if char.isspace():
            assert blank.fullmatch(char)
        elif unicodedata.category(char)[0] in "LNPSM" and char != "\u061c":
            assert not blank.fullmatch(char), hex(ord(char))


def test_code_in_backticks_is_code_and_nothing_in_it_is_markup() -> None:
    assert escape_prose("Run `a <b>` & go") == ("<bdi>Run <code>a &lt;b&gt;</code> &amp; go</bdi>")
    assert escape_prose("one ` alone") == "<bdi>one ` alone</bdi>"
    assert "<code>U" not in escape_prose("`\u202e`")
    assert 'class="hidden-character"' in escape_prose("`\u202e`")
