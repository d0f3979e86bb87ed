"""The sections on planted shortcuts and clean benchmarks of docs/results/shortcuts.md."""

from __future__ import annotations

from typing import Any

from bench.shortcut_speed_page import make_table
from hansproof.stats import binomial_sf

Row = dict[str, Any]
Cells = dict[tuple[str, float, int], Row]  # by kind, strength and number of items
NAMED = ((0.85, 500), (0.7, 2000), (0.85, 2000))  # where the right rung is asked for
OTHER = ((0.7, 500), (0.6, 500), (0.6, 2000))  # where only detection is reported
LEVEL, ENOUGH = 0.05, 0.9


def render_planted(measured: Row) -> list[str]:
    """Render the sections, as far as their figures were measured."""
    planted, clean = measured.get("planted"), measured.get("clean")
    return [*(_planted_section(planted) if planted else ()),
            *(_clean_section(clean) if clean else ())]  # fmt: skip


def _planted_section(planted: Row) -> list[str]:
    cells: Cells = {(c["kind"], c["strength"], c["n"]): c for c in planted["results"]}
    kinds = [*dict.fromkeys(cell["kind"] for cell in planted["results"])]
    each = max(cell["benchmarks"] for cell in cells.values())
    rows = [
        [
            kind, next(c["expected_rung"] for c in cells.values() if c["kind"] == kind),
            *(_share_cell(cells.get((kind, *setting)), "right_rung") for setting in NAMED),
            *(_share_cell(cells.get((kind, *setting)), "found") for setting in OTHER),
            *(_others_cell(cells.get((kind, *setting))) for setting in NAMED),
        ]
        for kind in kinds
    ]  # fmt: skip
    columns = [
        "planted", "rung",
        *(f"rung named, {_name_setting(*setting)}" for setting in NAMED),
        *(f"found, {_name_setting(*setting)}" for setting in OTHER),
        *(f"other probes, {_name_setting(*setting)}" for setting in NAMED),
    ]  # fmt: skip
    return [
        "## Planted shortcuts", "",
        "Benchmarks of real clauses, in which half of the items have a cue of one kind. A column "
        "names the number of items, and how often the cued choice is right. An eliminating token "
        "is in one of four choices, and that choice is right in (1 - share) / 2 of these items, "
        f"where chance is 25%. Each cell counts {each} benchmarks. *Rung named*: the search is "
        "significant, and the leading rung is the one in the second column, which "
        "`bench/plants.py` fixed before the probe was run. (*Length and negation* is an "
        "interaction of a length and a word: it needs both rungs, so the later one.) *Found*: the "
        "search is significant. *Other probes*: in how many of the first five benchmarks "
        "class_balance, surface, cues or partial_input object; they were the audit before this "
        "probe.", "",
        _count_settings(cells, kinds), "",
        *make_table(columns, rows), "",
        "The figures are in "
        "[bench/shortcuts_planted.json](../../bench/shortcuts_planted.json), by "
        "`python -m bench.shortcuts_planted planted --save --lm FILE`. Only for *n-gram order*, "
        "whose wrong choices come from another n-gram model than the right ones, is the language "
        "model used (SmolLM2-135M).", "",
    ]  # fmt: skip


def _count_settings(cells: Cells, kinds: list[str]) -> str:
    """Count the kinds of which the right rung is named in nine of ten benchmarks."""
    counts = []
    for setting in NAMED:
        measured = [cells[kind, *setting] for kind in kinds if (kind, *setting) in cells]
        enough = sum(c["right_rung"] >= ENOUGH * c["benchmarks"] for c in measured)
        named, n = (sum(c[key] for c in measured) for key in ("right_rung", "benchmarks"))
        counts.append(
            f"- {_name_setting(*setting)}: the right rung is named in {named} of {n} benchmarks, "
            f"and in at least nine of ten benchmarks of {enough} of {len(measured)} kinds."
        )
    return "\n".join(counts)


def _name_setting(strength: float, n: int) -> str:
    return f"{n:,} items, {strength:.0%} right"


def _share_cell(cell: Row | None, key: str) -> str:
    return f"{cell[key]}/{cell['benchmarks']}" if cell else "–"


def _others_cell(cell: Row | None) -> str:
    return f"{cell['found_by_others']}/{cell['audited_by_others']}" if cell else "–"


def _clean_section(clean: Row) -> list[str]:
    found = clean["results"]
    n = found["benchmarks"]
    rows = [
        ["the verdict", str(found["alarms"]), str(n), _tail(found["alarms"], n)],
        *(
            [f"rung: {rung}", str(row["alarms"]), str(row["benchmarks"]),
             _tail(row["alarms"], row["benchmarks"])]
            for rung, row in found["by_rung"].items()
        ),
        ["any rule reported", str(found["with_rules"]), str(n), _tail(found["with_rules"], n)],
    ]  # fmt: skip
    return [
        "## Clean benchmarks", "",
        "Benchmarks of 200 to 2,000 items with two or four real sentences as choices, of which one "
        "is drawn as the right one: every alarm is a false one. *p*: the probability of so many "
        f"alarms or more if 5% are allowed. Of {n} verdicts {found['undecided']} are undecided and "
        f"{found['clear']} clear.", "",
        *make_table(["alarms by", "alarms", "benchmarks", "p"], rows), "",
        f"By `{clean['command']} --save`.", "",
    ]  # fmt: skip


def _tail(alarms: int, n: int) -> str:
    return f"{float(binomial_sf(alarms, n, LEVEL)):.2g}"
