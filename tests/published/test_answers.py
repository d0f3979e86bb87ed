"""Tables about what models said, computed from the authors' released files."""

from __future__ import annotations

import json
import math
import os
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import pytest
from scipy.stats import hypergeom

from hansproof import load, logs
from hansproof.inputs import accuracies
from hansproof.inputs.systems import System, build_systems
from hansproof.probes.accuracy import Accuracy
from hansproof.probes.compare import Compare
from hansproof.probes.easy_hard import EasyHard
from hansproof.probes.seeds import Seeds
from hansproof.stats import summarize_accuracies, two_sample_randomisation_test
from hansproof.stats.seeds import SeedSummary
from hansproof.types import Benchmark, Result

from ..support.markers import needs_data

pytestmark = needs_data

DATA = os.environ.get("HANSPROOF_DATA", "")
ARCHIVE = f"{DATA}/balanced_copa/predictions.tar.bz2"
IDS = f"{DATA}/balanced_copa/easy_hard_subsets.json"
RECORDED = f"{DATA}/arct_adversarial/recorded"
SUBMISSIONS = f"{DATA}/arct_semeval2018/submissions/*.txt"


def paper(name: str) -> dict[str, Any]:
    text = resources.files("hansproof").joinpath(f"papers/figures/{name}.json").read_text()
    found: dict[str, Any] = json.loads(text)
    return found


def table(name: str, id: str) -> list[dict[str, Any]]:
    (found,) = (t for t in paper(name)["tables"] if t["id"] == id)
    return list(found["rows"])


def rows(result: Result, name: str) -> list[dict[str, Any]]:
    found = result.tables[name]
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


@cache
def copa() -> tuple[Benchmark, tuple[Any, ...]]:
    benchmark = load("copa")
    return benchmark, logs.read([ARCHIVE], benchmark)


@cache
def copa_systems() -> dict[str, System]:
    return {system.name: system for system in build_systems(*copa())}


def easy_of(system: System) -> np.ndarray[Any, np.dtype[np.bool_]]:
    with open(IDS) as file:
        easy = {str(id) for id in json.load(file)["easy"]}
    return np.array([item.id in easy for item in system.items])


@pytest.mark.parametrize("model", ["BERT", "RoBERTa"])
def test_kavumba_2019_table_4(model: str) -> None:
    """Twelve numbers: mean and population deviation over three seeds, in per cent."""
    (printed,) = (r for r in table("kavumba2019", "table-4") if r["model"] == f"{model}-large-FT")
    benchmark, runs = copa()
    (seeds,) = (r for r in rows(Seeds()(benchmark, runs), "systems") if r["system"] == model)
    (gap,) = (
        row
        for row in rows(EasyHard(easy=IDS)(benchmark, runs), "gaps")
        if row["system"] == model and row["easy_from"] == "published ids"
    )
    found = {
        "overall": (seeds["mean"], seeds["sd_population"]),
        "easy": (gap["easy"], gap["easy_sd"]),
        "hard": (gap["hard"], gap["hard_sd"]),
    }
    for part, (mean, sd) in found.items():
        assert round(100 * mean, 1) == printed[part]["mean"]
        assert round(100 * sd, 1) == printed[part]["spread"]
    assert (gap["n_easy"], gap["n_hard"]) == (190, 310)


def test_kavumba_2019_sizes_and_counts() -> None:
    known = {entry["id"]: entry["value"] for entry in paper("kavumba2019")["supplementary"]}
    for model, system in copa_systems().items():
        easy = easy_of(system)
        counts = known[f"{model.lower()}-correct-by-seed"]
        assert system.credits[:, easy].sum(axis=1).tolist() == counts["easy"]
        assert system.credits[:, ~easy].sum(axis=1).tolist() == counts["hard"]


# two-sided, in per cent, to the digits that were worked out from the released predictions
BY_SEED = {"BERT": (14.137, 0.0307, 0.0045), "RoBERTa": (0.1814, 4.478, 39.355)}
BY_ITEM = {"BERT": 0.0070, "RoBERTa": 0.8846}


def printed_as(p: float, expected: float) -> bool:
    digits = len(str(expected).partition(".")[2])
    return round(100 * p, digits) == expected


@pytest.mark.parametrize("model", ["BERT", "RoBERTa"])
def test_kavumba_2019_p_between_easy_and_hard(model: str) -> None:
    system = copa_systems()[model]
    easy = easy_of(system)
    for scores, expected in [
        *zip(system.credits, BY_SEED[model], strict=True),
        (system.scores, BY_ITEM[model]),
    ]:
        exact = two_sample_randomisation_test(scores[easy], scores[~easy])
        assert exact.method == "exact"
        assert printed_as(exact.p, expected)


@pytest.mark.parametrize("model", ["BERT", "RoBERTa"])
def test_kavumba_2019_p_by_drawing(model: str) -> None:
    """Single seeds, means and pooled: within four standard errors, and the one that p counts in."""
    system = copa_systems()[model]
    easy = easy_of(system)
    pooled = (system.credits[:, easy].ravel(), system.credits[:, ~easy].ravel())
    for first, second in [
        *((scores[easy], scores[~easy]) for scores in (*system.credits, system.scores)),
        pooled,
    ]:
        exact = two_sample_randomisation_test(first, second)
        assert exact.method == "exact"
        drawn = two_sample_randomisation_test(first, second, rounds=100_000, exact=False)
        error = math.sqrt(exact.p * (1 - exact.p) / 100_000)
        assert abs(drawn.p - exact.p) <= 4 * error + 1e-5


