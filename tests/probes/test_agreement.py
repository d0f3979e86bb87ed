from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.inputs.ratings import Ratings
from hansproof.probes.agreement import Agreement
from hansproof.stats import fleiss_kappa
from hansproof.types import Benchmark, Item

from ..support.cli_runner import run_here
from ..support.probe_factories import records as rows

SOME = tuple(Item(f"{i}", {"q": "why"}, ("one", "other"), i % 2) for i in range(100))
BENCHMARK = Benchmark("b", {"all": SOME})


def rated(wrong: dict[str, int], raters: int = 3) -> list[Ratings]:
    """Everybody is right, but for the first so many raters of some items."""
    found = [
        (
            item.id,
            f"r{r}",
            1 - (item.answer or 0) if r < wrong.get(item.id, 0) else item.answer or 0,
        )
        for item in SOME
        for r in range(raters)
    ]
    return [Ratings("crowd.csv", tuple(found))]


def test_people_who_agree_with_the_key() -> None:
    result = Agreement()(BENCHMARK, rated({"3": 1}))
    (row,) = rows(result, "overall")
    assert result.verdict == "clear"
    assert row["vote_accuracy"] == 1
    assert (row["items"], row["raters"], row["ratings"]) == (100, 3, 300)
    counts = [[3, 0] if i.answer == 0 else [0, 3] for i in SOME]
    counts[3] = [1, 2]
    assert row["kappa"] == pytest.approx(fleiss_kappa(counts))
    assert row["low"] <= row["kappa"] <= row["high"] <= 1


def test_a_vote_against_the_key_is_shown() -> None:
    result = Agreement()(BENCHMARK, rated({"3": 3, "4": 2, "5": 1}))
    assert result.evidence == {"all: vote against the key": ("3", "4")}
    assert "it goes against the key on 2 items" in result.summary


def test_an_even_vote_is_half_right_and_shown() -> None:
    result = Agreement()(BENCHMARK, rated({"3": 1}, raters=2))
    assert result.evidence == {"all: no majority": ("3",)}
    (row,) = rows(result, "overall")
    assert row["vote_accuracy"] == pytest.approx(0.995)
    assert row["no_majority"] == 1


def test_people_at_odds_call_for_care() -> None:
    assert Agreement()(BENCHMARK, rated({f"{i}": 1 for i in range(60)})).verdict == "caution"


def test_only_rated_items_count() -> None:
    few = [Ratings("c", tuple((f"{i}", r, i % 2) for i in range(10) for r in "abc"))]
    result = Agreement()(BENCHMARK, few)
    (row,) = rows(result, "overall")
    assert row["items"] == 10
    assert row["kappa"] == pytest.approx(1)
    assert [r["n"] for r in rows(result, "raters")] == [10, 10, 10]


def test_a_few_items_on_which_people_agree_show_little() -> None:
    few = [Ratings("c", tuple((f"{i}", r, i % 2) for i in range(9) for r in "abc"))]
    result = Agreement()(BENCHMARK, few)
    assert result.verdict == "undecided"
    assert result.summary.endswith("At least 10 items are needed for a verdict.")


def test_without_two_raters_on_an_item_nothing_is_known_of_agreement() -> None:
    lone = [Ratings("c", tuple((f"{i}", "a", i % 2) for i in range(20)))]
    result = Agreement()(BENCHMARK, lone)
    assert result.verdict == "skipped"
    assert result.summary == (
        "Skipped: no item was rated by two people, so agreement cannot be measured; the ratings "
        "match the key on 100.0% of 20 items of all."
    )
    wrong = [Ratings("c", tuple((f"{i}", "a", 0) for i in range(20)))]
    result = Agreement()(BENCHMARK, wrong)
    assert result.verdict == "caution"
    assert "kappa undefined" in result.summary


def test_the_terminal_names_the_disputed_items(tmp_path: Path) -> None:
    items = [
        {"id": i.id, "question": "why", "choices": i.choices, "answer": i.answer} for i in SOME
    ]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    (ratings,) = rated({f"{i}": 3 for i in range(12)})
    lines = ["item,rater,choice", *(",".join(map(str, row)) for row in ratings.rows)]
    (tmp_path / "crowd.csv").write_text("\n".join(lines))
    done = run_here("run", "agreement", "items.jsonl", "--ratings", "crowd.csv", cwd=tmp_path)
    assert "vote against the key: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 … and 2 more" in (
        " ".join(done.stdout.split())
    )
