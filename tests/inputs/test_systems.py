"""Systems whose runs have no answer to some items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hansproof.errors import BadInput
from hansproof.inputs.systems import build_systems, pair_answered
from hansproof.types import UNKNOWN_VIEW, Benchmark, Item, NoAnswer, Predictions

ITEMS = tuple(Item(f"{i}", {"q": "why"}, ("a", "b", "c", "d"), 0) for i in range(6))
BENCHMARK = Benchmark("b", {"all": ITEMS})
RIGHT, WRONG = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)


def make_run(outcomes: str, model: str = "m", seed: int = 0, view: str = "full") -> Predictions:
    """`+` right, `-` wrong, `u` unparsed, `r` refused, `.` not asked."""
    reasons: dict[str, NoAnswer] = {"u": "unparsed", "r": "refused", ".": "not asked"}
    pairs = list(zip(ITEMS, outcomes, strict=True))
    scores: dict[str, tuple[float, ...]] = {
        i.id: RIGHT if o == "+" else WRONG for i, o in pairs if o in "+-"
    }
    unanswered = {i.id: reasons[o] for i, o in pairs if o in reasons}
    return Predictions("b", "all", "", model, view, scores, seed, unanswered=unanswered)


def test_no_answer_has_three_values() -> None:
    (system,) = build_systems(BENCHMARK, [make_run("++-ur.")])
    assert [item.id for item in system.items] == list("01234")
    assert system.credits.tolist() == [[1, 1, 0, 0, 0]]
    assert system.answered.tolist() == [[True, True, True, False, False]]
    assert system.accuracy == pytest.approx(2 / 5)
    assert system.accuracy_by_guessing == pytest.approx(2.5 / 5)
    assert system.accuracy_left_out == pytest.approx(2 / 3)
    assert system.count_reasons() == {"unparsed": 1, "refused": 1}
    assert system.chance == 0.25
    assert len(system.split_items) == 6


def test_items_count_that_every_run_was_asked() -> None:
    (system,) = build_systems(BENCHMARK, [make_run("+++++."), make_run(".-u+++", seed=1)])
    assert [item.id for item in system.items] == list("1234")
    assert np.array_equal(system.credits, [[1, 1, 1, 1], [0, 0, 1, 1]])
    assert system.count_reasons() == {"unparsed": 1}
    assert system.tie_rate() == 0


def test_pairs_have_the_items_that_both_answered() -> None:
    systems = build_systems(BENCHMARK, [make_run("+-+u+."), make_run(".--+++", "n")])
    first, second = pair_answered(*systems)
    assert [item.id for item in first.items] == [item.id for item in second.items] == list("124")
    assert first.credits.tolist() == [[0, 1, 1]]
    assert second.credits.tolist() == [[0, 0, 1]]


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([make_run("+++..."), make_run("...+++", seed=1)], "no item of all was given to all runs"),
        ([make_run("uuuur.")], "m has no answer to any item of all"),
    ],
)
def test_systems_without_answers_are_refused(runs: list[Predictions], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build_systems(BENCHMARK, runs)


def test_an_unknown_view_is_named_where_it_tells_systems_apart() -> None:
    unknown = make_run("++++++", view=UNKNOWN_VIEW)
    assert [s.name for s in build_systems(BENCHMARK, [unknown])] == ["m"]
    both = build_systems(BENCHMARK, [unknown, make_run("++++--")])
    assert [s.name for s in both] == ["m, view unknown", "m"]


def test_a_pretrained_model_is_part_of_the_name() -> None:
    def named(model: str, source: str, **params: str) -> Predictions:
        run = make_run("++++--", model, view="choices")
        return replace(run, params={"source": source, **params})

    runs = [named("lm", "/models/smollm2"), named("lm", "org/other"), named("hf", "bert"),
            named("mine", "x"), make_run("++++++", "lm")]  # fmt: skip
    systems = build_systems(BENCHMARK, runs)
    names = ["lm:smollm2", "lm:other", "hf:bert", "mine", "lm"]
    assert [system.name_without_view for system in systems] == names
    assert [s.name for s in systems[:2]] == ["lm:smollm2 on choices", "lm:other on choices"]
    equal = build_systems(BENCHMARK, [named("lm", "a/x", k="1"), named("lm", "b/x", k="2")])
    assert [s.name_without_view for s in equal] == [
        "lm:x, source=a/x, k=1", "lm:x, source=b/x, k=2",
    ]  # fmt: skip


def ask(view: str = "choices", **params: object) -> Predictions:
    """A run of a language model behind a server, with the settings that its record names."""
    settings = {"model": "/models/smollm2", "prompt": "letters", "temperature": 0.0,
                "prompt_sha256": "e2b2878f" * 8, "way": "text", "requests": 12}  # fmt: skip
    run = make_run("++++--", "llamacpp", view=view)
    return replace(run, params=settings | params)  # type: ignore[arg-type]


def test_names_show_only_settings_that_differ() -> None:
    steps = ask(prompt="steps", prompt_sha256="a014a75d" * 8, requests=9)
    systems = build_systems(BENCHMARK, [ask(), steps, ask("full")])
    assert [system.name for system in systems] == [
        "llamacpp:smollm2 on choices, prompt=letters", "llamacpp:smollm2 on choices, prompt=steps",
        "llamacpp:smollm2",
    ]  # fmt: skip


def test_a_digest_is_named_where_nothing_else_differs_and_is_short() -> None:
    """A prompt file of the same name was changed; a third system differs in its prompt, too."""
    changed, steps = ask(prompt_sha256="a014a75d" * 8), ask(prompt="s", prompt_sha256="b" * 64)
    two = build_systems(BENCHMARK, [ask(), changed])
    assert [system.name_without_view for system in two] == [
        "llamacpp:smollm2, prompt_sha256=e2b2878f", "llamacpp:smollm2, prompt_sha256=a014a75d",
    ]  # fmt: skip
    three = build_systems(BENCHMARK, [ask(), changed, steps])
    assert [system.name_without_view for system in three] == [
        "llamacpp:smollm2, prompt=letters, prompt_sha256=e2b2878f",
        "llamacpp:smollm2, prompt=letters, prompt_sha256=a014a75d",
        "llamacpp:smollm2, prompt=s",
    ]
