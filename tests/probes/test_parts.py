"""Every probe on each part: planted parts are named, small ones left out, chance corrected for."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof import audit, load
from hansproof.errors import BadInput
from hansproof.inputs.likelihoods import ChoiceLikelihoods
from hansproof.probes.parts import Parts
from hansproof.probes.parts.grouping import divide_benchmark
from hansproof.report.headline import build_headline
from hansproof.types import Benchmark, Item, Result

from ..support.cli_runner import expect_one_line_error, run_here

WORDS = [f"{a}{b}" for a in ("ba", "do", "ki", "lu", "me", "no") for b in ("ra", "se", "ti", "vu")]


def write_items(subject: str, n: int, planted: bool, seed: int) -> tuple[Item, ...]:
    """Write items of one subject; planted ones have the word `surely` in most right choices."""
    draw = random.Random(f"{subject} {seed}")
    items = []
    for i in range(n):
        choices = [" ".join(draw.choices(WORDS, k=4)) for _ in range(4)]
        answer = draw.randrange(4)
        if planted and draw.random() < 0.6:
            choices[answer] += " surely"
        question = " ".join(draw.choices(WORDS, k=8))
        file = f"test/{subject}_test.csv"
        items.append(
            Item(
                f"{subject}-{i}", {"question": question}, tuple(choices), answer,
                meta={"Subject": subject}, file=file,
            )
        )  # fmt: skip
    return tuple(items)


def build_benchmark(planted: tuple[str, ...], n_parts: int = 12, n: int = 120) -> Benchmark:
    subjects = [f"subject {chr(ord('a') + i)}" for i in range(n_parts)]
    items = [item for s in subjects for item in write_items(s, n, s in planted, 1)]
    return Benchmark("mix", {"test": tuple(items)})


@pytest.fixture(scope="module")
def planted() -> Result:
    return Parts(by="subject")(build_benchmark(("subject c", "subject h")))


def rows(result: Result, table: str) -> list[dict[str, object]]:
    cells = result.tables[table]
    return [dict(zip(cells.columns, row, strict=True)) for row in cells.rows]


def test_planted_parts_are_the_worst(planted: Result) -> None:
    flagged = [str(row["part"]) for row in rows(planted, "parts") if row["verdict"] == "exposed"]
    assert sorted(flagged) == ["subject c", "subject h"]
    assert planted.verdict == "exposed"
    assert planted.summary.startswith("2 of 12 parts by subject are flagged: 2 exposed. Worst: ")
    assert {row["part"] for row in rows(planted, "parts")[:2]} == {"subject c", "subject h"}
    tested = {(row["part"], row["probe"]) for row in rows(planted, "tests")}
    assert len(tested) == 12 * len({probe for _, probe in tested})
    assert {"class_balance", "cues", "partial_input", "surface"} <= {probe for _, probe in tested}


def test_a_part_at_the_floor_is_not_overruled_by_the_number_of_parts(planted: Result) -> None:
    """With 199 randomisations p is at least 0.005, and 12 parts would make that 0.06."""
    blind = [row for row in rows(planted, "tests") if row["probe"] == "partial_input"]
    q_values = {str(row["part"]): row["q"] for row in blind if row["flag"]}
    assert sorted(q_values) == ["subject c", "subject h"]
    assert all(isinstance(q, float) and q <= 0.05 for q in q_values.values())


def test_clean_parts_are_not_named() -> None:
    result = Parts(by="subject")(build_benchmark((), n_parts=8, n=60))
    assert result.verdict in ("undecided", "clear")
    assert result.summary.startswith("No shortcut was found in any of the 8 parts by subject")
    assert not result.estimates


def test_by_file_folder_and_split() -> None:
    benchmark = build_benchmark((), n_parts=2, n=30)
    assert list(divide_benchmark(benchmark, "file")) == ["subject a", "subject b"]
    nested = tuple(replace(item, file=f"x/{item.id[8]}/q.csv") for item in benchmark.splits["test"])
    moved = replace(benchmark, splits={"test": nested})
    assert list(divide_benchmark(moved, "folder")) == ["x/a", "x/b"]
    assert list(divide_benchmark(moved, "folder1")) == ["x"]
    assert list(divide_benchmark(moved, "folder2")) == ["a", "b"]
    assert list(divide_benchmark(moved, "split")) == ["test"]


def test_unknown_columns_and_too_many_parts() -> None:
    benchmark = build_benchmark((), n_parts=2, n=30)
    with pytest.raises(
        BadInput, match="--by topic: no item has this column; choose one of: Subject"
    ):
        Parts(by="topic")(benchmark)
    numbered = tuple(
        replace(item, meta={"number": i}) for i, item in enumerate(benchmark.splits["test"] * 10)
    )
    with pytest.raises(BadInput, match="--by number: has 600 values, more than 500"):
        Parts(by="number")(replace(benchmark, splits={"test": numbered}))


def test_small_parts_are_left_out_aloud() -> None:
    items = write_items("large", 40, False, 1) + write_items("small", 5, False, 1)
    result = Parts(by="subject")(Benchmark("mix", {"test": items}))
    assert {row["part"] for row in rows(result, "parts")} == {"large"}
    assert "1 part has fewer than 20 items and was left out (--min-items)." in result.notes
    tiny = Parts(by="subject")(Benchmark("mix", {"test": items[-5:]}))
    assert tiny.verdict == "skipped"


def test_the_headline_names_the_worst_parts() -> None:
    benchmark = build_benchmark(("subject c",), n_parts=3)
    headline = build_headline(audit(benchmark, probes=[Parts(by="subject")]))
    assert "subject c" in headline
    assert "orst parts" not in headline  # there is no other
    two = build_benchmark(("subject a", "subject c"), n_parts=3)
    assert "Worst parts: subject" in build_headline(audit(two, probes=[Parts(by="subject")]))


def test_audit_by_file_from_headerless_files(tmp_path: Path) -> None:
    folder = tmp_path / "exam" / "test"
    folder.mkdir(parents=True)
    for item in build_benchmark(("subject b",), n_parts=3, n=60).splits["test"]:
        cells = [item.fields["question"], *item.choices, "ABCD"[item.answer or 0]]
        with (folder / Path(item.file).name).open("a") as file:
            file.write(",".join(cells) + "\n")
    done = run_here("audit", "exam", "--by", "file", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("exam:test is not Hans-proof")
    assert "note: read 3 files: " in done.stderr
    exam = load(str(tmp_path / "exam"))
    assert {item.line for item in exam.splits["test"]} == set(range(1, 61))


def test_audit_refuses_an_unknown_column_before_it_begins(tmp_path: Path) -> None:
    done = run_here("audit", "toy:original", "--by", "topic", "-o", "out", cwd=tmp_path)
    assert "--by topic: no item has this column" in expect_one_line_error(done)
    assert not (tmp_path / "out").exists()


def test_parts_are_judged_with_likelihoods_and_without_blind_models() -> None:
    benchmark = build_benchmark((), n_parts=2, n=30)
    by_text = {
        choice: (-1.0 if item.id[8] == "b" and i == item.answer else -9.0, 4)
        for item in benchmark.splits["test"]
        for i, choice in enumerate(item.choices)
    }
    lm = ChoiceLikelihoods("lm:x", "abc", "cpu", by_text)
    result = Parts(by="subject")(benchmark, lm=[lm])
    assert result.params["lm"] == ("lm:x",)
    flagged = {row["part"] for row in rows(result, "tests") if row["flag"]}
    assert flagged == {"subject b"}
    quick: list[str | Parts] = ["surface", Parts(by="subject")]
    for blind, n_notes in ((None, 0), ("longest", 1)):
        probes = [*quick, "shortcuts:randomisations=39"] if blind else quick
        notes = audit(benchmark, probes=probes, blind=blind)["parts"].notes
        assert sum("parts are judged without them" in note for note in notes) == n_notes
