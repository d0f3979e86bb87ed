"""Nothing is written into the code: change a figure, or the data, and see what is said of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hansproof.papers import FigureComparison, FigureStatus, Reproduction, reproduce

from ..support import paper_copies
from ..support.markers import needs_data, needs_nltk

pytestmark = needs_data


def at(found: Reproduction, table: str, row: int, column: str) -> FigureComparison:
    (one,) = (o for o in found.comparisons if o.figure.key == (table, row, column))
    return one


def ids(found: Reproduction) -> set[str]:
    return {finding.id for finding in found.findings}


def known_table(every: dict[str, Any], key: str, table: str) -> Any:
    """A table as the paper and the data have it."""
    (shown,) = (shown for shown in every["json"][key]["tables"] if shown["id"] == table)
    return shown


def known_finding(every: dict[str, Any], key: str, table: str, id: str) -> str:
    (text,) = (
        finding["text"]
        for finding in known_table(every, key, table)["findings"]
        if finding["id"] == id
    )
    return str(text)


S = FigureStatus
CHANGES = [
    ("kavumba2019", "table-2", 0, "productivity", 55.4, S.EXACT, S.DIFFERS),
    ("kavumba2019", "table-2", 4, "cue", "an", S.EXACT, S.DIFFERS),
    ("kavumba2019", "table-4", 4, "easy", 84.0, S.PREDICTIONS, S.DIFFERS),
    ("kavumba2019", "table-4", 2, "p_value_percent", 15.4, S.CONTRADICTS, S.CANNOT),
    ("kavumba2019", "table-4", 3, "overall", 53.6, S.CONTRADICTS, S.CANNOT),
    ("niven2019", "table-4", 1, "test_median", 0.5, S.DIFFERS, S.PREDICTIONS),
    ("niven2019", "table-3", 5, "test_max", 0.607, S.PREDICTIONS, S.DIFFERS),
    ("branco2021", "table-9", 1, "total", 2590, S.CONTRADICTS, S.EXACT),
    ("branco2021", "table-10", 7, "occurrences", 297, S.EXACT, S.DIFFERS),
    ("branco2021", "table-2", 5, "RoBERTa-large", 0.25, S.EXACT, S.DIFFERS),
    ("branco2021", "table-6", 0, "clean_delta", -0.002, S.CONTRADICTS, S.CANNOT),
    ("branco2021", "table-3", 7, "drop_percent", 31.1, S.CONTRADICTS, S.CANNOT),
]  # fmt: skip


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Reproduction]:
    """A paper with all its changes, of which each is in a row of its own; reproduced once."""

    def reproduce_copy(key: str) -> Reproduction:
        cells = [change[1:5] for change in CHANGES if change[0] == key]

        def change_cells(paper: dict[str, Any]) -> None:
            for table, row, column, value in cells:
                paper_copies.cell(paper, table, row, column, value)

        copy = paper_copies.paper(key, tmp_path_factory.mktemp(key), change_cells)
        return reproduce(copy, list(dict.fromkeys(table for table, *_ in cells)))

    return cache(reproduce_copy)


@pytest.mark.parametrize(
    ("key", "table", "row", "column", "before", "after"),
    [(*change[:4], *change[5:]) for change in CHANGES],
)
def test_another_figure_in_the_paper_changes_its_status(
    key: str, table: str, row: int, column: str, before: S, after: S,
    every: dict[str, Any], changed: Callable[[str], Reproduction],
) -> None:  # fmt: skip
    shown = known_table(every, key, table)["rows"][row]["cells"][column]
    assert shown["status"] == before
    assert at(changed(key), table, row, column).status == after


def test_another_answer_in_the_data_changes_ours(tmp_path: Path, every: dict[str, Any]) -> None:
    def swap(text: bytes) -> bytes:
        first, second = b'most-plausible-alternative="1"', b'most-plausible-alternative="2"'
        return text.replace(first, b"@").replace(second, first).replace(b"@", second)

    folder = paper_copies.data(tmp_path, "copa/copa-dev.xml", swap)
    before = known_table(every, "kavumba2019", "table-2")["rows"][4]["cells"]["productivity"]
    after = at(reproduce("kavumba2019", ["2"], data=folder), "table-2", 4, "productivity")
    assert before["status"] == FigureStatus.EXACT
    assert after.status == FigureStatus.DIFFERS
    assert after.computed
    assert after.computed.parts["value"] == pytest.approx(100 - float(before["ours"]["value"]))


def test_another_run_in_what_was_released_changes_ours(
    tmp_path: Path, every: dict[str, Any]
) -> None:
    name = "arct_adversarial/recorded/bov_w/accs.csv"
    folder = paper_copies.data(
        tmp_path, name, lambda text: b"\n".join(text.split(b"\n")[:11]) + b"\n"
    )
    before = known_table(every, "niven2019", "table-3")["rows"][5]["cells"]["test_mean"]["ours"]
    after = at(reproduce("niven2019", ["3"], data=folder), "table-3", 5, "test_mean")
    assert before["note"] == "20 runs"
    assert after.computed
    assert after.computed.note == "10 runs"
    assert after.computed.parts["mean"] != before["mean"]


def test_fewer_items_change_sizes_and_positions(tmp_path: Path) -> None:
    def cut(text: bytes) -> bytes:
        return b"".join(text.splitlines(keepends=True)[:-1])

    folder = paper_copies.data(tmp_path, "csqa/dev_rand_split.jsonl", cut)
    found = reproduce("branco2021", ["9", "10"], data=folder)
    sizes = at(found, "table-9", 3, "dev")
    assert (sizes.status, sizes.computed and sizes.computed.parts) == (
        FigureStatus.DIFFERS,
        {"value": 1220},
    )
    assert sum(one.status == FigureStatus.DIFFERS for one in found.comparisons) >= 2


def test_the_tie_artefact_is_found_in_the_data(tmp_path: Path, every: dict[str, Any]) -> None:
    before = known_finding(every, "branco2021", "table-2", "ties")
    assert before.startswith("8 of the 8 scores")
    assert "266 of 1172" in before

    def other(paper: dict[str, Any]) -> None:
        paper_copies.cell(paper, "table-2", 5, "COMET(BART)", 0.3)

    copy = paper_copies.paper("branco2021", tmp_path, other)
    (ties,) = (f for f in reproduce(copy, ["2"]).findings if f.id == "ties")
    assert ties.text.startswith("7 of the 8 scores")


def test_the_training_set_of_table_4_is_told_by_its_runs(
    tmp_path: Path, every: dict[str, Any]
) -> None:
    text = known_finding(every, "niven2019", "table-4", "train-swapped")
    for said in ("1210 of 1210 pairs", "up to 0.945", "0.745", "0.288"):
        assert said in text

    def honest(text: bytes) -> bytes:
        """Runs that had the set as it is described could not be better than one half."""
        head, *rows = text.decode().split()
        cut = [re.sub(r"^(\d+,\d+),[^,]+", r"\1,0.5", row) for row in rows]
        return "\n".join([head, *cut, ""]).encode()

    name = "arct_adversarial/recorded/bert_large_adv_w/accs.csv"
    folder = paper_copies.data(tmp_path, name, honest)
    assert "train-swapped" not in ids(reproduce("niven2019", ["4"], data=folder))


def test_the_contradictory_pairs_are_counted(tmp_path: Path, every: dict[str, Any]) -> None:
    text = known_finding(every, "niven2019", "table-4", "contradictory-pairs")
    assert "12 pairs of 1210 in train, 28 pairs of 444 in test" in text
    assert "0.968" in text

    def mend(text: bytes) -> bytes:
        """The first negated copy with that claim gets one of its own."""
        lines = text.split(b"\n")
        at = next(n for n, line in enumerate(lines) if b"-adversarial" in line
                  and b"edical" in line)  # fmt: skip
        lines[at] = re.sub(rb"[^\t]*edical[^\t]*", b"Something else is claimed", lines[at], count=1)
        return b"\n".join(lines)

    folder = paper_copies.data(tmp_path, "arct_adversarial/test-adv-negated.csv", mend)
    found = next(f for f in reproduce("niven2019", ["4"], data=folder).findings
                 if f.id == "contradictory-pairs")  # fmt: skip
    assert "27 pairs of 444 in test" in found.text


@needs_nltk
def test_a_definition_that_no_way_of_counting_meets(every: dict[str, Any]) -> None:
    table = known_table(every, "niven2019", "table-2")
    statuses = {cell["status"] for row in table["rows"] for cell in row["cells"].values()}
    assert statuses == {FigureStatus.CONTRADICTS}
    (finding,) = table["findings"]
    assert "nltk 3.9.1: train 0.73 / 0.37, validation 0.69 / 0.38" in finding["text"]


def test_without_the_data_the_rest_is_still_said(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(f"{paper_copies.DATA}/csqa", tmp_path / "csqa")
    found = reproduce("branco2021", ["3", "6"], data=str(tmp_path))
    assert ids(found) == {"drops", "deltas"}
