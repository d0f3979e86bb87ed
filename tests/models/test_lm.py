"""Likelihoods of a causal language model, beside plain transformers one text at a time."""

from __future__ import annotations

import random
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hansproof import models, views
from hansproof.errors import BadInput, ModelError
from hansproof.models._transformers import likelihood
from hansproof.models.lm import BlindLikelihood, Lm
from hansproof.prompts import formats
from hansproof.types import Item, Items
from tests.support import model_factories, torch_models

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

CAUSE = Item(
    "", {"premise": "The cup fell."}, ("It was full.", "I'm tired."), 0, meta={"asks_for": "cause"}
)
EFFECT = Item(
    "", {"premise": " I fell. "}, ("TV was on.", "A cat ran "), 0, meta={"asks_for": "effect"}
)
ARCT = Item("", {"claim": "Cars are bad", "reason": "They smell."}, ("Smells are bad", "Not so"), 0)
ARC = Item("", {"question": "What is wet?"}, ("water", "Fire", "a stone"), 0)
BLIND = Item("", {}, ("water", "Fire"), 0)
BLANK = Item("", {"question": "What is wet?"}, ("", ""), 0)

# every format, as it is read and as it is scored
CONTINUATIONS = {
    "cause": (CAUSE, [
        ("The cup fell because", " it was full."),
        ("The cup fell because", " I'm tired."),
    ]),
    "effect": (EFFECT, [("I fell so", " TV was on."), ("I fell so", " a cat ran")]),
    "arct": (ARCT, [
        ("Claim: Cars are bad\nReason: They smell.\nAssumption:", " Smells are bad"),
        ("Claim: Cars are bad\nReason: They smell.\nAssumption:", " Not so"),
    ]),
    "arc": (ARC, [
        ("Question: What is wet?\nAnswer:", " water"),
        ("Question: What is wet?\nAnswer:", " Fire"),
        ("Question: What is wet?\nAnswer:", " a stone"),
    ]),
    "blind": (BLIND, [("Answer:", " water"), ("Answer:", " Fire")]),
    "blank": (BLANK, [("Question: What is wet?\nAnswer:", "")] * 2),
}  # fmt: skip
NEUTRAL = {
    "cause": "because", "effect": "so", "arct": "Assumption:", "arc": "Answer:", "blind": "Answer:",
    "blank": "Answer:",
}  # fmt: skip
LETTERS = {
    "cause": "Question: The cup fell. What was the cause of this?\n"
    "A. It was full.\nB. I'm tired.\nAnswer:",
    "effect": "Question: I fell. What happened as a result?\nA. TV was on.\nB. A cat ran\nAnswer:",
    "arct": "Claim: Cars are bad\nReason: They smell.\nQuestion: Which assumption is made?\n"
    "A. Smells are bad\nB. Not so\nAnswer:",
    "arc": "Question: What is wet?\nA. water\nB. Fire\nC. a stone\nAnswer:",
    "blind": "A. water\nB. Fire\nAnswer:",
    "blank": "Question: What is wet?\nA.\nB.\nAnswer:",
}
YES_AND_NO = {
    "arc": "Question: What is wet?\nProposed answer: water\nIs this right?\nAnswer:",
    "blind": "Proposed answer: water\nIs this right?\nAnswer:",
}
ITEMS = tuple(item for item, _ in CONTINUATIONS.values())


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return torch_models.causal(tmp_path_factory.mktemp("gpt2"))


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """What one test has read, another reads again."""
    likelihood._load_cached.cache_clear()
    yield
    likelihood._load_cached.cache_clear()


def plainly(folder: Path, prompt: str, said: str) -> float:
    """One text by itself, with the loss that transformers works out."""
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    first, second = (tokenizer(text)["input_ids"] for text in (prompt, said))
    if not second:
        return 0.0
    with torch.inference_mode():
        loss = model(
            input_ids=torch.tensor([first + second]),
            labels=torch.tensor([[-100] * len(first) + second]),
        ).loss
    return -float(loss) * len(second)


