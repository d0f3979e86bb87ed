"""The page of `bench/papers.py`: what is in the store beside what is printed, and the transfer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.papers import MODELS, SEEDS, TRANSFER
from hansproof import predictions
from hansproof.inputs.systems import System, build_systems
from hansproof.papers import Paper, Reproduction, load_paper, reproduce
from hansproof.papers.branco2021.tables import TASKS
from hansproof.papers.computed import ComputedFigure
from hansproof.papers.markdown import render_retrained_markdown
from hansproof.papers.paper_data import PaperData
from hansproof.papers.printed import CellKey
from hansproof.papers.retrain import RetrainJob, load_job_benchmark, load_model_rows, model_spec
from hansproof.papers.to_json import reproduction_to_json
from hansproof.probes.transfer.cell_stats import measure_cell
from hansproof.scoring import chance_credits
from hansproof.stats import holm
from hansproof.sweeps import plan_runs
from hansproof.sweeps.run_keys import build_run_keys

JSON, PAGE = Path("bench/papers.json"), Path("docs/results/papers-mpnet.md")
NAMES = {name: task for task, (name, _) in TASKS.items()}
LEVEL = 0.05


def table(store: str, date: str) -> None:
    """From the store, and the transfer in it."""
    released = PaperData()
    found = {key: _rerun(load_paper(key), model, store, released) for key, model in MODELS.items()}
    result = {
        "date": date,
        "command": "python -m bench.papers pack|run|table (see its docstring)",
        "models": MODELS,
        "seeds": len(SEEDS),
        "papers": {key: _kept(reproduction_to_json(one)) for key, one in found.items()},
        "transfer": [*_corrected([*_cells(store, released)])],
        "tables": {key: render_retrained_markdown(one) for key, one in found.items()},
    }
    JSON.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(page(result))


def _rerun(paper: Paper, model: str, store: str, released: PaperData) -> Reproduction:
    """What of a paper is in the store, beside what is printed."""
    known: dict[RetrainJob, System | None] = {}
    reruns: dict[CellKey, ComputedFigure] = {}
    for row in load_model_rows(paper):
        if row.job not in known:
            known[row.job] = _system(row.job, model, store, released)
        system = known[row.job]
        if system is not None:
            for column, one in row.compute_cells(system, released).items():
                reruns[row.table, row.index, column] = replace(one, model=model)
    tables = dict.fromkeys(place[0] for place in reruns)
    return reproduce(paper, [*tables], retrained=reruns, model=model)


def _system(job: RetrainJob, model: str, store: str, released: PaperData) -> System | None:
    """The runs of a job, if all of them are there."""
    spec = model_spec(job, model)
    if spec is None:
        return None
    benchmark = load_job_benchmark(job.benchmark, released)
    runs = plan_runs(benchmark, [spec], [job.view], SEEDS, "train-test")
    paths = [os.path.join(store, place.file_name) for place in build_run_keys(benchmark, runs)]
    if not all(map(os.path.exists, paths)):
        return None
    splits = predictions.BenchmarkSplits(benchmark)
    (found,) = build_systems(benchmark, [predictions.read(path, splits) for path in paths])
    return found


def _kept(found: dict[str, Any]) -> dict[str, Any]:
    """Of the JSON of a reproduction, what a re-run gave."""
    cells = [
        {"table": table["id"], "row": row["labels"], "column": column,
         "published": one["published"], "rerun": one["rerun"]}
        for table in found["tables"]
        for row in table["rows"]
        for column, one in row["cells"].items()
        if one["rerun"]
    ]  # fmt: skip
    return {"model": found["model"], "figures": cells}


def _cells(store: str, released: PaperData) -> Iterator[dict[str, Any]]:
    """Every pair of tasks: mean over runs with its company, and the run that is best at home."""
    said = json.loads(Path(store, TRANSFER).read_text())
    for source in NAMES:
        home = [float(np.mean(one["credits"])) for one in _of(said, source, source)]
        for target in NAMES:
            some = _of(said, source, target)
            items = released.benchmark(target).splits[some[0]["split"]]
            guess = chance_credits(items)
            groups = [item.group for item in items]
            found = measure_cell([one["credits"] for one in some], groups, guess)
            best = float(np.mean(some[int(np.argmax(home))]["credits"]))
            yield {
                "trained_on": NAMES[source], "tested_on": NAMES[target], "seeds": found.seeds,
                "accuracy": found.accuracy, "low": found.low, "high": found.high, "sd": found.sd,
                "chance": found.chance, "n": found.n, "p": found.p, "best_run": best,
            }  # fmt: skip


def _of(said: Sequence[dict[str, Any]], source: str, target: str) -> list[dict[str, Any]]:
    return [one for one in said if (one["trained_on"], one["tested_on"]) == (source, target)]


def _corrected(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Off the diagonal, for each other."""
    off = [one for one in cells if one["trained_on"] != one["tested_on"]]
    q = dict(zip(map(id, off), holm([one["p"] for one in off]).tolist(), strict=True))
    for one in cells:
        yield {**one, "q": q.get(id(one))}


def page(result: dict[str, Any]) -> str:
    """For people."""
    return (
        "# The papers' models, run again with MPNet-base\n\n"
        f"`{result['command']}`, {result['date']}, on an NVIDIA H200 (frozen encoders: on a CPU); "
        f"all-mpnet-base-v2 (12 × 768, 109.5 M), {result['seeds']} seeds, mean over tokens, "
        "otherwise the paper's recipe, the search over rates included. For Branco et al. one rate "
        "(2e-5), batches of 32 and five epochs, since their search is a hundred epochs a run. "
        "In each cell what is printed, and *in italics the re-run*. MPNet is a sentence encoder "
        "of a third of the size: these are not the papers' numbers, and say nothing against them. "
        "Twenty seeds of the probing table, by a plainer recipe, are in "
        "[MPNet-base on COPA, Balanced COPA and ARCT](mpnet-base.md).\n\n"
        f"{_transfer(result['transfer'])}\n"
        + "\n".join(
            f"## {key}\n\n`{result['models'][key]}`\n\n{text}"
            for key, text in result["tables"].items()
        )
    )


def _transfer(cells: Sequence[dict[str, Any]]) -> str:
    """The matrix, as Branco et al. print it."""
    paper = load_paper("branco2021").tables["table-7"]
    rows = []
    for source in NAMES.values():
        at = paper.find_row(trained_on=source)
        some = [one for one in cells if one["trained_on"] == source]
        rows.append(
            f"| {source} | " + " | ".join(
                f"{one['accuracy']:.3f}{'*' if (one['q'] or 1) <= LEVEL else ''} "
                f"[{one['low']:.3f}, {one['high']:.3f}]<br>best run {one['best_run']:.3f}, printed "
                f"{paper.get_number(at, one['tested_on']):.3f}"
                for one in some
            ) + " |"
        )  # fmt: skip
    chance = [one for one in cells if one["trained_on"] == "ARCT"]
    return (
        "## Transfer between four tasks\n\n"
        "Trained on a row, tested unchanged on a column: mean of the runs [95 % interval over "
        "items], \\* above chance after Holm's correction over the twelve cells off the diagonal; "
        "below it the run that is best at home, and RoBERTa-large's as printed.\n\n"
        f"| trained on | {' | '.join(NAMES.values())} |\n|---|{'---|' * len(NAMES)}\n"
        + "\n".join(rows)
        + "\n| chance | " + " | ".join(f"{one['chance']:.3f}" for one in chance) + " |\n"
        + "| n | " + " | ".join(str(one["n"]) for one in chance) + " |\n"
    )  # fmt: skip
