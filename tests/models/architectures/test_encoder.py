"""Packed encoders against the modules of transformers: the same function of the same weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support import checkpoints
from tests.support.checkpoints import BERT_LIKE

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
encoder = pytest.importorskip("hansproof.models._architectures.encoder")
bert_like = pytest.importorskip("hansproof.models._architectures.bert_like")
packing = pytest.importorskip("hansproof.training.packing")

KINDS = (*BERT_LIKE, "xlm-roberta", "camembert")
ALIKE = {"xlm-roberta": "roberta", "camembert": "roberta"}
WORDS = 60


def module(kind: str, seed: int = 0, **other: Any) -> Any:
    """A network of weights so large that nothing in it is next to nothing."""
    given = {**checkpoints.undropped(kind), "num_hidden_layers": 3, **other}
    if kind == "distilbert":
        given["n_layers"] = given.pop("num_hidden_layers")
    config = checkpoints.config(ALIKE.get(kind, kind), WORDS, **given).to_dict()
    config.pop("model_type")
    made = transformers.AutoModel.from_config(transformers.AutoConfig.for_model(kind, **config))
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in made.parameters():
            weight.copy_(torch.randn(weight.shape, generator=draw) * 0.2)
    return made


def texts(lengths: list[int], kinds: bool) -> tuple[list[list[int]], list[list[int]]]:
    """Sequences of tokens that are not special, and the segments of two halves."""
    draw = np.random.default_rng(1)
    ids = [draw.integers(5, WORDS, n).tolist() for n in lengths]
    return ids, [[int(kinds and 2 * at >= n) for at in range(n)] for n in lengths]


def said(made: Any, ids: list[int], kinds: list[int]) -> Any:
    """The module's own word about one sequence."""
    given = {"input_ids": torch.tensor([ids])}
    if getattr(made.config, "type_vocab_size", 0) > 1 and any(kinds):
        given["token_type_ids"] = torch.tensor([kinds])
    with torch.no_grad():
        return made.eval()(**given).last_hidden_state[0]


def ours(modules: list[Any], rows: list[list[int]], sequences: Any, training: bool = False) -> Any:
    config = modules[0].config
    each = [bert_like.to_packed_weights(config, one.state_dict()) for one in modules]
    weights = {name: torch.stack([one[name] for one in each]) for name in each[0]}
    lengths = sequences.lengths[torch.tensor(rows)]
    width, longest = int(lengths.sum(1).max()) + 3, int(lengths.max()) + 2
    shape = bert_like.encoder_spec(config)
    return encoder.encode_packed(
        shape, weights, sequences, torch.tensor(rows), width, longest, training
    )


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_of_every_token_what_the_module_says(kind: str) -> None:
    """Three lanes of other weights; long, short and empty sequences side by side."""
    modules = [module(kind, seed) for seed in range(3)]
    ids, kinds = texts([5, 40, 1, 17, 8], getattr(modules[0].config, "type_vocab_size", 0) > 1)
    sequences = packing.Sequences.from_lists(ids, kinds, "cpu")
    none = sequences.empty_index
    rows = [[0, 1, 2, none, 3], [3, none, 4, 2, 2], [none] * 5]
    with torch.no_grad():
        x, pack = ours(modules, rows, sequences)
    assert x.isfinite().all()
    for lane, made in enumerate(modules):
        at = 0
        for row in rows[lane]:
            if row != none:
                expected = said(made, ids[row], kinds[row])
                assert torch.allclose(x[lane, at : at + len(ids[row])], expected, atol=1e-5)
                at += len(ids[row])
        assert pack.slot_mask[lane].sum() == at


@pytest.mark.parametrize("kind", ["bert", "mpnet", "roberta"])
def test_long_sequences_are_attended_to_piece_by_piece(kind: str) -> None:
    made = module(kind, max_position_embeddings=200)
    ids, kinds = texts([150, 3, encoder.LONG_SEQUENCE - 2], False)
    sequences = packing.Sequences.from_lists(ids, kinds, "cpu")
    with torch.no_grad():
        x, _ = ours([made], [[1, 0, 2]], sequences)
    expected = torch.cat([said(made, ids[row], kinds[row]) for row in (1, 0, 2)])
    assert torch.allclose(x[0, : len(expected)], expected, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_come_back_by_the_names_they_had(kind: str) -> None:
    made = module(kind)
    state = made.state_dict()
    back = bert_like.to_hf_state(made.config, bert_like.to_packed_weights(made.config, state))
    assert back.keys() == state.keys()
    assert all(torch.equal(weight, state[name]) for name, weight in back.items())


@pytest.mark.parametrize("kind", BERT_LIKE)
@pytest.mark.parametrize("which", ["hidden", "attention"])
def test_as_much_is_dropped_as_by_the_module(kind: str, which: str) -> None:
    """One sequence many times: what varies for dropout varies as much, token by token."""
    named: dict[str, str] = {
        "hidden": "dropout" if kind == "distilbert" else "hidden_dropout_prob",
        "attention": (
            "attention_dropout" if kind == "distilbert" else "attention_probs_dropout_prob"
        ),
    }
    dropped: dict[str, Any] = {named[which]: 0.2}
    made = module(kind, num_hidden_layers=1, **dropped)
    ids, kinds = texts([6], False)
    sequences = packing.Sequences.from_lists(ids, kinds, "cpu")
    times = 3000
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(0)
        x, _ = ours([made], [[0] * times], sequences, training=True)
        theirs = made.train()(input_ids=torch.tensor(ids * times)).last_hidden_state
    found = x[0, : times * 6].view(times, 6, -1)
    assert theirs.std(0).mean() > 0.005
    spread = found.std(0).mean(1) / theirs.std(0).mean(1)
    assert spread.tolist() == pytest.approx([1.0] * 6, abs=0.05)
    assert torch.allclose(found.mean(0), theirs.mean(0), atol=6 * float(theirs.std(0).max()) / 54)


def test_what_is_not_like_bert_is_left_to_its_module() -> None:
    yes = [bert_like.is_bert_like(checkpoints.config(kind, WORDS)) for kind in BERT_LIKE]
    assert all(yes)
    for kind in checkpoints.OTHERS:
        assert not bert_like.is_bert_like(checkpoints.config(kind, WORDS))
    for kind, odd in (
        ("bert", {"is_decoder": True}),
        ("albert", {"num_hidden_groups": 2}),
        ("albert", {"inner_group_num": 2}),
        ("bert", {"position_embedding_type": "relative_key"}),
    ):
        assert not bert_like.is_bert_like(checkpoints.config(kind, WORDS, **odd)), odd


@pytest.mark.parametrize("kind", KINDS)
def test_biases_and_norms_do_not_decay(kind: str) -> None:
    made = module(kind)
    for ours_named, theirs in bert_like._name_pairs(made.config):
        for name in theirs:
            plain = "bias" not in name and "norm" not in name.lower()
            assert bert_like.decays(ours_named) == plain, name


def test_a_segment_that_the_network_does_not_know_is_its_last() -> None:
    """A tokenizer may part two segments for a network that has one."""
    made = module("roberta")
    ids, kinds = texts([6], True)
    assert any(kinds[0])
    with torch.no_grad():
        x, _ = ours([made, made], [[0], [0]], packing.Sequences.from_lists(ids, kinds, "cpu"))
    for lane in range(2):
        assert torch.allclose(x[lane, :6], said(made, ids[0], [0] * 6), atol=1e-5)
