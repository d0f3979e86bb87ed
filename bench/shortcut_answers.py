"""Answers in words to what docs/results/shortcuts.md was made for, from bench/shortcuts.json."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hansproof.rules.climb import CERTAIN

NO_WEIGHTS, ALL_MODELS = "no weights", "all models"
PUBLISHED = 0.93  # Chandak et al. 2025 (arXiv 2507.02856): 4B model tuned on choices, GoldenSwag

Row = dict[str, Any]


def answer_questions(ladder: Row) -> list[str]:
    """Answer each question whose benchmarks were measured."""
    questions: dict[str, Callable[[Row], str]] = {
        "quiz course": _answer_quizzes,
        "GoldenSwag": _answer_goldenswag,
        "HellaSwag": _answer_hellaswag,
        "PIQA": _answer_piqa,
        "Balanced COPA": lambda _: _answer_by_design(ladder),
        "COPA": _answer_copa,
        "MMLU-Pro": _answer_mmlu_pro,
        "TruthfulQA": _answer_truthfulqa,
    }
    return [f"- {answer(ladder[name])}" for name, answer in questions.items() if name in ladder]


def find_blind(setting: Row, model: str) -> Row:
    return next(row for row in setting["blind"] if row["model"] == model)


def with_interval(row: Row) -> str:
    return f"{row['accuracy']:.1%} [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"


def format_share(share: Row | None) -> str:
    if share is None:
        return "–"
    ends = ", ".join(
        "?" if share[e] is None else f"{round(100 * share[e])}" for e in ("low", "high")
    )
    return f"{round(100 * share['share'])} [{ends}]"


def format_p(setting: Row) -> str:
    """Write the p-value of a search; the smallest that its permutations can show is a bound."""
    n = setting["permutations"]
    is_floor = n and math.isclose(setting["p"], 1 / (1 + n) + CERTAIN, rel_tol=1e-3)
    return f"{'≤' if is_floor else '='} {setting['p']:.2g}"


def _rung(row: Row, setting: str, name: str) -> Row:
    rungs: list[Row] = row["settings"][setting]["rungs"]
    return next(rung for rung in rungs if rung["rung"] == name)


def _list_tells(row: Row, pick: str) -> str:
    tells = [tell for tell in row["tells"] if tell["pick"] == pick]
    return ", ".join(f"{with_interval(tell)} ({tell['model']})" for tell in tells)


def _answer_quizzes(row: Row) -> str:
    longest, first = row["longest"], _rung(row, ALL_MODELS, "typography")
    added = max(rung["added"]["share"] for rung in row["settings"][ALL_MODELS]["rungs"][1:])
    return (
        f"**The quiz course stops at length.** The longest choice is right in "
        f"{longest['accuracy']:.1%} of {row['items']:,} items, and all rungs together answer "
        f"{find_blind(row['settings'][ALL_MODELS], 'all rungs')['accuracy']:.1%}. Length and "
        f"typography explain {format_share(first['explained'])}% of the gain; no later rung adds "
        f"more than {added:.0%}."
    )


def _answer_goldenswag(row: Row) -> str:
    below, rung = _rung(row, ALL_MODELS, "frequency"), _rung(row, ALL_MODELS, "likelihood")
    words = _rung(row, ALL_MODELS, "words")
    chance = row["settings"][ALL_MODELS]["chance"]
    named = (rung["together"]["accuracy"] - chance) / (PUBLISHED - chance)
    return (
        "**GoldenSwag: what does perplexity add to words?** Up to single words the ladder answers "
        f"{with_interval(words['together'])}, up to word frequency "
        f"{with_interval(below['together'])}, and with the likelihood "
        f"{with_interval(rung['together'])}: it adds {format_share(rung['added'])}% of the best "
        f"blind gain; alone it answers {with_interval(rung['alone'])}. {_compare_models(row)} The "
        f"choice that is most likely per token is right in "
        f"{_list_tells(row, 'most likely per token')}, the least likely in "
        f"{_list_tells(row, 'least likely per token')}. So it rules out a choice. That is not "
        f"length under another name: {_compare_with_length(row)}. Much of what a large "
        "model finds is still unexplained: a 4B model tuned on the choices alone is published at "
        f"{PUBLISHED:.0%} (Chandak et al. 2025), and of its gain all rungs explain {named:.0%}."
    )


def _compare_models(row: Row) -> str:
    """Say what all rungs answer with each language model, and with all of them."""
    scores = {
        name: with_interval(find_blind(setting, "all rungs"))
        for name, setting in row["settings"].items()
    }
    lms = [name for name in scores if name not in (NO_WEIGHTS, ALL_MODELS)]
    each = ", ".join(f"{scores[name]} ({name})" for name in lms)
    return (
        f"That is with {len(lms)} models; with one, all rungs answer {each}. So where models "
        "disagree tells much."
    )


def _compare_with_length(row: Row) -> str:
    sentences = [
        f"{r['model']}'s most likely choice is the longest in {r['is_longest']:.0%}, and in the "
        f"{r['n_other']:,} others right in {with_interval(r)}"
        for r in row["beside_length"]
    ]
    return "; ".join(sentences)


def _answer_hellaswag(row: Row) -> str:
    bare = row["settings"][NO_WEIGHTS]
    rung = _rung(row, ALL_MODELS, "likelihood")
    return (
        "**HellaSwag.** Without a language model or an encoder the search finds little: all rungs "
        f"answer {with_interval(find_blind(bare, 'all rungs'))} (chance {bare['chance']:.0%}; p "
        f"{format_p(bare)}), and no rule holds. A language model sees more: the choice that is "
        f"most likely per token is right in {_list_tells(row, 'most likely per token')}, without "
        f"any training. The likelihood rung alone answers {with_interval(rung['alone'])}, and adds "
        f"{format_share(rung['added'])}% of the best blind gain to all earlier rungs. Here the "
        "most likely choice is right more often than by chance, in GoldenSwag less often."
    )


def _answer_piqa(row: Row) -> str:
    words, likelihood = (_rung(row, ALL_MODELS, name) for name in ("words", "likelihood"))
    bare = find_blind(row["settings"][NO_WEIGHTS], "all rungs")
    return (
        "**PIQA is not only about words.** Up to single words the ladder answers "
        f"{with_interval(words['together'])}, with all rungs that need no weights "
        f"{with_interval(bare)}, and with the likelihood under a small language model "
        f"{with_interval(likelihood['together'])}: the likelihood adds "
        f"{format_share(likelihood['added'])}% of the best blind gain. The choice that is most "
        f"likely per token is right in {_list_tells(row, 'most likely per token')}, without any "
        "training."
    )


def _answer_by_design(ladder: Row) -> str:
    names = [name for name in ("Balanced COPA", "adversarial ARCT") if name in ladder]
    scores = ", ".join(
        f"{name} {find_blind(ladder[name]['settings'][NO_WEIGHTS], 'all rungs')['accuracy']:.1%}"
        for name in names
    )
    return (
        f"**{' and '.join(names)} are at chance by construction**: each item has a mirrored "
        "partner with the same choices and the other answer, so no model that sees only the "
        "choices gets more than one of both right. The probe says so without a search; the search, "
        f"done all the same, finds nothing either ({scores}). This does not show that they are "
        "free of shortcuts in question and choice together."
    )


def _answer_copa(row: Row) -> str:
    setting = row["settings"][NO_WEIGHTS]
    return (
        f"**COPA** is undecided rather than clean: without weights, all rungs answer "
        f"{with_interval(find_blind(setting, 'all rungs'))}, but the p-value of the whole search, "
        f"which counts all that was tried, is {setting['p']:.2g}."
    )


def _answer_mmlu_pro(row: Row) -> str:
    rule = row["settings"][ALL_MODELS]["rules"][0]
    first = _rung(row, ALL_MODELS, "typography")
    return (
        f"**MMLU-Pro** has a leak that no tokenizer shows: {rule['rule']} is right in "
        f"{rule['hits']} of {rule['n']} items. Length and typography explain "
        f"{format_share(first['explained'])}% of the best blind gain."
    )


def _answer_truthfulqa(row: Row) -> str:
    setting = row["settings"][ALL_MODELS]
    rule = setting["rules"][0]
    return (
        f"**TruthfulQA** is answered without its questions in "
        f"{with_interval(find_blind(setting, 'all rungs'))} (chance {setting['chance']:.1%}): "
        f"{rule['rule']} is right in {rule['hits']} of {rule['n']} items."
    )
