"""Small files in the shape in which public benchmarks are published, with made-up items."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from hansproof.benchmarks.mmlu import PATHS as MMLU_PATHS
from hansproof.formats.parquet import write_columns

Files = dict[str, bytes]  # by name, as in a data folder


def json_lines(*records: dict[str, object]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def mmlu_files() -> Files:
    """One item for each file; quotes, commas and line ends inside cells."""
    rows = io.StringIO(newline="")
    csv.writer(rows).writerow(['What is "it",\r\nthen?', "1", "0.5", "A", "None, or all", "D"])
    return {f"mmlu/{path}": rows.getvalue().encode() for path in MMLU_PATHS.values()}


def hellaswag_files() -> Files:
    record: dict[str, object] = {
        "ind": 4,
        "activity_label": "Baking",
        "ctx_a": "A man kneads.",
        "ctx_b": "he",
        "ctx": "A man kneads. he",
        "split": "train",
        "split_type": "indomain",
        "label": 3,
        "endings": ["sings.", "sleeps.", "swims.", "bakes."],
        "source_id": "activitynet~v_1",
    }
    other = {**record, "label": 0}
    return {
        "hellaswag/hellaswag_train.jsonl": json_lines(record, other),
        "hellaswag/hellaswag_val.jsonl": json_lines({**record, "split": "val"}, other),
    }


def truthfulqa_files() -> Files:
    records = [
        {
            "question": "What is the sky?",
            "mc1_targets": {"Air.": 1, "A dome.": 0, "A sea.": 0},
            "mc2_targets": {"Air.": 1, "Gas.": 1, "A dome.": 0},
        }
    ]
    return {"truthfulqa/mc_task.json": json.dumps(records, indent=4).encode()}


def winogrande_files() -> Files:
    record: dict[str, object] = {
        "qID": "3Q-1",
        "sentence": "Ann thanked Bea because _ had helped.",
        "option1": "Ann",
        "option2": "Bea",
        "answer": "2",
    }
    return {
        "winogrande/train_xl.jsonl": json_lines({**record, "qID": "3Q-0"}),
        "winogrande/dev.jsonl": json_lines(record, {**record, "qID": "3Q-2", "answer": "1"}),
    }


def openbookqa_files() -> Files:
    texts = {"A": "a stone", "B": "a cat", "C": "the sun", "D": "a lamp"}
    choices = [{"text": text, "label": label} for label, text in texts.items()]
    question = {"stem": "What purrs?", "choices": choices}
    return {
        f"openbookqa/{split}.jsonl": json_lines(
            {"id": f"{number}-1", "question": question, "answerKey": "B"}
        )
        for number, split in enumerate(("train", "dev", "test"))
    }


def socialiqa_files() -> Files:
    record: dict[str, object] = {
        "context": "Ann fell.",
        "question": "How does Ann feel?",
        "answerA": "hurt",
        "answerB": "proud",
        "answerC": "full",
    }
    return {
        f"socialiqa/{split}{ending}": data
        for split in ("train", "dev")
        for ending, data in ((".jsonl", json_lines(record, record)), ("-labels.lst", b"1\n3\n"))
    }


FILES: dict[str, Callable[[], Files]] = {
    "hellaswag": hellaswag_files,
    "mmlu": mmlu_files,
    "openbookqa": openbookqa_files,
    "socialiqa": socialiqa_files,
    "truthfulqa": truthfulqa_files,
    "winogrande": winogrande_files,
}


def write_public_files(name: str, folder: Path) -> None:
    """Write the files of a benchmark into a folder with the layout of HANSPROOF_DATA."""
    if name == "mmlu_pro":
        write_mmlu_pro(folder)
        return
    for file, data in FILES[name]().items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(data)


def write_mmlu_pro(folder: Path) -> None:
    (folder / "mmlu_pro").mkdir()
    for number, split in enumerate(("validation", "test")):
        columns: dict[str, list[object]] = {
            "question_id": [2 * number, 2 * number + 1],
            "question": ["What is 1 + 1?", "What is red?"],
            "options": [["1", "2", "3"], ["blood", "snow", "tar", "milk"]],
            "answer": ["B", "A"],
            "answer_index": [1, 0],
            "cot_content": ["The answer is (B).", ""],
            "category": ["math", "other"],
            "src": ["ori_mmlu-arithmetic", "ori_mmlu-colours"],
        }
        write_columns(str(folder / "mmlu_pro" / f"{split}-00000-of-00001.parquet"), columns)


NAMES = (*FILES, "mmlu_pro")
