"""A key that appears twice in a JSON object is named, whichever parser reads it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hansproof.errors import BadInput
from hansproof.records.duplicate_keys import check_duplicate_keys
from hansproof.records.msgspec_json import decode_json
from hansproof.records.stdlib_json import parse_json
from hansproof.types import Items

GOOD = '{"question": "q", "choices": ["x", "y"], "answer": 0}\n'
TWICE = GOOD.replace("}", ', "answer": 1}')


@pytest.mark.parametrize(
    ("content", "name", "error"),
    [
        (GOOD + TWICE, "x.jsonl", "x.jsonl:2: answer"),
        (GOOD.replace('["x", "y"]', '{"A": "x", "B": "y", "A": "z"}'), "x.jsonl", "x.jsonl:1: A"),
        (f"[{GOOD},\n{TWICE}]", "x.json", "x.json:3: answer"),
        (f'{{"data": [{GOOD}], "n": 1, "n": 2}}', "x.json", "x.json: n"),
        (f'{{"data": [{GOOD}], "data": [{GOOD}]}}', "x.json", "x.json: data"),
    ],
)
def test_items(fails: Callable[..., str], content: str, name: str, error: str) -> None:
    assert fails(content, name) == f"{error}: appears twice in an object"


@pytest.mark.parametrize("parse", [parse_json, lambda text, *at: decode_json(text, object, *at)])
@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"a" : 1, "b": ":", "a"\t:\n2}',
        '[{"b": {"x": [{"k": 1, "k": 2}]}}]',
        '{"a": "the key \\": twice", "\\u0061": 2}',
    ],
)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_parsers(parse: Any, text: str, as_bytes: bool) -> None:
    data = text.encode() if as_bytes else text
    with pytest.raises(BadInput, match=r"^f:7: \w: appears twice in an object$"):
        parse(data, "f", 7)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "x: \\": y", "b": {"a": [1, {"a": ":"}]}}',
        '{"a\\":": {"a": 1}}',
        "[]",
        '"\\":"',
        "1",
        '[{"a": 1}, {"a": 2}]',
        '{"a": ' * 300 + "1" + "}" * 300,
    ],
)
def test_keys_that_only_look_alike(text: str) -> None:
    assert parse_json(text, "f") == decode_json(text, object, "f") == json.loads(text)


def test_texts_with_colons(reads: Callable[..., Items]) -> None:
    (item,) = reads([{"question": 'say "yes": a: b', "choices": ["x:", ':"y":'], "answer": 0}])
    assert item.choices == ("x:", ':"y":')


def test_the_check_parses_again_only_if_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(json, "loads", lambda *args, **options: calls.append(args))
    check_duplicate_keys('{"a": [{"b": "c"}], "d" : 1}', {"a": [{"b": "c"}], "d": 1}, "f")
    check_duplicate_keys('{"a": "at 10:30"}', {"a": "at 10:30"}, "f")
    assert calls == []
    check_duplicate_keys('{"a": 1, "a": 2}', {"a": 2}, "f")
    assert len(calls) == 1
