"""Shares of cues: summed as they should be, compared, and told in words whatever the sign."""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import load
from hansproof import models as by_name
from hansproof._infra.threads import single_threaded
from hansproof.capabilities import Attributions
from hansproof.errors import BadInput
from hansproof.probes.sensitivity import Sensitivity
from hansproof.probes.sensitivity.cue_attributions import CueFinder, sum_by_cue, total_attributions
from hansproof.probes.sensitivity.cue_shares import count_word_cues
from hansproof.probes.sensitivity.regression import t_interval
from hansproof.probes.sensitivity.word_shares import mark_words
from hansproof.stats import fit_line
from hansproof.sweeps import TrainedModel
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Benchmark, Item, Items, Result
from tests.support import torch_models

from ..support.markers import needs_data
from ..support.probe_factories import records as rows

WORD = get_tokenizer("word")
Worth = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Looking:
    """A token for each run of letters and a special one before; a word counts what it is worth."""

    worth: Worth
    broken: str = ""  # items whose fields have this word have no shares

    def score(self, items: Items) -> list[tuple[float, ...]]:
        return [tuple(sum(map(self.worth, c.split())) for c in item.choices) for item in items]

    def gradients(self, items: Items, method: str, steps: int) -> list[tuple[Attributions, ...]]:
        return [tuple(self._shares(item, c) for c in item.choices) for item in items]

    def _shares(self, item: Item, choice: str) -> Attributions:
        texts = (" ".join(item.fields.values()), choice)
        found = [(at, m) for at, text in enumerate(texts) for m in re.finditer(r"\w+", text)]
        worth = [1.0, *(self.worth(m.group()) for _, m in found)]
        total = math.nan if self.broken and self.broken in texts[0] else sum(worth)
        tokens = ((-1, 0, 0), *((at, *m.span()) for at, m in found))
        return Attributions(texts, tokens, tuple(one / total for one in worth))


def drawn(word: str) -> float:
    return 1 + zlib.crc32(word.lower().encode()) / 2**32


def models(*worth: Worth, name: str = "m", **more: Any) -> list[TrainedModel]:
    return [
        TrainedModel(f"{name}{at}", Looking(one, **more), str(at)) for at, one in enumerate(worth)
    ]


def benchmark(n: int = 60) -> Benchmark:
    """The word `tell` is right three times of four, `not` once; they apply to every item."""
    made = {}
    for split in ("dev", "test"):
        some = []
        for at in range(n):
            right, wrong = ("tell", "not") if at % 4 else ("not", "tell")
            texts = [f"{right} w{at % 7}", f"{wrong} w{at % 5} w9"]
            some.append(Item(f"{split}-{at}", {"q": f"why {at}"}, tuple(texts[:: 1 - 2 * (at % 2)]),
                             at % 2))  # fmt: skip
        made[split] = tuple(some)
    return Benchmark("b", made, {"train": "dev", "test": "test"})


def finder(*cues: str) -> CueFinder:
    return CueFinder(WORD, frozenset(cues))


BITS = Attributions(
    ("the Woman went", "a woman; went."),
    ((-1, 0, 0), (0, 0, 3), (0, 3, 6), (0, 6, 9), (0, 10, 14), (-1, 0, 0), (1, 0, 1), (1, 2, 7),
     (1, 7, 8), (1, 9, 13), (1, 13, 14)),
    (0.1, 0.05, 0.1, 0.2, 0.05, 0.1, 0.05, 0.1, 0.05, 0.1, 0.1),
)  # fmt: skip


def test_parts_of_words_and_repetitions_are_summed() -> None:
    """Tokens may begin with the blank before a word; capitals are no other word."""
    found = sum_by_cue(BITS, finder("woman", "went", "a", "wo", "the"))
    expected = {"woman": 0.1 + 0.2 + 0.1, "went": 0.05 + 0.1, "a": 0.05, "the": 0.05}
    assert found == pytest.approx(expected)


