"""Tables and quizzes that look like items and are none, or that can be read in two ways."""

from __future__ import annotations

from collections.abc import Sequence

from .item_shapes import BANK, PASSAGES, NearMiss, Question, table, workbook
from .shapes_elsewhere import aiken, gift

PEOPLE = (
    ("Anna Smith", "Berlin", "engineer", "chess", "A"), ("Ben Oka", "Lagos", "nurse", "golf", "B"),
    ("Carla Ruiz", "Madrid", "teacher", "yoga", "C"), ("Dov Levi", "Haifa", "cook", "judo", "A"),
    ("Eva Novak", "Brno", "driver", "opera", "B"), ("Finn Olsen", "Bergen", "painter", "ski", "C"),
    ("Gita Rao", "Pune", "lawyer", "tennis", "A"), ("Hugo Petit", "Lyon", "baker", "rugby", "B"),
)  # fmt: skip
PERSON = ("name", "city", "profession", "hobby", "group")
OPTIONS = ["question", "A", "B", "C", "D", "answer"]


def csv_miss(
    name: str, header: Sequence[str] | None, rows: Sequence[Sequence[object]], *,
    file: str = "quiz.csv", separator: str = ",", flag: str = "", helps: bool = True,
) -> NearMiss:  # fmt: skip
    """A table; where it helps to say so, its columns and a row are to be shown."""
    columns = tuple(header or ()) if helps else ()
    example = str(rows[0][0]) if helps and rows else ""
    return NearMiss(name, {file: table(header, rows, separator)}, columns, example, flag)


def _other_tables() -> list[NearMiss]:
    """Tables of something else."""
    verdicts = ("entailment", "neutral", "contradiction")
    sentences = [
        [p, q.text, verdicts[n % 3]] for n, (p, q) in enumerate(zip(PASSAGES, BANK, strict=True))
    ]
    long = [
        [n, q.text, choice, int(choice == q.right)]
        for n, q in enumerate(BANK)
        for choice in q.choices
    ]
    long_words = [[q.text, choice, choice == q.right] for q in BANK for choice in q.choices]
    shop = [
        [f"shirt-{n}", f"Shirt {n}", "Size", "M", "Colour", "red", "Fit", "slim", 19.9 + n]
        for n in range(8)
    ]
    return [
        csv_miss("NLI with names", ["premise", "hypothesis", "label"], sentences),
        csv_miss("one row per choice", ["qid", "question", "choice", "is_correct"], long),
        csv_miss("one row per choice, in words", ["Question", "Option", "Correct"], long_words),
        csv_miss("people", PERSON, PEOPLE),
        csv_miss("people without header", None, PEOPLE, helps=False),
        csv_miss("products", ["Handle", "Title", "Option1 Name", "Option1 Value", "Option2 Name",
                              "Option2 Value", "Option3 Name", "Option3 Value", "Price"], shop),
        csv_miss("experiments", ["experiment", "A", "B", "winner"],
                 [[f"Button {n}", 0.12 + n / 100, 0.15, "AB"[n % 2]] for n in range(8)]),
        csv_miss("poll counts", ["question", "option_a", "option_b", "total"],
                 [[q.text, 10 + n, 20 - n, 30] for n, q in enumerate(BANK)]),
        csv_miss("answers of students", ["Timestamp", "Score", BANK[0].text, BANK[1].text],
                 [["2024-01-05 10:00", f"{n} / 2", BANK[0].choices[n % 4], BANK[1].choices[n % 3]]
                  for n in range(8)]),
        csv_miss("translations", None, [[q.text, q.text.upper()] for q in BANK],
                 file="en-de.tsv", separator="\t", helps=False),
        csv_miss("flash cards", ["Front", "Back", "Tags"], [[q.text, q.right, "x"] for q in BANK]),
        csv_miss("texts with classes", None, [[p, f"{n % 3}"] for n, p in enumerate(PASSAGES)],
                 helps=False),
        csv_miss("only a key", ["id", "answer"], [[n, q.letter] for n, q in enumerate(BANK)]),
    ]  # fmt: skip


