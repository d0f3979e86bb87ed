"""Write the page of `bench/papers.py`: reruns next to the printed figures, and transfer."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.papers import MODELS, SEEDS, TRANSFER
from docs.wrap import wrap_markdown
from hansproof import predictions
from hansproof.inputs.systems import System, build_systems
from hansproof.papers import Paper, Reproduction, load_paper, reproduce
from hansproof.papers.branco2021.tables import TASKS
from hansproof.papers.computed_figures import ComputedFigure
from hansproof.papers.markdown import render_retrained_markdown
from hansproof.papers.paper_data import PaperData
from hansproof.papers.printed_figures import CellKey
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


def write_page(store: str, date: str) -> None:
    """Write the JSON file and the page from the store and its transfer file."""
    released = PaperData()
    reproductions = {
        key: _load_rerun(load_paper(key), model, store, released) for key, model in MODELS.items()
    }
    result = {
        "date": date,
        "command": "python -m bench.papers pack|run|table (see its docstring)",
        "models": MODELS,
        "seeds": len(SEEDS),
        "papers": {
            key: _rerun_cells(reproduction_to_json(reproduction))
            for key, reproduction in reproductions.items()
        },
        "transfer": [*_add_corrected_p([*_transfer_cells(store, released)])],
        "tables": {
            key: render_retrained_markdown(reproduction)
            for key, reproduction in reproductions.items()
        },
    }
    JSON.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(render_papers_page(result))


def _load_rerun(paper: Paper, model: str, store: str, released: PaperData) -> Reproduction:
    """Return the figures of a paper that the store has, with the printed ones."""
    systems: dict[RetrainJob, System | None] = {}
    reruns: dict[CellKey, ComputedFigure] = {}
    for row in load_model_rows(paper):
        if row.job not in systems:
            systems[row.job] = _load_system(row.job, model, store, released)
        system = systems[row.job]
        if system is not None:
            for column, figure in row.compute_cells(system, released).items():
                reruns[row.table, row.index, column] = replace(figure, model=model)
    tables = dict.fromkeys(key[0] for key in reruns)
    return reproduce(paper, [*tables], retrained=reruns, model=model)


def _load_system(job: RetrainJob, model: str, store: str, released: PaperData) -> System | None:
    """Return the runs of a job, or None unless the store has all of them."""
    spec = model_spec(job, model)
    if spec is None:
        return None
    benchmark = load_job_benchmark(job.benchmark, released)
    runs = plan_runs(benchmark, [spec], [job.view], SEEDS, "train-test")
    paths = [os.path.join(store, key.file_name) for key in build_run_keys(benchmark, runs)]
    if not all(map(os.path.exists, paths)):
        return None
    splits = predictions.BenchmarkSplits(benchmark)
    (system,) = build_systems(benchmark, [predictions.read(path, splits) for path in paths])
    return system


def _rerun_cells(record: dict[str, Any]) -> dict[str, Any]:
    """Return the cells of a reproduction's JSON that have a rerun."""
    cells = [
        {"table": table["id"], "row": row["labels"], "column": column,
         "published": cell["published"], "rerun": cell["rerun"]}
        for table in record["tables"]
        for row in table["rows"]
        for column, cell in row["cells"].items()
        if cell["rerun"]
    ]  # fmt: skip
    return {"model": record["model"], "figures": cells}


def _transfer_cells(store: str, released: PaperData) -> Iterator[dict[str, Any]]:
    """Yield the statistics of each pair of tasks, and of the run best on its own task."""
    transfer = json.loads(Path(store, TRANSFER).read_text())
    for source in NAMES:
        home_accuracies = [
            float(np.mean(run["credits"])) for run in _select_runs(transfer, source, source)
        ]
        for target in NAMES:
            pair_runs = _select_runs(transfer, source, target)
            items = released.benchmark(target).splits[pair_runs[0]["split"]]
            guess = chance_credits(items)
            groups = [item.group for item in items]
            stats = measure_cell([run["credits"] for run in pair_runs], groups, guess)
            best = float(np.mean(pair_runs[int(np.argmax(home_accuracies))]["credits"]))
            yield {
                "trained_on": NAMES[source], "tested_on": NAMES[target], "seeds": stats.seeds,
                "accuracy": stats.accuracy, "low": stats.low, "high": stats.high, "sd": stats.sd,
                "chance": stats.chance, "n": stats.n, "p": stats.p, "best_run": best,
            }  # fmt: skip


