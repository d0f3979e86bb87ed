"""Small made things for the models that need torch: word vectors, networks, items with a cue."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hansproof import models
from hansproof.types import Item, Items
from tests.support import checkpoints

CUE = "mark"
WORDS = (CUE, *(f"word{i}" for i in range(40)), "a", "b", "c", "the", "is", "not")
WIDTH = 8


def vectors(folder: Path) -> Path:
    """A file of word vectors as GloVe's are."""
    draw = np.random.default_rng(1)
    path = folder / "made.txt"
    folder.mkdir(parents=True, exist_ok=True)
    rows = (f"{word} " + " ".join(f"{x:.4f}" for x in draw.normal(size=WIDTH)) for word in WORDS)
    path.write_text("\n".join(rows) + "\n")
    return path


def bov(folder: Path) -> str:
    """A bag of made vectors."""
    return f"bov:vectors={vectors(folder)},epochs=3,device=cpu"


def bilstm(folder: Path) -> str:
    """An LSTM of next to nothing; the published rate is for a larger one."""
    return f"bilstm:vectors={vectors(folder)},epochs=4,hidden=8,rates=0.02,batch=16,device=cpu"


def encoder_linear(folder: Path) -> str:
    """A random BERT, two layers deep."""
    cache = folder / "features"
    return f"encoder_linear:encoder={encoder(folder / 'bert')},cache={cache},device=cpu"


def frozen_svm(folder: Path) -> str:
    """The same; the mean over tokens, since the first of a random network tells little."""
    source, cache = encoder(folder / "bert"), folder / "features"
    return f"frozen_svm:encoder={source},pooling=mean,cache={cache},device=cpu"


def nsp(folder: Path) -> str:
    """A random BERT with a next-sentence head."""
    return f"nsp:source={next_sentence(folder / 'bert')},device=cpu"


def lm(folder: Path) -> str:
    """A random GPT-2, two layers deep."""
    return f"lm:source={causal(folder / 'gpt2')},device=cpu"


def hf(folder: Path) -> str:
    """A random BERT, one layer deep; the published rates are for weights that know something."""
    source = folder / "one-layer"
    if not (source / "model.safetensors").exists():
        checkpoints.checkpoint(source, "bert", words=WORDS, num_hidden_layers=1)
    return (
        f"hf:source={source},rates=5e-3,epochs=2,batches=20,pooling=mean,device=cpu,precision=fp32"
    )


def saved(folder: Path) -> str:
    """The same, tuned and saved."""
    run = folder / "run"
    if not run.exists():
        models.load(hf(folder)).fit(cued(20, 1), (), 0).save(str(run))
    return f"saved:source={run},device=cpu"


SPECS = (bov, bilstm, encoder_linear, frozen_svm, hf, saved, lm, nsp)


def encoder(folder: Path) -> Path:
    """A transformers folder: random weights in safetensors, and a WordPiece tokenizer."""
    return _bert(folder, "BertModel")


def next_sentence(folder: Path) -> Path:
    """The same with the head that says whether one segment follows the other."""
    return _bert(folder, "BertForNextSentencePrediction")


def _bert(folder: Path, kind: str) -> Path:
    import torch
    import transformers
    from transformers import BertConfig, BertTokenizer

    if (folder / "model.safetensors").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,?'"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{x}" for x in letters)]
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys([*pieces, *WORDS])))
    tokenizer = BertTokenizer(str(folder / "vocab.txt"))
    tokenizer.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=64,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(0)
        getattr(transformers, kind)(config).save_pretrained(folder)
    return folder


def causal(folder: Path, places: int = 160) -> Path:
    """A causal language model with random weights, and a byte-level tokenizer without padding."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    if (folder / "model.safetensors").exists():
        return folder
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=["<end>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    said = "Question: Answer: Claim: Reason: Assumption: because so yes no A B C"
    tokenizer.train_from_iterator([" ".join(WORDS), said] * 3, trainer)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>").save_pretrained(folder)
    config = GPT2Config(
        vocab_size=tokenizer.get_vocab_size(), n_positions=places, n_embd=32, n_layer=2, n_head=2,
        initializer_range=0.2, bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(0)
        GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def cued(n: int, seed: int, counts: tuple[int, ...] = (2,)) -> Items:
    """Items whose answer has the cue among words drawn at random; choices by turns as many."""
    draw = np.random.default_rng(seed)

    def text(first: tuple[str, ...] = ()) -> str:
        return " ".join(draw.permutation([*first, *draw.choice(WORDS[1:41], 4)]))

    items = []
    for at in range(n):
        count = counts[at % len(counts)]
        answer = int(draw.integers(count))
        choices = tuple(text((CUE,) if i == answer else ()) for i in range(count))
        items.append(Item(str(at), {"q": text(), "r": text()}, choices, answer))
    return tuple(items)
