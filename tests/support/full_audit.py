"""An audit in which every probe has its say, each of the data that its own tests have."""

from __future__ import annotations

from functools import cache

from hansproof import load
from hansproof.probes.balance import Balance
from hansproof.probes.contamination import Contamination
from hansproof.probes.parts import Parts
from hansproof.probes.priority import Priority
from hansproof.probes.shortcuts import Shortcuts
from hansproof.probes.transfer import Transfer
from hansproof.types import Audit, Items, Result

from . import contaminated_sample as dirty
from . import sample_answers, sample_attack, sample_blind
from . import transfer_benchmarks as carried
from .report_sample import audit, sample

PADDOCK = ("dev", "test")


@cache
def everything() -> Audit:
    """Of several benchmarks, as if they were one."""
    toy = load("toy")
    paddock = sample(PADDOCK, size=300, rows=200)
    results: tuple[Result, ...] = (
        *paddock.results,
        Balance()(load("toy:balanced")),
        *sample_answers.answered().results,
        *sample_blind.in_company().results,
        *sample_attack.pressed().results,
        Contamination()(dirty.BENCHMARK, dirty.SCANS),
        Transfer(seeds=2)(carried.ONE, [carried.LIKE, carried.OTHER]),
        Parts()(load("toy")),
        Priority(shuffles=3, randomisations=99)(load("toy:original")),
        Shortcuts(randomisations=20)(load("toy:original")),
    )
    splits: dict[str, Items] = {"paddock": paddock.items, **toy.splits, **dirty.BENCHMARK.splits}
    return audit(results, splits)
