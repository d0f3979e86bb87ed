"""The tokenizer of a probe, and what its result says where it does not split the text."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from ..text.detect_script import choose_tokenizer
from ..text.token_check import UNSPLIT_NOTE, describe_tokens
from ..text.tokenizers import Tokenizer
from ..types import Benchmark, Items, Result


def resolve_tokenizer(name: str, benchmark: Benchmark) -> Tokenizer:
    """Return a tokenizer by name; `auto` is decided by all items of the benchmark."""
    return choose_tokenizer(name, chain.from_iterable(benchmark.splits.values()))


def check_tokens(result: Result, tokenizer: Tokenizer, items: Items) -> Result:
    """Add notes on choices of few tokens; take back `clear` if the text was not split at all."""
    notes = describe_tokens(tokenizer, items)
    result = replace(result, notes=(*result.notes, *notes))
    if UNSPLIT_NOTE not in notes:
        return result
    # without power, no correction turns a finding into `clear` either
    result = replace(result, power=0.0 if result.power is not None else None, n_needed=None)
    if result.verdict not in ("clear", "undecided"):
        return result
    return replace(result, verdict="undecided", summary=UNSPLIT_NOTE)
