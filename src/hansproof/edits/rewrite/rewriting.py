"""Puts new texts in the place of choices, where they can stand there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...text.ngrams import normalise_text
from ...types import Item
from .._filled_sheets import RowProblem, SheetResult, WrittenText
from .._worksheets import ChoiceTask, TaskKey

Written = Mapping[TaskKey, WrittenText[ChoiceTask]]


def refuse_bad_texts(sheet: SheetResult[ChoiceTask], earlier: Written) -> SheetResult[ChoiceTask]:
    """Move texts that change nothing, or that repeat another choice, to the refused rows.

    `earlier` contains the accepted texts of earlier sheets.
    """
    good, problems = {**sheet.written}, [*sheet.problems]
    # a refused row leaves the old text in place, which a text accepted so far may repeat
    while faults := _find_faults(good, earlier):
        problems += [_refuse_row(good.pop(key), fault) for key, fault in faults.items()]
    return SheetResult(good, problems, sheet.n_replaced)


def _find_faults(written: Written, earlier: Written) -> dict[TaskKey, str]:
    """Say of each text that cannot replace its choice why."""
    new_texts = {**earlier, **written}
    faults = {key: _find_fault(text, new_texts) for key, text in written.items()}
    return {key: fault for key, fault in faults.items() if fault}


def _refuse_row(written: WrittenText[ChoiceTask], fault: str) -> RowProblem:
    key = written.task.key
    return RowProblem(written.row, key[0], "refused", "row", None, None, fault, written.text, key)


def _find_fault(written: WrittenText[ChoiceTask], new_texts: Written) -> str:
    """Say why a text cannot replace its choice; empty if it can."""
    item, choice = written.task.item, written.task.choice
    if written.text == item.choices[choice].strip():
        return "the new text is the old one"
    for other, text in enumerate(item.choices):
        if other == choice:
            continue
        rewritten = new_texts.get((item.id, other))
        if _fold(written.text) == _fold(rewritten.text if rewritten else text):
            return f"the new text is the same as choice {other + 1}"
    return ""


def _fold(text: str) -> str:
    """Fold case and white space; texts without words differ in their signs."""
    return normalise_text(text) or " ".join(text.split())


def rewrite_items(items: Iterable[Item], written: Written) -> dict[str, Item]:
    """Return the rewritten items by id; meta names the choices, from 1."""
    texts_by_id: dict[str, dict[int, str]] = defaultdict(dict)
    for (item_id, choice), text in written.items():
        texts_by_id[item_id][choice] = text.text
    return {
        item.id: _rewrite_item(item, texts_by_id[item.id])
        for item in items
        if item.id in texts_by_id
    }


def _rewrite_item(item: Item, texts: Mapping[int, str]) -> Item:
    choices = tuple(texts.get(choice, text) for choice, text in enumerate(item.choices))
    earlier = str(item.meta.get("rewritten_choices", "")).split(",")
    numbers = {str(choice + 1) for choice in texts} | {*filter(str.isdecimal, earlier)}
    joined = ",".join(sorted(numbers, key=int))
    meta = {**item.meta, "edit": "rewrite", "rewritten_choices": joined}
    return replace(item, choices=choices, meta=meta)
