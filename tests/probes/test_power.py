"""Sentences about what a probe could have found."""

from __future__ import annotations

from hansproof.probes._power import SplitPower, describe_power


def test_it_says_how_many_items_are_needed() -> None:
    text = describe_power(SplitPower("dev", 120, 0.16, 785), 0.05)
    assert text == (
        "With 120 items in dev, a shortcut worth 5 points would be found only 16% of the time; "
        "about 790 items are needed."
    )


def test_it_never_needs_as_few_items_as_there_are() -> None:
    text = describe_power(SplitPower("dev", 2, 0.001, 2), 0.05)
    assert text == "With 2 items in dev, a shortcut worth 5 points would be found almost never."
