"""Contamination: levels, accuracy on clean and dirty items, and passages with marked words."""

from __future__ import annotations

from ...types import Result
from ..charts.contamination import contamination_charts
from ..schema import ResultSchema, count, share, text
from . import EvidenceLink, Section

SCHEMA = ResultSchema({"levels": {"split": text, "level": text, "items": count, "share": share}})
ITEMS_SCHEMA = ResultSchema({"items": {"item": text}})

SPLIT = "the part of the benchmark"
MEANINGS = {
    "levels": {
        "split": SPLIT,
        "level": "match: an N-gram (N words in a row) that identifies the item occurs in the text; "
        "with answer: the right choice occurs beside it; near-duplicate: most of the item occurs "
        "in other words; likely template or common phrase: only N-grams that many items have or "
        "that are frequent anyway; unsearchable: the item is too short for an N-gram",
        "items": "how many",
        "share": "of all items of the split",
    },
    "items": {
        "split": SPLIT,
        "item": "the id; click it to read the item",
        "level": "how certain it is, see above",
        "passage": "the text found, with the words of the N-grams marked",
        "found": "different N-grams of the item that occur in the text",
        "grams": "different N-grams that it has",
        "parts": "where in the item the words of these N-grams are",
        "most": "how often the most frequent of them occurs in the text",
        "in_items": "how many items have the rarest of them; those of a group count once",
        "in_reference": "how often that one occurs in the reference",
        "right_near": "whether the right choice occurs within 50 words of the passage",
        "wrong_near": "how many wrong choices do, as a control",
        "share": "of a near-duplicate: share of its five-word shingles in the passage",
        "source": "the file",
        "document": "line, row or record in it; 0 in plain text",
        "byte": "of the document's text at which the first N-gram of the passage begins",
    },
    "variants": {
        "split": SPLIT,
        "variant": "which N-grams count: those of the question, of it with the right choice, …",
        "items": "items with such an N-gram in the text",
        "telling": "those of them with an N-gram that identifies the item",
    },
    "scores": {
        "split": SPLIT,
        "system": "model, view and training data",
        "runs": "number of runs, mostly with different seeds",
        "all": "accuracy on all items",
        "clean": "accuracy on items without such an N-gram in the text",
        "clean delta": "clean − all",
        "dirty": "accuracy on items that were found in the text",
        "dirty delta": "dirty − all",
        "difference": "dirty − clean",
        "difference interval": "with 95% confidence, bootstrap",
        "p": "of a randomisation test of dirty against clean",
        "q": "the same, Holm-corrected",
    },
    "shared": {
        "n": "words of an N-gram: the shorter N of the two, for both",
        "own_n": "whether both have that N in the index",
        "common": "N-grams that both have",
        "example": "items that share one",
    },
    "corpora": {"role": "the text that was searched, or the reference for what is common"},
    "unread": {
        "at": "the first byte, line, row or record concerned",
        "lost": "whether text was not scanned on that account",
    },
}


def section(result: Result) -> Section:
    item_link = EvidenceLink("item", lambda row: "", lambda row: (row["item"],))
    return Section(
        charts=contamination_charts(result.tables["levels"]),
        links={"items": item_link} if ITEMS_SCHEMA.matches(result) else {},
        show_estimates=False,
        meanings=MEANINGS,
    )
