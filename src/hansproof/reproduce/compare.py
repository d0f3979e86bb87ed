"""Goes through a paper's figures and says of each what can be said."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Protocol, cast

from ..errors import HansproofError
from ..progress import track
from .figures import TEXT, Figure, Paper, Place, Printed, read, wanted
from .ours import Finding, Look, Ours, Table, Text
from .outcome import Outcome, Reproduction, Status
from .released import Released

NOT = "not reproducible: "
WEIGHTS = "needs pretrained weights"


class Knows(Protocol):
    """What there is for a paper: how to compute its tables, what to look for, what was read."""

    TABLES: Mapping[str, Table]
    TEXTS: Mapping[str, Text]
    FINDINGS: Collection[Look]
    NOTES: Mapping[str, tuple[str, ...]]


def knows(key: str) -> Knows:
    """The folder of a paper."""
    return cast(Knows, import_module(f".{key}", __package__))


def reproduce(
    paper: str | Paper,
    tables: Collection[str] = (),
    data: str | None = None,
    reruns: Mapping[Place, Ours] | None = None,
    model: str | None = None,
) -> Reproduction:
    """All figures of a paper, or those of some tables, from the data in a folder.

    `reruns` are figures that a model of the user's gave (see `reproduce.rerun`).
    """
    if isinstance(paper, str):
        paper = read(paper)
    asked = wanted(paper, tables)
    known, released = knows(paper.key), Released(data)
    ours: dict[Place, Ours] = {}
    missing: dict[str, HansproofError] = {}
    for id in track(asked, len(asked), f"tables of {paper.key}"):
        try:
            ours |= _ours(known, paper, paper.tables[id], released)
        except HansproofError as error:  # a file or an extra that is not there
            missing[id] = error
    if missing and not ours:
        raise next(iter(missing.values()))
    findings = tuple(_findings(known, paper, asked, released))
    outcomes = _outcomes(paper, asked, ours, findings, reruns or {}, missing)
    notes = {id: known.NOTES[id] for id in asked if id in known.NOTES}
    return Reproduction(paper, tuple(outcomes), findings, notes, model)


def _findings(
    known: Knows, paper: Paper, asked: Collection[str], released: Released
) -> Iterator[Finding]:
    """What is there to be found; not where the data for it are not here."""
    for look in known.FINDINGS:
        if any(id in asked for id in look.tables):
            with suppress(HansproofError):
                if found := look.find(paper, released):
                    yield found


def _ours(known: Knows, paper: Paper, table: Printed, released: Released) -> dict[Place, Ours]:
    if table.id == TEXT:
        places = {place[2]: place for place in table.figures}
        return {
            places[id]: compute(paper, released)
            for id, compute in known.TEXTS.items()
            if id in places
        }
    if table.id not in known.TABLES:
        return {}
    found = known.TABLES[table.id](table, released)
    return {(table.id, row, column): one for (row, column), one in found.items()}


def _outcomes(
    paper: Paper,
    wanted: Collection[str],
    ours: Mapping[Place, Ours],
    findings: Collection[Finding],
    reruns: Mapping[Place, Ours],
    missing: Mapping[str, HansproofError],
) -> Iterator[Outcome]:
    wrong = {place: finding for finding in findings for place in finding.cells}
    for figure in paper.figures():
        if figure.place[0] not in wanted or not _counts(figure, ours, wrong, reruns):
            continue
        finding = wrong.get(figure.place)
        if finding is not None:
            mine = ours.get(figure.place) or finding.ours.get(figure.place)
            rerun = reruns.get(figure.place)
            yield Outcome(figure, Status.CONTRADICTS, mine, rerun, finding.text)
        else:
            known = ours.get(figure.place), reruns.get(figure.place)
            yield _outcome(figure, *known, missing.get(figure.place[0]))


def _counts(figure: Figure, *known: Collection[Place]) -> bool:
    """Settings and figures that are only quoted in running text are nothing to compare with."""
    return bool(figure.claim) or any(figure.place in some for some in known)


def _outcome(
    figure: Figure, ours: Ours | None, rerun: Ours | None, missing: HansproofError | None
) -> Outcome:
    if ours is None:
        status = Status.RERUN if rerun else Status.CANNOT
        return Outcome(figure, status, None, rerun, "" if rerun else _reason(figure, missing))
    if not figure.matches(ours.parts):
        return Outcome(figure, Status.DIFFERS, ours, rerun)
    return Outcome(
        figure, Status.EXACT if ours.source == "data" else Status.PREDICTIONS, ours, rerun
    )


def _reason(figure: Figure, missing: HansproofError | None) -> str:
    """Why a figure cannot be had."""
    if missing and figure.claim in (Status.EXACT, Status.PREDICTIONS):
        return str(missing)
    if figure.claim.startswith(NOT):
        return figure.claim.removeprefix(NOT)
    if figure.claim == WEIGHTS:
        return f"{WEIGHTS}: where another may stand in, --model runs it"
    return figure.claim or "nothing is known of how it was made"