def test_a_word_that_was_cut_off_was_not_read() -> None:
    short = replace(BITS, tokens=BITS.tokens[:6], shares=BITS.shares[:6])
    assert set(sum_by_cue(short, finder("a", "woman"))) == {"woman"}
    assert sum_by_cue(short, finder("a", "woman"))["woman"] == pytest.approx(0.3)


def one_word(share: float, word: str = "x") -> Attributions:
    return Attributions((f"{word} rest",), ((0, 0, len(word)), (-1, 0, 0)), (share, 1 - share))


def test_sequences_with_the_cue_are_averaged_or_only_the_pick_counts() -> None:
    each = [
        (one_word(0.2), one_word(0.4), one_word(0.9, "y")),  # two of three have it
        (one_word(0.9, "y"), one_word(0.1), one_word(0.9, "y")),
        (one_word(0.5, "y"), one_word(0.5, "y"), one_word(0.5, "y")),  # none has it
        (one_word(math.nan), one_word(0.5), one_word(0.5)),
    ]
    every = total_attributions(each, finder("x"))
    assert (every.n_items, every.n_skipped, every.counts) == (3, 1, {"x": 2})
    assert every.sums == pytest.approx({"x": 0.3 + 0.1})
    assert every.mean_if_present("x") == pytest.approx(0.2)
    assert every.mean_over_all("x") == pytest.approx(0.4 / 3)
    assert every.mean_if_present("none") is None
    assert every.mean_over_all("none") == 0
    picks = [(0.0, 1.0, 0.5), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    assert total_attributions(each, finder("x"), picks).sums == {"x": pytest.approx(0.4)}
    tied = [(1.0, 1.0, 1.0), *picks[1:]]
    assert total_attributions(each, finder("x"), tied).sums == {"x": pytest.approx(0.3)}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdé"), st.floats(0.01, 1)), min_size=1, max_size=12))
def test_the_shares_of_all_words_and_special_tokens_are_one(
    tokens: list[tuple[str, float]],
) -> None:
    """One token a word: nothing is lost and nothing counts twice, in sums and in marks."""
    total = sum(weight for _, weight in tokens) + 1
    text = " ".join(word for word, _ in tokens)
    spans = ((-1, 0, 0), *((0, 2 * at, 2 * at + 1) for at in range(len(tokens))))
    own = Attributions((text,), spans, tuple(w / total for w in (1.0, *(w for _, w in tokens))))
    found = sum_by_cue(own, finder(*"abcdé"))
    assert sum(found.values()) + own.shares[0] == pytest.approx(1)
    marks = [float(one.split(":")[1]) for one in mark_words(own)[1].split()]
    assert sum(marks) == pytest.approx(1 - own.shares[0], abs=1e-3)


def test_marks_are_places_in_the_segments_in_a_row() -> None:
    text, marks = mark_words(BITS)
    assert text == "the Woman went a woman; went."
    shaded = {text[slice(*map(int, one.split(":")[0].split("-")))] + one[one.index(":"):]
              for one in marks.split()}  # fmt: skip
    assert shaded == {"the:0.0500", "Woman:0.3000", "went:0.0500", "a:0.0500", "woman:0.1000",
                      ";:0.0500", "went:0.1000", ".:0.1000"}  # fmt: skip


def test_what_changes_is_the_second_group_less_the_first() -> None:
    """Every seed of the second looks half as much at `tell`: the first fall, and the only one."""
    seeds = [lambda w, s=s: drawn(w) + s for s in (0.0, 0.1, 0.3)]
    halved = [lambda w, f=f: f(w) / (2 if w == "tell" else 1) for f in seeds]
    result = Sensitivity()(benchmark(), models(*seeds), models(*halved, name="n"))
    found = {row["cue"]: row for row in rows(result, "cues")}
    assert next(iter(found)) == "tell"
    assert [row["cue"] for row in rows(result, "falls")] == ["tell"]
    assert found["tell"]["productivity"] == 0.75
    assert found["not"]["productivity"] == 0.25
    by_hand = []
    for worth in (*seeds, *halved):
        own = Looking(worth).gradients(benchmark().splits["test"], "", 0)
        each = [[s.shares[at] for s in item for at, (which, a, b) in enumerate(s.tokens)
                 if which == 1 and s.texts[1][a:b] == "tell"] for item in own]  # fmt: skip
        by_hand.append(np.mean([np.mean(item) for item in each]))
    pairs = np.array(by_hand[3:]) - np.array(by_hand[:3])
    row = found["tell"]
    assert (row["sensitivity"], row["against"]) == pytest.approx(
        (np.mean(by_hand[:3]), np.mean(by_hand[3:]))
    )
    assert row["difference"] == pytest.approx(pairs.mean())
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(t_interval(pairs))
    assert row["sensitivity_all"] == pytest.approx(row["sensitivity"] * row["items"] / 60)
    assert row["items"] == 60
    assert found["w9"]["difference"] > 0
    assert [row["group"] for row in rows(result, "runs")] == ["trained"] * 3 + ["against"] * 3
    assert "depend less than those of m0 and 2 more on 1 of" in result.summary
    assert "most of all “tell”, from" in result.summary


def trend(sign: float, draw: int = 3, seeds: int = 4) -> Result:
    """What a word is worth to the second models goes with how productive it is."""
    rng = np.random.default_rng(draw)
    words = [f"c{at}" for at in range(12)]
    made: dict[str, list[Item]] = {"dev": [], "test": []}
    for split, some in made.items():
        for at, word in enumerate(words):
            for time in range(12):
                hit = time < at  # productivity at / 12
                choices = (word, "other") if hit else ("other", word)
                some.append(Item(f"{split}-{word}-{time}", {"q": "why"}, choices, 0))
    whole = Benchmark("b", {name: tuple(some) for name, some in made.items()},
                      {"train": "dev", "test": "test"})  # fmt: skip

    def worth(seed: int, tilt: float) -> Worth:
        noise = {word: rng.normal(0, 0.05) for word in words}
        return lambda w: 1 + (tilt * int(w[1:]) / 12 + noise[w] if w in words else 0)

    first = models(*(worth(seed, 0) for seed in range(seeds)))
    second = models(*(worth(seed, sign) for seed in range(seeds)), name="n")
    return Sensitivity()(whole, first, second)


@pytest.mark.parametrize(
    ("sign", "said", "verdict"),
    [
        (-0.4, "the less they depend on it", "caution"),
        (0.4, "the more they depend on it", "caution"),
        (0.0, "not significantly related to how often a cue is right", "clear"),
    ],
    ids=["falls", "rises", "neither"],
)
def test_the_line_is_told_whatever_its_sign(sign: float, said: str, verdict: str) -> None:
    result = trend(sign)
    assert said in result.summary
    assert result.verdict == verdict
    line, published = rows(result, "line")
    assert (line["of"], published["of"]) == ("difference", "difference_all")
    assert (line["cues"], line["seeds"]) == (13, 4)  # with `other`
    dots = [(row["productivity"], row["difference"]) for row in rows(result, "cues")]
    x, y = np.array(dots).T
    assert (line["slope"], line["intercept"]) == pytest.approx(tuple(np.polyfit(x, y, 1)))
    (estimate,) = result.estimates
    assert estimate.value == line["slope"]
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low <= line["low"] <= line["slope"] <= line["high"] <= estimate.high
    assert result.p is not None
    assert (result.p <= 0.05) == (verdict == "caution")
    excluded = estimate.low > 0 or estimate.high < 0
    assert excluded == (verdict == "caution")


def test_where_nothing_goes_with_productivity_it_seldom_says_so() -> None:
    assert sum(trend(0.0, draw).verdict == "caution" for draw in range(20)) <= 3


def test_least_squares_is_what_others_find() -> None:
    from scipy import stats

    rng = np.random.default_rng(1)
    x = rng.random(30)
    y = 0.3 * x + rng.normal(0, 0.1, 30)
    line = fit_line(list(zip(x, y, strict=True)))
    other = stats.linregress(x, y)
    reach = stats.t.ppf(0.975, 28) * other.stderr
    assert line is not None
    assert (line.slope, line.intercept, line.r, line.p) == pytest.approx(
        (other.slope, other.intercept, other.rvalue, other.pvalue)
    )
    assert (line.low, line.high) == pytest.approx((other.slope - reach, other.slope + reach))
    assert t_interval(y.tolist()) == pytest.approx(
        stats.t.interval(0.95, 29, y.mean(), stats.sem(y))
    )
    assert fit_line([(0.5, 1.0)] * 5) is None
    assert fit_line([(0.1, 1.0), (0.2, 1.0)]) is None
    assert t_interval([1.0]) == (None, None)


def test_one_group_alone_is_described() -> None:
    result = Sensitivity()(benchmark(), models(drawn))
    found = rows(result, "cues")
    assert [row["sensitivity"] for row in found] == sorted(
        (row["sensitivity"] for row in found), reverse=True
    )
    assert all(row[name] is None for row in found
               for name in ("against", "difference", "difference_low", "against_all"))  # fmt: skip
    assert rows(result, "falls") == []
    assert [row["of"] for row in rows(result, "line")] == ["sensitivity", "sensitivity_all"]
    assert result.estimates == ()
    assert (result.verdict, result.p) == ("skipped", None)
    assert result.summary.startswith(
        "Skipped: there is nothing to compare with; give models trained on other data "
        "(--against). The"
    )


def test_only_the_pick_is_looked_at_where_that_is_asked() -> None:
    """The pick is the choice with the word that is worth most."""

    def worth(word: str) -> float:
        return 5.0 if word == "tell" else 1.0

    every, picked = (
        {
            row["cue"]: row
            for row in rows(Sensitivity(sequences=how)(benchmark(), models(worth)), "cues")
        }
        for how in ("average", "predicted")
    )
    assert every["not"]["items"] == 60
    assert "not" not in picked
    assert picked["tell"]["sensitivity"] == pytest.approx(every["tell"]["sensitivity"])


def test_items_without_shares_are_counted_and_left_out() -> None:
    whole = benchmark()
    result = Sensitivity()(whole, models(drawn, broken="why 1"), models(drawn, name="n"))
    first, second = rows(result, "runs")
    assert (first["items"], first["skipped"]) == (49, 11)  # 1, and 10 to 19
    assert (second["items"], second["skipped"]) == (60, 0)
    assert any("m0: 11 items skipped" in note for note in result.notes)
    assert not any(
        f"test-1{at}" in row["item"] for row in rows(result, "words") for at in range(10)
    )
    nothing = Sensitivity()(whole, models(drawn, broken="why"))
    assert rows(nothing, "cues") == []
    assert nothing.verdict == "skipped"
    assert nothing.summary == "Skipped: no item of test has gradients that could be attributed."


def test_words_are_shown_of_the_first_model_of_each_group() -> None:
    other = models(lambda w: drawn(w) / (3 if w == "tell" else 1), drawn, name="n")
    result = Sensitivity()(benchmark(), models(drawn, drawn), other)
    found = rows(result, "words")
    assert {row["model"] for row in found} == {"m0", "n0"}
    assert {row["choice"] for row in found} == {1, 2}
    assert set(result.evidence["items with the words that change most"]) == {
        row["item"] for row in found
    }
    for row in found:
        for one in row["marks"].split():
            span, share = one.split(":")
            start, end = map(int, span.split("-"))
            assert row["text"][start:end].isalnum()
            assert 0 < float(share) < 1


def test_fewer_items_are_drawn_by_the_seed() -> None:
    taken = [rows(Sensitivity(most=10, seed=s)(benchmark(), models(drawn)), "runs") for s in (0, 0)]
    assert taken[0] == taken[1]
    assert taken[0][0]["items"] == 10


def test_unequal_groups_have_no_interval_over_pairs() -> None:
    result = Sensitivity()(benchmark(), models(drawn, drawn), models(drawn, name="n"))
    assert all(row["difference_low"] is None for row in rows(result, "cues"))
    assert any("there is no interval over pairs" in note for note in result.notes)


class Scoring:
    def score(self, items: Items) -> list[tuple[float, ...]]:
        return [(0.0,) * len(item.choices) for item in items]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({}, "--trained: this probe needs models with gradients: give saved:FOLDER"),
        (
            {"trained": [TrainedModel("bow", Scoring(), "")]},
            "--trained: bow has no gradients; give fine-tuned transformers (saved:FOLDER)",
        ),
        (
            {"trained": models(drawn), "against": [TrainedModel("bow", Scoring(), "")]},
            "--against: bow has no gradients; give fine-tuned transformers (saved:FOLDER)",
        ),
    ],
    ids=["none", "trained", "against"],
)
def test_models_without_gradients_are_refused(given: dict[str, Any], line: str) -> None:
    with pytest.raises(BadInput) as caught:
        Sensitivity()(benchmark(), **given)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    "flags",
    [{"applicability": 0}, {"method": "x"}, {"sequences": "x"}, {"most": -1}, {"steps": 0}],
    ids=str,
)
def test_flags_that_make_no_sense_are_refused(flags: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=f"--{next(iter(flags))}: is "):
        Sensitivity(**flags)


