"""Scores by counts, against the formulas; tables that are damaged; COPA with what text there is."""

from __future__ import annotations

import math
import os
import re
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import load, models, views
from hansproof.corpus import resolve_sources, text_stream
from hansproof.errors import BadInput, HansproofError
from hansproof.models.pmi import counting, table
from hansproof.models.pmi.counting import CountOptions
from hansproof.models.pmi.table import CountTable
from hansproof.text.function_words import FUNCTION_WORDS
from hansproof.training.selection import selection_accuracy
from hansproof.types import Item
from tests.support.markers import needs_data

TEXT = "rain wet street\n\nrain street wet\n\nsun dry\n\nrain made street wet"
CAUSAL = "Streets flood because rain falls. Rain falls, therefore streets flood. Sun, hence heat."


def saved(folder: Path, text: str, plan: CountOptions, name: str = "t.npz") -> str:
    path = str(folder / name)
    table.write_table(path, counting.count_corpus(lambda: [text], plan))
    return path


def scored(spec: str, fields: dict[str, str], *choices: str, **meta: str) -> tuple[float, ...]:
    (row,) = models.load(spec).score((Item("0", fields, choices, None, meta={**meta}),))
    assert isinstance(row, tuple)
    return row


def test_mutual_information_is_as_defined(tmp_path: Path) -> None:
    spec = f"pmi:counts={saved(tmp_path, TEXT, CountOptions(least=1))}"
    words, pairs = 12, 3 + 3 + 1 + 6

    def pmi(u: int, v: int, both: int) -> float:
        return math.log(both / pairs / (u / words * v / words)) if both else 0.0

    wet, street = pmi(3, 3, 3), pmi(3, 3, 3)
    assert scored(spec, {"q": "Rain!"}, "wet", "the street", "dry") == pytest.approx(
        (wet, street, 0)
    )
    two = (wet + street + 0) / 3  # `unheard` is a content word, though nowhere in the table
    assert scored(spec, {"q": "rain"}, "wet unheard street") == pytest.approx((two,))
    assert scored(spec, {"q": "it rain", "r": "sun"}, "dry") == pytest.approx((pmi(1, 1, 1) / 2,))


def test_the_cause_comes_before_the_effect(tmp_path: Path) -> None:
    spec = f"pmi:counts={saved(tmp_path, TEXT, CountOptions(least=1))}"
    assert scored(spec, {"q": "wet"}, "rain")[0] == 0  # never in this order
    assert scored(spec, {"q": "wet"}, "rain", asks_for="effect")[0] == 0
    assert scored(spec, {"q": "wet"}, "rain", asks_for="cause")[0] > 0
    assert scored(spec, {"q": "rain"}, "wet", asks_for="cause")[0] == 0


def test_causal_strength_is_as_defined(tmp_path: Path) -> None:
    spec = (
        f"pmi:counts={saved(tmp_path, CAUSAL, CountOptions(10, False, True, least=1))},kind=causal"
    )
    n = 4 + 4 + 1  # pairs: {rain, falls} x {streets, flood} twice, and sun x heat
    cause, effect, both = 4 / n, 4 / n, 2 / n
    necessary, sufficient = both / (cause**0.66 * effect), both / (cause * effect**0.66)
    assert scored(spec, {"q": "Rain."}, "Flood") == pytest.approx((necessary / 2,))
    assert scored(spec, {"q": "flood"}, "rain", asks_for="cause") == pytest.approx((necessary / 2,))
    assert scored(spec, {"q": "flood"}, "rain", "the") == (0, 0)
    assert scored(spec, {"q": "Rain"}, "unheard flood") == pytest.approx((necessary / 3,))
    mixed = necessary**0.5 * sufficient**0.5
    found = scored(f"{spec},necessity=0.5", {"q": "rain falls"}, "the flood")
    assert found == pytest.approx((2 * mixed / 3,))
    alpha = both / (cause**0.2 * effect)
    assert scored(f"{spec},alpha=0.2", {"q": "Rain"}, "flood") == pytest.approx((alpha / 2,))