def length(folder: Path, said: str) -> int:
    return len(transformers.AutoTokenizer.from_pretrained(folder)(said)["input_ids"])


def test_the_formats_are_these() -> None:
    for name, (item, pairs) in CONTINUATIONS.items():
        prompts = [formats.continuation_prompt(item, choice) for choice in item.choices]
        assert [prompt.pair for prompt in prompts] == pairs
        assert [prompt.neutral for prompt in prompts] == [(NEUTRAL[name], s) for _, s in pairs]
        letters = [f" {letter}" for letter in "ABC"][: len(pairs)]
        assert formats.letter_pairs(item) == tuple((LETTERS[name], letter) for letter in letters)
    for name, prompt in YES_AND_NO.items():
        item = CONTINUATIONS[name][0]
        assert formats.yes_no_pairs(item, item.choices[0]) == (
            (prompt, " yes"),
            (prompt, " no"),
        )


@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("I went.", "I went."), ("I.", "I."), ("I'd go.", "I'd go."), ("It is.", "it is."),
        ("A man.", "a man."), ("FBI men.", "FBI men."), ("Éva left.", "éva left."), ("", ""),
    ],
)  # fmt: skip
def test_a_choice_goes_on_small(text: str, small: str) -> None:
    assert formats._lower_first(text) == small


def test_more_choices_than_letters() -> None:
    with pytest.raises(ModelError, match="an item has 27 choices"):
        formats.letter_pairs(Item("", {}, ("x",) * 27, 0))


@pytest.mark.parametrize("batch", [1, 3, 16])
def test_likelihoods_are_those_of_plain_transformers(gpt2: Path, batch: int) -> None:
    found = Lm(str(gpt2), batch=batch, device="cpu").score(ITEMS)
    for row, (_, pairs) in zip(found, CONTINUATIONS.values(), strict=True):
        assert row == pytest.approx([plainly(gpt2, *pair) for pair in pairs], rel=1e-5)
    assert found[-1] == (0.0, 0.0)  # an empty choice is certain


def test_by_token_and_by_byte(gpt2: Path) -> None:
    by = {
        name: models.load(f"lm:source={gpt2},score_by={name},device=cpu").score(ITEMS)
        for name in ("sum", "token", "byte")
    }
    for at, (item, pairs) in enumerate(CONTINUATIONS.values()):
        tokens = [max(length(gpt2, said), 1) for _, said in pairs]
        sizes = [max(len(choice.strip().encode()), 1) for choice in item.choices]
        assert by["token"][at] == tuple(a / b for a, b in zip(by["sum"][at], tokens, strict=True))
        assert by["byte"][at] == tuple(a / b for a, b in zip(by["sum"][at], sizes, strict=True))


def test_what_the_question_adds(gpt2: Path) -> None:
    found = Lm(str(gpt2), "pmi", device="cpu").score(ITEMS)
    for name, row in zip(CONTINUATIONS, found, strict=True):
        _, pairs = CONTINUATIONS[name]
        added = [plainly(gpt2, *pair) - plainly(gpt2, NEUTRAL[name], pair[1]) for pair in pairs]
        assert row == pytest.approx(added, abs=1e-4)
    assert found[4] == (0.0, 0.0)  # without a question it adds nothing


def test_letters(gpt2: Path) -> None:
    found = Lm(str(gpt2), "letters", device="cpu").score(ITEMS)
    for name, row in zip(CONTINUATIONS, found, strict=True):
        letters = [plainly(gpt2, LETTERS[name], f" {letter}") for letter in "ABC"[: len(row)]]
        assert row == pytest.approx(letters, rel=1e-5)


