"""Hidden characters become visible, others stay."""

from __future__ import annotations

from hansproof.report.escape import escape_html, escape_prose, reveal_hidden


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


def test_code_in_backticks_is_code_and_nothing_in_it_is_markup() -> None:
    assert escape_prose("Run `a <b>` & go") == ("<bdi>Run <code>a &lt;b&gt;</code> &amp; go</bdi>")
    assert escape_prose("one ` alone") == "<bdi>one ` alone</bdi>"
    assert "<code>U" not in escape_prose("`\u202e`")
    assert 'class="hidden-character"' in escape_prose("`\u202e`")
