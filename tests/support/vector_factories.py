"""Small tables and files of word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hansproof.vectors import VectorTable


def written(folder: Path, text: str, name: str = "v.txt") -> str:
    path = folder / name
    path.write_bytes(text.encode())
    return str(path)


def made(words: Sequence[str], rows: Sequence[Sequence[float]]) -> VectorTable:
    return VectorTable(tuple(words), np.array(rows, np.float32))


def drawn(size: int, width: int, seed: int = 0) -> VectorTable:
    """Words w0, w1, ... with vectors at random."""
    rows = np.random.default_rng(seed).normal(size=(size, width))
    return made([f"w{at}" for at in range(size)], rows.tolist())
