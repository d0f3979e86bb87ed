"""The first item of a table is not lost because somebody takes it for a header."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hansproof.formats import ColumnMapping, read_items
from hansproof.types import Items

ERROR = (
    "x.csv:1: looks like an item, not a header: if the first line is an item, add --no-header: "
    "its columns are then 1, 2, 3, ...; if not, add --header"
)


@pytest.mark.parametrize(
    ("content", "mapping"),
    [
        # the hint "name them with --choices, --field, --answer", followed to the letter
        (
            "What is blue?,tree,sky,milk,B\nWhat is white?,coal,grass,snow,C\n",
            ColumnMapping(("tree", "sky", "milk"), "B", ("What is blue?",)),
        ),
        # answers by letter or number, where the question does not look like one
        ("blue,tree,sky,B\nwhite,coal,snow,B\n", ColumnMapping(("tree", "sky"), "B", ("blue",))),
        ("blue,tree,sky,1\nwhite,coal,snow,0\n", ColumnMapping(("tree", "sky"), "1", ("blue",))),
        ("blue,tree,sky,2\nwhite,coal,snow,2\n", ColumnMapping(("tree", "sky"), "2", ("blue",))),
        # choices as a list
        (
            'blue,"[""tree"", ""sky""]",second\nwhite,"[""coal"", ""second""]",second\n',
            ColumnMapping(('["tree", "sky"]',), "second", ("blue",)),
        ),
    ],
)
def test_an_item_as_header(fails: Callable[..., str], content: str, mapping: ColumnMapping) -> None:
    assert fails(content, "x.csv", mapping) == ERROR


def test_a_split_without_answers(write: Callable[[str, object], str]) -> None:
    path = write("test.csv", "What is blue?,tree,sky\nWhat is white?,coal,snow\n")
    mapping = ColumnMapping(("tree", "sky"), fields=("What is blue?",))
    with pytest.raises(Exception, match="looks like an item"):
        read_items(path, "test", mapping)


def test_a_header_that_looks_like_an_item(reads: Callable[..., Items]) -> None:
    content = "What did you read?,1st,2nd,B\na book,x,y,A\n"
    mapping = ColumnMapping(("1st", "2nd"), "B", ("What did you read?",), header=True)
    (item,) = reads(content, "x.csv", mapping)
    assert (item.choices, item.answer) == (("x", "y"), 0)


def test_names_that_are_plainly_a_header(reads: Callable[..., Items]) -> None:
    mapping = ColumnMapping(("first", "second"), "key", ("text",))
    assert len(reads("text,first,second,key\nq.,x,y,A\n", "x.csv", mapping)) == 1
    assert len(reads([{"q?": "q", "x": "a", "y": "b", "B": "B"}], mapping=ColumnMapping(
        ("x", "y"), "B", ("q?",)
    ))) == 1  # fmt: skip
