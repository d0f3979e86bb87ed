"""The gauge: a scale around chance on which small effects can be seen, with honest ends."""

from __future__ import annotations

import pytest

from hansproof.report.html.gauge import build_gauge
from hansproof.types import Estimate


def test_29_against_25_can_be_seen() -> None:
    gauge = build_gauge(Estimate("a", 0.29, 0.27, 0.31, 2000, 0.25))
    assert gauge is not None
    assert (gauge.start_label, gauge.end_label) == ("15%", "35%")
    assert (gauge.chance, gauge.value) == (50, 70)
    assert (gauge.low, gauge.high) == (60, 80)


def test_effects_of_one_size_look_alike_above_and_below_chance() -> None:
    above = build_gauge(Estimate("a", 0.62, 0.58, 0.66, 400, 0.5))
    below = build_gauge(Estimate("a", 0.38, 0.34, 0.42, 400, 0.5))
    assert above is not None
    assert below is not None
    assert (above.start_label, above.end_label) == (below.start_label, below.end_label)
    assert above.value - above.chance == pytest.approx(below.chance - below.value)


@pytest.mark.parametrize("value", [0.0, 0.02, 0.2, 0.249, 0.25, 0.3, 0.92, 1.0])
def test_everything_is_on_the_scale_and_the_scale_within_what_is_possible(value: float) -> None:
    gauge = build_gauge(Estimate("a", value, max(value - 0.1, 0), min(value + 0.1, 1), 90, 0.25))
    assert gauge is not None
    places = (gauge.value, gauge.chance, gauge.low, gauge.high)
    assert all(place is not None and 0 <= place <= 100 for place in places)
    start, end = (float(label.rstrip("%")) for label in (gauge.start_label, gauge.end_label))
    assert 0 <= start < 25 < end <= 100
    assert max(25 - start, end - 25) >= 10  # noise does not fill it


def test_differences_have_a_scale_around_none() -> None:
    gauge = build_gauge(Estimate("a", 0.017, -0.022, 0.061, 120, 0.0, kind="difference"))
    assert gauge is not None
    assert (gauge.start_label, gauge.end_label) == ("−10", "+10")
    assert gauge.chance_label == "no difference"


@pytest.mark.parametrize(
    "estimate",
    [
        None,
        Estimate("a", 0.5, 0.4, 0.6, 90),
        Estimate("a", 1.3, 1.1, 1.5, 90, 1.0, kind="ratio"),
        Estimate("a", 7.0, chance=0.5),
        Estimate("a", float("nan"), chance=0.5),
        Estimate("a", 7.0, chance=0.0, kind="difference"),
    ],
)
def test_other_numbers_have_none(estimate: Estimate | None) -> None:
    assert build_gauge(estimate) is None
