"""JSON, and files that are called so, that looks like items and is none."""

from __future__ import annotations

import json

from .item_shapes import BANK, PASSAGES, NearMiss, document, lines_of
from .shapes_in_json import by_letter, marked

FEED = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Quiz news</title>'
    + "".join(f"<item><title>{q.text}</title><link>https://example.org</link></item>" for q in BANK)
    + "</channel></rss>"
)
PAGE = "<!DOCTYPE html>\n<html><head><title>404</title></head><body>Not found</body></html>\n"


def _pairs() -> list[NearMiss]:
    """Lines of two texts and something that is no answer."""
    labels = ("entailment", "neutral", "contradiction")
    snli = [
        {"sentence1": p, "sentence2": q.text, "gold_label": labels[n % 3], "label": n % 3}
        for n, (p, q) in enumerate(zip(PASSAGES, BANK, strict=True))
    ]
    chosen = [{"prompt": q.text, "chosen": q.right, "rejected": q.wrong[0]} for q in BANK]
    arena = [
        {"prompt": q.text, "response_a": q.choices[0], "response_b": q.choices[1],
         "winner": ("model_a", "model_b", "tie")[n % 3]}
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    return [
        NearMiss("NLI", {"snli.jsonl": lines_of(snli)}, ("sentence1", "sentence2"), "Olga had"),
        NearMiss("preferences", {"dpo.jsonl": lines_of(chosen)}, ("prompt", "chosen", "rejected"),
                 "thermometer"),
        NearMiss("an arena", {"arena.jsonl": lines_of(arena)}, ("response_a", "winner"),
                 "thermometer"),
        NearMiss("questions and answers", {"qa.jsonl": lines_of(
            {"question": q.text, "answer": q.right} for q in BANK)}, ("question", "answer"),
            "thermometer"),
        NearMiss("yes or no", {"boolq.jsonl": lines_of(
            {"question": q.text, "passage": p, "answer": n % 2 == 0}
            for n, (q, p) in enumerate(zip(BANK, PASSAGES, strict=True)))},
            ("question", "passage", "answer"), "thermometer"),
    ]  # fmt: skip


def _reading() -> list[NearMiss]:
    """Questions whose answers are spans of a text."""
    spans = [
        {"id": str(n), "title": "Trips", "context": p, "question": "Who planned the trip?",
         "answers": {"text": [p.split()[0]] * 3, "answer_start": [0, 0, 0]}}
        for n, p in enumerate(PASSAGES)
    ]  # fmt: skip
    paragraphs = [
        {"context": record["context"], "qas": [
            {"question": record["question"], "id": record["id"], "is_impossible": False,
             "answers": [{"text": p.split()[0], "answer_start": 0},
                         {"text": " ".join(p.split()[:2]), "answer_start": 0}]}]}
        for record, p in zip(spans, PASSAGES, strict=True)
    ]  # fmt: skip
    squad = {"version": "2.0", "data": [{"title": "Trips", "paragraphs": paragraphs}]}
    return [
        NearMiss("SQuAD", {"train-v2.0.json": document(squad, None)}),
        NearMiss("SQuAD of the hub", {"squad.jsonl": lines_of(spans)}),
    ]


def _answers_in_doubt() -> list[NearMiss]:
    several = [
        {"question": q.text, "options": list(q.choices), "answer": [q.answer, (q.answer + 1) % 4]}
        for q in BANK
    ]
    two_marks = [{"question": q.text, "answers": [
        {"text": c, "correct": c in q.choices[:2]} for c in q.choices]} for q in BANK]  # fmt: skip
    no_mark = [{"question": q.text, "answers": [
        {"text": c, "correct": False} for c in q.choices]} for q in BANK]  # fmt: skip
    scores = [{"question": f"How do you feel about {q.right}?", "options": [
        {"text": text, "score": score} for score, text in enumerate(
            ("I hate it", "It is fine", "I like it", "I love it"))]} for q in BANK]  # fmt: skip
    among = [{"question": q.text, "correct_answer": q.right,
              "incorrect_answers": [q.right, q.wrong[0]]} for q in BANK]  # fmt: skip
    later = [by_letter(n, q) for n, q in enumerate(BANK)]
    later[5] = later[5] | {"options": "the liver"}
    single = [{"question": q.text, "choices": [q.right], "answer": 0} for q in BANK]
    return [
        NearMiss("several right, as a list", {"quiz.json": document(several)}),
        NearMiss("two choices marked", {"quiz.json": document(two_marks)}),
        NearMiss("no choice marked", {"quiz.json": document(no_mark)}),
        NearMiss("scores of a personality quiz", {"quiz.json": document(scores)}),
        NearMiss("the right answer among the wrong", {"quiz.json": document(among)}),
        NearMiss("a text among lists", {"quiz.jsonl": lines_of(later)}),
        NearMiss("a single choice", {"quiz.jsonl": lines_of(single)}),
    ]


def _other_documents() -> list[NearMiss]:
    package = {"name": "quiz", "version": "1.0.0", "scripts": {"test": "jest", "build": "vite"},
               "dependencies": {"react": "^18", "lodash": "^4"}}  # fmt: skip
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "required": ["question", "choices", "answer"],
        "properties": {"question": {"type": "string"}, "answer": {"type": "integer"},
                       "choices": {"type": "array", "items": {"type": "string"}}},
    }  # fmt: skip
    words = {"question": "Frage", "choices": "Möglichkeiten", "answer": "Antwort", "next": "Weiter"}
    chats = [{"messages": [{"role": "user", "content": q.text},
                           {"role": "assistant", "content": q.right}]} for q in BANK]  # fmt: skip
    outputs = [{"id": n, "model": "llama", "prediction": "ABCD"[n % 4], "gold": q.letter,
                "correct": n % 2 == 0} for n, q in enumerate(BANK)]  # fmt: skip
    samples = [
        {"doc_id": n, "doc": {"question": q.text, "choices": list(q.choices), "answer": q.answer},
         "target": str(q.answer), "arguments": [[q.text, f" {c}"] for c in q.choices],
         "resps": [[["-1.5", "False"]]] * 4, "filtered_resps": [["-1.5", "False"]] * 4,
         "acc": float(n % 2)}
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    records = [{"question": q.text, "answers": marked(q, "text", "correct")} for q in BANK]
    return [
        NearMiss("package.json", {"package.json": document(package)}),
        NearMiss("a JSON schema", {"schema.json": document(schema)}),
        NearMiss("words of a program", {"de.json": document(words)}),
        NearMiss("chats", {"chats.jsonl": lines_of(chats)}),
        NearMiss("outputs of a model", {"out.jsonl": lines_of(outputs)}),
        NearMiss("samples of lm-eval", {"samples_mmlu.jsonl": lines_of(samples)}),
        NearMiss("a feed", {"feed.xml": FEED}),
        NearMiss("a page as .json", {"quiz.json": PAGE}),
        NearMiss("a document cut short", {"quiz.json": document(records)[:-40]}),
        NearMiss("lines cut short", {"quiz.jsonl": lines_of(
            by_letter(n, q) for n, q in enumerate(BANK))[:-25]}),
        NearMiss("a list of texts", {"quiz.json": json.dumps([q.text for q in BANK])}),
        NearMiss("a notebook", {"quiz.ipynb": document({"nbformat": 4, "metadata": {}, "cells": [
            {"cell_type": "markdown", "source": [q.text], "metadata": {}} for q in BANK]})}),
    ]  # fmt: skip


JSON_MISSES = [*_pairs(), *_reading(), *_answers_in_doubt(), *_other_documents()]
