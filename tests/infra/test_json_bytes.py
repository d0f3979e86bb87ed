from __future__ import annotations

import json

from hansproof._infra.json_bytes import encode_json, escape_surrogates
from hansproof.types import Estimate

NAME = "caf\udcc3\udcff"  # a file name that is not UTF-8, as Python decodes it


def test_names_that_are_not_utf8_are_escaped() -> None:
    assert escape_surrogates(NAME) == "caf\\udcc3\\udcff"
    assert escape_surrogates("é≤") == "é≤"
    value = {NAME: (Estimate(NAME, 0.5), [NAME, None, 1])}
    decoded = json.loads(encode_json(value).decode("utf-8"))
    ((key, (estimate, texts)),) = decoded.items()
    assert key == estimate["name"] == texts[0] == "caf\\udcc3\\udcff"
    assert (estimate["value"], texts[1:]) == (0.5, [None, 1])


def test_other_values_are_encoded_as_they_are() -> None:
    assert encode_json({"é": (1, 2.5)}) == '{"é":[1,2.5]}'.encode()