@pytest.mark.parametrize("model", ["BERT", "RoBERTa"])
def test_kavumba_2019_p_of_one_seed_is_the_hypergeometric(model: str) -> None:
    """The same p from scipy's distribution: all outcomes at least as far from the mean."""
    system = copa_systems()[model]
    easy = easy_of(system)
    for scores in system.credits:
        right, n1 = int(scores.sum()), int(easy.sum())
        k = np.arange(n1 + 1)
        far = np.abs(500 * k - n1 * right) >= abs(500 * int(scores[easy].sum()) - n1 * right)
        expected = hypergeom.pmf(k[far], 500, right, n1).sum()
        assert two_sample_randomisation_test(scores[easy], scores[~easy]).p == pytest.approx(
            expected, rel=1e-9
        )


@pytest.mark.parametrize("model", ["BERT", "RoBERTa"])
def test_kavumba_2019_printed_p_needs_pooled_seeds(model: str) -> None:
    (printed,) = (r for r in table("kavumba2019", "table-4") if r["model"] == f"{model}-large-FT")
    benchmark, runs = copa()
    (gap,) = (
        row
        for row in rows(EasyHard(easy=IDS, seeds="pooled")(benchmark, runs), "gaps")
        if row["system"] == model and row["easy_from"] == "published ids"
    )
    assert round(100 * gap["p"], 1) == printed["p_value_percent"]


def cell(column: str, found: SeedSummary) -> tuple[float, ...]:
    if column.endswith("_mean"):
        return found.mean, found.sd_sample or 0.0
    return (found.median,) if column.endswith("_median") else (found.max,)


def agrees(printed: Any, found: tuple[float, ...]) -> bool:
    """Equal to the printed digits; a spread is printed with two."""
    expected = (printed["mean"], printed["spread"]) if isinstance(printed, dict) else (printed,)
    digits = (3, 2)[: len(found)]
    return all(round(f, d) == e for f, d, e in zip(found, digits, expected, strict=True))


def test_niven_2019_degenerate_runs() -> None:
    known = {entry["id"]: entry["value"] for entry in paper("niven2019")["text_figures"]}
    runs = accuracies.read_accuracies([f"{RECORDED}/bert_large/accs.csv"])
    result = Seeds(rule="niven2019")(load("arct"), accuracies=runs)
    (row,) = (row for row in rows(result, "systems") if row["split"] == "test")
    assert row["degenerate"] == known["degenerate-runs"]["degenerate"]
    assert row["runs"] == known["degenerate-runs"]["runs"]
    # printed .716; the released file gives .715
    assert round(row["mean_without"], 3) == 0.715
    assert round(row["sd_without"], 2) == known["bert-large-nondegenerate"]["spread"]


def test_niven_2019_warrants_only_from_what_was_said_of_each_item() -> None:
    (printed,) = (
        row
        for row in table("niven2019", "table-3")
        if (row["model"], row["input"]) == ("BERT-large", "W")
    )
    benchmark = load("arct")
    runs = logs.read(
        [f"{RECORDED}/bert_large_w/preds-dev-test.csv.gz"],
        benchmark,
        overrides=logs.LogOverrides(split="test"),
    )
    assert len(runs) == 20
    (system,) = build_systems(benchmark, runs)
    assert system.name == "bert_large on choices"
    found = summarize_accuracies(system.credits.mean(axis=1).tolist())
    for column in ("test_mean", "test_median", "test_max"):
        assert agrees(printed[column], cell(column, found))


def test_bert_on_arct_leans_on_what_another_blind_model_finds_easy() -> None:
    """Not in the papers: Easy from BoV on warrants alone, and BERT-large on full input."""
    benchmark = load("arct")
    files = [f"{RECORDED}/{name}/preds-dev-test.csv.gz" for name in ("bert_large", "bov_w")]
    runs = logs.read(files, benchmark, overrides=logs.LogOverrides(split="test"))
    result = EasyHard()(benchmark, runs)
    (gap,) = (row for row in rows(result, "gaps") if row["relation"] == "other model")
    assert gap["system"] == "bert_large"
    assert gap["gap"] > 0.2
    assert gap["q"] < 1e-6
    assert result.verdict == "exposed"


def test_semeval_2018_ranking() -> None:
    """23 systems; only the first differs from its neighbour after correction."""
    benchmark = load("arct")
    runs = logs.read([SUBMISSIONS], benchmark)
    result = Compare()(benchmark, runs)
    ranking = rows(result, "ranking")
    assert len(ranking) == 23
    assert [row["rank"] for row in ranking] == sorted(row["rank"] for row in ranking)
    assert all(row["low"] < row["accuracy"] < row["high"] for row in ranking)
    first = ranking[0]
    assert first["system"] == "GIST"
    (quoted,) = (row for row in table("niven2019", "table-1") if row["model"].startswith("GIST"))
    # the paper quotes the mean over that system's runs; this is its one submission
    assert abs(first["accuracy"] - quoted["test_mean"]["mean"]) < 0.005
    differing = [(row["a"], row["b"]) for row in rows(result, "pairs") if row["flag"]]
    assert differing == [("GIST", ranking[1]["system"])]


def test_semeval_2018_systems_above_the_best_baseline() -> None:
    benchmark = load("arct")
    result = Accuracy()(benchmark, logs.read([SUBMISSIONS], benchmark))
    above = [row["system"] for row in rows(result, "systems") if not row["flag"]]
    assert len(result.tables["systems"].rows) == 23
    assert sorted(above) == ["GIST", "rgtjf"]
