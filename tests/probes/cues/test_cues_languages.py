"""Words that give answers away are found in text without spaces, with no setting at all."""

from __future__ import annotations

import pytest

from hansproof.auditing import run_audit
from hansproof.cues.significance import TELLING
from hansproof.probes.cues import Cues
from hansproof.probes.surface import Surface
from hansproof.report.headline import build_headline
from hansproof.text.token_check import UNSPLIT_NOTE
from hansproof.types import Probe, Result

from ...support.language_samples import LANGUAGES, language_benchmark


def telling_cues(result: Result) -> list[str]:
    """The telling cues, the most significant first."""
    table = result.tables["cues"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    flagged = [row for row in rows if row["flag"] == TELLING]
    return [str(row["cue"]) for row in sorted(flagged, key=lambda row: float(row["p"] or 0))]


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("tokenizer", ["auto", "pairs"])
def test_a_planted_word_is_the_strongest_cue(name: str, tokenizer: str) -> None:
    result = Cues(tokenizer=tokenizer)(language_benchmark(name, planted=True))
    assert result.verdict == "exposed"
    assert result.params["tokenizer"] == {"auto": "chars"}.get(tokenizer, tokenizer)
    best = telling_cues(result)[0].replace(" ", "")
    planted = LANGUAGES[name].planted
    assert best in planted or planted in best


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("tokenizer", ["word", "whitespace"])
def test_without_spaces_words_are_missed_and_nothing_is_clear(name: str, tokenizer: str) -> None:
    result = Cues(tokenizer=tokenizer)(language_benchmark(name, planted=True))
    assert LANGUAGES[name].planted not in [cue.replace(" ", "") for cue in telling_cues(result)]
    assert UNSPLIT_NOTE in result.notes
    if (name, tokenizer) != ("Thai", "word"):  # it finds the letters between marks
        assert (result.verdict, telling_cues(result)) == ("undecided", [])


@pytest.mark.parametrize("name", LANGUAGES)
def test_no_correction_makes_an_unsplit_text_clear(name: str) -> None:
    probes: dict[str, Probe] = {
        "cues": Cues(tokenizer="word"),
        "surface": Surface(tokenizer="word"),
    }
    audit = run_audit(language_benchmark(name, planted=False), probes)
    assert {result.verdict for result in audit.results} == {"undecided"}
    assert "does not split its text" in build_headline(audit)


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("seed", [0, 1])
def test_without_a_planted_word_there_is_no_alarm(name: str, seed: int) -> None:
    result = Cues()(language_benchmark(name, planted=False, seed=seed))
    assert result.params["tokenizer"] == "chars"
    assert result.verdict in ("clear", "undecided")
    assert UNSPLIT_NOTE not in result.notes