def test_phrases_are_units_beside_their_words(tmp_path: Path) -> None:
    text = "\n\n".join(["he fell asleep dream", "fell rock asleep", "x y z"] * 12)
    path = saved(tmp_path, text, CountOptions(phrases=True))
    held = table.read_table(path)
    assert [word for word in held.words if " " in word] == ["x y", "y z"]  # of the others the
    # words stand apart as often as together; with a lower bar:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_MIN_LIFT", 2.0)
        path = saved(tmp_path, text, CountOptions(phrases=True))
    held = table.read_table(path)
    assert "fell asleep" in held.words
    number = {word: at for at, word in enumerate(held.words)}

    def pmi(u: str, v: str) -> float:
        both = held.count_pairs(np.array([number[u]]), np.array([number[v]]))[0]
        alone = held.counts[number[u]] * held.counts[number[v]] / held.total**2
        return math.log(both / held.total_pairs / alone)

    words = pmi("fell", "dream") + pmi("asleep", "dream")
    given = {"q": "She fell asleep"}
    assert scored(f"pmi:counts={path}", given, "dream") == pytest.approx((words / 2,))
    more = (words + pmi("fell asleep", "dream")) / 3
    assert scored(f"pmi:counts={path},kind=phrase", given, "dream") == pytest.approx((more,))


@pytest.mark.parametrize(
    ("kind", "plan", "why"),
    [
        ("pmi", CountOptions(connectives=True), "made with --connectives"),
        ("causal", CountOptions(), "made without --connectives"),
        ("phrase", CountOptions(connectives=True), "made without --phrases"),
    ],
)
def test_a_table_made_for_another_kind_is_refused(
    tmp_path: Path, kind: str, plan: CountOptions, why: str
) -> None:
    spec = f"pmi:counts={saved(tmp_path, TEXT, plan)},kind={kind}"
    with pytest.raises(BadInput, match=rf"t\.npz: .*{why}"):
        models.load(spec).score(())


def test_parameters_out_of_range_are_refused(tmp_path: Path) -> None:
    for bad in ("alpha=2", "necessity=-0.1", "alpha=nan"):
        with pytest.raises(BadInput, match=r"must be from 0 to 1"):
            models.load(f"pmi:counts=x,{bad}")
    with pytest.raises(BadInput, match="counts must be given"):
        models.load("pmi")
    missing = models.load(f"pmi:counts={tmp_path / 'none.npz'}")
    with pytest.raises(BadInput, match="no such table of counts"):
        missing.score(())
    with pytest.raises(BadInput, match=r"none\.npz: cannot be read: No such file"):
        missing.materials()


def test_a_table_survives_the_file(tmp_path: Path) -> None:
    made = counting.count_corpus(
        lambda: [TEXT + " \u4e2d\u6587 \u00e9t\u00e9"], CountOptions(3, True, least=1)
    )
    table.write_table(str(tmp_path / "t.npz"), made)
    assert same(table.read_table(str(tmp_path / "t.npz")), made)
    empty = counting.count_corpus(lambda: [""], CountOptions())
    table.write_table(str(tmp_path / "e.npz"), empty)
    assert same(table.read_table(str(tmp_path / "e.npz")), empty)
    spec = f"pmi:counts={tmp_path / 'e.npz'}"
    assert scored(spec, {"q": "rain"}, "wet", "dry") == (0, 0)


def same(one: CountTable, other: CountTable) -> bool:
    names = CountTable.__dataclass_fields__
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_the_same_text_gives_the_same_bytes_in_any_order_of_files(tmp_path: Path) -> None:
    one = Path(saved(tmp_path, "a b c\n\nb a d", CountOptions(least=1), "1.npz")).read_bytes()
    two = Path(saved(tmp_path, "b a d\n\na b c", CountOptions(least=1), "2.npz")).read_bytes()
    assert one == two


def test_a_write_that_breaks_off_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path, TEXT, CountOptions())
    before = Path(path).read_bytes()

    def torn(file: Any, **arrays: Any) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez", torn)
    with pytest.raises(KeyboardInterrupt):
        table.write_table(path, table.read_table(path))
    assert Path(path).read_bytes() == before
    assert os.listdir(tmp_path) == ["t.npz"]


def rewritten(path: str, change: Callable[[dict[str, Any]], object]) -> None:
    with np.load(path, allow_pickle=False) as held:
        arrays = {name: held[name] for name in held.files}
    change(arrays)
    with open(path, "wb") as file:
        np.savez(file, **arrays)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda a: a.pop("keys"), "was not written by `hansproof count`"),
        (lambda a: a.update(schema=np.int64(99)), "another version .schema 99."),
        (lambda a: a.update(schema=np.array("1")), "schema is not a number"),
        (
            lambda a: a.update(keys=a["keys"].astype(np.float64)),
            "keys have the wrong type or shape",
        ),
        (lambda a: a.update(keys=a["keys"][::-1]), "pairs are out of order"),
        (lambda a: a.update(keys=a["keys"] + np.uint64(10**6)), "words that are missing"),
        (lambda a: a.update(keys=a["keys"][1:]), "pairs and counts differ in number"),
        (lambda a: a.update(counts=a["counts"][1:]), "words and counts differ in number"),
        (lambda a: a.update(counts=a["counts"] * 0), "a count is not above 0"),
        (lambda a: a.update(total=np.int64(3)), "counts exceed their total"),
        (lambda a: a.update(window=np.int64(0)), "the window is not above 0"),
        (lambda a: a.update(words=a["words"][::-1]), "words are out of order"),
        (lambda a: a.update(words=np.full(3, 0xC3, np.uint8)), "words are not UTF-8"),
        (lambda a: a.update(tokenizer=np.int64(1)), "does not name its tokenizer"),
        (lambda a: a.update(words=np.array([{}], object)), "or is damaged"),  # a pickle
    ],
)
def test_a_table_that_cannot_be_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], what: str
) -> None:
    path = saved(tmp_path, TEXT, CountOptions(least=1))
    rewritten(path, change)
    with pytest.raises(BadInput, match=rf"t\.npz: table of counts: .*{what}"):
        table.read_table(path)


