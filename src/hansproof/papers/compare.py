"""Compare the printed figures of a paper with computed ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Protocol, cast

from .._infra.progress import track
from ..errors import HansproofError
from .computed_figures import (
    ComputedFigure,
    ComputeTable,
    ComputeTextFigure,
    FindingCheck,
    PaperFinding,
)
from .paper_data import PaperData
from .printed_figures import (
    TEXT,
    CellKey,
    Paper,
    PrintedFigure,
    PrintedTable,
    load_paper,
    select_tables,
)
from .reproduction import FigureComparison, FigureStatus, Reproduction

NOT_REPRODUCIBLE = "not reproducible: "
NEEDS_WEIGHTS = "needs pretrained weights"


class PaperModule(Protocol):
    """The package of a paper: functions for its tables and text figures, checks, and notes."""

    TABLES: Mapping[str, ComputeTable]
    TEXTS: Mapping[str, ComputeTextFigure]
    FINDINGS: Collection[FindingCheck]
    NOTES: Mapping[str, tuple[str, ...]]


def load_paper_module(key: str) -> PaperModule:
    """Import the package of a paper."""
    return cast(PaperModule, import_module(f".{key}", __package__))


def reproduce(
    paper: str | Paper,
    tables: Collection[str] = (),
    data: str | None = None,
    retrained: Mapping[CellKey, ComputedFigure] | None = None,
    model: str | None = None,
) -> Reproduction:
    """Compare all figures of a paper, or those of some tables.

    Args:
        paper: a name (`niven2019`), a JSON file, or a loaded paper.
        tables: ids or numbers of tables; all if empty.
        data: folder of the benchmarks and released files.
        retrained: figures computed with a retrained model (see `papers.retrain`).
        model: the model that the retrained figures come from.
    """
    if isinstance(paper, str):
        paper = load_paper(paper)
    table_ids = select_tables(paper, tables)
    paper_module, paper_data = load_paper_module(paper.key), PaperData(data)
    computed: dict[CellKey, ComputedFigure] = {}
    missing_data: dict[str, HansproofError] = {}
    for table_id in track(table_ids, len(table_ids), f"tables of {paper.key}"):
        try:
            computed |= _compute_table(paper_module, paper, paper.tables[table_id], paper_data)
        except HansproofError as error:  # a file or an extra is missing
            missing_data[table_id] = error
    if missing_data and not computed:
        raise next(iter(missing_data.values()))
    findings = tuple(_run_checks(paper_module, paper, table_ids, paper_data))
    comparisons = _compare_figures(
        paper, table_ids, computed, findings, retrained or {}, missing_data
    )
    notes = {
        table_id: paper_module.NOTES[table_id]
        for table_id in table_ids
        if table_id in paper_module.NOTES
    }
    return Reproduction(paper, tuple(comparisons), findings, notes, model)


def _run_checks(
    paper_module: PaperModule, paper: Paper, table_ids: Collection[str], data: PaperData
) -> Iterator[PaperFinding]:
    """Run the checks of the selected tables; skip checks whose data are missing."""
    for check in paper_module.FINDINGS:
        if any(table_id in table_ids for table_id in check.tables):
            with suppress(HansproofError):
                if finding := check.find(paper, data):
                    yield finding


def _compute_table(
    paper_module: PaperModule, paper: Paper, table: PrintedTable, data: PaperData
) -> dict[CellKey, ComputedFigure]:
    if table.id == TEXT:
        keys = {key[2]: key for key in table.figures}
        return {
            keys[figure_id]: compute(paper, data)
            for figure_id, compute in paper_module.TEXTS.items()
            if figure_id in keys
        }
    if table.id not in paper_module.TABLES:
        return {}
    cells = paper_module.TABLES[table.id](table, data)
    return {(table.id, row, column): figure for (row, column), figure in cells.items()}


def _compare_figures(
    paper: Paper,
    table_ids: Collection[str],
    computed: Mapping[CellKey, ComputedFigure],
    findings: Collection[PaperFinding],
    retrained: Mapping[CellKey, ComputedFigure],
    missing_data: Mapping[str, HansproofError],
) -> Iterator[FigureComparison]:
    contradicted = {key: finding for finding in findings for key in finding.cells}
    for figure in paper.iter_figures():
        if figure.key[0] not in table_ids or not _is_comparable(
            figure, computed, contradicted, retrained
        ):
            continue
        finding = contradicted.get(figure.key)
        if finding is not None:
            computed_figure = computed.get(figure.key) or finding.corrections.get(figure.key)
            retrained_figure = retrained.get(figure.key)
            yield FigureComparison(
                figure, FigureStatus.CONTRADICTS, computed_figure, retrained_figure, finding.text
            )
        else:
            candidates = computed.get(figure.key), retrained.get(figure.key)
            yield _compare_figure(figure, *candidates, missing_data.get(figure.key[0]))


def _is_comparable(figure: PrintedFigure, *key_sets: Collection[CellKey]) -> bool:
    """Leave out settings and quoted figures in running text, for which nothing was computed."""
    return bool(figure.claim) or any(figure.key in keys for keys in key_sets)


def _compare_figure(
    figure: PrintedFigure,
    computed: ComputedFigure | None,
    retrained: ComputedFigure | None,
    missing_data: HansproofError | None,
) -> FigureComparison:
    if computed is None:
        status = FigureStatus.RERUN if retrained else FigureStatus.CANNOT
        return FigureComparison(
            figure,
            status,
            None,
            retrained,
            "" if retrained else _unavailable_reason(figure, missing_data),
        )
    if not figure.matches(computed.parts):
        return FigureComparison(figure, FigureStatus.DIFFERS, computed, retrained)
    return FigureComparison(
        figure,
        FigureStatus.EXACT if computed.source == "data" else FigureStatus.PREDICTIONS,
        computed,
        retrained,
    )


def _unavailable_reason(figure: PrintedFigure, missing_data: HansproofError | None) -> str:
    """Explain why a figure cannot be computed."""
    if missing_data and figure.claim in (FigureStatus.EXACT, FigureStatus.PREDICTIONS):
        return str(missing_data)
    if figure.claim.startswith(NOT_REPRODUCIBLE):
        return figure.claim.removeprefix(NOT_REPRODUCIBLE)
    if figure.claim == NEEDS_WEIGHTS:
        return f"{NEEDS_WEIGHTS}; --model runs another model where the paper's can be replaced"
    return figure.claim or "how it was computed is unknown"