@pytest.mark.parametrize("view", ["full/alone", "choices/alone"])
def test_one_choice_is_asked_about(gpt2: Path, view: str) -> None:
    seen = views.apply_view(views.parse_view(view, ("question",)), (ARC,))
    found = Lm(str(gpt2), "letters", device="cpu").score(seen)
    prompt = YES_AND_NO["arc" if view == "full/alone" else "blind"]
    margin = plainly(gpt2, prompt, " yes") - plainly(gpt2, prompt, " no")
    assert found[0][0] == pytest.approx(margin, abs=1e-4)
    assert [len(row) for row in found] == [1, 1, 1]


def test_a_text_is_scored_alike_in_any_company(gpt2: Path) -> None:
    items = model_factories.items(12, 5)
    together = Lm(str(gpt2), device="cpu").score(items)
    for at, item in enumerate(items):
        likelihood._load_cached.cache_clear()
        alone = Lm(str(gpt2), device="cpu", batch=1).score((item,))
        assert alone[0] == pytest.approx(together[at], rel=1e-6)


def counted(gpt2: Path, score_by: str, items: Items, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts stood in each batch that the model ran."""
    sizes: list[int] = []
    plain = likelihood._next_token_logits

    def count(model: Any, part: Any, first: int) -> Any:
        sizes.append(len(part))
        return plain(model, part, first)

    lm = models.load(f"lm:source={gpt2},score_by={score_by},device=cpu")
    lm.score(())
    likelihood.load_scorer(str(gpt2), "cpu")
    monkeypatch.setattr(likelihood, "_next_token_logits", count)
    lm.score(items)
    lm.score(items)
    return sizes


def test_a_text_is_read_once(gpt2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever of it is scored, and however often."""
    assert counted(gpt2, "sum", (ARC, ARC), monkeypatch) == [3]
    assert counted(gpt2, "token", (ARC,), monkeypatch) == []  # known from the line above


def test_choices_without_a_question_are_reported_by_the_batch(gpt2: Path) -> None:
    batches: list[dict[str, BlindLikelihood]] = []
    texts = ("water", " water ", "a stone", "", "water")
    found = Lm(str(gpt2), "pmi", batch=1, device="cpu").score_choices(
        texts, lambda batch: batches.append({**batch})
    )
    assert [*found] == ["water", " water ", "a stone", ""]
    assert [{*batch} for batch in batches] == [{"water", " water "}, {"a stone"}]
    assert found["water"][0] == pytest.approx(plainly(gpt2, "Answer:", " water"), rel=1e-5)
    assert found["water"].tokens == length(gpt2, " water")
    assert found[""] == (0.0, 0, False)


def test_all_letters_are_one_reading(gpt2: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert counted(gpt2, "letters", (ARC, ARC), monkeypatch) == [1]


def test_what_is_too_long_loses_its_beginning_and_is_counted(tmp_path: Path) -> None:
    folder = torch_models.causal(tmp_path / "short", places=24)
    long = Item("", {"question": "word1 " * 40}, ("mark", "not"), 0)
    with pytest.warns(UserWarning, match="2 of 5 texts were too long") as said:
        found = Lm(str(folder), device="cpu").score((BLIND, BLIND, ARC_SHORT, long))
    assert len(said) == 1
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    prompt, said_of_it = formats.continuation_prompt(long, "mark").pair
    first, second = tokenizer(prompt)["input_ids"], tokenizer(said_of_it)["input_ids"]
    kept = (first + second)[-25:]  # the last one is not read
    with torch.inference_mode():
        logs = model(torch.tensor([kept[:-1]])).logits[0].log_softmax(1)
    summed = sum(float(logs[at - 1, kept[at]]) for at in range(25 - len(second), 25))
    assert found[3][0] == pytest.approx(summed, rel=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Lm(str(folder), device="cpu").score((BLIND,))


ARC_SHORT = Item("", {"question": "is"}, ("a",), 0)


def test_a_choice_too_long_by_itself_is_still_a_number(tmp_path: Path) -> None:
    folder = torch_models.causal(tmp_path / "short", places=24)
    with pytest.warns(UserWarning, match="1 of 2 texts"):
        found = Lm(str(folder), "token", device="cpu").score(
            (Item("", {}, ("word1 " * 40, "a"), 0),)
        )
    assert found[0][0] < 0


def test_the_token_for_the_beginning_is_there_where_the_tokenizer_puts_it(
    gpt2: Path, tmp_path: Path
) -> None:
    from tokenizers.processors import TemplateProcessing

    copy = tmp_path / "copy"
    shutil.copytree(gpt2, copy)
    tokenizer = transformers.AutoTokenizer.from_pretrained(copy)
    tokenizer.bos_token = "<end>"
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<end> $A", special_tokens=[("<end>", 0)]
    )
    tokenizer.save_pretrained(copy)
    prompt, said = CONTINUATIONS["arc"][1][0]
    assert Lm(str(copy), device="cpu").score((ARC,))[0][0] == pytest.approx(
        plainly(gpt2, f"<end>{prompt}", said), rel=1e-5
    )
    assert Lm(str(gpt2), device="cpu").score((ARC,))[0][0] == pytest.approx(
        plainly(gpt2, prompt, said), rel=1e-5
    )


def test_with_nothing_to_read_the_end_stands_for_the_beginning(gpt2: Path) -> None:
    found = likelihood.load_scorer(str(gpt2), "cpu").score_pairs([("", "mark")], 1)
    assert found["", "mark"].log == pytest.approx(plainly(gpt2, "<end>", "mark"), rel=1e-5)


def test_tokens_over_the_seam_belong_to_what_is_scored(gpt2: Path) -> None:
    """`wo` and `rd1` are tokens of their own only when apart."""
    reader = likelihood.load_scorer(str(gpt2), "cpu")
    whole = reader._tokenize("the word1")
    row = reader._tokenize_pair("the wo", "rd1")
    assert row.tokens == whole
    assert row.start == len(reader._tokenize("the"))


def test_a_model_that_looks_ahead_is_refused(tmp_path: Path) -> None:
    folder = torch_models.encoder(tmp_path / "bert")
    config = transformers.AutoConfig.from_pretrained(folder)
    transformers.BertLMHeadModel(config).save_pretrained(folder)
    with pytest.raises(ModelError, match="uses later tokens"):
        Lm(str(folder), device="cpu").score((ARC,))


def test_pickled_weights_are_refused(gpt2: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(gpt2, copy)
    torch.save({}, copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"only pytorch_model\.bin, which could run code"):
        Lm(str(copy)).score((ARC,))
    with pytest.raises(ModelError, match="only pytorch_model"):
        Lm(str(copy)).materials()


def test_what_must_be_given() -> None:
    with pytest.raises(ModelError, match="name a pretrained model"):
        Lm().score((ARC,))
    with pytest.raises(BadInput, match="batch: is 0"):
        models.load("lm:batch=0")
    with pytest.raises(BadInput, match="must be sum or token or byte or pmi or letters"):
        models.load("lm:score_by=mean")


def test_half_precision_is_read_in_single(gpt2: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(gpt2, copy)
    half = transformers.AutoModelForCausalLM.from_pretrained(copy, dtype=torch.bfloat16)
    half.save_pretrained(copy)
    prompt, said = CONTINUATIONS["arc"][1][0]
    found = Lm(str(copy), device="cpu").score((ARC,))[0][0]
    assert found == pytest.approx(plainly(copy, prompt, said), rel=1e-5)


def test_letters_go_by_position_and_likelihoods_do_not(gpt2: Path) -> None:
    """The documented exception: what is scored of a choice is where it stands."""
    order = list(ARC.choices)
    random.Random(0).shuffle(order)
    turned = Item("", ARC.fields, tuple(order), 0)
    by_choice = Lm(str(gpt2), device="cpu").score((ARC, turned))
    assert dict(zip(ARC.choices, by_choice[0], strict=True)) == dict(
        zip(order, by_choice[1], strict=True)
    )
    same = Item("", {}, ("x", "x"), 0)
    (row,) = Lm(str(gpt2), "letters", device="cpu").score((same,))
    assert row[0] != row[1]
