"""Every split as it was published: how many, the first, the tenth, the last, all in all."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from hansproof import benchmarks, download
from hansproof.benchmarks import _splits, arc_challenge, arc_easy, piqa
from hansproof.errors import BadInput
from hansproof.types import Benchmark, Item, fingerprint

DATA = os.environ.get("HANSPROOF_DATA", "")
pytestmark = pytest.mark.skipif(not DATA, reason="needs HANSPROOF_DATA")

Record = tuple[str, str, int]  # id, beginning of the first field, answer


@pytest.mark.parametrize(
    ("name", "split", "count", "records", "sha256"),
    [
        (
            "arc_challenge",
            "train",
            1119,
            [
                ("Mercury_SC_415702", "George wants to warm his", 0),
                ("Mercury_7106908", "Hatchling sea turtles ar", 2),
                ("Mercury_SC_412487", "A scientist is measuring", 2),
            ],
            "f2e57f48f2a52ee06c5a48ed76bc9d8d51ba5c233366f6a234395b4b99aa86ab",
        ),
        (
            "arc_challenge",
            "dev",
            299,
            [
                ("Mercury_SC_407695", "Juan and LaKeisha roll a", 3),
                ("Mercury_192168", "Scientific models are ve", 3),
                ("Mercury_7082145", "How should a line graph ", 3),
            ],
            "d81cffdd2af5f43f95582cb405f06d47eddbffc8059e0c174ec005c15c319da7",
        ),
        (
            "arc_challenge",
            "test",
            1172,
            [
                ("Mercury_7175875", "An astronomer observes t", 2),
                ("MCAS_2003_8_11", "Copper is an element tha", 0),
                ("MEA_2013_8_15", "A ball is thrown downwar", 0),
            ],
            "b6ee9be6f0e667e363057843194cbbc0f363912e83d1e928af95e7904ca8c60b",
        ),
        (
            "arc_easy",
            "train",
            2251,
            [
                ("Mercury_7220990", "Which factor will most l", 1),
                ("Mercury_7283255", "Which of the following e", 2),
                ("Mercury_7188563", "A particular organism is", 0),
            ],
            "e2a2984be7d3a176e86d68c5470b022f550b64ff0069a29bcb343450d7c09378",
        ),
        (
            "arc_easy",
            "dev",
            570,
            [
                ("MCAS_2000_4_6", "Which technology was dev", 0),
                ("Mercury_SC_LBS10938", "Which of these scientifi", 3),
                ("Mercury_7193078", "Scientists at a local un", 2),
            ],
            "bbc4658449d951854da7e080b7d2e404e0386fac3f5954c1fac532421899cbec",
        ),
        (
            "arc_easy",
            "test",
            2376,
            [
                ("Mercury_417466", "Which statement best exp", 0),
                ("Mercury_SC_413631", "Which of these correctly", 0),
                ("VASoL_2009_5_34", "Which part of a sunflowe", 0),
            ],
            "16bb4b6164b9195f2a15d70ef7cffc9f85d30d28fd651304737b37ad2e8d5288",
        ),
        (
            "arct",
            "train",
            1210,
            [
                ("9975147_345_A34QZDSTKZ3JO9", "Miss America is good for", 0),
                ("6953350_0_APW9F8OTJ4KXO", "Supporting Israel hurts", 1),
                ("2264611_618_A1CF6U3GF7DZEJ", "TFA has not raised the s", 1),
            ],
            "b6ed0188a708febc77dd7e13dd9931b58ec237019a8779cb0a025ecb622d6b6e",
        ),
        (
            "arct",
            "dev",
            316,
            [
                ("14666389_480_A1CF6U3GF7DZEJ", "Police is too willing to", 1),
                ("15167053_560_A1LZPWVZRTUZD0", "Overcrowding is a legiti", 0),
                ("17012940_301_A1CF6U3GF7DZEJ", "It should be illegal to ", 1),
            ],
            "89ae87aeb6ca33565bc27bba1fdc9711cd4f21e452b5cc1439a703daef4f524a",
        ),
        (
            "arct",
            "test",
            444,
            [
                ("18249360_112_A104V8NZIQFN2F", "Comment sections have no", 0),
                ("18247581_67_AYFOAD75CRBKE", "Comment sections have no", 1),
                ("19585313_0_A104V8NZIQFN2F", "Obamacare is sustainable", 0),
            ],
            "7c414ddc2fd3c8a9e5c9519c8140cbf68a3d5eff665ae9fe32e693a687343188",
        ),
        (
            "arct_adversarial",
            "train",
            2420,
            [
                ("9975147_345_A34QZDSTKZ3JO9", "Miss America is good for", 0),
                ("6953350_0_APW9F8OTJ4KXO", "Supporting Israel hurts", 1),
                ("2264611_618_A1CF6U3GF7DZEJ-adversarial", "TFA has raised the statu", 0),
            ],
            "9318a3cbf73fc2ebb9445d5ce477da82d0b26b98b494cfee7406edb6704b32b0",
        ),
        (
            "arct_adversarial",
            "dev",
            632,
            [
                ("14666389_480_A1CF6U3GF7DZEJ", "Police is too willing to", 0),
                ("15167053_560_A1LZPWVZRTUZD0", "Overcrowding is a legiti", 0),
                ("17012940_301_A1CF6U3GF7DZEJ-adversarial", "It should not be illegal", 1),
            ],
            "3bb02334b269de75afcd75f4f1d5a9bd149c921cab8a553df6d68fa0f12c1038",
        ),
        (
            "arct_adversarial",
            "test",
            888,
            [
                ("18249360_112_A104V8NZIQFN2F", "Comment sections have no", 0),
                ("18247581_67_AYFOAD75CRBKE", "Comment sections have no", 1),
                ("19585313_0_A104V8NZIQFN2F-adversarial", "Obamacare is not sustain", 1),
            ],
            "cb506d2c24f8e2f8669cea5da8a192eee6eff96514c5281d15ae07c0f01b8bb9",
        ),
        (
            "balanced_copa",
            "dev",
            1000,
            [
                ("1", "My body cast a shadow ov", 0),
                ("1005", "The guests of the party ", 0),
                ("1500", "The woman was in a good ", 1),
            ],
            "385021ad12d4a3ef290e3f8e21b9a5d0fa8369fa71a1ea02d369f2a339a56620",
        ),
        (
            "balanced_copa",
            "test",
            500,
            [
                ("501", "The item was packaged in", 0),
                ("510", "The girl wanted to thank", 1),
                ("1000", "The boy couldn't fall as", 1),
            ],
            "6d9e6c25973f0b3c01e46f90b0d71df04bb09bbd18cdcbd102d6471ad9bf2afd",
        ),
        (
            "copa",
            "dev",
            500,
            [
                ("1", "My body cast a shadow ov", 0),
                ("10", "The customer filed a com", 1),
                ("500", "The woman was in a bad m", 1),
            ],
            "bb8457e7f9a8685b14215396eeb0c40140f71811ea38fb80a1049dfd63472be7",
        ),
        (
            "copa",
            "test",
            500,
            [
                ("501", "The item was packaged in", 0),
                ("510", "The girl wanted to thank", 1),
                ("1000", "The boy couldn't fall as", 1),
            ],
            "6d9e6c25973f0b3c01e46f90b0d71df04bb09bbd18cdcbd102d6471ad9bf2afd",
        ),
        (
            "csqa",
            "train",
            9741,
            [
                ("075e483d21c29a511267ef62bedc0461", "The sanctions against th", 0),
                ("cae61908c731d4a20889e04c3e784ebe", "Where is a business rest", 3),
                ("dd640927f9920930501fb8dc3efc196b", "I forgot to pay the elec", 2),
            ],
            "c70e1c77180c860da064561f3cf0763e8ad150bc2882d2146ccd85de422057ba",
        ),
        (
            "csqa",
            "dev",
            1221,
            [
                ("1afa02df02c908a558b4036e80242fac", "A revolving door is conv", 0),
                ("1d24f406b6828492040b405d3f35119c", "What do people typically", 2),
                ("5af7c7860e3be61d4cfd814cc109f9d9", "What is another name for", 2),
            ],
            "341aa2fec0fb148809858afc5f298f1da42af4d4fe14c60be2bd8cb482856da3",
        ),
        (
            "piqa",
            "train",
            16113,
            [
                ("train-1", "When boiling butter, whe", 1),
                ("train-10", "how do you stab somethin", 0),
                ("train-16113", "how do you frost a cupca", 0),
            ],
            "621d29efa0cda17a595cdebb1a091360ddcbb0d1063c460f50bf7aca562c1d4a",
        ),
        (
            "piqa",
            "dev",
            1838,
            [
                ("dev-1", "How do I ready a guinea ", 0),
                ("dev-10", "Neatly wrap up an extens", 0),
                ("dev-1838", "Where can I buy a tennis", 0),
            ],
            "2f3c7ea5d456ca16600a9ba594bfa3180b7e6c3e4fa39d697e910af0e59d785e",
        ),
        (
            "toy",
            "original",
            120,
            [
                ("toy-001", "Ivan skipped his piano l", 0),
                ("toy-010", "Nora's tomato plants tur", 0),
                ("toy-120", "Traffic on the motorway ", 0),
            ],
            "74081171772ee54d4aa15dc94c14f46c48fd6418e7b3f925b7ece3bbed54d532",
        ),
        (
            "toy",
            "mirrored",
            120,
            [
                ("toy-001-mirrored", "Ivan practised the piano", 1),
                ("toy-010-mirrored", "Nora's tomato plants gre", 1),
                ("toy-120-mirrored", "Traffic on the motorway ", 1),
            ],
            "865b2151f90c7716314662d430bd05f04fd0502c9b76e2460e5d6c75b837dca6",
        ),
    ],
)
def test_split(name: str, split: str, count: int, records: list[Record], sha256: str) -> None:
    items = _load(name).splits[split]
    assert len(items) == count
    assert [_record(items[i]) for i in (0, 9, -1)] == records
    assert fingerprint(items) == sha256


@cache
def _load(name: str) -> Benchmark:
    return benchmarks.load(name)


def _record(item: Item) -> tuple[str, str, int | None]:
    return item.id, next(iter(item.fields.values()))[:24], item.answer


@pytest.mark.parametrize(
    ("name", "fields", "meta"),
    [
        ("copa", {"premise"}, {"asks_for"}),
        ("arct", {"claim", "reason"}, {"title", "info"}),
        ("arct_adversarial", {"claim", "reason"}, {"title", "info", "adversarial"}),
        ("arc_easy", {"question"}, set()),
        ("csqa", {"question"}, {"question_concept"}),
        ("piqa", {"goal"}, set()),
    ],
)
def test_fields_and_meta(name: str, fields: set[str], meta: set[str]) -> None:
    for item in benchmarks.take_split(_load(name), "pooled").splits["pooled"]:
        assert (set(item.fields), set(item.meta)) == (fields, meta)


def test_mirrored_items() -> None:
    items = benchmarks.load("balanced_copa:dev").splits["dev"]
    assert [i.id for i in items if i.meta["mirrored"]] == [str(i) for i in range(1001, 1501)]
    assert {i.group for i in items} == {str(i) for i in range(1, 501)}
    items = benchmarks.load("arct_adversarial:test").splits["test"]
    assert sum(item.meta["adversarial"] is True for item in items) == 444
    assert len({item.group for item in items}) == 444


def test_numbers_of_choices_in_arc() -> None:
    items = benchmarks.load("arc_challenge:pooled").splits["pooled"]
    assert {len(item.choices) for item in items} == {3, 4, 5}


def test_fingerprints_of_archives() -> None:
    for module in (arc_challenge, arc_easy):
        assert module.load().sha256() == module.FINGERPRINTS
    assert piqa.load().sha256()["train"] == piqa.TRAIN_FINGERPRINT


def test_other_items_are_refused_from_the_cache_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = benchmarks.load("copa:dev").splits["dev"]
    _splits.check_downloaded(str(tmp_path / "mine.jsonl"), items, "0" * 64)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cached = os.path.join(download.cache_dir(), "x.jsonl")
    _splits.check_downloaded(cached, items, fingerprint(items))
    with pytest.raises(BadInput, match="does not contain the published items"):
        _splits.check_downloaded(cached, items, "0" * 64)
