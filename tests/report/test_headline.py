"""The whole audit in one or two sentences."""

from __future__ import annotations

import os
import re
from dataclasses import replace

import pytest

from hansproof import load
from hansproof.auditing import run_audit
from hansproof.probes.surface import Surface
from hansproof.report.headline import build_headline
from hansproof.types import Failure, Item, Result, Subject, Table, Verdict

from ..support.audited_benchmarks import KINDS, audited
from ..support.markers import needs_data
from ..support.report_sample import audit, sample

ITEM = Item("1", {}, ("a", "b"), 0)
PROBES_OF_MODELS = ("accuracy", "agreement", "compare", "seeds")
SENTENCE_END = re.compile(r"[.!?](?= |$)")
UNTRIED = "stronger models than a bag of words may still find one"


def result(probe: str, verdict: Verdict, headline: str = "", gain: float | None = None) -> Result:
    subject: Subject = "models" if probe in PROBES_OF_MODELS else "benchmark"
    summary = f"{headline} And more." if headline else "Something was found."
    return Result(probe, {}, verdict, summary, subject=subject, headline=headline, gain=gain)


def write_headline(*results: Result, failures: tuple[Failure, ...] = ()) -> str:
    return build_headline(audit(results, {"dev": (ITEM,), "test": (ITEM,)}, failures))


WORDS = result("partial_input", "exposed", "A bag of words answers 82.0% of dev.", 0.57)
CUES = result("cues", "exposed", "Single words answer 72.0% of dev.", 0.47)
LONGEST = result("surface", "exposed", "Taking the longest choice answers 92.0% of dev.", 0.67)


def test_the_strongest_leads_and_the_others_are_named() -> None:
    assert write_headline(WORDS, CUES, LONGEST) == (
        "paddock is not Hans-proof: taking the longest choice answers 92.0% of dev. Also exposed: "
        "partial input and cues."
    )


def test_the_simplest_leads_where_it_is_nearly_as_strong() -> None:
    nearly = replace(CUES, gain=0.9 * 0.57 + 0.01)
    assert "single words answer 72.0%" in write_headline(WORDS, nearly)
    assert "a bag of words answers 82.0%" in write_headline(WORDS, CUES)
    position = result("class_balance", "exposed", "Always taking the first answers 85.0%.", 0.61)
    assert "always taking the first" in write_headline(WORDS, LONGEST, CUES, position)


def test_a_worse_verdict_leads_whatever_it_gains() -> None:
    assert write_headline(replace(LONGEST, verdict="caution"), CUES) == (
        "paddock is not Hans-proof: single words answer 72.0% of dev."
    )


def test_what_gains_nothing_that_was_measured_comes_last() -> None:
    copies = result("integrity", "exposed", "")
    assert write_headline(copies, CUES) == (
        "paddock is not Hans-proof: single words answer 72.0% of dev. Also exposed: integrity."
    )
    assert write_headline(copies) == "paddock is not Hans-proof: something was found."


def test_caution_is_a_weak_spot() -> None:
    weak = [replace(CUES, verdict="caution"), result("integrity", "caution")]
    assert write_headline(*weak, result("surface", "clear")) == (
        "paddock has a weak spot: single words answer 72.0% of dev. Also with caution: integrity."
    )


def test_names_keep_their_capital() -> None:
    copa = replace(CUES, headline="COPA has “was”.")
    assert write_headline(copa) == "paddock is not Hans-proof: COPA has “was”."


def test_clear_says_what_was_looked_at_and_what_was_not() -> None:
    probes = ("cues", "class_balance", "surface", "partial_input", "shortcuts")
    clear = [result(probe, "clear") for probe in probes]
    assert write_headline(*clear) == (
        f"In paddock, no shortcut by words, length or position was found; {UNTRIED}."
    )
    assert write_headline(*clear[:2]) == (
        f"In paddock, cues and class balance found nothing; {UNTRIED}."
    )


def test_clear_names_the_models_that_were_tried_and_judged() -> None:
    """A model that was asked three items was not tried, whatever it answered."""
    rows = (
        ("bow", 0.4, 2500, 0.5), ("bert", 0.9, 2500, 0.5), ("gpt", None, 2500, 0.5),
        ("few", 0.25, 3, 0.5),
    )  # fmt: skip
    blind = replace(result("partial_input", "clear"), params={"margin": 0.05})
    blind = replace(blind, tables={"views": Table(("model", "q", "n", "chance"), rows)})
    assert write_headline(blind) == (
        "In paddock, partial input found nothing; without the question, bert did no better than "
        "chance."
    )


