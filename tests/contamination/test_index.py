"""The index: what a paper counted, what is in the file, and files that are refused."""

from __future__ import annotations

import json
import random
import unicodedata
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof.benchmarks import load
from hansproof.contamination import build_index as builder
from hansproof.contamination import index as indexes
from hansproof.contamination.build_index import build_index
from hansproof.contamination.index import NgramIndex
from hansproof.contamination.sequences import QUESTION, RIGHT, WRONG
from hansproof.errors import BadInput, HansproofError
from hansproof.text.tokenizers import Tokenizer, get_tokenizer
from hansproof.types import Benchmark, Item

from ..support.index_factories import benchmark, index
from ..support.markers import needs_data, needs_nltk

TASKS = {
    "ARCT": "arct_adversarial:test", "ARC": "arc_challenge:test", "CSQA": "csqa:dev",
    "PIQA": "piqa:dev",
}  # fmt: skip
ANOTHER = "was not written by `hansproof index`, or is damaged"


def paper() -> Any:
    text = resources.files("hansproof").joinpath("papers/figures/branco2021.json").read_text()
    return json.loads(text)


@cache
def nltk() -> Tokenizer:
    """Which reads a text once."""
    known = get_tokenizer("nltk")
    return Tokenizer(known.name, cache(known.split))


def by_nltk(*tasks: str, n: int | None = None) -> NgramIndex:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "get_tokenizer", lambda name: nltk())
        return build_index([load(TASKS[task]) for task in tasks], "nltk", n)


@cache
def branco() -> NgramIndex:
    return by_nltk(*TASKS)


@needs_data
@needs_nltk
def test_branco_2021_table_4_and_counts() -> None:
    assert get_tokenizer("nltk").name == branco().header.tokenizer == "nltk 3.9.1"
    (printed,) = (table["rows"] for table in paper()["tables"] if table["id"] == "table-4")
    (counts,) = (one["value"] for one in paper()["supplementary"] if one["id"] == "distinct-ngrams")
    made = branco()
    members = dict(zip(TASKS, made.header.members, strict=True))
    assert {task: member.n for task, member in members.items()} == {
        row["task"]: row["n"] for row in printed
    }
    grams: dict[str, int] = {"union": len(made)}
    for task, low, high in zip(TASKS, made.item_offsets, made.item_offsets[1:], strict=False):
        own = (made.arrays["items"] >= low) & (made.arrays["items"] < high)
        grams[task] = len({*made.arrays["grams"][own].tolist()})
    assert grams == counts
    # none is common to two, each with its own N
    assert sum(grams[task] for task in TASKS) == grams["union"]


@needs_data
@needs_nltk
def test_branco_2021_no_n_gram_in_common_with_one_n_for_two() -> None:
    pairs = branco().header.overlaps
    assert [pair.n_ngrams for pair in pairs] == [0] * 6
    assert [pair.n for pair in pairs] == [10, 8, 8, 8, 8, 8]
    assert [pair.same_n for pair in pairs] == [False] * 5 + [True]
    (left,) = by_nltk("ARCT", "ARC", n=8).header.overlaps
    assert (left.n, left.n_ngrams, left.item_pairs) == (8, 0, ())


@needs_data
@needs_nltk
def test_items_too_short_to_be_searched_for_are_there() -> None:
    sizes = [len(member.ids) for member in branco().header.members]
    assert sizes == [888, 1172, 1221, 1838]
    members = branco().header.members
    assert [member.ngram_counts.count(0) for member in members] == [2, 33, 19, 142]


@pytest.mark.slow
@needs_data
def test_20_000_items_take_little_room(tmp_path: Path) -> None:
    piqa, csqa = load("piqa:train").splits["train"], load("csqa:train").splits["train"]
    both = Benchmark("both", {"piqa": piqa, "csqa": csqa[: 20_000 - len(piqa)]})
    made = build_index([both])
    indexes.write_index(str(tmp_path / "i.npz"), made)
    assert len(made.header.members[0].ids) == 20_000
    assert len(made) > 400_000
    assert (tmp_path / "i.npz").stat().st_size < 200e6 / 5
    assert len(indexes.read_index(str(tmp_path / "i.npz"))) == len(made)


