"""Plain words for results: the terms of each probe, and what its verdict means."""

from __future__ import annotations

from collections.abc import Mapping

from ..types import Result, Verdict

# probe -> its terms, explained below its question
TERMS: Mapping[str, str] = {
    "accuracy": "A system is a model together with what it was trained on and with the part of the "
    "items it was shown.",
    "agreement": "Kappa measures how much people agree: 1 is always, 0 is as often as by chance.",
    "balance": "Mirrored items have the same choices and different right answers.",
    "class_balance": "A position is the place of the right answer among the choices, counted "
    "from 1. The best fixed position stands for the accuracy of always picking the position that "
    "gains most.",
    "compare": "Two systems are compared item by item, on the items that both answered.",
    "contamination": "An item is contaminated if its text occurs in what models were trained on.",
    "cues": "A cue is a word or phrase that occurs in one choice only. Coverage is the share of "
    "items that a cue applies to; productivity is how often the choice with the cue is right. "
    "Rules over words combine all cues: they are learnt from some items and tested on the rest.",
    "easy_hard": "A blind model is one that is not shown the question. Easy items are those that "
    "it, or rules over the words of the choices, answer correctly in all runs; the others are "
    "Hard.",
    "integrity": "Two items contradict each other if they ask the same and have different answers.",
    "partial_input": "A view is the part of an item that a model is shown, such as the choices "
    "alone. Without the question, a model is blind. A bag of words (bow) is a simple model that "
    "knows which words a text has, not their order.",
    "parts": "A part is a subject, a file or a folder: items that belong together.",
    "priority": "To mirror an item is to write a partner with the same choices and another right "
    "answer, so that no word of the choices gives the answer away.",
    "robustness": "The attack replaces words by synonyms until the model changes its answer, or "
    "no word is left to replace.",
    "seeds": "A seed is the number that training starts from; each seed gives another run.",
    "sensitivity": "Sensitivity is the share of a model’s score that depends on a word.",
    "shortcuts": "Features of the choices are sorted into kinds, called rungs, from the easiest to "
    "see (length) to the hardest (what a language model predicts). A rule names one choice of an "
    "item, such as the longest. The blind score is the best accuracy of a model that does not see "
    "the question.",
    "surface": "A tell is a rule that picks a choice without understanding it, such as “take the "
    "longest”.",
    "transfer": "A model that was trained on one benchmark answers the items of another.",
}
# the same, after likelihoods by a language model
TERMS_WITH_LM: Mapping[str, str] = {
    "shortcuts": "The most likely choice is the one whose wording a language model expects most, "
    "without the question; a nat more is 2.7 times as likely.",
}