def test_undecided_says_how_many_items_would_do() -> None:
    few = replace(result("cues", "undecided"), n_needed=611)
    more = replace(result("surface", "undecided"), n_needed=1281)
    assert write_headline(few, more, result("integrity", "clear")) == (
        "paddock is undecided: there are too few items for cues and surface to tell; about 1,300 "
        "would do."
    )
    never = replace(more, n_needed=None)
    assert write_headline(few, never).endswith("too few items for cues and surface to tell.")
    single = build_headline(audit((few,), {"dev": (ITEM,)}))
    assert single.endswith("there are too few items for cues to tell; about 620 would do.")


def test_undecided_outranks_a_weak_spot_and_names_it() -> None:
    weak = replace(result("cues", "caution"), headline="The word “not” helps a little.")
    assert write_headline(weak, result("surface", "undecided")) == (
        "paddock is undecided: there are too few items for surface to tell. "
        "A weak spot: the word “not” helps a little."
    )


def test_skipped_probes_never_reach_it() -> None:
    skipped = [result("balance", "skipped", ""), result("seeds", "skipped", "")]
    for others in ([CUES], [result("cues", "clear")], [result("cues", "undecided")]):
        assert write_headline(*skipped, *others) == write_headline(*others)
    assert write_headline(*skipped) == "paddock could not be judged: there was nothing to test."


def test_what_was_not_looked_at_is_not_judged() -> None:
    failed = (Failure("mine", "?"), Failure("yours", "?"))
    assert write_headline(result("integrity", "clear"), failures=failed) == (
        "paddock could not be judged. 2 probes could not be run."
    )
    assert write_headline(failures=failed[:1]) == (
        "paddock could not be judged. 1 probe could not be run."
    )
    assert write_headline() == "paddock was not audited."
    assert write_headline(CUES, LONGEST, failures=failed[:1]).endswith(
        " Also exposed: cues; 1 probe could not be run."
    )


def test_a_split_is_named_if_it_is_the_only_one() -> None:
    assert build_headline(sample(("original",), 60, 30, 2)).startswith("paddock:original is not")


def test_answers_do_not_decide_what_is_claimed_of_the_benchmark() -> None:
    answers = (
        result("accuracy", "caution"),
        result("seeds", "exposed"),
        result("compare", "clear"),
    )
    assert write_headline(*answers, result("cues", "clear")) == (
        f"In paddock, cues found nothing; {UNTRIED}. About models, see accuracy and seeds."
    )
    assert write_headline(*answers, CUES, LONGEST) == (
        "paddock is not Hans-proof: taking the longest choice answers 92.0% of dev. "
        "Also exposed: cues; about models, see accuracy and seeds."
    )


def test_only_answers_are_not_an_audit_and_a_failure_among_them_decides_nothing() -> None:
    answers = (result("accuracy", "clear"), result("seeds", "caution"))
    assert write_headline(*answers) == (
        "paddock was not audited, only answers to it: accuracy and seeds. About models, see seeds."
    )
    assert (
        write_headline(result("cues", "clear"), failures=(Failure("seeds", "?", "models"),))
        == f"In paddock, cues found nothing; {UNTRIED}. 1 probe could not be run."
    )


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_one_or_two_sentences(kind: str) -> None:
    headline = build_headline(audited(kind))
    assert 1 <= len(SENTENCE_END.findall(headline)) <= 2
    assert len(headline) < 220


def test_the_longest_choice_leads_though_a_bag_of_words_does_as_well() -> None:
    quiz = audited("longest")
    exposed = {r.probe: r for r in quiz.results if r.verdict == "exposed"}
    assert {"surface", "cues", "partial_input"} <= exposed.keys()
    assert "92.0%" in exposed["partial_input"].summary
    assert build_headline(quiz) == (
        "quiz is not Hans-proof: taking the longest choice answers 92.0% of all items "
        "(chance 25.0%). Also exposed: cues (92.0%), shortcuts (92.0%) and partial input (92.0%)."
    )


@needs_data
def test_machine_written_quizzes() -> None:
    quizzes = load(os.path.join(os.environ["HANSPROOF_DATA"], "quizzes")).take_split("pooled")
    quizzes_audit = run_audit(quizzes, {"surface": Surface()})
    assert build_headline(quizzes_audit) == (
        "quizzes:pooled is not Hans-proof: taking the longest choice answers 92.0% of all items "
        "(chance 25.0%)."
    )


def test_words_that_give_answers_away_and_words_that_rule_choices_out_are_counted_apart() -> None:
    (cues,) = (r for r in audited("exposed").results if r.probe == "cues")
    table = cues.tables["cues"]
    flags = [row[table.columns.index("flag")] for row in table.rows]
    assert (flags.count("telling"), flags.count("eliminating")) == (2, 1)
    assert cues.summary.startswith(
        "2 words or phrases give answers away and 1 word or phrase rules choices out: "
    )
