"""Shares of tokens: those of a plain backward pass, by every architecture, of the text as read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hansproof import models
from hansproof.capabilities import Attributions
from hansproof.errors import BadInput, MissingExtra, ModelError
from hansproof.types import Item, Items
from tests.support import checkpoints, torch_models
from tests.support.checkpoints import BERT_LIKE, OTHERS, in_turn
from tests.support.markers import minilm_folder

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

EVERY = (*BERT_LIKE, *OTHERS)
ITEMS = checkpoints.items(5, 1, counts=(2, 3)) + checkpoints.alone(checkpoints.items(1, 2))
Fit = Callable[..., Any]

every = pytest.mark.parametrize("kind", in_turn(EVERY))


def fitted_to(source: Path, more: str = "") -> Any:
    """After a step or two, so that the head is not what it was drawn as."""
    spec = f"hf:source={source},epochs=1,rates=1e-3,device=cpu,precision=fp32"
    return models.load(spec + more).fit(ITEMS, (), 0)


@pytest.fixture(scope="module")
def fit(tmp_path_factory: pytest.TempPathFactory) -> Fit:
    """A fitted model of random weights, wide enough that every token matters."""

    def made(kind: str, more: str = "") -> Any:
        source = checkpoints.checkpoint(tmp_path_factory.mktemp(kind), kind, spread=0.2)
        return fitted_to(source, more)

    return cache(made)


class ByHand:
    """The module that a fitted model saves, its head, one sequence after the other."""

    def __init__(self, fitted: Any, folder: Path, kind: str) -> None:
        from safetensors.torch import load_file

        fitted.save(str(folder))
        auto = transformers.AutoModelForSeq2SeqLM if kind == "t5" else transformers.AutoModel
        self.module = auto.from_pretrained(folder, attn_implementation="eager").eval()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.head = load_file(folder / "head.safetensors")
        self.pooling, self.kind = fitted.base_model.pooling, kind

    def score(self, texts: Sequence[str], answers: Sequence[str] = ()) -> tuple[Any, Any]:
        """The score of a sequence, and the words' vectors it came from."""
        made = self.tokenizer(*texts, return_tensors="pt")
        grown: list[Any] = []

        def caught(module: Any, given: Any, out: Any) -> Any:
            if grown:  # the words of an answer, by the same table
                return out
            grown.append(out.detach().requires_grad_())
            return grown[0]

        where = self.module.get_input_embeddings()
        if self.kind == "bart":  # both halves read the words
            return self._bart(made)
        hook = where.register_forward_hook(caught)
        try:
            if answers:
                labels = [self.tokenizer(one, return_tensors="pt").input_ids for one in answers]
                x = where(made.input_ids)
                made = {"inputs_embeds": x, "attention_mask": made.attention_mask}
                said = [self.module(**made, labels=one).logits.log_softmax(2) for one in labels]
                each = [s.gather(2, one[:, :, None]).sum()
                        for s, one in zip(said, labels, strict=True)]  # fmt: skip
                return each[0] - (each[1] if len(each) > 1 else 0), grown[0]
            if "token_type_ids" in made and not getattr(self.module.config, "type_vocab_size", 0):
                del made["token_type_ids"]
            said = self.module(**made).last_hidden_state
        finally:
            hook.remove()
        return self._headed(said), grown[0]

    def _bart(self, made: Any) -> tuple[Any, Any]:
        table = self.module.get_input_embeddings()
        x = table(made.input_ids).detach().requires_grad_()
        start = table(torch.tensor([[self.module.config.decoder_start_token_id]])).detach()
        said = self.module(
            inputs_embeds=x, decoder_inputs_embeds=torch.cat([start, x[:, :-1]], 1)
        ).last_hidden_state
        return self._headed(said), x

    def _headed(self, said: Any) -> Any:
        ways = {"mean": said[0].mean(0), "first": said[0, 0], "last": said[0, -1]}
        return (ways[self.pooling] @ self.head["head.w"].T + self.head["head.b"])[0]