LOW_SCORE = "At least one score is not significantly better than a rule that needs no model"
# (probe, verdict) -> what it means for those who use the benchmark
MEANINGS: Mapping[tuple[str, Verdict], str] = {
    ("accuracy", "caution"): f"{LOW_SCORE}, or it is perfect, which is suspicious.",
    ("accuracy", "clear"): "Every score is significantly better than the best of three rules that "
    "need no model: guessing, always giving one position, and taking the longest choice.",
    ("agreement", "caution"): "Some answers may be wrong, or some questions unclear.",
    ("agreement", "clear"): "People who answer the items mostly agree with each other and with the "
    "key.",
    ("agreement", "undecided"): "Too few items were rated by two people or more to tell.",
    ("balance", "caution"): "The mirroring has the flaws named above. Mend them before you rely on "
    "it to cancel shortcuts in the choices.",
    ("balance", "clear"): "In the mirrored items, no word or phrase of the choices gives an answer "
    "away by itself.",
    ("class_balance", "exposed"): "A model that always picks the same position can score above "
    "chance.",
    (
        "class_balance",
        "caution",
    ): "A model that prefers a position can gain or lose a little by it.",
    ("compare", "caution"): "The order of at least two systems may be luck.",
    ("compare", "clear"): "The systems differ by more than the choice of items explains; other "
    "seeds may give other scores.",
    ("contamination", "exposed"): "Models that were trained on this text may remember some "
    "answers, which stand beside the questions there.",
    ("contamination", "caution"): "Some items occur in the text, or much could not be searched: "
    "most of the items are too short, or part of the text could not be read.",
    ("contamination", "clear"): "No item that could be searched for was found in this text, apart "
    "from common phrases. Paraphrases are not found this way.",
    ("cues", "exposed"): "A model can score above chance by looking for these words, without "
    "reading the question.",
    ("cues", "caution"): "Some words of the choices are related to the answer, but rules based on "
    "them gain little, or nothing that is significant.",
    ("easy_hard", "exposed"): "At least one score depends in part on items that can be answered "
    "without the question.",
    ("easy_hard", "caution"): "At least one score is higher on items that can be answered without "
    "the question, but perhaps only because of how these were chosen.",
    ("easy_hard", "clear"): "No score is significantly higher on the items that can be answered "
    "without the question, unless by the places of their right choices.",
    ("integrity", "exposed"): "Some items are in several splits: a model that is trained on one of "
    "these may answer from memory in another.",
    ("integrity", "caution"): "Some items should be corrected or removed before scores are "
    "compared.",
    ("integrity", "clear"): "No item has a serious flaw of these kinds. Whether the answers are "
    "right was not tested.",
    ("partial_input", "exposed"): "A high score on this benchmark does not by itself show that a "
    "model understood the questions.",
    ("partial_input", "caution"): "A small part of a score may come without the question.",
    ("parts", "exposed"): "Some parts can be answered by shortcuts, which a total score hides.",
    ("parts", "caution"): "Some parts have a weakness that is small or uncertain, which a total "
    "score hides.",
    ("priority", "caution"): "The items at the top of the order add most to the strength of the "
    "cues: mirror them first.",
    ("robustness", "caution"): "Some right answers depend on the wording: they change when words "
    "are replaced by synonyms.",
    ("robustness", "clear"): "No model loses a significant share of its right answers when words "
    "are replaced by synonyms.",
    (
        "seeds",
        "caution",
    ): "A single run says little here: runs differ, or some learnt nothing, or a "
    "system has only one.",
    ("seeds", "clear"): "The best and the worst run of each system are close to each other.",
    ("sensitivity", "caution"): "How much the two groups of models differ on a word is related to "
    "how well the word gives answers away.",
    ("sensitivity", "clear"): "How much the two groups of models differ on a word is not "
    "significantly related to how well the word gives answers away.",
    ("sensitivity", "undecided"): "Whether the two groups of models differ more on words that "
    "give answers away is uncertain.",
    ("shortcuts", "exposed"): "A model can score above chance by such features of the choices, "
    "without reading the question.",
    (
        "shortcuts",
        "caution",
    ): "Features of the choices are related to the answer, but little can be gained by them.",
    ("shortcuts", "clear"): "None of the features that were tried gives answers away. What was not "
    "tried may.",
    ("surface", "exposed"): "A program that follows one simple rule scores above chance, without "
    "understanding anything.",
    ("surface", "caution"): "A program that follows one simple rule gains a little, without "
    "understanding anything.",
    ("transfer", "caution"): "What models learn on at least one of these benchmarks gains "
    "nothing significant on the others.",
    ("transfer", "clear"): "What models learn on one of these benchmarks helps on at least one "
    "other; it may be a shortcut that they share.",
}
BY_VERDICT: Mapping[Verdict, str] = {
    "exposed": "Answers can be found beyond chance by what this probe looks at.",
    "caution": "There is a weakness that is small or uncertain.",
    "clear": "As far as this test can see, answers cannot be found this way.",
    "undecided": "There may be a shortcut that so few items cannot show.",
}


def explain_terms(result: Result) -> str:
    """Return the terms of the probe of a result; empty for an external probe."""
    has_model = bool(result.params.get("lm"))
    terms = (TERMS.get(result.probe), TERMS_WITH_LM.get(result.probe) if has_model else None)
    return " ".join(filter(None, terms))


def explain_verdict(result: Result) -> str:
    """Return one sentence on what the verdict of a result means."""
    if (result.probe, result.verdict) == ("accuracy", "caution"):
        return _explain_scores(result)
    return MEANINGS.get((result.probe, result.verdict)) or BY_VERDICT.get(result.verdict, "")


def _explain_scores(result: Result) -> str:
    """Say whether a score is too low, perfect, or both occur; a saved audit may not tell."""
    table = result.tables.get("systems")
    rows = [dict(zip(table.columns, row, strict=False)) for row in table.rows] if table else []
    is_low = any(row.get("flag") for row in rows)
    is_perfect = any(row.get("accuracy") == 1 for row in rows)
    if is_low and is_perfect:
        return f"{LOW_SCORE}, and at least one is perfect, which is suspicious."
    if is_perfect:
        return "At least one score is perfect, which is suspicious."
    return f"{LOW_SCORE}." if is_low else MEANINGS["accuracy", "caution"]