def _answers_in_doubt() -> list[NearMiss]:
    def keyed(answers: Sequence[object]) -> list[list[object]]:
        return [[q.text, *q.choices, a] for q, a in zip(BANK, answers, strict=True)]

    right = [q.letter for q in BANK]
    twice = [[q.text, *q.choices[:3], q.choices[0], q.choices[0]] for q in BANK]
    indices = [q.answer for q in BANK]
    wrong_indices = [*indices[:5], 0, *indices[6:]]
    disagree = [[*row, n] for row, n in zip(keyed(right), wrong_indices, strict=True)]
    clash = [[q.text, *q.choices, q.letter, q.choices[(q.answer + (n == 4)) % 4]]
             for n, q in enumerate(BANK)]  # fmt: skip
    return [
        csv_miss("two letters", OPTIONS, keyed([*right[:3], "A,C", *right[4:]]), helps=False),
        csv_miss("two letters, joined", OPTIONS, keyed([*right[:3], "AC", *right[4:]]),
                 helps=False),
        csv_miss("a number too far", OPTIONS, keyed([0, 1, 2, 3, 4, 0, 1, 2]), helps=False),
        csv_miss("a letter too far", OPTIONS, keyed([*right[:6], "E", "A"]), helps=False),
        csv_miss("no such text", OPTIONS, keyed([*(q.right for q in BANK[:7]), "Halifax"]),
                 helps=False),
        csv_miss("answers that disagree", [*OPTIONS, "answer_index"], disagree, helps=False),
        csv_miss("a letter and a text that disagree", [*OPTIONS, "correct_answer"], clash,
                 helps=False),
        csv_miss("letters and numbers", OPTIONS, keyed(["B", 1, "D", 3, "B", "D", 1, "C"]),
                 helps=False),
        csv_miss("from 0 or from 1", OPTIONS, keyed([1, 2, 3, 1, 2, 3, 1, 2]),
                 flag="--answers-from", helps=False),
        csv_miss("the right text twice", OPTIONS, twice, helps=False),
        csv_miss("right among wrong",
                 ["question", "correct_answer", "distractor1", "distractor2"],
                 [[q.text, q.right, q.right, q.wrong[0]] for q in BANK], helps=False),
        csv_miss("percentages", OPTIONS, keyed(["100%", "0%", "50%"] * 2 + ["0%", "100%"]),
                 helps=False),
    ]  # fmt: skip


