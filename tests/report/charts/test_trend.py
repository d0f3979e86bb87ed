"""The line through dots and its band, against the covariance of its parameters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hansproof.report.charts._trend import trend_points

dots = st.lists(st.tuples(st.floats(0, 1), st.floats(-5, 5)), min_size=3, max_size=30)


@settings(max_examples=40)
@given(dots.filter(lambda some: np.ptp([x for x, _ in some]) > 0.05))
def test_it_is_the_least_squares_line_with_its_confidence(some: list[tuple[float, float]]) -> None:
    x, y = (np.array(values) for values in zip(*some, strict=True))
    design = np.stack([np.ones_like(x), x], axis=1)
    (intercept, slope), *_ = np.linalg.lstsq(design, y, rcond=None)
    left = y - intercept - slope * x
    covariance = left @ left / (len(x) - 2) * np.linalg.inv(design.T @ design)
    points = trend_points(x.tolist(), y.tolist())
    assert [points[0]["x"], points[-1]["x"]] == [x.min(), x.max()]
    for point in points:
        at, line = np.array([1, point["x"]]), intercept + slope * point["x"]
        reach = stats.t.ppf(0.975, len(x) - 2) * np.sqrt(max(at @ covariance @ at, 0))
        found = [point["y"], point["low"], point["high"]]
        assert found == pytest.approx([line, line - reach, line + reach], rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    "x", [[], [0.5], [0.1, 0.9], [0.5] * 9], ids=["none", "one", "two", "one place"]
)
def test_there_may_be_none(x: list[float]) -> None:
    assert trend_points(x, [1.0] * len(x)) == []
