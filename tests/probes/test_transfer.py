"""What carries over, what does not, and who may never take part."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from hansproof import load
from hansproof.errors import BadInput, ModelError, UnknownName
from hansproof.models.hf import Hf
from hansproof.models.saved import SavedModel
from hansproof.probes.transfer import Transfer
from hansproof.probes.transfer.cell_stats import measure_cell
from hansproof.scoring import expected_credit
from hansproof.sweeps.store import RunStore
from hansproof.types import Benchmark, Item, Result
from tests.support import checkpoints

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.markers import needs_data
from ..support.probe_factories import records as rows
from ..support.transfer_benchmarks import LIKE, ONE, OTHER


def cells(found: Result) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["trained_on"], row["tested_on"]): row for row in rows(found, "matrix")}


def test_a_cue_that_two_share_carries_over_and_one_of_its_own_does_not() -> None:
    found = Transfer(seeds=1)(ONE, [LIKE, OTHER])
    flags = {pair: row["flag"] for pair, row in cells(found).items()}
    carried = {("one", "like"), ("like", "one")}
    assert {pair for pair, flag in flags.items() if flag} == carried
    assert len(flags) == 9
    assert found.verdict == "caution"  # nothing of x is of use elsewhere
    assert "x (" in found.summary
    assert (
        " there) does not carry over significantly to any other. The largest gain is from "
        in found.summary
    )
    alone = Transfer(seeds=1)(ONE, [LIKE])
    assert alone.verdict == "clear"
    assert alone.p is None
    assert alone.summary.startswith("What bow learns on one (")
    wide = alone.tables["accuracy"]
    assert wide.columns == ("trained on", "one", "like")
    assert wide.rows[-1] == ("chance", 0.5, 0.25)
    assert wide.rows[0][2] == cells(alone)["one", "like"]["accuracy"]


def test_p_interval_and_correction_are_those_of_others() -> None:
    found = cells(Transfer(seeds=2)(ONE, [LIKE, OTHER]))
    for row in found.values():
        hits = round(row["accuracy"] * row["n"])
        if hits != pytest.approx(row["accuracy"] * row["n"]) or row["sd"]:
            continue  # a tie, or runs that differ
        peer = binomtest(hits, row["n"], row["chance"], alternative="greater")
        ends = binomtest(hits, row["n"]).proportion_ci(method="wilson")
        assert row["p"] == pytest.approx(peer.pvalue)
        assert (row["low"], row["high"]) == pytest.approx((ends.low, ends.high))
    off = sorted((row for pair, row in found.items() if pair[0] != pair[1]), key=lambda r: r["p"])
    stepped = itertools.accumulate(
        (min(1.0, row["p"] * (len(off) - at)) for at, row in enumerate(off)), max
    )
    assert [row["q"] for row in off] == pytest.approx([*stepped])
    assert all(row["q"] is None and not row["flag"] for pair, row in found.items()
               if pair[0] == pair[1])  # fmt: skip


def test_a_cell_of_several_runs_keeps_groups_whole() -> None:
    draw = np.random.default_rng(3)
    earned = draw.integers(0, 2, (3, 12)).astype(float)
    groups = [f"g{at // 3}" for at in range(12)]
    found = measure_cell(earned, groups, np.full(12, 0.25))
    assert found.accuracy == pytest.approx(earned.mean())
    assert found.sd == pytest.approx(np.std(earned.mean(axis=1), ddof=1))
    assert (found.chance, found.n, found.seeds) == (0.25, 12, 3)
    sums = (earned.mean(axis=0) - 0.25).reshape(4, 3).sum(axis=1)
    swapped = [np.dot(signs, sums) for signs in itertools.product((1, -1), repeat=4)]
    assert found.p == pytest.approx(np.mean([one >= sums.sum() - 1e-9 for one in swapped]))
    best = measure_cell(earned, groups, np.full(12, 0.25), best=1)
    assert best.accuracy == pytest.approx(earned[1].mean())
    assert best.sd == found.sd
    assert measure_cell(earned[[0, 0, 0]], groups, np.full(12, 0.25)).sd == 0
    assert measure_cell(earned[:1], groups, np.full(12, 0.25)).sd is None


PHANTOM = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Phantom:
    phantom: int = 0

    def fit(self, items, select, seed):
        assert all(item.answer is not None for item in items)
        return self

    def score(self, items):
        assert all(item.answer is None or len(item.choices) == 2 for item in items)
        real = [tuple(-1.0 - len(choice) for choice in item.choices) for item in items]
        return [(row + (0.0,) * 5)[:5] for row in real] if self.phantom else real
"""


