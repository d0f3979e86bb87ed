"""Models under attack and looked into: pictures, marked texts, odd tables, hostile ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.report import render_html
from hansproof.report.headline import build_headline
from hansproof.report.sections import build_section
from hansproof.types import Cell, Result, Table

from ...support.odd_tables import NOTE, cells, cut, with_cell, with_table
from ...support.report_page import (
    EVIL,
    OVERRIDE,
    close_rows,
    data,
    figure,
    fits_a_phone,
    nothing_runs,
    nothing_turns,
    on_paper,
    overflow,
    pictures,
    shown,
    write,
)
from ...support.report_sample import audit
from ...support.sample_attack import ITEMS, MODELS, pressed, robustness, sensitivity

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from ...support.report_page import Open


ATTACK, CHANGE = "Before and after the attack", "Change of sensitivity against productivity"
DRAWN = {"robustness": "attacks", "sensitivity": "cues"}
BOTH = (robustness(), sensitivity())


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(pressed(), tmp_path_factory.mktemp("pressed"))


def alone(result: Result) -> str:
    return render_html(audit((result,), {"original": ITEMS}))


def test_both_pictures_are_drawn(look_at: Open, plain: Path) -> None:
    page = look_at(plain)
    attack = figure(page, ATTACK)
    dots = attack.locator(f"path[aria-label*='model: {MODELS[0]};']")
    assert dots.count() == 2  # before and after
    said = dots.first.get_attribute("aria-label") or ""
    assert "before: 93.0%; after: 41.0%; difference: −52.0 points" in said
    assert "95% interval: −60.0 to −44.0" in said
    assert "−52.0 points" in attack.locator(".mark-text text").all_text_contents()
    assert attack.locator("select option").all_text_contents() == ["original", "mirrored"]
    falls = [str(row[0]) for row in sensitivity().tables["falls"].rows]
    change = figure(page, CHANGE)
    assert change.locator(".mark-symbol path[aria-label*='difference, 1e-2: −']").count() == 5
    names = change.locator(".role-mark.mark-text text").all_text_contents()
    assert names
    assert set(names) <= set(falls)


def test_chance_is_drawn_where_it_is_known(look_at: Open, plain: Path) -> None:
    assert "Dashed: chance." in figure(look_at(plain), ATTACK).inner_text()
    assert "Dashed: chance." not in alone(replace(robustness(), estimates=()))


def test_without_another_group_sensitivity_itself_is_drawn(open_page: Open, tmp_path: Path) -> None:
    made = audit((sensitivity(against=False),), {"original": ITEMS})
    page = open_page(write(made, tmp_path))
    assert figure(page, CHANGE).count() == 0
    dots = figure(page, "Sensitivity against productivity").locator(".mark-symbol path[aria-label]")
    assert "sensitivity, 1e-2: 7." in (dots.first.get_attribute("aria-label") or "")
    heads = page.locator("[data-name=cues] th").all_inner_texts()
    assert "sensitivity" in heads
    assert "difference" not in heads  # as no row has one


def test_changed_words_are_marked_and_rows_open_their_item(look_at: Open, plain: Path) -> None:
    table = look_at(plain).locator("[data-name=changes]")
    assert "before marks" not in table.locator("th").all_inner_texts()
    first = table.locator("tbody tr").first
    assert first.locator("mark").all_inner_texts() == ["tunes", "melodies"]
    before = first.locator("td", has=table.page.locator("mark")).first
    assert before.inner_text() == "He stumbled through the easiest tunes."
    table.get_by_role("button", name="toy-001").first.click()
    assert ITEMS[0].fields["premise"] in table.locator("article").inner_text()
    close_rows(table)


def test_words_are_shaded_by_their_share(look_at: Open, plain: Path) -> None:
    page = look_at(plain)
    words = page.locator("[data-name=words] tbody tr").first.locator(".shade")
    looks = words.evaluate_all(
        "all => all.map(e => [e.textContent, e.title, getComputedStyle(e).backgroundColor,"
        " Number(e.style.getPropertyValue('--share'))])"
    )
    _, _, _, text, marks, _ = sensitivity().tables["words"].rows[0]
    ends = [piece.partition(":") for piece in str(marks).split()]
    shares = [float(share) for _, _, share in ends]
    places = [tuple(map(int, span.split("-"))) for span, _, _ in ends]
    assert [look[0] for look in looks] == [str(text)[start:end] for start, end in places]
    assert [look[1] for look in looks] == [f"share {share:.1%}" for share in shares]
    assert [look[3] for look in looks] == pytest.approx([s / max(shares) for s in shares])
    assert looks[shares.index(max(shares))][2] == "rgb(240, 152, 72)"


def test_paper_keeps_marks_and_shades(look_at: Open, plain: Path) -> None:
    page = look_at(plain)
    with on_paper(page):
        for kind in ("mark", ".shade"):
            looks = page.locator(kind).first.evaluate("e => getComputedStyle(e).printColorAdjust")
            assert looks == "exact"
        under = page.locator("mark").first.evaluate("e => getComputedStyle(e).borderBottomStyle")
        assert under == "solid"


def test_a_phone_shows_whole_texts(open_page: Open, plain: Path) -> None:
    page = open_page(plain, 390)
    fits_a_phone(page)
    for cell in page.locator("td.marked").all()[:4]:
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
    page.locator("[data-name=changes] .opener").first.click()
    assert overflow(page) <= 0
    scroll = page.locator("[data-name=changes] .scroll")
    assert scroll.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def hostile() -> tuple[Result, Result]:
    """Both, with hostile texts and marks."""
    text = f"alpha {EVIL} 🐎🐎 {OVERRIDE} omega"
    at = text.index("omega")
    odd = "9-1 -3-4 x 0-1:nan 2-1e9 0-99999999999 <b> 3-4:9 "
    marks = f"{odd}0-5 2-8 {text.index('🐎')}-{text.index('🐎') + 2} {at}-{at + 5}"
    attack, looked = BOTH
    change = (ITEMS[0].id, EVIL, EVIL, text, text, marks, f"0-{10**8}", EVIL, 0.9)
    row = attack.tables["attacks"].rows[0]
    attacks = Table(attack.tables["attacks"].columns, ((EVIL + OVERRIDE, EVIL, *row[2:]),))
    changes = Table(attack.tables["changes"].columns, (change,))
    shaded = f"{odd}0-5:1 {at}-{at + 5}:0.5"
    words = Table(looked.tables["words"].columns, ((EVIL, EVIL, 0, text, shaded, 1.0),))
    cues = with_cell(looked, "cue", EVIL + OVERRIDE, "cues").tables["cues"]
    return (
        replace(attack, tables={"attacks": attacks, "changes": changes}),
        replace(looked, tables={"cues": cues, "words": words}),
    )


def test_hostile_texts_and_marks_are_inert(open_page: Open, tmp_path: Path) -> None:
    page = open_page(write(audit(hostile(), {"original": ITEMS}), tmp_path))
    changes, words = page.locator("[data-name=changes]"), page.locator("[data-name=words]")
    assert changes.locator("mark").all_inner_texts() == ["alpha", "🐎🐎", "omega"]
    assert words.locator(".shade").all_inner_texts() == ["alpha", "omega"]
    assert words.locator(".shade").last.get_attribute("title") == "share 50.0%"
    for table in (changes, words):
        assert shown(EVIL) in (table.locator("td.marked").first.text_content() or "")
    figures = page.locator(".chart svg [aria-roledescription]")
    assert figures.count() > 6
    nothing_runs(page)
    nothing_turns(page, "body *:not(script)")
    assert page.locator("b script").count() == 0


def test_every_column_is_explained() -> None:
    for result in BOTH:
        for name, meanings in build_section(result).meanings.items():
            columns = {*result.tables[name].columns}
            ends = {f"{column} interval" for column in columns} | {"interval"}
            assert set(meanings) <= columns | ends | {"model"}, name
            obvious = {"low", "high", "difference_low", "difference_high", "before_marks"}
            obvious |= {"after_marks", "marks", "model"}
            assert columns - obvious <= set(meanings), name
            assert not any(meaning.endswith(".") for meaning in meanings.values())


@pytest.mark.parametrize(
    ("probe", "column", "cell"),
    [
        ("robustness", "before", 1.5), ("robustness", "after", None), ("robustness", "model", 3),
        ("robustness", "difference", "much"), ("robustness", "difference_low", "x"),
        ("robustness", "n", 0), ("robustness", "flipped", -1), ("robustness", "queries", 1e300),
        ("sensitivity", "cue", None), ("sensitivity", "productivity", 2),
        ("sensitivity", "items", 1.5), ("sensitivity", "difference", "x"),
        ("sensitivity", "difference_high", True), ("sensitivity", "sensitivity", 1e300),
    ],
)  # fmt: skip
def test_odd_cells_get_the_default(probe: str, column: str, cell: Cell) -> None:
    (result,) = (one for one in BOTH if one.probe == probe)
    assert NOTE in alone(with_cell(result, column, cell, DRAWN[probe]))


def test_what_may_be_missing_is_no_harm() -> None:
    attack, looked = BOTH
    for column in ("difference_low", "difference_high", "drop", "queries", "words", "similarity"):
        assert NOTE not in alone(with_cell(attack, column, None, "attacks"))
    for result in BOTH:
        drawn = DRAWN[result.probe]
        few = replace(result, tables={drawn: result.tables[drawn]})
        assert NOTE not in alone(few)
        empty = {name: Table(table.columns, ()) for name, table in result.tables.items()}
        page = alone(replace(result, tables=empty))
        assert NOTE not in page
        assert data(page)["charts"] == {}
        assert NOTE in alone(replace(result, tables={}))
        assert NOTE in alone(with_table(result, cut, drawn))
    odd = with_cell(attack, "item", None, "changes")
    assert NOTE not in alone(odd)  # the picture stays, only no row opens
    one = with_table(looked, lambda table: Table(table.columns, table.rows[:1]), "cues")
    assert len(data(alone(one))["charts"]) == 1  # a dot, and no line


def test_few_dots_are_drawn_without_complaint(open_page: Open, tmp_path: Path) -> None:
    attack, looked = BOTH
    rises = [row for row in looked.tables["cues"].rows if float(row[6] or 0) > 0]
    falls = [row for row in looked.tables["cues"].rows if float(row[6] or 0) < 0]
    few = [
        replace(looked, tables={"cues": Table(looked.tables["cues"].columns, tuple(rows))})
        for rows in (rises[:1], falls[:1], [*rises[:1], *falls[:1]])
    ]
    bare = replace(attack, estimates=())
    for column in ("difference_low", "difference_high"):
        bare = with_table(bare, lambda t, c=column: emptied(t, c), "attacks")  # type: ignore[misc]
    bare = with_table(bare, lambda table: Table(table.columns, ()), "skipped")
    page = open_page(write(audit((bare, *few), {"original": ITEMS}), tmp_path))
    assert page.locator("[data-name=attacks]").count() == 1
    assert page.locator("[data-name=skipped]").count() == 0  # it has no rows
    assert drawn_dots(page) == 2 * len(MODELS) + 1 + 1 + 2


def emptied(table: Table, column: str) -> Table:
    at = table.columns.index(column)
    return Table(table.columns, tuple((*row[:at], None, *row[at + 1 :]) for row in table.rows))


def drawn_dots(page: Page) -> int:
    return page.locator(".chart .mark-symbol path").count()


@settings(max_examples=15, deadline=None)
@given(
    which=st.sampled_from([(at, name) for at, one in enumerate(BOTH) for name in one.tables]),
    column=st.integers(0, 13),
    cell=cells,
)
def test_any_cell_anywhere_is_a_page(which: tuple[int, str], column: int, cell: Cell) -> None:
    result, table = BOTH[which[0]], which[1]
    columns = result.tables[table].columns
    few = with_table(result, lambda table: Table(table.columns, table.rows[:9]), table)
    pictures(alone(with_cell(few, columns[column % len(columns)], cell, table)))


def test_they_judge_models_and_not_the_benchmark() -> None:
    cues = Result("cues", {}, "clear", "Nothing.")
    assert build_headline(audit((cues, *BOTH), {"dev": ITEMS, "test": ITEMS})) == (
        "In paddock, cues found nothing; stronger models than a bag of words may still find one. "
        "About models, see robustness and sensitivity."
    )
