from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.attack.item_words import ItemWords
from hansproof.types import Item

ITEM = Item("1", {"claim": "Dogs bark.", "reason": ""}, ("They, too", "no!"), 1, "g", {"m": 1})
texts = st.text(st.sampled_from("ab ,.'"), max_size=12)
items = st.builds(
    lambda fields, choices: Item("i", dict(enumerate_names(fields)), tuple(choices), 0),
    st.lists(texts, max_size=2),
    st.lists(texts, min_size=2, max_size=3),
)


def enumerate_names(fields: list[str]) -> list[tuple[str, str]]:
    return [(f"f{at}", text) for at, text in enumerate(fields)]


@given(items, st.integers(1, 9))
def test_windows_are_cut_from_all_texts_as_one(item: Item, size: int) -> None:
    reading = ItemWords.from_item(item)
    words = reading.words
    assert reading.full_text == "\n".join((*item.fields.values(), *item.choices))
    for at, word in enumerate(words):
        before, after = reading.surrounding_text(at)
        assert before + word + after == reading.full_text
        before, after = reading.surrounding_text(at, size)
        assert before + word + after in reading.full_text
        seen = [
            w for text in (before, word, after) for w in ItemWords.from_item(_alone(text)).words
        ]
        assert len(seen) == min(size, len(words))


def _alone(text: str) -> Item:
    return Item("", {"t": text}, (), 0)


def test_a_window_has_its_word_in_the_middle_or_as_near_as_can_be() -> None:
    words = [f"w{at}" for at in range(20)]
    reading = ItemWords.from_item(Item("", {"q": " ".join(words[:12])}, (" ".join(words[12:]),), 0))
    assert reading.surrounding_text(0, 5) == ("", " w1 w2 w3 w4")
    assert reading.surrounding_text(10, 5) == ("w8 w9 ", " w11\nw12")
    assert reading.surrounding_text(19, 5) == ("w15 w16 w17 w18 ", "")
    assert reading.surrounding_text(10, 4) == ("w8 w9 ", " w11")


def test_another_word_changes_one_text_and_nothing_else() -> None:
    reading = ItemWords.from_item(ITEM)
    assert reading.words == ("Dogs", "bark", "They", "too", "no")
    changed = reading.replace_word(3, "also").item
    assert changed.choices == ("They, also", "no!")
    assert (changed.fields, changed.answer, changed.meta) == (ITEM.fields, 1, ITEM.meta)
    assert reading.replace_word(1, "yap").item.fields == {"claim": "Dogs yap.", "reason": ""}
    assert reading.remove_word(4).item.choices == ("They, too", "!")


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (("context",), "Dogs bark"),
        (("claim",), "Dogs bark"),
        (("reason",), ""),
        (("right",), "no"),
        (("wrong",), "They too"),
        (("claim", "right"), "Dogs bark no"),
    ],
)
def test_parts_by_name(where: tuple[str, ...], words: str) -> None:
    reading = ItemWords.from_item(ITEM)
    assert " ".join(reading.words[at] for at in reading.allowed_positions(where)) == words


def test_parts_have_names() -> None:
    reading = ItemWords.from_item(ITEM)
    parts = [reading.part_name(at) for at in range(4)]
    assert parts == ["claim", "reason", "choice 1 (wrong)", "choice 2 (right)"]
    assert reading.allowed_positions(("claims",)) == []