def _select_runs(
    transfer: Sequence[dict[str, Any]], source: str, target: str
) -> list[dict[str, Any]]:
    return [run for run in transfer if (run["trained_on"], run["tested_on"]) == (source, target)]


def _add_corrected_p(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the cells with p-values corrected over those off the diagonal."""
    off_diagonal = [cell for cell in cells if cell["trained_on"] != cell["tested_on"]]
    q = dict(
        zip(map(id, off_diagonal), holm([cell["p"] for cell in off_diagonal]).tolist(), strict=True)
    )
    for cell in cells:
        yield {**cell, "q": q.get(id(cell))}


def render_papers_page(result: dict[str, Any]) -> str:
    """Render the page as Markdown."""
    return wrap_markdown(
        "# The papers' models, run again with MPNet-base\n\n"
        "The rows of four papers that need a trained model, run again with MPNet-base in place of "
        "theirs. Each cell shows the printed figure and, *in italics, that of the re-run*. MPNet "
        "is a sentence encoder of a third of the size, so the re-runs neither confirm nor refute "
        "the printed figures.\n\n"
        f"Measured by `{result['command']}`, {result['date']}, on an NVIDIA H200 (frozen encoders: "
        f"on a CPU). Model: all-mpnet-base-v2 (12 × 768, 109.5 M), {result['seeds']} seeds, mean "
        "over tokens, otherwise the paper's recipe, including the search over rates. For Branco et "
        "al. one rate (2e-5), batches of 32 and five epochs, because their search takes a hundred "
        "epochs a run. [MPNet-base on COPA, Balanced COPA and ARCT](mpnet-base.md) has twenty "
        "seeds of the probing table, with a simpler recipe.\n\n"
        f"{_transfer_table(result['transfer'])}\n"
        + "\n".join(
            f"## {key}\n\n`{result['models'][key]}`\n\n{text}"
            for key, text in result["tables"].items()
        )
    )


def _transfer_table(cells: Sequence[dict[str, Any]]) -> str:
    """Render the transfer matrix in the layout of Branco et al."""
    paper = load_paper("branco2021").tables["table-7"]
    rows = []
    for source in NAMES.values():
        row_index = paper.find_row(trained_on=source)
        row_cells = [cell for cell in cells if cell["trained_on"] == source]
        rows.append(
            f"| {source} | " + " | ".join(
                f"{cell['accuracy']:.3f}{'*' if (cell['q'] or 1) <= LEVEL else ''} "
                f"[{cell['low']:.3f}, {cell['high']:.3f}]<br>best run {cell['best_run']:.3f}, "
                f"printed {paper.get_number(row_index, cell['tested_on']):.3f}"
                for cell in row_cells
            ) + " |"
        )  # fmt: skip
    arct_cells = [cell for cell in cells if cell["trained_on"] == "ARCT"]
    return (
        "## Transfer between four tasks\n\n"
        "A model is trained on the benchmark of a row and tested, unchanged, on that of a column. "
        "Each cell has the mean of the runs [95% interval over items], with \\* if it is above "
        "chance after Holm's correction over the twelve cells off the diagonal, and below it the "
        "run that is best on its own benchmark, and RoBERTa-large as printed.\n\n"
        f"| trained on | {' | '.join(NAMES.values())} |\n|---|{'---|' * len(NAMES)}\n"
        + "\n".join(rows)
        + "\n| chance | " + " | ".join(f"{cell['chance']:.3f}" for cell in arct_cells) + " |\n"
        + "| n | " + " | ".join(str(cell["n"]) for cell in arct_cells) + " |\n"
    )  # fmt: skip
