from __future__ import annotations

import pytest

from docs.wrap import wrap_markdown

LONG = "word " * 30


def test_paragraphs_and_items_are_wrapped_and_items_indented() -> None:
    text = f"One {LONG}\nand more.\n\n- Two {LONG}\n  and more.\n- Three\n\n1. Four {LONG}\n"
    wrapped = wrap_markdown(text)
    assert max(map(len, wrapped.splitlines())) <= 100
    assert wrapped.split() == text.split()
    assert wrapped.count("\n- ") == 2
    assert wrapped.count("\n  word") == 1
    assert wrapped.count("\n   word") == 1
    assert wrap_markdown(wrapped) == wrapped


@pytest.mark.parametrize(
    "text",
    [
        f"# Heading {LONG}\n",
        f"| cell | {LONG} |\n|---|---|\n",
        f"```sh\n{LONG}\n\n- {LONG}\n```\n",
        f"````console\n```\n{LONG}\n```\n{LONG}\n````\n",
        f"Code:\n\n    {LONG}\n",
        f"<!-- {LONG} -->\n",
        f"![{LONG}](picture.png)\n",
    ],
)
def test_tables_headings_and_code_are_left_alone(text: str) -> None:
    assert wrap_markdown(text) == text


def test_the_text_of_an_admonition_is_wrapped_with_its_indent() -> None:
    lines = wrap_markdown(f'!!! warning ""\n    One {LONG}\n\nAfter.\n').splitlines()
    assert lines[0] == '!!! warning ""'
    assert lines[1].startswith("    One word")
    assert lines[2].startswith("    word")
    assert lines[-1] == "After."


def test_code_spans_are_not_broken() -> None:
    assert wrap_markdown("one `a b c` two", width=8) == "one\n`a b c`\ntwo\n"


@pytest.mark.parametrize("word", ["-", "+", "*", "#", ">", "2.", "2019)"])
def test_no_line_begins_with_what_would_be_markup(word: str) -> None:
    wrapped = wrap_markdown(f"one two {word} three", width=8)
    assert [line.split()[0] for line in wrapped.splitlines()] == ["one", "two", "three"]
