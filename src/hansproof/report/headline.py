"""The whole audit in one or two sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .._infra.join_names import join_names
from ..auditing import overall_verdict
from ..probes.parts.verdict import PARTS
from ..results import is_share, key_estimate
from ..sampling import sample_remark
from ..stats import ENOUGH_POWER, binomial_power, round_up
from ..text.token_check import UNSPLIT_NOTE
from ..types import (
    CHANGED_COPY,
    FINDINGS,
    UNCONFIRMED_COPY,
    UNNAMED_SPLIT,
    Audit,
    Cell,
    Result,
    Verdict,
)
from .probe_order import rank_results

MAX_NAMED_PARTS = 3
# where all of these are clear, there is no shortcut by words, length or position
PROBES_OF_SHORTCUTS = {"class_balance", "surface", "cues", "partial_input", "shortcuts"}
_LEAD_PHRASES = {"exposed": "is not Hans-proof", "caution": "has a weak spot"}
_MORE_PHRASES: dict[Verdict | None, str] = {
    "exposed": "also exposed", "caution": "also with caution"
}  # fmt: skip


def name_benchmark(audit: Audit) -> str:
    """Return the benchmark as commands take it, with its split if only one was audited."""
    split_names = [split for split in audit.sizes if split != UNNAMED_SPLIT]
    return ":".join([audit.benchmark, *(split_names if len(audit.sizes) == 1 else [])])


def audit_title(audit: Audit) -> str:
    """Return the benchmark, with its split if only one was audited: `toy:original`.

    A changed or unconfirmed copy and a sample are named as such.
    """
    title = name_benchmark(audit)
    sample = sample_remark(audit.card.title)
    full_title = audit.card.title.removesuffix(sample).rstrip()
    marks = [mark for mark in (CHANGED_COPY, UNCONFIRMED_COPY) if full_title.endswith(mark)]
    return " ".join([title, *marks, *([sample] if sample else [])])


def build_headline(audit: Audit) -> str:
    """Summarise an audit: the simplest strongest shortcut, or what was looked at in vain.

    A second sentence lists the other probes that object, and those that could not be run. Probes
    of models do not decide the claim about the benchmark.
    """
    results = [result for result in audit.results if result.subject == "benchmark"]
    worst = overall_verdict(audit)
    claim = f"{_build_claim(audit, results, worst)}."
    remarks = "; ".join(_list_remarks(audit, results, worst))
    return f"{claim} {remarks[:1].upper()}{remarks[1:]}." if remarks else claim


def _build_claim(audit: Audit, results: Sequence[Result], worst: Verdict | None) -> str:
    title = audit_title(audit)
    if worst is None:
        return f"{title} {_unjudged_claim(audit, results)}"
    if worst == "undecided":
        return f"{title} {_undecided_claim(audit, results)}"
    if worst == "clear":
        return f"In {title}, {_clear_claim(results)}"
    lead = _same_verdict(results, worst)[0]
    return f"{title} {_LEAD_PHRASES[worst]}: {_as_clause(lead.headline or lead.summary)}"


def _list_remarks(audit: Audit, results: Sequence[Result], worst: Verdict | None) -> Iterator[str]:
    equally_bad = _same_verdict(results, worst)[1:] if worst in _MORE_PHRASES else []
    if equally_bad:
        yield f"{_MORE_PHRASES[worst]}: {join_names([*map(_name_with_share, equally_bad)])}"
    worst_parts = _name_worst_parts(results)
    lead = next(iter(_same_verdict(results, worst)), None)
    if worst_parts and not (lead and lead.probe == "parts" and worst_parts in lead.headline):
        yield f"worst parts: {worst_parts}"
    cautions = _same_verdict(results, "caution")
    if worst == "undecided" and cautions:
        yield f"a weak spot: {_as_clause(cautions[0].headline or cautions[0].summary)}"
    objecting = [
        result
        for result in audit.results
        if result.subject == "models" and result.verdict in FINDINGS
    ]
    if objecting:
        yield f"about models, see {_join_names(objecting)}"
    n_failed = len(audit.failures)
    if n_failed:
        yield f"{n_failed} {'probe' if n_failed == 1 else 'probes'} could not be run"


def _name_worst_parts(results: Sequence[Result]) -> str:
    """Name the parts in which shortcuts were found, the worst first; empty if there are none."""
    tables = [result.tables.get(PARTS) for result in results if result.probe == "parts"]
    if not tables or tables[0] is None or not {"part", "verdict"} <= {*tables[0].columns}:
        return ""
    rows = [dict(zip(tables[0].columns, cells, strict=True)) for cells in tables[0].rows]
    names = [str(row["part"]) for row in rows if row["verdict"] in FINDINGS]
    n_more = len(names) - MAX_NAMED_PARTS
    listed = names[:MAX_NAMED_PARTS] + ([f"{n_more} more"] if n_more > 0 else [])
    return join_names(listed) if names else ""


def _unjudged_claim(audit: Audit, results: Sequence[Result]) -> str:
    """Say why no probe judged the benchmark: none was asked, none could run, or none applied."""
    if any(failure.subject == "benchmark" for failure in audit.failures):
        return "could not be judged"
    if results:
        return "could not be judged: there was nothing to test"
    answers = f", only answers to it: {_join_names(audit.results)}" if audit.results else ""
    return f"was not audited{answers}"


def _same_verdict(results: Iterable[Result], verdict: Verdict | None) -> list[Result]:
    """Return the results with a verdict, the simplest of the strongest shortcuts first."""
    return rank_results(result for result in results if result.verdict == verdict)


def _clear_claim(results: Sequence[Result]) -> str:
    """Name what was looked at, and what was not."""
    clear = [result for result in results if result.verdict == "clear"]
    if {result.probe for result in clear} >= PROBES_OF_SHORTCUTS:
        return f"no shortcut by words, length or position was found; {_describe_untried(results)}"
    return f"{_join_names(clear)} found nothing; {_describe_untried(results)}"


def _describe_untried(results: Sequence[Result]) -> str:
    """Name the models that were judged without the question, besides a bag of words."""
    models = {
        str(row["model"])
        for result in results
        if result.probe == "partial_input" and "views" in result.tables
        for table in [result.tables["views"]]
        if {"model", "q", "n", "chance"} <= {*table.columns}
        for row in (dict(zip(table.columns, cells, strict=True)) for cells in table.rows)
        if row["q"] is not None and _had_enough_items(row, result)
    } - {"bow"}
    if models:
        return f"without the question, {', '.join(sorted(models))} did no better than chance"
    return "stronger models than a bag of words may still find one"


def _had_enough_items(row: dict[str, Cell], result: Result) -> bool:
    """Tell whether a model answered so many items that a gain of the margin would be seen."""
    n, chance, margin = row["n"], row["chance"], result.params.get("margin")
    if not isinstance(n, int) or not isinstance(chance, float) or not isinstance(margin, float):
        return False
    return 0 < chance < 1 and float(binomial_power(n, chance, margin)) >= ENOUGH_POWER


def _undecided_claim(audit: Audit, results: Sequence[Result]) -> str:
    undecided = [result for result in results if result.verdict == "undecided"]
    if not undecided:
        return "could not be judged"
    unsplit = [result for result in undecided if UNSPLIT_NOTE in result.notes]
    if unsplit:
        return f"is undecided: the tokenizer of {_join_names(unsplit)} does not split its text"
    needed = [result.n_needed for result in undecided]
    enough = ""
    if None not in needed:
        largest = round_up(max(n for n in needed if n is not None))
        is_in_split = len(audit.sizes) > 1 and largest <= sum(audit.sizes.values())
        in_split = " in the split that models are scored on" if is_in_split else ""
        enough = f"; about {largest:,}{in_split} would do"
    return f"is undecided: there are too few items for {_join_names(undecided)} to tell{enough}"


def _as_clause(sentence: str) -> str:
    """Turn a sentence into a part of a longer one: no full stop, no capital on a plain word."""
    text = sentence.rstrip(".")
    is_plain_word = text[1:2].islower() or text.startswith("A ")
    return text[:1].lower() + text[1:] if is_plain_word else text


def _name_with_share(result: Result) -> str:
    """Return the name of a probe, with its number if that is an accuracy above chance."""
    name, estimate = result.probe.replace("_", " "), key_estimate(result)
    if estimate is None or not is_share(estimate) or estimate.value <= (estimate.chance or 1):
        return name
    return f"{name} ({estimate.value:.1%})"


def _join_names(results: Sequence[Result]) -> str:
    return join_names([result.probe.replace("_", " ") for result in results])