@needs_data
def test_a_choice_that_is_not_there_takes_no_part(tmp_path: Path) -> None:
    """Every real choice scores below 0: one that was padded with 0 would win each time."""
    (tmp_path / "phantom.py").write_text(PHANTOM)
    arc = load("arc_challenge")
    asked = arc.splits["test"]
    assert {len(item.choices) for item in asked} >= {3, 4, 5}
    spec = str(tmp_path / "phantom.py")
    found = cells(Transfer(model=spec, seeds=1)(ONE, [Benchmark("arc", {"test": asked})]))
    shortest = [
        expected_credit([-len(c) for c in item.choices], item.answer or 0) for item in asked
    ]
    row = found["one", "arc"]
    assert row["accuracy"] == pytest.approx(np.mean(shortest))
    assert row["chance"] == pytest.approx(np.mean([1 / len(item.choices) for item in asked]))
    with pytest.raises(ModelError, match="returned 5 scores for 2 choices"):
        Transfer(model=f"{spec}:phantom=1", seeds=1)(ONE, [arc])


TURNS = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Turns:
    sign: int = 0

    def fit(self, items, select, seed):
        return Turns(sign=1 if seed == 1 else -1)

    def score(self, items):
        return [tuple(self.sign * float("indeed" in c) for c in item.choices) for item in items]
"""


def test_the_mean_of_the_runs_or_the_one_that_is_best_at_home(tmp_path: Path) -> None:
    (tmp_path / "turns.py").write_text(TURNS)
    spec = str(tmp_path / "turns.py")
    mean = cells(Transfer(model=spec, seeds=2)(ONE, [LIKE]))
    best = Transfer(model=spec, seeds=2, over="best")(ONE, [LIKE])
    for pair, target in ((("one", "one"), ONE), (("one", "like"), LIKE)):
        asked = target.splits["test"]
        good, bad = (
            [
                expected_credit([s * ("indeed" in c) for c in i.choices], i.answer or 0)
                for i in asked
            ]
            for s in (1, -1)
        )
        assert mean[pair]["accuracy"] == pytest.approx(np.mean([good, bad]))
        assert cells(best)[pair]["accuracy"] == pytest.approx(np.mean(good))
        assert cells(best)[pair]["sd"] == pytest.approx(
            np.std([np.mean(good), np.mean(bad)], ddof=1)
        )
    assert any("selected and optimistic" in note for note in best.notes)
    assert best.params["over"] == "best"
    assert any("one: 1 of 2 runs learnt nothing" in note for note in best.notes)


def test_items_that_stand_in_both_are_counted_and_shown() -> None:
    copied = tuple(
        Item(f"c{at}", {"goal": f" {item.fields['q'].upper()}"}, item.choices[::-1], 0)
        for at, item in enumerate(ONE.splits["train"][:7])
    )
    found = Transfer(seeds=1)(Benchmark("copy", {"all": copied}), [ONE])
    assert cells(found)["one", "copy"]["shared"] == 7
    assert found.evidence == {"one → copy: also learnt from": tuple(i.id for i in copied)}
    assert "one → copy: 7 of 7 test items also occur in the training split (train)." in (
        found.notes
    )
    assert any("copy and one have 7 items in common" in note for note in found.notes)
    assert any(note.startswith("copy has no training split") for note in found.notes)


def test_how_much_the_seed_matters_is_said() -> None:
    alike = "All 2 runs are identical: this model does not depend on the seed."
    assert alike in Transfer(model="majority", seeds=2)(ONE, [LIKE]).notes
    assert "With 1 run per benchmark, how much training itself varies is hardly known." in (
        Transfer(seeds=1)(ONE, [LIKE]).notes
    )


def test_a_benchmark_is_never_tested_on_what_it_learnt() -> None:
    bare = Benchmark("bare", {**ONE.splits}, {"train": "train"})
    found = cells(Transfer(seeds=1)(bare, [LIKE]))
    assert found["bare", "bare"]["trained_split"] == "train"
    assert found["bare", "bare"]["split"] == "test"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random BERT that learns for a moment."""
    folder = checkpoints.checkpoint(tmp_path_factory.mktemp("tiny"), "bert")
    return f"hf:{folder},epochs=1,length=24,device=cpu"


def small(name: str, seed: int, counts: tuple[int, ...]) -> Benchmark:
    parts = {"train": checkpoints.items(24, seed, counts), "test": checkpoints.items(8, seed + 1)}
    return Benchmark(name, parts, {"train": "train", "test": "test"})