@needs_data
def test_productivity_is_that_of_the_paper() -> None:
    """Table 7's column, from COPA's training half; the rarest of its words apply to four items."""
    paper = json.loads(Path("src/hansproof/papers/figures/kavumba2019.json").read_text())
    (table,) = (one for one in paper["tables"] if one["id"] == "table-7")
    copa = load("copa")
    found = count_word_cues(copa.splits[copa.roles["train"]], WORD, 4)
    for row in table["rows"]:
        applies, hits = found[row["cue"]]
        assert round(hits / applies, 2) == row["productivity"]
    assert min(found[row["cue"]][0] for row in table["rows"]) == 4


def names(some: Sequence[dict[str, Any]]) -> list[str]:
    return [row["cue"] for row in some]


def test_cues_are_counted_where_they_are_asked_to_be() -> None:
    own = Sensitivity(cues_from="test", applicability=60)(benchmark(), models(drawn))
    assert set(names(rows(own, "cues"))) == {"tell", "not", "w9"}
    assert any("counted on test itself" in note for note in own.notes)
    bare = replace(benchmark(), roles={})
    assert any("counted on dev itself" in note for note in Sensitivity()(bare, models(drawn)).notes)


def test_a_network_that_learnt_a_cue_looks_at_it(tmp_path: Path) -> None:
    """Trained where the cue is right and where it says nothing: by occlusion it falls most.

    Its gradient tells little, as the page says: all answers are right already.
    """
    pytest.importorskip("transformers")
    pytest.importorskip("captum")
    cued = torch_models.cued(60, 1)
    mute = tuple(replace(item, answer=at % 2) for at, item in enumerate(cued))
    whole = Benchmark("b", {"dev": cued, "test": torch_models.cued(20, 2)},
                      {"train": "dev", "test": "test"})  # fmt: skip
    spec = torch_models.hf(tmp_path).replace("epochs=2", "epochs=3")
    with single_threaded():
        groups = [[TrainedModel(name, by_name.load(spec).fit(items, (), 0), "")]
                  for name, items in (("cued", cued), ("mute", mute))]  # fmt: skip
        found = {how: Sensitivity(method=how)(whole, *groups) for how in ("occlusion", "gradient")}
    first = rows(found["occlusion"], "cues")[0]
    assert first["cue"] == torch_models.CUE
    assert (first["productivity"], first["items"]) == (1, 20)
    assert first["sensitivity"] > 2 * first["against"]
    assert max(rows(found["gradient"], "cues"), key=_sensitivity)["cue"] != torch_models.CUE
    run = rows(found["gradient"], "runs")[0]
    assert (run["model"], run["accuracy"], run["device"]) == ("cued", 1, "cpu")


def _sensitivity(row: dict[str, Any]) -> float:
    return float(row["sensitivity"])
