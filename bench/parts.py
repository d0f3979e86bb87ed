"""Time, memory and page of an audit by parts: 57 subjects, 14,042 items with four choices.

    python bench/parts.py      writes bench/parts.json; two and a half minutes

A benchmark of MMLU's shape is made of MMLU-Redux (HANSPROOF_DATA/mmlu_redux) and of items from its
words, and a phrase is planted in the right choices of three subjects. It is audited as 57 files
without a header, and as one file with a column.
"""

from __future__ import annotations

import csv
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hansproof import load
from hansproof.benchmarks.mmlu import SUBJECTS

N_ITEMS = 14_042
PLANTED = ("business_ethics", "high_school_computer_science", "nutrition")
PHRASE, PLANTED_SHARE = " overall in every case", 0.45

Row = tuple[str, list[str], int]  # question, choices, answer


def write_subjects() -> dict[str, list[Row]]:
    """Write the items of all subjects: those of MMLU-Redux first, then words drawn from them."""
    draw = random.Random(1)
    items = load(os.path.join(os.environ["HANSPROOF_DATA"], "mmlu_redux")).splits["all"]
    words = [
        w for item in items for choice in item.choices if len(choice) < 80 for w in choice.split()
    ]
    sizes = [N_ITEMS // len(SUBJECTS)] * len(SUBJECTS)
    sizes[0] += N_ITEMS - sum(sizes)
    subjects = {}
    for subject, size in zip(SUBJECTS, sizes, strict=True):
        rows: list[Row] = [
            (item.fields["question"], list(item.choices), item.answer or 0)
            for item in items
            if item.file == f"mmlu_{subject}.csv" and len(item.choices) == 4
        ]
        while len(rows) < size:
            choices = [" ".join(draw.choices(words, k=draw.randint(1, 8))) for _ in range(4)]
            question = " ".join(draw.choices(words, k=draw.randint(8, 25))) + "?"
            rows.append((question, choices, draw.randrange(4)))
        if subject in PLANTED:
            for _, choices, answer in rows:
                choices[answer] += PHRASE if draw.random() < PLANTED_SHARE else ""
        subjects[subject] = rows
    return subjects


def write_files(folder: Path, subjects: dict[str, list[Row]]) -> None:
    """Write one file per subject without a header, and one file with a column."""
    (folder / "exam" / "test").mkdir(parents=True)
    header = ("Subject", "Question", "Option A", "Option B", "Option C", "Option D", "Answer")
    with (folder / "exam.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(header)
        for subject, rows in subjects.items():
            cells = [[question, *choices, "ABCD"[answer]] for question, choices, answer in rows]
            table.writerows([subject, *row] for row in cells)
            with (folder / "exam" / "test" / f"{subject}_test.csv").open("w", newline="") as part:
                csv.writer(part).writerows(cells)


def measure_audit(folder: Path, bench: str, by: str) -> dict[str, object]:
    """Audit in a process of its own; return seconds, peak memory, sizes and the worst parts."""
    output = f"audit-{by}"
    command = [sys.executable, "-m", "hansproof", "audit", bench, "--by", by, "-o", output]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    audit = json.loads((folder / output / "audit.json").read_text())
    parts = next(result for result in audit["results"] if result["probe"] == "parts")
    return {
        "command": f"hansproof audit {bench} --by {by}",
        "seconds": round(seconds, 1),
        "peak_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000,
        "page_bytes": (folder / output / "report.html").stat().st_size,
        "headline": re.split("┏", done.stdout)[0].strip(),
        "worst": [row[0] for row in parts["tables"]["parts"]["rows"][: len(PLANTED)]],
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, write_subjects())
        audits = [
            measure_audit(folder, "exam", "file"),
            measure_audit(folder, "exam.csv", "subject"),
        ]
    measured = {"items": N_ITEMS, "parts": len(SUBJECTS), "planted": PLANTED, "audits": audits}
    Path(__file__).with_suffix(".json").write_text(json.dumps(measured, indent=1) + "\n")
    print(json.dumps(measured, indent=1))


if __name__ == "__main__":
    main()
