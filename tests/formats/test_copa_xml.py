"""COPA's XML: read as it is, without its DTD and without entities."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hansproof.types import Items

ITEM = (
    '<item id="1" asks-for="cause" most-plausible-alternative="2">'
    "<p>It rained &amp; rained.</p><a1> x</a1><a2>y</a2></item>\n"
)
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE copa-corpus SYSTEM "copa.dtd">\n'


def corpus(*items: str) -> str:
    return f"{HEAD}<copa-corpus>\n{''.join(items)}</copa-corpus>\n"


def test_read(reads: Callable[..., Items]) -> None:
    (item,) = reads(corpus(ITEM), "x.xml")
    assert (item.id, item.fields, item.choices, item.answer, item.meta) == (
        "1",
        {"premise": "It rained & rained."},
        (" x", "y"),
        1,
        {"asks_for": "cause"},
    )


def test_other_encodings(reads: Callable[..., Items]) -> None:
    text = corpus(ITEM.replace("x<", "é<"))
    assert reads(text.replace("UTF-8", "UTF-16").encode("utf-16"), "x.xml")[0].choices[0] == " é"


BOMB = (
    "<!DOCTYPE x ["
    + "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(9))
    + '<!ENTITY a0 "ha">]>\n<x><item><p>&a9;</p></item></x>'
)
EXTERNAL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<x><item>&a;</item></x>'
PARAMETER = '<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///etc/passwd">%a;]>\n<x/>'


@pytest.mark.parametrize("content", [BOMB, EXTERNAL, PARAMETER])
def test_entities_are_refused(fails: Callable[..., str], content: str) -> None:
    error = fails(content, "x.xml")
    assert error == "x.xml:1: XML entities are not allowed (EntitiesForbidden)"


def test_errors_name_the_line(fails: Callable[..., str]) -> None:
    second = ITEM.replace('"1"', '"2"', 1)
    assert fails(corpus(ITEM, second.replace('"2">', '"3">')), "x.xml") == (
        "x.xml:5: most-plausible-alternative: 3 is out of range for 2 choices"
    )
    assert fails(corpus(ITEM, ITEM), "x.xml") == "x.xml:5: id: '1' already appears in line 4"
    assert fails(corpus(ITEM, second.replace("<a2>y</a2>", "")), "x.xml") == (
        "x.xml:5: a2: missing column; found: id, asks-for, most-plausible-alternative, p, a1"
    )
    assert fails(corpus(ITEM.replace("<a2>", "<a2>z</a2><a2>")), "x.xml") == (
        "x.xml:4: a2: appears twice in the item"
    )
    assert fails(corpus(ITEM.replace("y<", "<b>y</b><")), "x.xml") == (
        "x.xml:4: a2: contains <b>, but only text is allowed"
    )


@pytest.mark.parametrize(
    "content",
    [
        corpus(ITEM)[:-30],
        corpus(ITEM.replace("&amp;", "&copy;")),
        corpus(ITEM).encode().replace(b"rained", b"rain\xe9d"),
        corpus(ITEM).replace("UTF-8", "no-such-code"),
        corpus(ITEM).replace("y<", "\0<"),
    ],
)
def test_broken(fails: Callable[..., str], content: object) -> None:
    assert "broken XML: " in fails(content, "x.xml")


def test_no_items(fails: Callable[..., str]) -> None:
    message = "XML is read only in COPA's format; export the quiz as GIFT or Aiken"
    assert fails("<copa-corpus/>", "x.xml") == f"x.xml: contains no items: {message}"
