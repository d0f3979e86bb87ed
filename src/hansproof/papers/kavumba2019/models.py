"""Rows of Kavumba et al. 2019 that need a model: by training set, fine-tuned or frozen."""

from __future__ import annotations

from collections.abc import Iterator

from ...probes.sensitivity import Sensitivity
from ...sweeps import load_trained_models
from .. import copa
from ..computed_figures import ComputedCells, ComputedFigure
from ..paper_data import PaperData
from ..printed_figures import TEXT, Paper, PrintedTable
from ..retrain import ModelUse, RetrainJob, RetrainRequest, RetrainRow, RetrainTable, keep_models

OBLIVIOUS = "premise-oblivious-roberta"
# column of table 7 -> column of the probe
SENSITIVITY_COLUMNS = {"s_copa": "sensitivity", "s_b_copa": "against", "difference": "difference"}
FROZEN_MODELS: dict[str, tuple[copa.PaperModel, ModelUse]] = {
    "BERT-large": (copa.BERT, "frozen"), "RoBERTa-large": (copa.ROBERTA, "joined"),
}  # fmt: skip
NEXT_SENTENCE_MODELS = {
    "BERT-base-NSP": "bert-base-uncased",
    "BERT-large-NSP": copa.BERT.checkpoint,
}


def model_rows(paper: Paper) -> Iterator[RetrainRow]:
    """Yield the rows of tables 4 to 6, and the model that does not see the premise."""
    for table_id in ("table-4", "table-5"):
        yield from copa.finetuned_rows(paper.tables[table_id])
    frozen = paper.tables["table-6"]
    for i, row in enumerate(frozen.rows):
        if row["model"] in FROZEN_MODELS:
            model, use = FROZEN_MODELS[row["model"]]
            training_set = copa.TRAINING_SETS[row["training_data"]]
            yield RetrainRow(
                frozen.id,
                i,
                RetrainJob(training_set, model.recipe, model.checkpoint, use=use),
                copa.run_cells,
            )
        elif row["model"] in NEXT_SENTENCE_MODELS:
            job = RetrainJob(
                "copa",
                copa.BERT.recipe,
                NEXT_SENTENCE_MODELS[row["model"]],
                use="next",
                paper_only=True,
            )
            yield RetrainRow(frozen.id, i, job, copa.run_cells)
    yield from oblivious_rows(paper)


def oblivious_rows(paper: Paper) -> Iterator[RetrainRow]:
    """Yield the row of the model that is trained and tested on the choices alone."""
    key = paper.text_figure(OBLIVIOUS).key
    job = RetrainJob("copa", copa.ROBERTA.recipe, copa.ROBERTA.checkpoint, "choices")
    yield RetrainRow(TEXT, key[1], job, lambda system, data: {
        OBLIVIOUS: copa.run_cells(system, data)["overall"]
    })  # fmt: skip


def _sensitivity_cells(
    table: PrintedTable, request: RetrainRequest, data: PaperData
) -> ComputedCells:
    """Compute the sensitivity of models of COPA and Balanced COPA to the listed words."""
    jobs = [
        RetrainJob(name, copa.BERT.recipe, copa.BERT.checkpoint)
        for name in ("copa", "balanced_copa")
    ]
    folders = [keep_models(job, request, data) for job in jobs]
    if not all(folders):
        return {}
    benchmark = data.benchmark("copa")
    first, second = (load_trained_models(benchmark, model_folders) for model_folders in folders)
    result = Sensitivity()(benchmark, first, second).tables["cues"]
    rows_by_cue = {row[0]: dict(zip(result.columns, row, strict=True)) for row in result.rows}
    model_name, note = request.model_name(jobs[0]), f"{len(first)} runs of each"
    return {
        (i, column): ComputedFigure({"value": 100 * float(value)}, "model", note, model_name)
        for i, row in enumerate(table.rows)
        for column, name in SENSITIVITY_COLUMNS.items()
        if row["cue"] in rows_by_cue and (value := rows_by_cue[row["cue"]][name]) is not None
    }


MODEL_TABLES: dict[str, RetrainTable] = {"table-7": _sensitivity_cells}
