from __future__ import annotations

import sys

import numpy as np
import pytest

from hansproof import load, models, views
from hansproof.capabilities import fit_info_of
from hansproof.errors import BadInput, MissingExtra, UnknownName
from hansproof.models.wordfreq import Wordfreq, _frequency_features
from hansproof.training.selection import selection_accuracy
from hansproof.types import Item, Items
from tests.support.markers import needs_data

wordfreq = pytest.importorskip("wordfreq")

FREQUENT = ("the man", "a house", "good day", "my work", "new home", "in time")
RARE = ("gnarled burl", "abstruse tome", "vapid simile", "obtuse cleric", "fetid ooze")


def items(n: int, of: int = 2) -> Items:
    """Items whose answer has the frequent words."""
    draw = np.random.default_rng(n)
    return tuple(
        Item(f"{i}", {"q": "why"}, tuple(
            str(draw.choice(FREQUENT if at == i % of else RARE)) for at in range(of)
        ), i % of)
        for i in range(n)
    )  # fmt: skip


def test_features_are_mean_least_most_and_sum() -> None:
    shown = (Item("0", {"q": "not seen"}, ("The man!", "", "qqqxyzz"), None),)
    the, man = (wordfreq.zipf_frequency(word, "en") for word in ("the", "man"))
    expected = [[(the + man) / 2, man, the, the + man], [0.0] * 4, [0.0] * 4]
    assert _frequency_features(shown, "en", "word") == pytest.approx(np.array(expected))


@pytest.mark.parametrize("view", ["choices", "choices/alone", "full"])
@pytest.mark.parametrize("of", [2, 4])
def test_frequent_words_are_learnt(view: str, of: int) -> None:
    seen = views.parse_view(view, ("q",))
    train, fresh = items(60, of), items(61, of)
    model = Wordfreq().fit(views.apply_view(seen, train), (), 0)
    scores = views.regroup_scores(
        seen, fresh, model.score(views.apply_view(seen, fresh, answers=False))
    )
    assert selection_accuracy(scores, fresh) == 1


def test_brought_to_one_scale_and_back() -> None:
    """The same as with features of mean 0 and deviation 1, which the penalty is meant for."""
    from hansproof.linear import solver

    train = items(40)
    rows = _frequency_features(train, "en", "word")
    scaled = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    weights, bias = solver.fit_weights(scaled, *solver.choice_layout(train), 1.0)
    expected = solver.score_rows(scaled, weights, bias)
    found = [score for row in Wordfreq().fit(train, (), 0).score(train) for score in row]
    assert found == pytest.approx(expected, abs=1e-9)


def test_the_tokenizer_is_told_before_and_after_training() -> None:
    assert fit_info_of(Wordfreq().fit(items(4), (), 0)).tokenizer == "word"


def test_a_language_without_frequencies_is_one_line() -> None:
    with pytest.raises(UnknownName, match="unknown language of wordfreq 'tlh'; known: ar, "):
        models.load("wordfreq:language=tlh").fit(items(4), (), 0)


@pytest.mark.parametrize("penalty", ["0", "-1", "nan", "inf"])
def test_a_penalty_out_of_range_is_refused(penalty: str) -> None:
    with pytest.raises(BadInput, match=r"wordfreq:penalty: is .*, must be more than 0"):
        models.load(f"wordfreq:penalty={penalty}")


def test_without_the_package_it_says_which_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    for call in (lambda: Wordfreq().fit(items(4), (), 0), Wordfreq().materials):
        with pytest.raises(MissingExtra, match=r"hansproof\[wordfreq\]"):
            call()


@needs_data
def test_copa_is_near_the_published_figure() -> None:
    """Kavumba et al. 2019 print 53.5 % for a classifier of which they tell no more."""
    benchmark = load("copa")
    view = views.parse_view("choices", ("premise",))
    train, test = (views.apply_view(view, benchmark.splits[name]) for name in ("dev", "test"))
    scores = Wordfreq().fit(train, (), 0).score(test)
    assert selection_accuracy(scores, test) == pytest.approx(0.535, abs=0.015)