def texts_of(kind: str, item: Item) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What is read of each choice, by hand, and the answers that are scored."""
    goal = item.fields["goal"]
    if kind == "t5":
        few = len(item.choices) <= 2
        names = ("sol0", "sol1") if few else ("A", "B", "C")
        named = " ".join(f"{n}: {c}" for n, c in zip(names, item.choices, strict=False))
        prompt = f"piqa goal: {goal} {named}"
        said = ("False", "True") if few else names
        if len(item.choices) == 1:
            return [((prompt,), ("True", "False"))]
        return [((prompt,), (one,)) for one in said[: len(item.choices)]]
    if kind in ("gpt2", "llama"):
        return [((f"{goal} {choice}",), ()) for choice in item.choices]
    return [((goal, choice), ()) for choice in item.choices]


@every
def test_shares_are_those_of_a_plain_backward_pass(kind: str, fit: Fit, tmp_path: Path) -> None:
    """And the scores they are of are those that the model gives."""
    fitted = fit(kind)
    plain = ByHand(fitted, tmp_path / kind, kind)
    found, scores = fitted.gradients(ITEMS), fitted.score(ITEMS)
    for item, own, said in zip(ITEMS, found, scores, strict=True):
        asked = texts_of(kind, item)
        for (texts, answers), one, score in zip(asked, own, said, strict=True):
            y, x = plain.score(texts, answers)
            assert float(y.detach()) == pytest.approx(score, abs=1e-5)
            (grown,) = torch.autograd.grad(y, x)
            lengths = grown[0].norm(dim=1)
            assert one.texts == texts
            assert one.shares == pytest.approx((lengths / lengths.sum()).tolist(), abs=1e-5)
            assert sum(one.shares) == pytest.approx(1)


def test_beside_longer_sequences_they_are_what_they_are_alone(fit: Fit) -> None:
    """Also where places are counted from the padding."""
    for kind in ("roberta", "mpnet", "gpt2"):
        together = fit(kind).gradients(ITEMS)
        for item, own in zip(ITEMS, together, strict=True):
            (alone,) = fit(kind).gradients((item,))
            for one, other in zip(own, alone, strict=True):
                assert one.tokens == other.tokens
                assert one.shares == pytest.approx(other.shares, abs=1e-6)


def test_the_same_every_time_and_kept_the_same(fit: Fit, tmp_path: Path) -> None:
    fitted = fit("bert")
    before = torch.get_rng_state()
    found = fitted.gradients(ITEMS)
    assert torch.equal(torch.get_rng_state(), before)
    assert fitted.gradients(ITEMS) == found
    fitted.save(str(tmp_path / "kept"))
    kept = models.load(f"saved:source={tmp_path / 'kept'},device=cpu")
    for one, other in zip(kept.gradients(ITEMS), found, strict=True):
        assert [s.shares for s in one] == [pytest.approx(s.shares, abs=1e-6) for s in other]
    assert kept.gradients(()) == []


@pytest.mark.parametrize("pooling", ["first", "pooler", "mean", "last"])
def test_every_pooling_has_gradients(pooling: str, fit: Fit) -> None:
    """Scored both ways, or they would be refused."""
    for own in fit("bert", f",pooling={pooling}").gradients(ITEMS[:2]):
        assert all(sum(one.shares) == pytest.approx(1) for one in own)


def words(one: Attributions) -> list[str]:
    """What the tokens stand for."""
    return [one.texts[which][a:b] if which >= 0 else "" for which, a, b in one.tokens]


@every
def test_tokens_stand_where_they_were_read(kind: str, fit: Fit) -> None:
    """The tokenizer parts at blanks, and special tokens stand for no text."""
    for own in fit(kind).gradients(ITEMS[:3]):
        for one in own:
            read = [word for text in one.texts for word in text.replace(":", " :").split()]
            assert [word for word in words(one) if word] == read


def test_a_separator_within_a_text_is_a_special_token(fit: Fit) -> None:
    fitted = fit("gpt2", ",recipe=branco-gpt2,batches=8,length=40")
    item = ITEMS[0]
    (own,) = fitted.gradients((item,))
    for choice, one in zip(item.choices, own, strict=True):
        assert one.texts == (f"{item.fields['goal']}[SEP]{choice}",)
        assert [which for which, _, _ in one.tokens].count(-1) == 2  # and the end, which is scored
        assert [w for w in words(one) if w] == [*item.fields["goal"].split(), *choice.split()]


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5"])
def test_of_what_is_cut_the_text_as_read(kind: str, fit: Fit) -> None:
    """First fields lose their end, then choices that have no room by themselves."""
    fitted = fit(kind, ",length=16")
    long = replace(ITEMS[0], fields={"goal": " ".join(checkpoints.WORDS[:40])})
    longer = replace(ITEMS[0], choices=("w1", " ".join(checkpoints.WORDS[:40])))
    for item in (long, longer):
        (own,) = fitted.gradients((item,))
        coded = fitted.base_model.item_tokenizer.encode((item,))[0]
        for one, (ids, kinds) in zip(own, coded, strict=True):
            assert (
                len(one.shares) == len(one.tokens) == (kinds.count(0) if kind == "t5" else len(ids))
            )
            known = fitted.base_model.tokenizer.convert_ids_to_tokens(ids[: len(one.tokens)])
            assert [w or t for w, t in zip(words(one), known, strict=True)] == known
    assert all(len(one.texts[0]) < len(long.fields["goal"]) for one in fitted.gradients((long,))[0])


def test_parts_of_words_and_strange_signs_keep_their_places(tmp_path: Path) -> None:
    """Real pieces: each stands where its letters are, whatever the case and the script."""
    fitted = fitted_to(torch_models.encoder(tmp_path))
    item = Item("", {"q": "The WORD3 isnt\ud800 é"}, ("markb, word10?", "not"), 0)
    (own,) = fitted.gradients((item,))
    assert own[0].texts == ("The WORD3 isnt? é", "markb, word10?")
    assert [one.lower() for one in words(own[0]) if one][:2] == ["the", "word3"]
    assert "".join(words(own[0])).lower().replace(" ", "") == "theword3isnt?émarkb,word10?"


def test_integrated_gradients_are_complete(fit: Fit) -> None:
    """They sum to what the words add to the score, and padding and special tokens add nothing."""
    pytest.importorskip("captum")
    from hansproof.models._transformers.attribution import methods, scorers

    fitted = fit("bert")
    net = scorers.build_scorer(fitted)
    read = [
        one for each in fitted.base_model.item_tokenizer.encode_with_spans(ITEMS) for one in each
    ]
    batch = net.build_batch(read)
    x = net.embed(batch.ids)
    with torch.no_grad():
        ends = [
            net.scores(one, *batch.extra_inputs) for one in (net.mask_words(x, batch.is_word), x)
        ]
    found = methods.integrated_gradients(net, batch, 100, 2_048)
    assert found.sum((1, 2)).tolist() == pytest.approx((ends[1] - ends[0]).tolist(), abs=1e-3)
    assert not found[~batch.is_word].any()
    lengths = found.double().norm(dim=2)
    own = [one for some in fitted.gradients(ITEMS, "integrated", 100) for one in some]
    for one, row in zip(own, lengths / lengths.sum(1, keepdim=True), strict=True):
        assert one.shares == pytest.approx(row[: len(one.tokens)].tolist(), abs=1e-5)


@pytest.mark.parametrize("kind", ["mpnet", "llama", "t5"])
def test_occlusion_is_a_word_replaced(kind: str, fit: Fit) -> None:
    """By the token for padding, where the tokenizer has one: the same as another sequence."""
    pytest.importorskip("captum")
    fitted = fit(kind)
    item = ITEMS[0]
    (own,) = fitted.gradients((item,), "occlusion")
    coded = fitted.base_model.item_tokenizer.encode((item,))[0]
    weights = {name: one[None] for name, one in fitted.weights.items()}
    pad = (
        fitted.base_model.tokenizer.pad_token_id
        if kind != "llama"
        else fitted.base_model.architecture.pad
    )
    for one, (ids, kinds) in zip(own, coded, strict=True):
        texts = [at for at, (which, _, _) in enumerate(one.tokens) if which >= 0]
        others = [((*ids[:at], pad, *ids[at + 1 :]), kinds) for at in texts]
        (said, *changed) = fitted._score_batch(weights, [(ids, kinds), *others])
        moved = dict(zip(texts, (abs(said - other) for other in changed), strict=True))
        expected = [moved.get(at, 0.0) / sum(moved.values()) for at in range(len(one.tokens))]
        assert one.shares == pytest.approx(expected, abs=1e-4)


def test_without_captum_the_extra_is_named(fit: Fit, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "captum.attr", None)
    monkeypatch.setitem(sys.modules, "captum", None)
    with pytest.raises(MissingExtra, match=r"pip install 'hansproof\[gradients\]'"):
        fit("bert").gradients(ITEMS[:1], "integrated")
    assert fit("bert").gradients(ITEMS[:1])


def test_what_cannot_be_is_refused_in_a_line(fit: Fit, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = fit("bert")
    with pytest.raises(BadInput, match=r"method: is 'x', must be gradient or integrated"):
        fitted.gradients(ITEMS, "x")
    with pytest.raises(BadInput, match="steps: is 0, must be at least 1"):
        fitted.gradients(ITEMS, "integrated", 0)
    with pytest.raises(ModelError, match="training diverged"):
        replace(fitted, weights=None).gradients(ITEMS)
    monkeypatch.setattr(type(fitted.base_model.tokenizer), "is_fast", False)
    with pytest.raises(ModelError, match="does not report the positions of tokens"):
        fitted.gradients(ITEMS)


def test_a_module_that_scores_embeddings_otherwise_is_refused(
    fit: Fit, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hansproof.models._transformers.attribution import scorers

    plain = scorers.EmbeddingScorer.embed
    monkeypatch.setattr(scorers.EmbeddingScorer, "embed", lambda net, ids: -plain(net, ids))
    with pytest.raises(ModelError, match="BertModel: scores embeddings differently from words"):
        fit("bert").gradients(ITEMS)


@pytest.mark.parametrize("head", [math.nan, 0.0], ids=["no numbers", "hangs on nothing"])
def test_where_there_are_no_shares_they_are_nan(head: float, fit: Fit) -> None:
    fitted = fit("bert")
    weights = {**fitted.weights, "head.w": torch.full_like(fitted.weights["head.w"], head)}
    for own in replace(fitted, weights=weights).gradients(ITEMS[:2]):
        assert all(math.isnan(share) for one in own for share in one.shares)


def test_real_weights_look_at_what_a_backward_pass_says(tmp_path: Path) -> None:
    """MiniLM, as it is, over its own pieces of words."""
    items: Items = (Item("", {"premise": "The unhappily married woman left."},
                         ("She smiled.", "It rained cats."), 0),)  # fmt: skip
    fitted = models.load(f"hf:source={minilm_folder()},epochs=1,device=cpu").fit(items, (), 0)
    plain = ByHand(fitted, tmp_path, "bert")
    for choice, one, score in zip(
        items[0].choices, fitted.gradients(items)[0], fitted.score(items)[0], strict=True
    ):
        y, x = plain.score((items[0].fields["premise"], choice))
        lengths = torch.autograd.grad(y, x)[0][0].norm(dim=1)
        assert float(y.detach()) == pytest.approx(score, abs=1e-5)
        assert one.shares == pytest.approx((lengths / lengths.sum()).tolist(), abs=1e-5)
        read = (items[0].fields["premise"] + choice).replace(" ", "")
        assert "".join(words(one)) == read
        assert len(words(one)) > len(one.texts[0].split()) + len(choice.split()) + 5  # pieces
