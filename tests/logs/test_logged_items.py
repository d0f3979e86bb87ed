"""Items that logs contain: those of HELM and of Inspect."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.logs import read_items

from ..support.helm_logs import change, make_state, write_log
from .test_inspect_ai import ITEMS, changed, put, real, unpacked

REFERENCES = ("instance", "references")


def test_items_of_several_logs_must_agree(tmp_path: Path) -> None:
    first = write_log(tmp_path, make_state(), make_state("id2"), name="a.json")
    second = write_log(tmp_path, make_state("id3"), make_state("id1", "C"), name="b.json")
    assert [item.id for item in read_items([first, second])] == ["id1", "id2", "id3"]
    changes = {
        "another question": change(make_state(), "instance", "input", "text", value="Why?"),
        "other choices": change(make_state(), *REFERENCES, 0, "output", "text", value="five"),
        "another answer": change(make_state(), *REFERENCES, 1, "tags", value=[]),
    }
    for difference, state in changes.items():
        third = write_log(tmp_path, state, name="c.json")
        with pytest.raises(BadInput) as caught:
            read_items([first, third])
        assert str(caught.value).startswith(f"{third}: id1 has {difference} than in {first}: ")


def test_logs_without_items(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,choice\n1,A\n")
    with pytest.raises(
        BadInput, match="logs of table do not contain items: name the benchmark with --bench"
    ):
        read_items([str(path)])


@pytest.mark.parametrize("name", ["plain.eval", "json.json", "shuffled.eval", "epochs.eval"])
def test_items_that_the_log_contains(name: str) -> None:
    items = read_items([real(name)])
    assert len(items) == len({item.id for item in items}) >= 6  # each once, whatever the epochs
    for item in items:
        assert (item.choices, item.answer) == (ITEMS[item.id].choices, ITEMS[item.id].answer)
        assert set(item.fields) == {"question"}
    (premise,) = (text for name, text in ITEMS[items[0].id].fields.items() if name == "premise")
    assert items[0].fields["question"].startswith(premise)


def test_items_are_whole_though_summaries_are_cut(tmp_path: Path) -> None:
    content = unpacked("plain.eval")
    summaries = json.loads(content["summaries.json"])
    content["summaries.json"] = json.dumps([{**s, "input": "cut..."} for s in summaries]).encode()
    assert read_items([put(tmp_path, content)]) == read_items([real("plain.eval")])


def test_items_whose_input_is_not_a_text(tmp_path: Path) -> None:
    path = changed(tmp_path, input=[{"role": "user", "content": "Why?"}])
    with pytest.raises(BadInput, match="input of toy-001: is a list, not text"):
        read_items([path])
    with pytest.raises(BadInput, match="half of a surrogate pair"):
        read_items([changed(tmp_path, input="\ud800")])


def test_logs_with_choices_in_another_order_do_not_agree() -> None:
    with pytest.raises(BadInput, match=r"reordered.eval: toy-\d+ has other choices than in"):
        read_items([real("plain.eval"), real("reordered.eval")])
