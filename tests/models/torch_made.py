"""Small made things for the models that need torch: word vectors, an encoder, items with a cue."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hansproof.types import Item, Items

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


SPECS = (bov, bilstm, encoder_linear)


def encoder(folder: Path) -> Path:
    """A transformers folder: random weights in safetensors, and a WordPiece tokenizer."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

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
        BertModel(config).save_pretrained(folder)
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
