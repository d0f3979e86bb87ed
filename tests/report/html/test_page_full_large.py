"""Every section in one report of PIQA, all 17,951 items: under 8 MB, and open within 2 seconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hansproof import auditing, load
from hansproof.plugins import load_class, names
from hansproof.types import Probe
from hansproof.vectors import save_vectors

from ...support.markers import needs_data
from ...support.probe_factories import given
from ...support.report_page import (
    overflow,
    probes,
    seconds_to_open_again,
    shown_probes,
    write,
)

if TYPE_CHECKING:
    from ...support.report_page import Open


NEEDS = ("predictions", "accuracies", "ratings", "trained", "others", "scans")
WORDS = ("water", "milk", "oil", "glass", "metal", "wood", "cut", "put", "place", "use")
# enough to have every table and picture, and no more
CHEAP: dict[str, dict[str, Any]] = {
    "compare": {"randomisations": 999}, "contamination": {"randomisations": 999},
    "cues": {"randomisations": 39}, "easy_hard": {"randomisations": 999},
    "partial_input": {"randomisations": 19, "cuts": 1, "ngram": 1},
    "priority": {"split": "dev", "randomisations": 39, "shuffles": 1}, "robustness": {"most": 100},
    "sensitivity": {"most": 300}, "transfer": {"seeds": 1},
}  # fmt: skip


def chosen(folder: Path) -> dict[str, Probe]:
    """All of them; the attack swaps a few words that are near each other."""
    near = (np.eye(len(WORDS)) + 3).astype(np.float32)
    save_vectors(str(folder / "near.npz"), WORDS, near)
    attack = {"vectors": str(folder / "near.npz"), "encoder": "none", "sentence": 0,
              "tagger": "none", "journal": str(folder)}  # fmt: skip
    flags = {name: CHEAP.get(name, {}) for name in names("probes")}
    return {
        name: load_class("probes", name)(**some, **(attack if name == "robustness" else {}))
        for name, some in flags.items()
    }


def there() -> dict[str, Sequence[Any]]:
    """Made-up answers to the dev split; models are compared with themselves."""
    found = given(load("piqa:dev"), NEEDS)
    return {**found, "against": found["trained"]}


@needs_data
@pytest.mark.slow
def test_a_report_of_all_of_piqa_is_small_and_soon_open(open_page: Open, tmp_path: Path) -> None:
    piqa = load("piqa")
    found = auditing.run_audit(piqa, chosen(tmp_path), inputs=there())
    assert found.failures == ()
    assert sum(found.sizes.values()) == 17_951
    path = write(found, tmp_path)
    assert path.stat().st_size < 8_000_000
    for width in (390, 1200):
        page = open_page(path, width)
        assert shown_probes(page) == probes()
        assert overflow(page) <= 0
        assert seconds_to_open_again(page) < 2
