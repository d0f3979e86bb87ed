"""Partial input: accuracy by view, and the items that are always right with their words."""

from __future__ import annotations

from typing import Any

from ...probes.partial_input.solved_items import quoted_words
from ...probes.partial_input.view_result import evidence_key
from ...types import Item, Result
from ..charts.partial_input import part_of, view_charts
from ..html.evidence import Marker, TextSpans
from ..html.highlight import ngram_finder
from ..html.tables import move_columns, to_records
from ..schema import ResultSchema, number, or_none, share, size, text
from . import (
    AT_FLOOR,
    CHANCE,
    INTERVAL,
    TIE_RATE,
    EvidenceLink,
    ExampleSource,
    Section,
    key_split,
)

SCHEMA = ResultSchema(
    {
        "views": {
            "split": text, "view": text, "model": text, "protocol": text,
            "trained_on": or_none(text), "seeds": size, "accuracy": share, "low": share,
            "high": share, "chance": share, "n": size, "q": or_none(share),
            "hans": or_none(number), "hans_low": or_none(number), "hans_high": or_none(number),
            "flag": text,
        },
        "items": {"part": text, "view": text, "model": text, "item": text, "words": text},
    },
    {"tokenizer": text},
)  # fmt: skip

MODEL = "bow: a bag of words; others come from predictions"
VIEWS = {
    "split": "the items that are answered; pooled: all labelled splits together",
    "view": "the part of an item that the model is shown; full: everything; /shuffled: with the "
    "question of another item; /alone: one choice at a time",
    "model": MODEL,
    "protocol": "cv: trained on other folds of the split; train-test: trained on another split; "
    "given: answers from a file",
    "trained_on": "what the model was trained on",
    "seeds": "how often it was trained, with other folds or another seed",
    "accuracy": "share of items answered correctly, mean over seeds; a tie of t choices counts 1/t",
    "interval": f"{INTERVAL}; includes how much training varies, where that was measured",
    "chance": CHANCE,
    "n": "items",
    "tie_rate": TIE_RATE,
    "best": "the highest accuracy that is possible with this view",
    "p": "how often chance alone would answer as many, with permuted answers where the model was "
    f"trained here; {AT_FLOOR}",
    "q": "p after correction for all views and splits; none for views that are not tested: the "
    "full item, controls, and views that are at chance by design",
    "hans": "Hans score: how much of the gain over guessing with the full item is left with this "
    "view; 1 if hiding the rest costs nothing, none if there is no gain with the full item",
    "hans interval": "95% interval of the Hans score",
    "flag": "above chance: significantly above chance although part of the item is hidden; no "
    "choices, by construction: at chance by design; saw more: better than this view allows",
}
TRAINING_COLUMNS = ("protocol", "trained_on")  # the rest of what tells two rows of a view apart
CAPTION = "Answered correctly in {runs} from “{view}” ({model})."
MARKED_NOTE = " Marked: the words that decide."
DIFFERENCES = {
    "view": "the part of an item that the model is shown",
    "model": MODEL,
    "split": "the first split",
    "other": "the split it is compared with",
    "difference": "accuracy on the first − accuracy on the other, each trained on its own folds",
    "interval": INTERVAL,
}
ITEMS = {
    "part": "where the item was answered; before the arrow, what the model was trained on",
    "view": "the part of the item that the model is shown",
    "model": MODEL,
    "item": "the id; click it to read the item, with the words marked",
    "answered": "how often it is answered correctly, over different folds",
    "interval": "95% interval of that share",
    "words": "what counted most for the answer: words it has, and words that another choice has; "
    "in brackets, words of a field",
}


def section(result: Result) -> Section:
    mark, notes = _word_marker(result)
    return Section(
        charts=view_charts(result.tables["views"]),
        links={
            "views": EvidenceLink("view", _evidence_key),
            "items": EvidenceLink("item", _item_key, lambda row: (row["item"],)),
        },
        show_estimates=False,
        meanings={"views": VIEWS, "differences": DIFFERENCES, "items": ITEMS},
        tables={"views": move_columns(result.tables["views"], TRAINING_COLUMNS, after="split")},
        mark=mark,
        notes=notes,
        examples=_list_examples(result),
    )


def _list_examples(result: Result) -> tuple[ExampleSource, ...]:
    """List the items that are right every time, those that the summary is about first."""
    rows = to_records(result.tables["items"])
    rows.sort(key=lambda row: row["part"] != key_split(result))
    n_runs = {
        (part_of(row), row["view"], row["model"]): row["seeds"]
        for row in to_records(result.tables["views"])
    }
    return tuple(
        ExampleSource(
            _item_key(row),
            (row["item"],),
            _write_caption(row, n_runs.get((row["part"], row["view"], row["model"]))),
        )
        for row in rows
    )


def _write_caption(row: dict[str, Any], n_runs: int | None) -> str:
    """Say how often an item was answered correctly, and what is marked in it."""
    runs = "all runs" if n_runs is None else f"all {n_runs} runs" if n_runs > 1 else "the only run"
    caption = CAPTION.format(runs=runs, view=row["view"], model=row["model"])
    return caption + (MARKED_NOTE if row["words"] else "")


def _evidence_key(row: dict[str, Any]) -> str:
    return evidence_key(part_of(row), row["model"], row["view"])


def _item_key(row: dict[str, Any]) -> str:
    """Return the evidence key of the item in a row."""
    return f"{evidence_key(row['part'], row['model'], row['view'])} of {row['item']}"


def _word_marker(result: Result) -> tuple[Marker, tuple[str, ...]]:
    """Return a marker of the words that spoke for the answer, in items opened one by one."""
    find_ngrams, notes = ngram_finder(result, "Words")
    words_by_key = {
        _item_key(row): quoted_words(row["words"]) for row in to_records(result.tables["items"])
    }

    def mark(key: str, item: Item, choice: int) -> TextSpans:
        text = item.choices[choice]
        return sorted(
            span for words in words_by_key.get(key, ()) for span in find_ngrams(text, words)
        )

    return mark, notes