HERE, THERE = small("here", 1, (2,)), small("there", 5, (2, 3))


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of all that is trained."""
    seeds: list[int] = []
    plain = Hf.fit_many

    def counted(self: Hf, tasks: Sequence[Any], watch: Any) -> Iterator[Any]:
        seeds.extend(task.seed for task in tasks)
        return plain(self, tasks, watch)

    monkeypatch.setattr(Hf, "fit_many", counted)
    return seeds


def test_what_is_kept_is_not_trained_again(
    tiny: str, tmp_path: Path, fits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    probe = Transfer(model=tiny, seeds=2, keep=str(tmp_path / "kept"))
    first = probe(HERE, [THERE])
    assert fits == [0, 1, 0, 1]
    assert len(os.listdir(tmp_path / "kept/models")) == 4
    in_memory = Transfer(model=tiny, seeds=2)(HERE, [THERE])
    assert in_memory.tables == first.tables
    fits.clear()
    with monkeypatch.context() as patched:
        patched.setattr(SavedModel, "score", None)  # nor is anything scored again
        assert probe(HERE, [THERE]) == first
    assert fits == []
    gone = next((tmp_path / "kept/models").iterdir())
    shutil.rmtree(gone)
    with pytest.raises(
        BadInput, match=r"the model of a finished run is missing; delete .*\.jsonl to"
    ):
        probe(HERE, [THERE])


def test_who_is_stopped_goes_on_where_it_was(
    tiny: str, tmp_path: Path, fits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    probe = Transfer(model=tiny, seeds=2, keep=str(tmp_path / "kept"))
    plain, written = RunStore.write_record, list[str]()

    def write(self: RunStore, entry: Any, *more: Any) -> None:
        if len(written) == 3:  # both of the first, and what one of them says of the other
            raise KeyboardInterrupt
        written.append(entry.file_name)
        plain(self, entry, *more)

    with monkeypatch.context() as patched:
        patched.setattr(RunStore, "write_record", write)
        with pytest.raises(KeyboardInterrupt):
            probe(HERE, [THERE])
    assert fits == [0, 1]
    found = probe(HERE, [THERE])
    assert fits == [0, 1, 0, 1]
    assert found.tables == Transfer(model=tiny, seeds=2)(HERE, [THERE]).tables


def test_what_breaks_down_is_worth_a_guess(tiny: str, tmp_path: Path) -> None:
    broken = Transfer(model=f"{tiny},rates=9e29", seeds=1, keep=str(tmp_path / "kept"))
    found = broken(HERE, [THERE])
    for row in cells(found).values():
        assert row["accuracy"] == pytest.approx(row["chance"])
    assert any("here: 1 of 1 run learnt nothing" in note for note in found.notes)


def test_what_cannot_be_kept_is_trained_in_memory(tmp_path: Path) -> None:
    found = Transfer(seeds=1, keep=str(tmp_path / "kept"))(ONE, [LIKE])
    assert found.notes[0] == "bow cannot be saved, so it is trained again each time."
    assert found.tables == Transfer(seeds=1)(ONE, [LIKE]).tables
    assert not (tmp_path / "kept").exists()


def test_a_view_is_that_of_each_benchmark() -> None:
    blind = Transfer(seeds=1, view="choices")(ONE, [LIKE])
    assert cells(blind)["one", "like"]["flag"]
    with pytest.raises(UnknownName, match="view"):
        Transfer(seeds=1, view="q+choices")(ONE, [LIKE])  # which has no q


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "--others: this probe needs at least one other benchmark"),
        (("--others", "toy:mirrored"), "--others: toy is given twice"),
        (("--others", "q.jsonl"), "--others: none of toy, q has a training and a test split"),
        (("--others", "copaa"), "did you mean copa?"),
        (("--others", "folder", "--model", "longest"), "--model: longest cannot be trained"),
        (
            ("--others", "folder", "--keep", "a,b"),
            "--keep: a,b: the name of the folder must not contain a comma",
        ),
        (("--others", "folder", "--seeds", "0"), "--seeds: is 0"),
    ],
)
def test_one_line_for_a_mistake(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    files(tmp_path)
    done = run_here("run", "transfer", "toy:original", *args, cwd=tmp_path)
    assert said in expect_one_line_error(done)


def files(folder: Path) -> None:
    """A file that nothing can be learnt from, and a folder of two splits."""
    line = '{"question": "why %d", "choices": ["sand %d", "indeed %d"], "answer": 2}\n'
    (folder / "folder").mkdir()
    for path, n in (("q.jsonl", 3), ("folder/train.jsonl", 20), ("folder/test.jsonl", 9)):
        (folder / path).write_text("".join(line % (at, at, at) for at in range(n)))


def test_others_are_named_on_the_command_line(tmp_path: Path) -> None:
    files(tmp_path)
    args = ("toy:original", "--others", "folder", "q.jsonl", "--seeds", "1", "--json")
    done = run_here("run", "transfer", *args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"trained_on"' in done.stdout
    assert '"folder → toy"' in done.stdout
    assert '"folder → q"' in done.stdout


def test_where_nothing_is_learnt_nothing_could_carry_over() -> None:
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(50)]

    def noise(name: str) -> Benchmark:
        items = tuple(
            Item(f"{i}", {"q": "why"}, tuple(" ".join(rng.choice(words, 3)) for _ in "ab"), i % 2)
            for i in range(120)
        )
        parts = {"train": items[:60], "test": items[60:]}
        return Benchmark(name, parts, {"train": "train", "test": "test"})

    result = Transfer(seeds=1)(noise("one"), [noise("other")])
    assert result.verdict == "skipped"
    assert result.summary.startswith(
        "Skipped: bow is not above chance on any benchmark it was trained on (one "
    )
