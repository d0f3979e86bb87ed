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


def refuse_bad_texts(result: SheetResult[ChoiceTask]) -> SheetResult[ChoiceTask]:
    """Move texts that change nothing, or that repeat another choice, to the refused rows."""
    good: dict[TaskKey, WrittenText[ChoiceTask]] = {}
    problems = [*result.problems]
    for key, written in result.written.items():
        reason = _find_fault(written, result.written)
        if reason:
            problems.append(
                RowProblem(
                    written.row, key[0], "refused", "row", None, None, reason, written.text, key
                )
            )
        else:
            good[key] = written
    return SheetResult(good, problems, result.n_replaced)


def _find_fault(written: WrittenText[ChoiceTask], all_written: Written) -> str:
    """Say why a text cannot replace its choice; empty if it can."""
    item, choice = written.task.item, written.task.choice
    if written.text == item.choices[choice].strip():
        return "the new text is the old one"
    for other, text in enumerate(item.choices):
        if other == choice:
            continue
        rewritten = all_written.get((item.id, other))
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