def test_what_belongs_to_what() -> None:
    items = (
        Item("a", {"question": "one two"}, ("three four", "five"), 0),
        Item("b", {"question": "two three four"}, ("five", "six"), None),
        Item("c", {"question": "so"}, ("short", "it is"), 1),
    )
    made = build_index([Benchmark("made", {"test": items})], n=3)
    assert made.header.members[0].ngram_counts == (3, 3, 1)
    assert {
        made.ngram_text(number): postings
        for number, postings in made.find_postings(range(len(made))).items()
    } == {
        "one two three": [(0, QUESTION | RIGHT)],
        "two three four": [(0, QUESTION | RIGHT), (1, QUESTION)],
        "one two five": [(0, QUESTION | WRONG)],
        "three four five": [(1, QUESTION | WRONG)],
        "three four six": [(1, QUESTION | WRONG)],
        "so it is": [(2, QUESTION | RIGHT)],
    }
    short = build_index([benchmark("too short")], n=5)
    assert (len(short), short.header.members[0].ngram_counts) == (0, (0,))


def test_two_fields_stand_in_any_order() -> None:
    item = Item("a", {"reason": "r", "claim": "c"}, ("x", "y"), 0)
    made = build_index([Benchmark("made", {"test": (item,)})], n=3)
    assert {made.ngram_text(number) for number in range(len(made))} == {
        "r c x", "r x c", "c r x", "c x r", "x r c", "x c r",
        "r c y", "r y c", "c r y", "c y r", "y r c", "y c r",
    }  # fmt: skip


def test_what_two_have_in_common() -> None:
    made = build_index([benchmark("a b c d", "b c d e"), benchmark("x b c d", name="other")], n=3)
    (pair,) = made.header.overlaps
    assert (pair.first, pair.second, pair.n, pair.n_ngrams, pair.same_n) == (
        "made",
        "other",
        3,
        1,
        True,
    )
    assert pair.item_pairs == (("i0", "i0"),)
    with pytest.raises(BadInput, match="a benchmark is named twice: made, made"):
        build_index([benchmark("a"), benchmark("b")])
    with pytest.raises(BadInput, match="there are no items"):
        build_index([Benchmark("none", {"test": ()})])
    for n in (1, 51):
        with pytest.raises(BadInput, match=f"--n: is {n}, must be between 2 and 50"):
            build_index([benchmark("a b c")], n=n)


@pytest.mark.parametrize("words", range(2, 12))
def test_there_and_back(words: int, tmp_path: Path) -> None:
    """With few N-grams, and with none."""
    rng = random.Random(words)
    text = " ".join(f"é{rng.random()}".replace(".", "_") for _ in range(words))
    made = index(text, "and one more", n=3)
    path = str(tmp_path / "i.npz")
    indexes.write_index(path, made)
    again = indexes.read_index(path)
    assert again.header == made.header
    assert again.arrays.keys() == made.arrays.keys()
    assert all(np.array_equal(again.arrays[name], made.arrays[name]) for name in made.arrays)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    indexes.write_index(str(tmp_path / "i.npz"), index("one two three four", n=3))
    return tmp_path / "i.npz"


def refused(path: Path) -> str:
    with pytest.raises(HansproofError) as told:
        indexes.read_index(str(path))
    said = str(told.value)
    assert "\n" not in said
    return said.replace(f"{path}: ", "")


