"""What pretrained models read, token by token: every published format, in every view."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from hansproof import views
from hansproof.pretrained import input_formats
from hansproof.types import Item
from tests.support import checkpoints

pytest.importorskip("torch")
pytest.importorskip("transformers")

ITEMS = {
    "effect": Item(
        "", {"premise": "I poured water on him."}, ("He awoke.", "He snored."), 0,
        meta={"asks_for": "effect"},
    ),
    "cause": Item(
        "", {"premise": "My body cast a shadow."}, ("It rained.", "The sun rose."), 1,
        meta={"asks_for": "cause"},
    ),
    "arct": Item(
        "", {"claim": "Google is no monopoly", "reason": "People can choose."},
        ("Others lead to it", "Others do not"), 1,
    ),
    "arc": Item(
        "", {"question": "Which gas do plants breathe?"}, ("oxygen", "helium", "carbon dioxide"), 2
    ),
    "piqa": Item("", {"goal": "Keep it cold."}, ("Add salt.", "Add ice."), 1),
}  # fmt: skip
PROMPTS = (
    "arct claim reason warrant0 warrant1 piqa goal sol0 sol1 arc csqa question copa premise asks "
    "for cause effect choose A B C : True False"
)
# by item and view: what is read for the last choice
Table = dict[str, dict[str, str]]

BERT_COPA: Table = {  # Kavumba et al. 2019: the cause comes first
    "effect": {
        "full": "[CLS] I poured water on him . [SEP] He snored . [SEP]",
        "choices": "[CLS] He snored . [SEP]",
        "premise": "[CLS] I poured water on him . [SEP] [SEP]",
        "choices/alone": "[CLS] He snored . [SEP]",
        "full/alone": "[CLS] I poured water on him . [SEP] He snored . [SEP]",
    },
    "cause": {
        "full": "[CLS] The sun rose . [SEP] My body cast a shadow . [SEP]",
        "choices": "[CLS] The sun rose . [SEP]",
        "premise": "[CLS] [SEP] My body cast a shadow . [SEP]",
        "choices/alone": "[CLS] The sun rose . [SEP]",
        "full/alone": "[CLS] The sun rose . [SEP] My body cast a shadow . [SEP]",
    },
}
BERT_ARCT: Table = {  # Niven and Kao 2019: sentences, against the warrant
    "arct": {
        "full": "[CLS] Google is no monopoly . People can choose . [SEP] Others do not [SEP]",
        "reason+choices": "[CLS] People can choose . [SEP] Others do not [SEP]",
        "claim+choices": "[CLS] Google is no monopoly . [SEP] Others do not [SEP]",
        "choices": "[CLS] Others do not [SEP]",
        "claim+reason": "[CLS] Google is no monopoly . People can choose . [SEP] [SEP]",
        "claim": "[CLS] Google is no monopoly . [SEP] [SEP]",
        "reason": "[CLS] People can choose . [SEP] [SEP]",
        "choices/alone": "[CLS] Others do not [SEP]",
        "full/alone": "[CLS] Google is no monopoly . People can choose . [SEP] Others do not [SEP]",
    }
}
ROBERTA_COPA: Table = {
    "effect": {
        "full": "<s> I poured water on him . He snored . </s>",
        "choices": "<s> He snored . </s>",
        "premise": "<s> I poured water on him . </s>",
        "choices/alone": "<s> He snored . </s>",
    },
    "cause": {
        "full": "<s> The sun rose . My body cast a shadow . </s>",
        "choices": "<s> The sun rose . </s>",
        "premise": "<s> My body cast a shadow . </s>",
        "choices/alone": "<s> The sun rose . </s>",
    },
}
ALBERT_COPA: Table = {
    item: {
        view: text.replace("<s>", "[CLS]").replace("</s>", "[SEP]") for view, text in own.items()
    }
    for item, own in ROBERTA_COPA.items()
}
RANKING: Table = {  # Branco et al. 2021: claim, warrant, reason
    "arct": {
        "full": "<s> Google is no monopoly </s> Others do not </s> People can choose . </s>",
        "claim+choices": "<s> Google is no monopoly </s> Others do not </s>",
        "reason+choices": "<s> Others do not </s> People can choose . </s>",
        "choices": "<s> Others do not </s>",
        "claim+reason": "<s> Google is no monopoly </s> </s> People can choose . </s>",
        "claim": "<s> Google is no monopoly </s> </s>",
        "reason": "<s> </s> People can choose . </s>",
        "choices/alone": "<s> Others do not </s>",
    },
    "arc": {
        "full": "<s> Which gas do plants breathe ? </s> carbon dioxide </s>",
        "choices": "<s> carbon dioxide </s>",
        "question": "<s> Which gas do plants breathe ? </s> </s>",
        "choices/alone": "<s> carbon dioxide </s>",
    },
    "piqa": {
        "full": "<s> Keep it cold . </s> Add ice . </s>",
        "choices": "<s> Add ice . </s>",
        "goal": "<s> Keep it cold . </s> </s>",
        "choices/alone": "<s> Add ice . </s>",
    },
}


def _as_gpt2(text: str) -> str:
    """No frame, a separator that was added, and an end that was added and is scored."""
    inner = text.removeprefix("<s> ").removesuffix("</s>")
    return inner.replace("</s>", "[SEP]") + "[CLS]"


GPT2: Table = {
    item: {view: _as_gpt2(text) for view, text in own.items()} for item, own in RANKING.items()
}
WARRANTS = "warrant0 : Others lead to it warrant1 : Others do not"
GASES = "A : oxygen B : helium C : carbon dioxide"
T5: Table = {  # one prompt with all choices, and the answer
    "arct": {
        "full": f"arct claim : Google is no monopoly reason : People can choose . {WARRANTS}"
        " </s> > True </s>",
        "claim+choices": f"arct claim : Google is no monopoly {WARRANTS} </s> > True </s>",
        "reason+choices": f"arct reason : People can choose . {WARRANTS} </s> > True </s>",
        "choices": "choose : A : Others lead to it B : Others do not </s> > B </s>",
        "claim": "arct claim : Google is no monopoly warrant0 : warrant1 : </s> > True </s>",
        "choices/alone": "choose : A : Others do not </s> > True </s> > False </s>",
        "claim+choices/alone": "arct claim : Google is no monopoly warrant0 : Others do not </s>"
        " > True </s> > False </s>",
    },
    "arc": {
        "full": f"arc : question : Which gas do plants breathe ? {GASES} </s> > C </s>",
        "choices": f"choose : {GASES} </s> > C </s>",
        "question": "arc : question : Which gas do plants breathe ? A : B : C : </s> > C </s>",
        "choices/alone": "choose : A : carbon dioxide </s> > True </s> > False </s>",
    },
    "piqa": {
        "full": "piqa goal : Keep it cold . sol0 : Add salt . sol1 : Add ice . </s> > True </s>",
        "choices": "choose : A : Add salt . B : Add ice . </s> > B </s>",
        "goal": "piqa goal : Keep it cold . sol0 : sol1 : </s> > True </s>",
    },
    "cause": {
        "full": "copa : premise : My body cast a shadow . asks for : cause A : It rained ."
        " B : The sun rose . </s> > B </s>",
    },
}
FORMATS = (
    ("bert", "pair", BERT_COPA),
    ("bert", "pair", BERT_ARCT),
    ("roberta", "joined", ROBERTA_COPA),
    ("albert", "joined", ALBERT_COPA),
    ("roberta", "ranking", RANKING),
    ("bart", "ranking", RANKING),
    ("gpt2", "ranking", GPT2),
    ("t5", "ranking", T5),
    ("t5", "pair", T5),
)
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Open:
    """A checkpoint of some architecture that knows the words of the items."""
    from hansproof.models import _architectures
    from hansproof.pretrained.checkpoint import fingerprint

    texts = [t for item in ITEMS.values() for t in (*item.fields.values(), *item.choices)]
    words = [*PROMPTS.split(), *(word for text in texts for word in re.findall(r"\w+|\W", text))]

    @cache
    def made(kind: str) -> str:
        folder = tmp_path_factory.mktemp(kind)
        return str(checkpoints.checkpoint(folder, kind, words=[w for w in words if w.strip()]))

    def open(kind: str, inputs: str, length: int = 0, task: str = "") -> Any:
        way = _architectures.InputFormat("auto", inputs, length, 0.0, task)
        return _architectures.load_model(made(kind), fingerprint(made(kind)), way)

    return open


def read(open: Any, item: Item, view: str) -> tuple[str, tuple[int, ...]]:
    """The tokens for the last choice, and their segments; in a prompt > parts what is answered."""
    shown = views.apply_view(views.parse_view(view, tuple(item.fields)), (item,), answers=False)
    ids, kinds = open.item_tokenizer.encode(shown)[-1][-1]
    tokens = open.tokenizer.convert_ids_to_tokens(ids)
    if open.item_tokenizer.uses_prompts:
        at = [n for n in range(1, len(kinds)) if kinds[n] != kinds[n - 1]]
        tokens = [f"> {token}" if n in at else token for n, token in enumerate(tokens)]
    return " ".join(tokens), kinds


@pytest.mark.parametrize(("kind", "inputs", "table"), FORMATS)
def test_a_format_is_the_published_one(kind: str, inputs: str, table: Table, opened: Open) -> None:
    open = opened(kind, inputs)
    for name, own in table.items():
        for view, expected in own.items():
            assert read(open, ITEMS[name], view)[0] == expected, (name, view)


def test_what_is_asked_shows_in_the_order_also_with_separators(opened: Open) -> None:
    """COPA was not ranked so in any paper; without an order cause and effect would look alike."""
    open = opened("roberta", "ranking")
    assert read(open, ITEMS["effect"], "full")[0].endswith("him . </s> He snored . </s>")
    assert read(open, ITEMS["cause"], "full")[0].startswith("<s> The sun rose . </s> My body")


def test_the_second_segment_is_told_from_the_first(opened: Open) -> None:
    """For BERT; of one segment, and for networks that know one, all tokens are of the first."""
    for name, own in (BERT_COPA | BERT_ARCT).items():
        for view in own:
            text, kinds = read(opened("bert", "pair"), ITEMS[name], view)
            tokens = text.split()
            first = tokens.index("[SEP]") + 1
            assert kinds == (0,) * first + (1,) * (len(tokens) - first)
    for kind, inputs in (("albert", "joined"), ("roberta", "ranking"), ("gpt2", "ranking")):
        _, kinds = read(opened(kind, inputs), ITEMS["arct"], "full")
        assert set(kinds) == {0}


def test_roberta_parts_two_segments_its_own_way(opened: Open) -> None:
    text, kinds = read(opened("roberta", "pair"), ITEMS["effect"], "full")
    assert text == "<s> I poured water on him . </s> </s> He snored . </s>"
    assert set(kinds) == {0}


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_who_knows_no_separator_reads_two_segments_as_one(kind: str, opened: Open) -> None:
    text, _ = read(opened(kind, "pair"), ITEMS["cause"], "full")
    assert text.removeprefix("<s> ") == "The sun rose . My body cast a shadow ."


def test_a_prompt_may_begin_with_another_word(opened: Open) -> None:
    text, _ = read(opened("t5", "pair", task="csqa"), ITEMS["arc"], "full")
    assert text == f"csqa : question : Which gas do plants breathe ? {GASES} </s> > C </s>"


def test_answers_of_two_numbered_choices_are_false_and_true(opened: Open) -> None:
    for name, said in (("piqa", "False True"), ("arct", "False True"), ("arc", "A B C")):
        coded = opened("t5", "pair").item_tokenizer.encode((ITEMS[name],))[0]
        for (ids, kinds), answer in zip(coded, said.split(), strict=True):
            answered = [one for one, kind in zip(ids, kinds, strict=True) if kind == 1]
            tokens = opened("t5", "pair").tokenizer.convert_ids_to_tokens(answered)
            assert tokens == [answer, "</s>"]


def test_a_separator_stands_without_blanks() -> None:
    choose = input_formats.ranking_format("</s>")
    arct, piqa = ITEMS["arct"], ITEMS["piqa"]
    assert choose(arct, "W") == ("Google is no monopoly</s>W</s>People can choose.",)
    assert choose(piqa, "W") == ("Keep it cold.</s>W",)
    assert choose(Item("", {}, ("W",), 0), "W") == ("W",)


def test_a_full_stop_is_added_where_there_is_none() -> None:
    item = Item("", {"reason": " So it is. ", "claim": "It is"}, ("W",), 0)
    assert input_formats.format_pair(item, "W") == ("It is. So it is.", "W")
    assert input_formats.format_pair(Item("", {"claim": ""}, ("W",), 0), "W") == ("", "W")


def test_prompts_are_worded_as_published() -> None:
    assert input_formats.text_to_text_prompt(ITEMS["arct"]) == (
        "arct claim: Google is no monopoly reason: People can choose. "
        "warrant0: Others lead to it warrant1: Others do not",
        ("False", "True"),
    )
    assert input_formats.text_to_text_prompt(ITEMS["piqa"]) == (
        "piqa goal: Keep it cold. sol0: Add salt. sol1: Add ice.",
        ("False", "True"),
    )
    assert input_formats.text_to_text_prompt(ITEMS["arc"], "csqa") == (
        "csqa: question: Which gas do plants breathe? A: oxygen B: helium C: carbon dioxide",
        ("A", "B", "C"),
    )


@pytest.mark.parametrize(
    ("kind", "inputs", "length", "expected"),
    [
        ("bert", "pair", 8, "[CLS] I poured [SEP] He snored . [SEP]"),
        ("roberta", "joined", 6, "<s> I He snored . </s>"),
        ("gpt2", "ranking", 5, "[SEP] He snored . [CLS]"),
        ("gpt2", "ranking", 3, "[SEP] He [CLS]"),
        ("t5", "pair", 7, "copa : premise : asks > B </s>"),
    ],
)
def test_what_is_too_long_is_cut_but_never_what_is_scored(
    kind: str, inputs: str, length: int, expected: str, opened: Open
) -> None:
    """Fields are cut first, then the choice; the end that is scored and the answer stay."""
    open = opened(kind, inputs, length)
    text, kinds = read(open, ITEMS["effect"], "full")
    assert text == expected
    assert len(kinds) == length
    assert open.item_tokenizer.cut_texts == {*open.item_tokenizer.choice_texts(ITEMS["effect"])}


def test_all_choices_of_an_item_have_the_same_question(opened: Open) -> None:
    """Though only one of them is so long that it had to be cut, whatever was read before."""
    open = opened("bert", "pair", 13)
    long = replace(ITEMS["effect"], choices=("He snored.", "He snored. He snored. He"))
    for _ in range(2):
        open.item_tokenizer.encode((ITEMS["effect"],))
        first, second = open.item_tokenizer.encode((long,))[0]
        questions = [ids[: ids.index(open.tokenizer.sep_token_id)] for ids, _ in (first, second)]
        assert questions[0] == questions[1]
        assert len(second[0]) == 13


def test_what_just_fits_is_not_cut(opened: Open) -> None:
    open = opened("bert", "pair", 12)
    text, kinds = read(open, ITEMS["effect"], "full")
    assert (len(kinds), len(open.item_tokenizer.cut_texts)) == (12, 0)
    assert text == BERT_COPA["effect"]["full"]


def test_no_limit_is_what_the_network_has_room_for(opened: Open) -> None:
    """Positions of RoBERTa begin after that of its padding."""
    expected = {"bert": 64, "roberta": 62, "gpt2": 64, "bart": 64, "t5": 512}
    assert {kind: opened(kind, "pair").item_tokenizer.length for kind in expected} == expected
    assert opened("bert", "pair", 999).item_tokenizer.length == 64