def _columns_in_doubt() -> list[NearMiss]:
    def joined(join: str) -> list[list[str]]:
        return [[q.text, join.join(q.choices), q.right] for q in BANK]

    unknown = ["foo", "bar", "baz", "qux", "quux", "corge"]
    plain = [[q.text, *q.choices, q.letter] for q in BANK]
    two = ["question", "A", "B", "C", "D", *(f"option{n}" for n in range(1, 5)), "answer"]
    two_rows = [[q.text, *q.choices, *q.choices[::-1], q.letter] for q in BANK]
    gap = [[q.text, *q.choices[:3], "ABD"[n % 3]] for n, q in enumerate(BANK)]
    one_list = [[q.text, str([*q.choices]), "red", "blue", "A"] for q in BANK]
    first_right = [[q.text, q.right, *q.wrong] for q in BANK]
    return [
        csv_miss("names that say nothing", unknown, plain),
        csv_miss("two sets of choices", two, two_rows),
        csv_miss("A, B, D", ["question", "A", "B", "D", "answer"], gap),
        csv_miss("a; b; c", ["question", "choices", "answer"], joined("; "),
                 flag="--list-separator"),
        csv_miss("a / b / c", ["question", "options", "answer"], joined(" / "),
                 flag="--list-separator"),
        csv_miss("A) x B) y", ["question", "choices", "answer"], [[q.text, " ".join(
            f"{a}) {c}" for a, c in zip("ABCD", q.choices, strict=True)), q.letter] for q in BANK],
            helps=False),
        csv_miss("a list in one of several columns", ["question", "A", "B", "C", "answer"],
                 one_list, helps=False),
        csv_miss("no header, no answer told", None, first_right, flag="--no-header", helps=False),
        csv_miss("two columns of the same name", ["question", "A", "A", "B", "answer"],
                 [[q.text, *q.choices[:3], "A"] for q in BANK], helps=False),
        csv_miss("only a header", OPTIONS, [], helps=False),
        NearMiss("ragged rows", {"quiz.csv": table(OPTIONS, [r[: 6 - n % 3] for n, r in
                                                            enumerate(plain)])}),
        NearMiss("unquoted commas", {"quiz.csv": "question,A,B,C,answer\n" + "".join(
            f"{q.text},x, y,{q.choices[0]},{q.choices[1]},{'ABC'[n % 3]}\n"
            for n, q in enumerate(BANK))}),
        NearMiss("not UTF-8", {"quiz.csv": table(OPTIONS, [[r[0], "Köln", *r[2:]] for r in plain])
                               .encode("latin-1")}),
        NearMiss("a people's workbook", {"staff.xlsx": workbook(
            [PERSON, *PEOPLE])}, PERSON, "Anna Smith"),
        NearMiss("a workbook cut short", {"quiz.xlsx": workbook([OPTIONS, *plain])[:-80]}),
        NearMiss("an empty workbook", {"quiz.xlsx": workbook([])}),
    ]  # fmt: skip


def _quizzes() -> list[NearMiss]:
    def weighted(q: Question) -> str:
        return f"{q.text} {{~%50%{q.right} ~%50%{q.wrong[0]} ~%-100%{q.wrong[1]}}}"

    missing = aiken().replace("ANSWER: C\n", "", 1)
    essays = "\n\n".join(f"{q.text} {{}}" for q in BANK)
    matching = "\n\n".join(f"{q.text} {{=a -> {q.right} =b -> {q.wrong[0]}}}" for q in BANK)
    return [
        NearMiss("GIFT with two right", {"quiz.gift": "\n\n".join(map(weighted, BANK))}),
        NearMiss("GIFT with two =", {"quiz.gift": "\n\n".join(
            f"{q.text} {{={q.right} ={q.wrong[0]} ~{q.wrong[1]}}}" for q in BANK)}),
        NearMiss("GIFT essays", {"quiz.gift": essays}),
        NearMiss("GIFT matching", {"quiz.gift": matching}),
        NearMiss("GIFT cut short", {"quiz.gift": "What is blue? {=the sky ~milk ~coal"}),
        NearMiss("GIFT cut in its last question", {"quiz.gift": gift()[:-20]}),
        NearMiss("GIFT with a brace missing", {"quiz.gift": gift().replace("~zinc}", "~zinc")}),
        NearMiss("GIFT with braces in a choice", {"quiz.gift": gift().replace("~zinc", "~{zinc}")}),
        NearMiss("Aiken without an ANSWER", {"quiz.txt": missing}),
        NearMiss("Aiken with a letter too far", {"quiz.txt": aiken().replace("R: C", "R: F")}),
        NearMiss("Aiken with a gap", {"quiz.txt": aiken().replace("C. ", "E. ")}),
        NearMiss("prose", {"notes.txt": "\n".join(PASSAGES)}),
        NearMiss("an empty file", {"quiz.csv": ""}),
        NearMiss("an empty folder", {"data/readme.md": "# Nothing yet\n"}, target="data"),
    ]  # fmt: skip


TABLE_MISSES = [*_other_tables(), *_answers_in_doubt(), *_columns_in_doubt(), *_quizzes()]