def test_what_is_none_is_refused(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    for raw in (b"", b"PK", whole[:-1], whole[: len(whole) // 2], b"text\n", b"\x80\x04N."):
        path.write_bytes(raw)
        assert refused(path) == ANOTHER
    np.savez(path, other=np.zeros(3))
    assert refused(path) == ANOTHER
    np.savez(path, head=np.array([{}], object))  # a pickle
    assert refused(path) == ANOTHER
    np.save(tmp_path / "a.npy", np.zeros(3))
    assert refused(tmp_path / "a.npy") == ANOTHER
    assert refused(tmp_path) == ANOTHER
    assert refused(tmp_path / "none") == "no such index; make one with `hansproof index`"


def test_a_byte_that_was_changed_is_noticed(path: Path) -> None:
    """Or it is one that says nothing: what is read is what was written."""
    whole, made = path.read_bytes(), indexes.read_index(str(path))
    rng = random.Random(7)
    noticed = 0
    for _ in range(150):
        at = rng.randrange(len(whole))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
        try:
            again = indexes.read_index(str(path))
        except HansproofError as error:
            noticed += ANOTHER in str(error)
        else:
            assert again.header == made.header
            assert all(np.array_equal(again.arrays[one], made.arrays[one]) for one in made.arrays)
    assert noticed > 100


HERE = unicodedata.unidata_version
CHANGES = {
    "format": (
        1,
        "was made by another version (format 1, not 2): make it again with `hansproof index`",
    ),
    "tokenizer": (
        "nltk 1.0",
        "was made with tokenizer nltk 1.0, but nltk 3.9.1 is installed: make it again",
    ),
    "unicode_version": (
        "1.1.0",
        f"was made with Unicode 1.1.0, but this Python has {HERE}: make it again",
    ),
}


@needs_nltk
@pytest.mark.parametrize("name", CHANGES)
def test_made_elsewhere(name: str, path: Path) -> None:
    value, said = CHANGES[name]
    made = indexes.read_index(str(path))
    changes: dict[str, Any] = {name: value}
    indexes.write_index(str(path), NgramIndex(replace(made.header, **changes), made.arrays))
    assert refused(path) == said


def test_an_unknown_tokenizer(path: Path) -> None:
    made = indexes.read_index(str(path))
    indexes.write_index(str(path), NgramIndex(replace(made.header, tokenizer="spacy"), made.arrays))
    assert refused(path) == "unknown tokenizer 'spacy'; did you mean whitespace or sudachi?"


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("starts", 0, -1), ("starts", 1, 1 << 40), ("starts", 0, (1 << 63) - 2), ("sizes", 0, 0),
        ("sizes", 0, 1 << 30), ("lengths", 0, 0), ("lengths", 0, 200), ("hashes", 1, 0),
        ("grams", 0, -1), ("grams", 0, 9), ("items", 0, -1), ("items", 0, 9),
    ],
)  # fmt: skip
def test_what_points_outside_is_refused(name: str, at: int, value: int, path: Path) -> None:
    made = indexes.read_index(str(path))
    made.arrays[name][at] = value
    indexes.write_index(str(path), made)
    assert refused(path) == ANOTHER


def test_arrays_of_another_kind_or_size_are_refused(path: Path) -> None:
    made = indexes.read_index(str(path))
    for name, array in made.arrays.items():
        for other in (array[:0], array.astype(np.float64), array.reshape(1, -1)):
            indexes.write_index(str(path), NgramIndex(made.header, {**made.arrays, name: other}))
            assert refused(path) == ANOTHER
    member = made.header.members[0]
    for changed in (
        replace(member, n=-3),
        replace(member, n=10**6),
        replace(member, ngram_counts=()),
    ):
        indexes.write_index(
            str(path), NgramIndex(replace(made.header, members=(changed,)), made.arrays)
        )
        assert refused(path) == ANOTHER


def test_a_file_of_an_older_format_is_refused_whatever_its_keys_are(path: Path) -> None:
    header = {"format": 1, "version": "0.1", "tokenizer": "word", "unicode": "15", "members": []}
    arrays: dict[str, Any] = {**indexes.read_index(str(path)).arrays}
    arrays["head"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, **arrays)
    assert refused(path) == (
        "was made by another version (format 1, not 2): make it again with `hansproof index`"
    )
