"""The tables of the result, with the passages that contain items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...contamination.levels import LEVELS as ALL
from ...contamination.levels import ItemFinding, LevelRules, MatchedNgram, NamedScan
from ...contamination.result import ScanResult
from ...contamination.sequences import QUESTION, RIGHT, WRONG
from ...types import Cell

LEVELS = ("split", "level", "items", "share")
ITEMS = (
    "split", "item", "level", "passage", "passage_marks", "found", "grams", "parts", "most",
    "in_items", "in_reference", "right_near", "wrong_near", "share", "source", "document", "byte",
)  # fmt: skip
VARIANTS = ("split", "variant", "items", "telling")
SHARED = ("one", "other", "n", "own_n", "common", "example")
CORPORA = ("result", "role", "files", "documents", "words", "bytes", "n", "tokenizer")
UNREAD = ("source", "what", "at", "skipped", "of", "lost")
MAX_ROWS = 200  # items of a split that are listed, and cases of text that was not read
CONTEXT_CHARS = 160  # characters of a passage shown on either side
MAX_CHARS = 600  # and from its first mark on

_VARIANTS = {
    "question only": {QUESTION},
    "question + right choice": {QUESTION, RIGHT, QUESTION | RIGHT},
    "choice only": {RIGHT, WRONG},
    "question + each choice": {QUESTION, RIGHT, WRONG, QUESTION | RIGHT, QUESTION | WRONG},
}

FindingsBySplit = Mapping[str, Sequence[ItemFinding]]
TableRows = tuple[tuple[Cell, ...], ...]


def level_rows(findings: FindingsBySplit) -> TableRows:
    """Return the number of items of each level."""
    return tuple(
        (split, level, count, count / len(split_findings))
        for split, split_findings in findings.items()
        for level in ALL
        if (count := sum(finding.level == level for finding in split_findings)) or level in ALL[:2]
    )


def item_rows(findings: FindingsBySplit) -> TableRows:
    """Return the items found in the text, the surest first."""
    return tuple(
        _item_row(split, finding)
        for split, split_findings in findings.items()
        for finding in sorted(
            (finding for finding in split_findings if finding.passage is not None),
            key=finding_order,
        )[:MAX_ROWS]
    )


def finding_order(finding: ItemFinding) -> tuple[int, int]:
    """Return a sort key: the surest level first, then the most matched N-grams."""
    return ALL.index(finding.level), -len(finding.matches)


def _item_row(split: str, finding: ItemFinding) -> tuple[Cell, ...]:
    place = finding.passage
    assert place is not None
    text, marks = _crop_passage(place.text, finding.spans)
    rarest = min(finding.matches, key=lambda ngram: (ngram.n_items, ngram.count), default=None)
    return (
        split, finding.item.id, finding.level, text, marks, len(finding.matches), finding.n_ngrams,
        ", ".join(finding.part_names()),
        max((ngram.count for ngram in finding.matches), default=None),
        rarest.n_items if rarest else None, rarest.reference_count if rarest else None,
        finding.right_nearby, finding.n_wrong_nearby, finding.shingle_share, place.source,
        place.document, place.start,
    )  # fmt: skip


def _crop_passage(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """Return a passage cut around its marks, and the marks in it."""
    first, last = (marks[0][0], marks[-1][1]) if marks else (0, len(text))
    low, high = (
        max(0, first - CONTEXT_CHARS),
        min(len(text), last + CONTEXT_CHARS, first + MAX_CHARS),
    )
    front, back = "…" * (low > 0), "…" * (high < len(text))
    shift = len(front) - low
    shown_text = front + text[low:high] + back
    kept_marks = [(start + shift, min(end, high) + shift) for start, end in marks if start < high]
    return shown_text, " ".join(f"{start}-{end}" for start, end in kept_marks)


def variant_rows(findings: FindingsBySplit, rules: LevelRules) -> TableRows:
    """Return how many items each choice of item parts would find."""
    return tuple(
        (
            split,
            name,
            sum(_has_part(f.matches, parts) for f in split_findings),
            sum(_has_part(f.specific_matches(rules), parts) for f in split_findings),
        )
        for split, split_findings in findings.items()
        for name, parts in _VARIANTS.items()
    )


def _has_part(matches: Sequence[MatchedNgram], parts: set[int]) -> bool:
    return any(ngram.parts & parts for ngram in matches)


def shared_ngram_rows(scans: Sequence[NamedScan]) -> TableRows:
    """Return the N-grams that two benchmarks of the index share, with one N for both."""
    pairs = dict.fromkeys(pair for _, scan in scans for pair in scan.index_header.overlaps)
    return tuple(
        (pair.first, pair.second, pair.n, pair.same_n, pair.n_ngrams,
         f"{pair.item_pairs[0][0]}, {pair.item_pairs[0][1]}" if pair.item_pairs else "")
        for pair in pairs
    )  # fmt: skip


def corpus_rows(scans: Sequence[NamedScan], reference: Sequence[NamedScan]) -> TableRows:
    """Return the texts that were scanned."""
    return tuple(
        (
            name, role, len(scan.corpus.sources), scan.corpus.documents, scan.corpus.words,
            scan.corpus.bytes, _format_orders(scan), scan.index_header.tokenizer,
        )
        for role, role_scans in (("text", scans), ("reference", reference))
        for name, scan in role_scans
    )  # fmt: skip


def _format_orders(scan: ScanResult) -> str:
    return ", ".join(str(n) for n in sorted({member.n for member in scan.index_header.members}))


def unread_rows(scans: Sequence[NamedScan]) -> TableRows:
    """Return the text that could not be read, or not exactly."""
    rows = [
        (issue.source, issue.message, issue.position, issue.skipped, issue.unit_name,
         issue.text_lost)
        for _, scan in scans
        for issue in scan.issues
    ]  # fmt: skip
    return tuple(rows[:MAX_ROWS])
