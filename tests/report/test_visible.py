"""Hidden characters become visible, others stay."""

from __future__ import annotations

from hansproof.report.visible import isolated, visible


def test_hidden_characters_are_written_out() -> None:
    assert visible("a\u202eb\x00\u2066\ufeff\U000e0041") == (
        "a‹U+202E›b‹U+0000›‹U+2066›‹U+FEFF›‹U+E0041›"
    )


def test_what_scripts_need_stays() -> None:
    for text in ("עברית", "می\u200cخواهم", "👩\u200d🚀", "tab\tand\nline", "naïve «so»"):
        assert visible(text) == text


def test_pages_get_chips_in_isolation() -> None:
    assert isolated("<i>\u202e&") == (
        '<bdi>&lt;i&gt;<span class="hidden-character">U+202E</span>&amp;</bdi>'
    )
    assert isolated(3) == "<bdi>3</bdi>"