@cache
def intact_table() -> bytes:
    """The bytes of a small table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.npz"
        made = counting.count_corpus(lambda: [TEXT], CountOptions(least=1))
        table.write_table(str(path), made)
        return path.read_bytes()


@given(st.integers(0, 10**6), st.integers(0, 255), st.booleans())
@settings(max_examples=200)
def test_damage_is_one_line_or_harmless(at: int, byte: int, cut: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.npz"
        data = bytearray(intact_table())
        data = data[: at % len(data)] if cut else data
        if data:
            data[at % len(data)] = byte
        path.write_bytes(data)
        with suppress(HansproofError):  # whose text is one line; anything else is a bug
            table.read_table(str(path))


def test_other_files_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "array.npy", np.arange(3))
    (tmp_path / "text.npz").write_text("no table")
    (tmp_path / "empty.npz").write_bytes(b"")
    for name in ("array.npy", "text.npz", "empty.npz", "."):
        with pytest.raises(BadInput, match="table of counts: was not written by"):
            table.read_table(str(tmp_path / name))


def test_materials_change_with_the_table(tmp_path: Path) -> None:
    first = models.load(f"pmi:counts={saved(tmp_path, TEXT, CountOptions())}").materials()
    assert re.fullmatch(r"[0-9a-f]{64}", first["counts_sha256"])
    other = models.load(f"pmi:counts={saved(tmp_path, CAUSAL, CountOptions(), '2.npz')}")
    assert other.materials() != first


@needs_data
def test_most_of_the_usual_stop_words_are_function_words() -> None:
    with zipfile.ZipFile(
        os.path.join(os.environ["HANSPROOF_DATA"], "corpora/stopwords.zip")
    ) as all:
        usual = {word for word in all.read("stopwords/english").decode().split() if "'" not in word}
    assert len(usual - FUNCTION_WORDS) <= 3
    assert FUNCTION_WORDS.isdisjoint({"rain", "fell", "man", "found", "work"})


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """The pieces of two and a half million words."""
    folder = os.path.join(os.environ["HANSPROOF_DATA"], "corpora")
    names = ("abc.zip", "brown.zip", "webtext.zip", "wiki_demo.txt", "wikitext-2")
    sources = resolve_sources(os.path.join(folder, name) for name in names)
    problems: list[object] = []
    pieces = [
        piece for piece, _ in text_stream.read_text(sources, lambda *issue: problems.append(issue))
    ]
    assert not problems
    return pieces


@needs_data
@pytest.mark.parametrize(
    ("kind", "plan", "accuracy"),
    [
        ("pmi", CountOptions(), 0.516),
        ("causal", CountOptions(10, connectives=True), 0.488),
        pytest.param("phrase", CountOptions(phrases=True), 0.515, marks=pytest.mark.slow),
    ],
)
def test_copa_with_two_and_a_half_million_words_is_near_chance(
    tmp_path: Path, corpus: list[str], kind: str, plan: CountOptions, accuracy: float
) -> None:
    """Published: 58.8 % for `pmi` (PMIgutenbergW5), from a far larger corpus."""
    table.write_table(str(tmp_path / "t.npz"), counting.count_corpus(lambda: corpus, plan))
    items = load("copa").splits["test"]
    view = views.parse_view("full", ("premise",))
    model = models.load(f"pmi:counts={tmp_path / 't.npz'},kind={kind}")
    scores = model.score(views.apply_view(view, items, answers=False))
    assert selection_accuracy(scores, items) == pytest.approx(accuracy, abs=0.01)
    bare = views.apply_view(replace(view, keep=("choices",)), items, answers=False)
    assert selection_accuracy(model.score(bare), items) == 0.5
