"""Shapes of JSON: lines under any name, quizzes with sections, choices as objects, columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from .item_shapes import (
    BANK,
    LETTERS,
    PAIRS,
    PASSAGES,
    Question,
    Shape,
    ask,
    document,
    lines_of,
    with_choices,
    with_passages,
)

Record = dict[str, object]


def jsonl(
    name: str, make: Callable[[int, Question], Record], *, file: str = "items.jsonl",
    questions: tuple[Question, ...] = BANK,
) -> Shape:  # fmt: skip
    return Shape(name, {file: lines_of(_records(make, questions))}, questions)


def one_document(
    name: str, value: object, *, indent: int | None = 2, file: str = "quiz.json"
) -> Shape:
    return Shape(name, {file: document(value, indent)}, BANK, by_line=False)


def _records(
    make: Callable[[int, Question], Record], questions: Iterable[Question] = BANK
) -> list[Record]:
    return [make(number, question) for number, question in enumerate(questions)]


def by_letter(number: int, q: Question) -> Record:
    return {"question": q.text, "options": list(q.choices), "answer": q.letter}


def labelled(q: Question) -> list[Record]:
    return [{"text": c, "label": label} for label, c in zip(LETTERS, q.choices, strict=False)]


def marked(q: Question, text: str, mark: str) -> list[Record]:
    return [{text: choice, mark: choice == q.right} for choice in q.choices]


def benchmarks_by_line() -> list[Shape]:
    """Lines as public benchmarks have them."""
    return [
        replace(
            jsonl("ARC", lambda n, q: {
                "id": f"Mercury_{n}", "answerKey": q.letter,
                "question": {"stem": q.text, "choices": labelled(q)},
            }), ids=tuple(f"Mercury_{n}" for n in range(8))),
        jsonl("ARC of the hub, as .txt", lambda n, q: {
            "id": f"MCAS_{n}", "question": q.text, "answerKey": str(q.answer + 1) if n % 2
            else q.letter, "choices": {
                "text": list(q.choices), "label": list("1234" if n % 2 else "ABCD")},
        }, file="arc.txt"),
        replace(
            jsonl("QASC", lambda n, q: {
                "id": f"3E7TUJ{n}", "question": {"stem": q.text, "choices": labelled(q)},
                "answerKey": q.letter, "fact1": f"{q.right} is known to many.",
                "formatted_question": q.text + " " + " ".join(
                    f"({c['label']}) {c['text']}" for c in labelled(q)),
            }), may_show=("fact1",)),
        jsonl("PIQA, as .json", lambda n, q: {
            "goal": q.text, "sol1": q.choices[0], "sol2": q.choices[1], "label": q.answer,
        }, file="piqa.json", questions=PAIRS),
        replace(jsonl("COPA", lambda n, q: {
            "premise": q.text, "choice1": q.choices[0], "choice2": q.choices[1],
            "question": ("cause", "effect")[n % 2], "idx": n, "label": q.answer,
        }, questions=tuple(replace(q, texts=(f"I wanted to {q.text}.",)) for q in PAIRS)),
            may_show=("question",)),
    ]  # fmt: skip


def exams_by_line() -> list[Shape]:
    """Lines of benchmarks with passages, blanks or many columns."""
    return [
        jsonl("WinoGrande", lambda n, q: {
            "qID": f"3QHITW7OYO7Q{n}-2", "sentence": q.text, "option1": q.choices[0],
            "option2": q.choices[1], "answer": str(q.answer + 1),
        }, questions=tuple(replace(q, texts=(f"To {q.text}, _ is best.",)) for q in PAIRS)),
        jsonl("SocialIQA of the hub", lambda n, q: {
            "context": q.texts[0], "question": q.text, "answerA": q.choices[0],
            "answerB": q.choices[1], "answerC": q.choices[2], "label": str(q.answer + 1),
        }, questions=with_passages(with_choices(3))),
        _hellaswag(),
        replace(
            jsonl("AGIEval", lambda n, q: {
                "passage": q.texts[0], "question": q.text, "answer": None, "label": q.letter,
                "options": [f"({a}){c}" for a, c in zip("ABCD", q.choices, strict=True)],
                "other": None,
            }, questions=with_passages()), labelled_choices=True),
        replace(
            jsonl("AGIEval without passages", lambda n, q: {
                "passage": None, "question": q.text, "label": q.letter, "other": {"source": "exam"},
                "options": [f"({a}){c}" for a, c in zip("ABCD", q.choices, strict=True)],
            }), labelled_choices=True, may_show=("passage",)),
        _mmlu_pro(),
        jsonl("MedMCQA", lambda n, q: {
            "question": q.text, "exp": f"Ans. is {q.right}", "cop": q.answer + 1,
            **dict(zip(("opa", "opb", "opc", "opd"), q.choices, strict=True)),
            "subject_name": "Anatomy", "topic_name": None, "id": f"e9ad{n}",
            "choice_type": "single",
        }, file="medmcqa.json"),
    ]  # fmt: skip


def _hellaswag() -> Shape:
    questions = tuple(
        Question((f"{first} {q.text}",), q.choices, q.answer)
        for first, q in zip(PASSAGES, BANK, strict=True)
    )
    shape = jsonl(
        "HellaSwag, no extension",
        lambda n, q: {
            "ind": n, "activity_label": "Travelling", "ctx_a": PASSAGES[n], "ctx_b": BANK[n].text,
            "ctx": q.text, "split": "val", "split_type": "indomain", "label": q.answer,
            "endings": list(q.choices), "source_id": f"activitynet~v_{n}",
        },
        file="hellaswag",
        questions=questions,
    )  # fmt: skip
    contexts = tuple(q.text for q in questions)
    # the lines say that they are of the split `val`, and so may the loader
    shape = replace(shape, questions={"all|val": questions})
    return replace(shape, may_show=("ctx_a", "ctx_b", "activity_label"), may_drop=contexts)


def _mmlu_pro() -> Shape:
    """Three to ten choices, and two columns of answers that agree."""
    ten = ask("Which number is prime?", "4", "6", "8", "9", "10", "12", "14", "15", "16", "17",
              answer=9)  # fmt: skip
    return jsonl(
        "MMLU-Pro",
        lambda n, q: {
            "question_id": 70 + n, "question": q.text, "options": list(q.choices),
            "answer": q.letter, "answer_index": q.answer, "cot_content": f"A: It is {q.right}.",
            "category": "business", "src": "stemez-Business",
        },
        questions=(*with_choices(3)[:3], *BANK[3:], ten),
    )  # fmt: skip


def tools_by_line() -> list[Shape]:
    """Lines as evaluation tools want them."""
    return [
        jsonl("llm-foundry", lambda n, q: {
            "query": q.text, "choices": list(q.choices), "gold": q.answer}),
        jsonl("llm-foundry, schema", lambda n, q: {
            "context_options": list(q.choices), "continuation": q.text, "gold": q.answer,
        }, questions=tuple(
            Question((f"was the best thing to do in order to {q.text}.",), q.choices, q.answer)
            for q in PAIRS)),
        jsonl("BIG-bench of the hub", lambda n, q: {
            "idx": n, "inputs": q.text, "targets": [q.right],
            "multiple_choice_targets": list(q.choices),
            "multiple_choice_scores": [int(c == q.right) for c in q.choices]}),
        jsonl("TruthfulQA of the hub", lambda n, q: {
            "question": q.text, "mc1_targets": {
                "choices": list(q.choices), "labels": [int(c == q.right) for c in q.choices]},
            "mc2_targets": {"choices": [*q.choices, "all"], "labels": [1, 1, 0, 0, 0]}}),
        jsonl("JSON lines as .csv", by_letter, file="export.csv"),
        jsonl("choices by letter", lambda n, q: {
            "Question": q.text, "Choices": dict(zip("ABCD", q.choices, strict=True)),
            "Answer": q.letter}),
        replace(
            jsonl("SciQ by line", lambda n, q: {
                "question": q.text, "distractor3": q.wrong[2], "distractor1": q.wrong[0],
                "distractor2": q.wrong[1], "correct_answer": q.right, "support": "",
            }), ordered=False, drawn=True),
    ]  # fmt: skip


def benchmark_documents() -> list[Shape]:
    tasks = {
        "name": "trivia", "description": "Questions about the world", "keywords": ["facts"],
        "metrics": ["multiple_choice_grade"], "preferred_score": "multiple_choice_grade",
        "examples": [
            {"input": q.text, "target_scores": {c: int(c == q.right) for c in q.choices}}
            for q in BANK
        ],
    }  # fmt: skip
    opentdb = [
        {"category": "Science", "type": "multiple", "difficulty": "easy", "question": q.text,
         "correct_answer": q.right, "incorrect_answers": list(q.wrong)}
        for q in BANK
    ]  # fmt: skip
    truthful = [
        {"question": q.text, "mc1_targets": {c: int(c == q.right) for c in (q.right, *q.wrong)},
         "mc2_targets": {q.right: 1, f"maybe {q.right}": 1, q.wrong[0]: 0}}
        for q in BANK
    ]  # fmt: skip
    return [
        one_document("BIG-bench", tasks, file="task.json"),
        replace(one_document("TruthfulQA's mc_task.json", truthful), ordered=False),
        replace(
            one_document("OpenTDB", {"response_code": 0, "results": opentdb}, indent=None),
            ordered=False,
            drawn=True,
        ),
    ]


def quiz_documents() -> list[Shape]:
    """Documents as quiz programs have them."""
    plain: list[Record] = [
        {"question": q.text, "options": list(q.choices), "correct": q.answer} for q in BANK
    ]
    keyed = {
        f"q{n}": {"question": q.text, "answer": q.letter.lower(),
                  "options": dict(zip("abcd", q.choices, strict=True))}
        for n, q in enumerate(BANK, 1)
    }  # fmt: skip
    sections = [{"title": "First half", "questions": plain[:4]},
                {"title": "Second half", "questions": plain[4:]}]  # fmt: skip
    single = [
        {"question": q.text, "answers": [
            {"text": c} | ({"correct": True} if c == q.right else {}) for c in q.choices]}
        for q in BANK
    ]  # fmt: skip
    listed = [{"question": q.text, "options": list(q.choices), "answers": [q.right]} for q in BANK]
    texts = [{"question": q.text, "answers": marked(q, "text", "correct")} for q in BANK]
    return [
        one_document(
            "a quiz with questions", {"title": "Trivia", "version": 2, "questions": plain}
        ),
        one_document("a bare list", plain, indent=None),
        one_document("sections", {"title": "Trivia", "sections": sections}),
        one_document("a quiz inside", {"quiz": {"title": "Trivia", "questions": plain}}),
        one_document("sections inside", {"quiz": {"title": "Trivia", "sections": sections}}),
        replace(one_document("by id", keyed), ids=tuple(keyed)),
        one_document("choices with a mark", texts),
        one_document("a mark on the right choice", single),
        replace(one_document("answers in a list", listed), undecidable="`answers` may be anything"),
    ]


def app_documents() -> list[Shape]:
    """Documents as programs on the web have them."""
    mongo = [
        {"_id": {"$oid": f"64b7f{n}"}, "questionText": q.text,
         "answerOptions": marked(q, "answerText", "isCorrect")}
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    by_key = [
        {"id": n, "text": q.text, "correctOptionId": f"{n}{q.letter}", "options": [
            {"id": f"{n}{a}", "text": c} for a, c in zip("ABCD", q.choices, strict=True)]}
        for n, q in enumerate(BANK)
    ]  # fmt: skip
    return [
        one_document("answerOptions with isCorrect", mongo),
        one_document("the id of the right option", by_key),
    ]


def pandas_documents() -> list[Shape]:
    columns = ["question", "A", "B", "C", "D", "answer"]
    rows = [[q.text, *q.choices, q.letter] for q in BANK]
    by_column = {
        name: {str(n): row[place] for n, row in enumerate(rows)}
        for place, name in enumerate(columns)
    }
    lists = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
    split = {"columns": columns, "index": list(range(8)), "data": rows}
    shapes = [
        one_document("pandas by column", by_column, indent=None),
        one_document("columns as lists", lists),
        one_document("pandas, orient=split", split, indent=None),
    ]
    return [replace(shape, by_row=True) for shape in shapes]


DOCUMENTS = [
    *benchmarks_by_line(), *exams_by_line(), *tools_by_line(), *benchmark_documents(),
    *quiz_documents(), *app_documents(), *pandas_documents(),
]  # fmt: skip
