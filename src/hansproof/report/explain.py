"""Plain words for results: the terms of each probe, and what its verdict means."""

from __future__ import annotations

from collections.abc import Mapping

from ..types import Result, Verdict

# probe -> its terms, explained below its question
TERMS: Mapping[str, str] = {
    "accuracy": "A system is a model together with the part of the items it was shown.",
    "agreement": "Kappa measures how much people agree: 1 is always, 0 is as often as by chance.",
    "balance": "Mirrored items have the same choices and different right answers.",
    "class_balance": "A position is the place of the right answer among the choices, counted "
    "from 1.",
    "compare": "Two systems are compared item by item, on the items that both answered.",
    "contamination": "An item is contaminated if its text occurs in what models were trained on.",
    "cues": "A cue is a word or phrase that occurs in one choice only. Coverage is the share of "
    "items that a cue applies to; productivity is how often the choice with the cue is right. "
    "Rules over words combine all cues: they are learnt from some items and tested on the rest.",
    "easy_hard": "A blind model is one that is not shown the question. Easy items are those it "
    "answers correctly in all its runs; the others are Hard.",
    "integrity": "Two items contradict each other if they ask the same and have different answers.",
    "partial_input": "A view is the part of an item that a model is shown, such as the choices "
    "alone. Without the question, a model is blind. A bag of words (bow) is a simple model that "
    "knows which words a text has, not their order.",
    "parts": "A part is a subject, a file or a folder: items that belong together.",
    "priority": "To mirror an item is to write a partner with the same choices and another right "
    "answer, so that no word of the choices gives the answer away.",
    "robustness": "The attack replaces words by synonyms until the model changes its answer.",
    "seeds": "A seed is the number that training starts from; each seed gives another run.",
    "sensitivity": "Sensitivity is the share of a model’s score that depends on a word.",
    "surface": "A tell is a rule that picks a choice without reading it, such as “take the "
    "longest”.",
    "transfer": "A model that was trained on one benchmark answers the items of another.",
}

# (probe, verdict) -> what it means for those who use the benchmark
MEANINGS: Mapping[tuple[str, Verdict], str] = {
    ("accuracy", "caution"): "At least one score is no better than a rule that needs no model, or "
    "is perfect, which is suspicious.",
    ("accuracy", "clear"): "Every score is better than guessing, than always giving one position "
    "and than taking the longest choice.",
    ("agreement", "caution"): "Some answers may be wrong, or some questions unclear.",
    ("agreement", "clear"): "People who answer the items agree with each other and with the key.",
    ("balance", "caution"): "The mirrored items do not cancel every cue.",
    ("balance", "clear"): "No word of the choices alone gives an answer away in the mirrored "
    "items.",
    ("class_balance", "exposed"): "A model that always gives the same position scores above "
    "chance.",
    ("class_balance", "caution"): "A model that prefers a position gains or loses a little by it.",
    ("compare", "caution"): "The order of at least two systems may be luck.",
    ("compare", "clear"): "The systems differ by more than luck explains.",
    ("contamination", "exposed"): "Models that were trained on this text may remember the answers: "
    "they stand beside the questions.",
    ("contamination", "caution"): "Some items occur in the text, or could not be searched for.",
    ("contamination", "clear"): "No item that could be searched for occurs in this text. "
    "Paraphrases are not found this way.",
    ("cues", "exposed"): "A model can score above chance by looking for these words, without "
    "reading the question.",
    ("cues", "caution"): "Words of the choices help a little, though few or none do by themselves.",
    ("easy_hard", "exposed"): "Part of the score comes from items that can be answered without "
    "the question.",
    ("easy_hard", "caution"): "Scores are higher on items that can be answered without the "
    "question, which may be because of how these were chosen.",
    ("easy_hard", "clear"): "No score is significantly higher on the items that can be answered "
    "without the question.",
    ("integrity", "exposed"): "Some test items can be answered from memory, as they are also "
    "in another split.",
    ("integrity", "caution"): "Some items should be corrected or removed before scores are "
    "compared.",
    ("integrity", "clear"): "No item has a serious flaw of these kinds. Whether the answers are "
    "right was not tested.",
    ("partial_input", "exposed"): "A high score on this benchmark does not show that a model "
    "understood the questions.",
    ("partial_input", "caution"): "A small part of a score may come without the question.",
    ("parts", "exposed"): "A total score hides that some parts can be answered by shortcuts.",
    ("parts", "caution"): "Some parts are weaker than the total score shows.",
    (
        "priority",
        "caution",
    ): "Mirroring the items in this order weakens the cues with few new texts.",
    ("robustness", "caution"): "Some right answers depend on the wording: they change when words "
    "are replaced by synonyms.",
    ("robustness", "clear"): "No model loses a significant share of its right answers when words "
    "are replaced by synonyms.",
    ("seeds", "caution"): "A single run says little: the seed alone can change the score.",
    ("seeds", "clear"): "Scores depend little on the seed.",
    ("sensitivity", "caution"): "How much the two groups of models differ on a word depends on "
    "how well the word gives answers away.",
    ("sensitivity", "clear"): "How much the two groups of models differ on a word does not "
    "depend significantly on how well the word gives answers away.",
    ("surface", "exposed"): "A program that cannot read scores above chance.",
    ("surface", "caution"): "A program that cannot read gains a little.",
    ("transfer", "caution"): "What models learn on one of these benchmarks gains nothing "
    "significant on the others.",
    ("transfer", "clear"): "What models learn on one of these benchmarks helps on at least one "
    "other.",
}
BY_VERDICT: Mapping[Verdict, str] = {
    "exposed": "Answers can be found beyond chance by what this probe looks at.",
    "caution": "There is a weakness that is small or uncertain.",
    "clear": "As far as this test can see, answers cannot be found this way.",
    "undecided": "There may be a shortcut that so few items cannot show.",
}


def explain_terms(result: Result) -> str:
    """Return the terms of the probe of a result; empty for an external probe."""
    return TERMS.get(result.probe, "")


def explain_verdict(result: Result) -> str:
    """Return one sentence on what the verdict of a result means."""
    return MEANINGS.get((result.probe, result.verdict)) or BY_VERDICT.get(result.verdict, "")
