"""Cues are marked in the items where they occur."""

from __future__ import annotations

import pytest

from hansproof.probes.cues import Cues
from hansproof.report.sections.cues import section

from ...support.language_samples import LANGUAGES, language_benchmark


@pytest.mark.parametrize("tokenizer", ["chars", "pairs"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_cues_without_spaces_are_marked_as_they_are_written(name: str, tokenizer: str) -> None:
    benchmark = language_benchmark(name, planted=True)
    result = Cues(tokenizer=tokenizer, randomisations=99)(benchmark)
    items = {item.id: item for item in benchmark.splits["all"]}
    mark = section(result).mark
    assert mark is not None
    marked = set()
    for key, ids in result.evidence.items():
        cue_length = len(key.removeprefix("all: ").replace(" ", ""))
        for id in ids:
            item = items[id]
            spans = [
                (text, span) for i, text in enumerate(item.choices) for span in mark(key, item, i)
            ]
            assert spans, (key, items[id].choices)
            assert all(end - start <= cue_length for _, (start, end) in spans)
            marked |= {text[start:end] for text, (start, end) in spans}
    planted = LANGUAGES[name].planted
    assert any(text in planted or planted in text for text in marked)
