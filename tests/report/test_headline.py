"""The whole audit in one sentence."""

from __future__ import annotations

from hansproof.probes._text import as_clauses
from hansproof.report.headline import build_headline
from hansproof.types import Failure, Item, Result, Subject, Verdict

from ..support.report_sample import audit, sample

ITEM = Item("1", {}, ("a", "b"), 0)
OF_MODELS = ("accuracy", "agreement", "compare", "seeds")
ALONE = "No single word or phrase in test is significant after correction."


def result(probe: str, verdict: Verdict, *sentences: str) -> Result:
    sentences = sentences or ("Something was found.",)
    subject: Subject = "models" if probe in OF_MODELS else "benchmark"
    summary, clauses = " ".join(sentences), as_clauses(sentences)
    return Result(probe, {}, verdict, summary, subject=subject, clauses=clauses)


def said(*results: Result, failures: tuple[Failure, ...] = ()) -> str:
    return build_headline(audit(results, {"dev": (ITEM,), "test": (ITEM,)}, failures))


def test_no_cue_alone_but_all_together_says_both() -> None:
    together = "Yet all single words together say more than chance allows (p = 0.002)."
    assert said(result("cues", "caution", ALONE, together), result("surface", "clear")) == (
        "paddock calls for care: no single word or phrase in test is significant after "
        "correction; yet all single words together say more than chance allows (p = 0.002)."
    )


def test_the_worst_leads_and_the_cues_are_told_of() -> None:
    sentence = said(
        result("cues", "caution", "COPA has “was”.", "It is right."),
        result("class_balance", "clear"),
        result("surface", "exposed", "The longest is right."),
        result("integrity", "exposed"),
    )
    assert sentence == (
        "paddock is not Hans-proof: the longest is right; COPA has “was”; it is right; "
        "exposed as well: integrity."
    )


BLIND = (
    "A bag of words that sees only the choices answers 72.0% of dev (chance 50.0%, p = 0.005).",
    "Elsewhere 65.3% of test.",
    "Of what it gains over guessing with the full input, 109% needs no question.",
)
CUES = (
    "3 words give answers away: “had” is right 32 of 36 times.",
    "Whoever knows them answers 72.5%.",
)
SEES = "a bag of words that sees only the choices answers 72.0% of dev (chance 50.0%, p = 0.005)"


def test_blind_answers_lead_in_one_sentence_and_a_cue_follows() -> None:
    exposed = [result("surface", "exposed"), result("cues", "exposed", *CUES)]
    assert said(*exposed, result("partial_input", "exposed", *BLIND)) == (
        f"paddock is not Hans-proof: {SEES}; 3 words give answers away: “had” is right 32 of 36 "
        "times; exposed as well: surface."
    )


def test_blind_answers_do_not_hide_what_is_worse() -> None:
    blind = result("partial_input", "caution", *BLIND)
    assert said(blind, result("cues", "exposed", *CUES)) == (
        "paddock is not Hans-proof: 3 words give answers away: “had” is right 32 of 36 times; "
        f"whoever knows them answers 72.5%; {SEES}."
    )
    assert said(blind, result("surface", "exposed"), result("cues", "clear")) == (
        f"paddock is not Hans-proof: something was found; {SEES}."
    )


def test_a_cue_sentence_that_takes_two_is_not_cut() -> None:
    together = "Yet all single words together say more than chance allows."
    cues = result("cues", "caution", ALONE, together)
    assert said(cues, result("partial_input", "exposed", *BLIND)) == (
        f"paddock is not Hans-proof: {SEES}; no single word or phrase in test is significant after "
        "correction; yet all single words together say more than chance allows."
    )


def test_blind_answers_decide_what_is_said_of_the_benchmark() -> None:
    assert said(result("partial_input", "clear"), result("cues", "clear")) == (
        "paddock looks Hans-proof: found nothing beyond chance in partial input and cues."
    )
    assert said(result("cues", "clear"), failures=(Failure("partial_input", "?"),)) == (
        "paddock could not be judged: 1 probe could not be run; found nothing beyond chance in "
        "cues."
    )


def test_all_clear() -> None:
    clear = [result(probe, "clear") for probe in ("cues", "class_balance", "surface")]
    assert said(*clear) == (
        "paddock looks Hans-proof: found nothing beyond chance in cues, class balance and surface."
    )


def test_what_was_not_looked_at_is_not_hans_proof() -> None:
    failed = (Failure("mine", "?"), Failure("yours", "?"))
    assert said(result("integrity", "clear"), failures=failed) == (
        "paddock could not be judged: 2 probes could not be run; "
        "found nothing beyond chance in integrity."
    )
    assert said(failures=failed[:1]) == "paddock could not be judged: 1 probe could not be run."
    assert said() == "paddock was not audited."
    assert said(result("cues", "caution"), failures=failed[:1]) == (
        "paddock calls for care: something was found; 1 probe could not be run."
    )


def test_a_part_is_named() -> None:
    assert build_headline(sample(("original",), 60, 30, 2)).startswith("paddock:original is not")


def test_answers_do_not_decide_what_is_said_of_the_benchmark() -> None:
    answers = (
        result("accuracy", "caution"),
        result("seeds", "caution"),
        result("compare", "clear"),
    )
    assert said(*answers, result("cues", "clear"), result("surface", "clear")) == (
        "paddock looks Hans-proof: found nothing beyond chance in cues and surface; "
        "see also accuracy and seeds."
    )
    assert said(result("agreement", "exposed"), result("surface", "caution", "It is so.")) == (
        "paddock calls for care: it is so; see also agreement."
    )
    assert said(*answers, result("easy_hard", "exposed", "It falls.")) == (
        "paddock is not Hans-proof: it falls; see also accuracy and seeds."
    )


def test_only_answers_is_no_audit_and_a_failure_among_them_no_obstacle() -> None:
    answers = (
        result("accuracy", "clear"),
        result("seeds", "caution"),
    )
    assert said(*answers) == (
        "paddock was not audited, only answers to it: accuracy and seeds; see also seeds."
    )
    assert said(result("cues", "clear"), failures=(Failure("seeds", "?", "models"),)) == (
        "paddock looks Hans-proof: found nothing beyond chance in cues; 1 probe could not be run."
    )
