"""Whatever stands in a file, it is read or refused in one line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.errors import BadInput
from hansproof.formats import read_items

RECORD = '{"question": "q", "choices": ["x", "y"], "answer": 0}'
SEEDS = {
    "x.jsonl": f"{RECORD}\n{RECORD}\n",
    "x.json": f"[{RECORD}, {RECORD}]",
    "x.csv": 'question,A,B,answer\nq,"x",y,A\n',
    "x.tsv": "goal\tsol1\tsol2\tlabel\ng\tx\ty\t1\n",
    "x.xml": '<c><item most-plausible-alternative="1"><p>p</p><a1>x</a1><a2>y</a2></item></c>',
}
EDITS = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 9), st.binary(max_size=4)), min_size=1, max_size=4
)


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=80, deadline=None)
@given(edits=EDITS)
def test_any_bytes(name: str, edits: list[tuple[int, int, bytes]]) -> None:
    data = bytearray(SEEDS[name].encode())
    for start, length, new in edits:
        data[start : start + length] = new
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            assert read_items(str(path), "all")
        except BadInput as error:
            assert str(error).isprintable()  # noqa: PT017 - both ways are right
