"""Goes through a paper's figures and says of each what can be said."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Protocol, cast

from .._infra.progress import track
from ..errors import HansproofError
from .computed import ComputedFigure, ComputeTable, ComputeTextFigure, FindingCheck, PaperFinding
from .paper_data import PaperData
from .printed import TEXT, CellKey, Paper, PrintedFigure, PrintedTable, load_paper, select_tables
from .reproduction import FigureComparison, FigureStatus, Reproduction

NOT_REPRODUCIBLE = "not reproducible: "
NEEDS_WEIGHTS = "needs pretrained weights"


class PaperModule(Protocol):
    """What there is for a paper: how to compute its tables, what to look for, what was read."""

    TABLES: Mapping[str, ComputeTable]
    TEXTS: Mapping[str, ComputeTextFigure]
    FINDINGS: Collection[FindingCheck]
    NOTES: Mapping[str, tuple[str, ...]]


def load_paper_module(key: str) -> PaperModule:
    """The folder of a paper."""
    return cast(PaperModule, import_module(f".{key}", __package__))


def reproduce(
    paper: str | Paper,
    tables: Collection[str] = (),
    data: str | None = None,
    retrained: Mapping[CellKey, ComputedFigure] | None = None,
    model: str | None = None,
) -> Reproduction:
    """All figures of a paper, or those of some tables, from the data in a folder.

    `reruns` are figures that a model of the user's gave (see `reproduce.rerun`).
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
        except HansproofError as error:  # a file or an extra that is not there
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
    """What is there to be found; not where the data for it are not here."""
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
    """Settings and figures that are only quoted in running text are nothing to compare with."""
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
    """Why a figure cannot be had."""
    if missing_data and figure.claim in (FigureStatus.EXACT, FigureStatus.PREDICTIONS):
        return str(missing_data)
    if figure.claim.startswith(NOT_REPRODUCIBLE):
        return figure.claim.removeprefix(NOT_REPRODUCIBLE)
    if figure.claim == NEEDS_WEIGHTS:
        return f"{NEEDS_WEIGHTS}: where another may stand in, --model runs it"
    return figure.claim or "nothing is known of how it was made"
