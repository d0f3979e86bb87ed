"""One convention each, in every kind of report: shares, p-values, intervals, positions, claims."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansproof import load
from hansproof.auditing import adjust_verdicts, overall_verdict
from hansproof.probes.surface import Surface
from hansproof.report.format_numbers import floor_columns, format_q
from hansproof.report.headline import build_headline
from hansproof.report.probe_order import SIMPLEST_FIRST
from hansproof.report.terminal.benchmark import benchmark_view
from hansproof.report.terminal.result import result_view
from hansproof.results import is_at_floor
from hansproof.stats import ENOUGH_POWER
from hansproof.types import Benchmark, Estimate, Result

from ..support.audited_benchmarks import KINDS, audited, named_benchmarks
from ..support.full_audit import everything
from ..support.markers import needs_chromium, needs_data
from ..support.report_page import write
from ..support.report_texts import all_reports, print_wide

if TYPE_CHECKING:
    from ..support.report_page import Open

SPACED_SHARE = re.compile(r"\d\s+%")
SHARE = re.compile(r"(\d[\d,]*(?:\.\d+)?)%")
P_VALUE = re.compile(r"\b[pq] ?[=<≤≥>] ?[\d.]")
UNCORRECTED = re.compile(r"\bp ?[=<≤] ?[\d.]")
every_kind = pytest.mark.parametrize("kind", KINDS)


@cache
def reports(kind: str) -> dict[str, str]:
    return all_reports(audited(kind), audited("exposed"))


def p_values_at_floor(result: Result) -> list[float]:
    """Return the p-values in the tables of a result that are the smallest possible ones."""
    reached = []
    for table in result.tables.values():
        for row in (dict(zip(table.columns, cells, strict=True)) for cells in table.rows):
            for name, floor_name in floor_columns(table.columns).items():
                p, floor = row[name], row[floor_name]
                if isinstance(p, float) and isinstance(floor, float):
                    assert p >= floor - 1e-12
                    reached += [p] if p <= floor + 1e-12 else []
    return reached


def numbers_of(kind: str) -> Iterator[tuple[Result, Estimate]]:
    return ((result, estimate) for result in audited(kind).results for estimate in result.estimates)


@every_kind
def test_shares_are_written_without_a_space_and_are_at_most_all(kind: str) -> None:
    for name, text in reports(kind).items():
        assert SPACED_SHARE.findall(text) == [], name
        assert [share for share in SHARE.findall(text) if float(share.replace(",", "")) > 100] == []
    assert SHARE.search(reports(kind)["audit"])


@every_kind
def test_only_one_p_stands_on_a_card_and_it_is_corrected(kind: str) -> None:
    for result in audited(kind).results:
        for text in (result.summary, result.headline):
            assert P_VALUE.findall(text) == []
        assert len(P_VALUE.findall(format_q(result))) <= 1
    for name, text in reports(kind).items():
        assert UNCORRECTED.findall(text) == [], name
    for name in ("card", "gate", "diff"):
        assert P_VALUE.findall(reports(kind)[name]) == []


@every_kind
def test_a_p_at_its_floor_is_a_bound(kind: str) -> None:
    for result in audited(kind).results:
        if result.q is not None and is_at_floor(result):
            assert format_q(result).startswith(("q ≤ ", "q < "))
            assert format_q(result) in reports(kind)["audit"]


def test_some_p_is_at_its_floor() -> None:
    assert any(map(is_at_floor, audited("exposed").results))
    assert "q ≤ 0.02" in reports("exposed")["page"]


@every_kind
def test_a_p_at_its_floor_is_a_bound_in_tables_too(kind: str) -> None:
    for result in audited(kind).results:
        text = print_wide(result_view(result))
        assert all(f"≤ {p:.4g}" in text for p in p_values_at_floor(result))


@every_kind
def test_where_nothing_was_found_no_interval_excludes_chance(kind: str) -> None:
    for result, estimate in numbers_of(kind):
        if result.verdict in ("caution", "exposed") or ": full (" in estimate.name:
            continue  # with the question, anything may be above chance
        assert estimate.chance is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low - 1e-9 <= estimate.chance <= estimate.high + 1e-9, estimate


def test_nor_where_the_correction_of_the_audit_overrules_a_probe() -> None:
    estimate = Estimate("dev: longest", 0.57, 0.52, 0.62, 400, 0.5)
    lone = Result("surface", {}, "exposed", "It is longer.", (estimate,), p=0.03, power=0.9,
                  headline="It is longer.", gain=0.07)  # fmt: skip
    other = Result("cues", {}, "clear", "Nothing.", p=0.9)
    overruled, _ = adjust_verdicts([lone, other])
    assert (overruled.verdict, overruled.headline, overruled.gain) == ("clear", "", None)
    assert overruled.estimates[0].low == 0.5
    assert adjust_verdicts([replace(lone, power=0.5), other])[0].verdict == "undecided"
    assert adjust_verdicts([lone])[0].estimates == (estimate,)


@every_kind
def test_the_hans_score_is_a_share(kind: str) -> None:
    (blind,) = (r for r in audited(kind).results if r.probe == "partial_input")
    table = blind.tables["views"]
    for column in ("hans", "hans_low", "hans_high"):
        values = [row[table.columns.index(column)] for row in table.rows]
        assert all(value is None or 0 <= float(value) <= 1 for value in values)


def test_hiding_the_question_costs_nothing_where_the_model_does_better_without() -> None:
    assert "Hiding the question costs it nothing" in reports("exposed")["audit"]


@every_kind
def test_positions_count_from_1(kind: str) -> None:
    (balance,) = (r for r in audited(kind).results if r.probe == "class_balance")
    table = balance.tables["positions"]
    positions = {row[table.columns.index("position")] for row in table.rows}
    assert positions == set(range(1, len(positions) + 1))
    assert "position 0" not in "".join(reports(kind).values())
    printed = print_wide(benchmark_view(named_benchmarks()[kind], 1))
    assert " 1. " in printed
    assert " 0. " not in printed


@every_kind
def test_no_report_calls_a_benchmark_hans_proof(kind: str) -> None:
    for name, text in reports(kind).items():
        claims = re.findall(r"(.{7})Hans-proof", text.replace("\n", " "))
        assert set(claims) <= {"is not "}, name
    is_exposed = overall_verdict(audited(kind)) == "exposed"
    assert ("is not Hans-proof" in reports(kind)["card"]) == is_exposed


@every_kind
def test_no_sentence_claims_safety_where_power_is_low(kind: str) -> None:
    for result in audited(kind).results:
        if result.verdict == "clear" and result.probe in SIMPLEST_FIRST:
            assert result.power is not None
            assert result.power >= ENOUGH_POWER
        if result.verdict == "undecided" and result.power is None:
            assert "more items would tell" in result.summary or "not significant" in result.summary
        elif result.verdict == "undecided":
            assert result.power is not None
            assert result.power < ENOUGH_POWER
            assert "would be found" in result.summary
            assert "would have been found" not in result.summary
    all_clear = {r.verdict for r in audited(kind).results} <= {"clear", "skipped"}
    headline = build_headline(audited(kind))
    assert headline.startswith("In ") == all_clear
    assert ("no shortcut by words, length or position was found" in headline) == all_clear


@every_kind
def test_too_few_items_means_that_more_would_do(kind: str) -> None:
    for result in audited(kind).results:
        if result.verdict == "undecided" and result.n_needed is not None:
            assert result.n_needed > min(audited(kind).sizes.values())


@needs_data
def test_a_part_of_hellaswag_has_too_few_items_and_needs_more_than_it_has() -> None:
    path = os.path.join(os.environ["HANSPROOF_DATA"], "benchmarker", "HellaSwag_test.jsonl")
    items = load(path).splits["test"]
    result = Surface()(Benchmark("part", {"test": items[:300]}))
    assert result.verdict == "undecided"
    assert (result.power or 0) < ENOUGH_POWER
    assert (result.n_needed or 0) > 300


@every_kind
def test_a_result_alone_follows_the_same_conventions(kind: str) -> None:
    for result in audited(kind).results:
        text = print_wide(result_view(result))
        assert SPACED_SHARE.findall(text) == []
        assert UNCORRECTED.findall(text) == []


def test_an_audit_with_every_probe_does_too() -> None:
    audit = everything()
    for result in audit.results:
        assert P_VALUE.findall(result.summary + result.headline) == [], result.probe
    for name, text in all_reports(audit, audit).items():
        assert SPACED_SHARE.findall(text) == [], name
        assert UNCORRECTED.findall(text) == [], name
        assert all(float(share.replace(",", "")) <= 100 for share in SHARE.findall(text)), name


@needs_chromium
def test_what_the_script_of_the_page_draws_does_too(open_page: Open, tmp_path: Path) -> None:
    page = open_page(write(audited("exposed"), tmp_path))
    drawn = page.locator("body").inner_text()
    labels = page.locator(".chart svg [aria-label]").evaluate_all(
        "all => all.map(mark => mark.getAttribute('aria-label')).join('\\n')"
    )
    for text in (drawn, labels):
        assert SPACED_SHARE.findall(text) == []
        assert UNCORRECTED.findall(text) == []
        assert all(float(share.replace(",", "")) <= 100 for share in SHARE.findall(text))
        assert SHARE.search(text)
    bounds = [p for p in page.locator("td.p").all_text_contents() if p.startswith("≤ ")]
    at_floor = [p for result in audited("exposed").results for p in p_values_at_floor(result)]
    assert sorted(bounds) == sorted(f"≤ {p:.3f}" for p in at_floor)
    assert "≤ 0.005" in bounds
    assert "position: 0" not in labels
    assert "position: 1" in labels
