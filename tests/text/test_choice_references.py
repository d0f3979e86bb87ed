from __future__ import annotations

import pytest

from hansproof import load
from hansproof.text.choice_references import find_choice_references

from ..support.log_factories import data_path
from ..support.markers import needs_data


@pytest.mark.parametrize(
    "choice",
    [
        "All of the above", "ALL of the above.", "none of above.", "None of the above, aid fails",
        "Moons contribute to all of the above.", "To achieve all the functions listed above",
        "Any one or combinations of the above methods", "all of below.", "Nither of above.",
        "All of these", "None of these.", "Neither of these", "All of these questions",
        "All of these, although radiation is greatest", "none of these because it is wrong",
        "All of these options.", "All of the options given are correct", "No correct answer",
        "None of the other choices", "Both", "Neither.", "Both of the statements are correct",
        "both A and B", "Both (a) and (b).", "neither A nor C", "Either a or b", "A and D",
        "A, B and C", "A B and C", "A, B, and C only", "a. and c. above",
        "(A) and (B) both in the same way.",
        "A but not B", "Both 2 and 3.", "options 1 and 3", "Option B", "the first two",
        "The last two options are correct", "the first and the third", "Same as the above",
        "The above are all wrong", "A, B", "A/B", "Only A", "A only", "Same as B",
        "Alle oben genannten", "Keine der Antworten", "Todas las anteriores",
        "Ninguna de las anteriores", "Toutes les réponses ci-dessus", "Aucune de ces réponses",
        "Tutte le precedenti", "Nenhuma das alternativas", "Все вышеперечисленное",
        "Żadne z powyższych", "Hiçbiri", "Tất cả đáp án trên", "以上都是", "以上皆非",
        "上記のすべて", "위의 모두", "كل ما سبق", "उपर्युक्त सभी", "इनमें से कोई नहीं",
    ],
)  # fmt: skip
def test_references(choice: str) -> None:
    assert find_choice_references(("a river", "a lake", "a sea", choice)) == (3,)


@pytest.mark.parametrize(
    "choice",
    [
        "above sea level", "It fell below average", "94% or above.", "I and II only", "Only (II)",
        "All of these theories are merely speculation", "Most of these birds are 13 cm tall",
        "all of the measurements will be exactly the same", "None of the pairs are unifiable",
        "None", "All of them", "both gravity and magnetism", "Both are renewable.",
        "both a molten core and fast rotation", "Vitamin A and D", "1 and 2", "1, 2, or 3",
        "The a and c coefficients significant", "Counterexample when A and B are true",
        "E and F", "alle Tiere", "todas las semanas", "Vitamin A, B12", "Type A", "I only",
        "answer a question.", "It is the healthiest choice available.", "[1, 2]",
        "the first four planets are aligned", "They remember all the answers.", "a/b", "",
        "He says that you should have read the rules before and then tells her all of the above",
    ],
)  # fmt: skip
def test_near_misses(choice: str) -> None:
    assert find_choice_references(("a river", "a lake", "a sea", choice)) == ()


def test_letters_of_statements_in_the_question_are_not_places() -> None:
    assert find_choice_references(("A only", "B only", "Both A and B", "Neither A nor B")) == ()
    assert find_choice_references(("A and B", "B and C", "A and C", "It is unknown")) == ()
    assert find_choice_references(("1", "2", "Both 1 and 2", "It is unknown")) == ()


@needs_data
@pytest.mark.parametrize(
    ("path", "n_items"),
    [
        ("mmlu_redux/mmlu_virology.csv", 11),
        ("benchmarker/MMLU_Pro_test.jsonl", 17),
        ("benchmarker/MMLU_Pro_train.jsonl", 17),
        ("benchmarker/HellaSwag_test.jsonl", 0),
        ("benchmarker/truthful_qa_test.jsonl", 0),
        ("arc/ARC-Challenge-Test.jsonl", 0),
        ("csqa/dev_rand_split.jsonl", 0),
    ],
)
def test_references_in_real_benchmarks(path: str, n_items: int) -> None:
    ((_, items),) = load(data_path(*path.split("/"))).splits.items()
    assert sum(bool(find_choice_references(item.choices)) for item in items) == n_items
