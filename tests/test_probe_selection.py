"""Which probes an audit runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from hansproof.benchmarks import load
from hansproof.errors import BadInput, UnknownName
from hansproof.probe_selection import (
    build_probes,
    check_order,
    check_probes,
    configure_probe,
    input_names,
    list_probes,
    probe_name,
)
from hansproof.probes.class_balance import ClassBalance
from hansproof.probes.cues import Cues
from hansproof.probes.parts import Parts
from hansproof.types import Benchmark, Result

OWN_FILE = """
from dataclasses import dataclass
from typing import ClassVar

from hansproof.types import Result

@dataclass(frozen=True)
class Mine:
    needs: ClassVar[tuple[str, ...]] = ()
    limit: int

    def __call__(self, benchmark):
        return Result("mine", {"limit": self.limit}, "clear", "Nothing.")
"""


@dataclass(frozen=True)
class LongItemsProbe:
    needs: ClassVar[tuple[str, ...]] = ("ratings",)

    def __call__(self, benchmark: Benchmark) -> Result:
        raise NotImplementedError


def test_specs_and_objects_are_known_by_name() -> None:
    probes = build_probes(["class-balance", "cues:ngram=1", LongItemsProbe()], by="subject")
    assert list(probes) == ["class_balance", "cues", "long_items", "parts"]
    assert probes["cues"] == Cues(ngram=1)
    assert probes["parts"] == Parts(by="subject")
    assert probe_name(ClassBalance()) == "class_balance"


def test_a_probe_that_is_named_twice_is_an_error() -> None:
    with pytest.raises(BadInput, match="cues is given twice"):
        build_probes(["cues", Cues(ngram=1)])


def test_parts_are_named_once() -> None:
    with pytest.raises(BadInput, match="parts is given, and --by too"):
        build_probes(["parts:by=topic"], by="subject")


def test_settings_are_those_of_the_probe(tmp_path: Path) -> None:
    assert configure_probe("cues", {"ngram": 1}) == Cues(ngram=1)
    assert configure_probe("cues:ngram=1", {"level": 0.01}) == Cues(ngram=1, level=0.01)
    assert configure_probe(Cues(ngram=1), {"level": 0.01}) == Cues(ngram=1, level=0.01)
    with pytest.raises(UnknownName, match="did you mean ngram"):
        configure_probe("cues", {"ngrams": 1})
    path = tmp_path / "mine.py"
    path.write_text(OWN_FILE)
    assert configure_probe(str(path), {"limit": 3}).limit == 3
    with pytest.raises(BadInput, match="limit must be given"):
        configure_probe(str(path), {})


def test_inputs_are_named_by_the_probe() -> None:
    assert input_names("agreement") == ("ratings",)
    assert input_names("compare:seeds=pooled") == ("predictions",)
    assert input_names(LongItemsProbe()) == ("ratings",)


def test_inputs_that_no_probe_looks_at_are_an_error() -> None:
    toy = load("toy:original")
    check_probes(build_probes([LongItemsProbe()]), toy, ["ratings"])
    with pytest.raises(BadInput, match=r"--ratings: is not used by any probe of this audit$"):
        check_probes(build_probes(["cues"]), toy, ["ratings"])
    with pytest.raises(BadInput, match="add --probe robustness"):
        check_probes(build_probes(["cues"]), toy, ["trained"])
    with pytest.raises(BadInput, match="no item has this column"):
        check_probes(build_probes([], by="nothing"), toy, [])


def test_settings_are_of_the_type_of_their_field() -> None:
    with pytest.raises(BadInput, match="--ngram: is '1', must be of type int"):
        configure_probe("cues", {"ngram": "1"})
    with pytest.raises(BadInput, match="--split: is 3, must be of type str or None"):
        configure_probe(Cues(), {"split": 3})
    assert configure_probe("cues", {"ngram": np.int64(1)}) == Cues(ngram=1)
    by_list = configure_probe("partial_input", {"views": ["choices", "full"]})
    assert by_list == configure_probe("partial_input", {"views": "choices,full"})


def test_what_is_no_probe_is_refused() -> None:
    assert list_probes(None) == []
    assert list_probes("cues") == ["cues"]
    assert list_probes(Cues()) == [Cues()]
    assert list_probes(name for name in ("cues", "surface")) == ["cues", "surface"]
    for value, message in (
        (Cues, r"is a class: give an object of it, such as Cues\(\)"),
        (print, "has no `needs`"),
        (3, "is of type int, must be a probe"),
    ):
        with pytest.raises(BadInput, match=f"^--probes: .*{message}"):
            build_probes(list_probes(value), argument="--probes")


def test_a_benchmark_before_its_probe_is_noticed() -> None:
    for probe, benchmark in ((load("toy"), "cues"), ("toy", "class-balance"), (None, Cues())):
        with pytest.raises(BadInput, match=r"comes before the benchmark: run\('c"):
            check_order(probe, benchmark)
    check_order("cues", "toy")
    check_order("./mine.py", "balance")
