"""Which of four choices answers an exam question of one of 57 subjects? (MMLU)

Splits: dev (285 examples for prompts), val (1531), test (14042). The subject is in meta.
"""

from __future__ import annotations

from dataclasses import replace

from ..download import Archive, DataFile, find_file
from ..formats import ColumnMapping, read_files
from ..types import Benchmark, Card, Item, Items
from ._splits import check_downloaded, mark_changes

CARD = Card(
    title="MMLU: Measuring Massive Multitask Language Understanding",
    home="https://github.com/hendrycks/test",
    licence="MIT",
    citation="Hendrycks, Burns, Basart, Zou, Mazeika, Song, Steinhardt: Measuring Massive "
    "Multitask Language Understanding. ICLR, 2021.",
)
SUBJECTS = (
    *("abstract_algebra", "anatomy", "astronomy", "business_ethics", "clinical_knowledge"),
    *("college_biology", "college_chemistry", "college_computer_science", "college_mathematics"),
    *("college_medicine", "college_physics", "computer_security", "conceptual_physics"),
    *("econometrics", "electrical_engineering", "elementary_mathematics", "formal_logic"),
    *("global_facts", "high_school_biology", "high_school_chemistry"),
    *("high_school_computer_science", "high_school_european_history", "high_school_geography"),
    *("high_school_government_and_politics", "high_school_macroeconomics"),
    *("high_school_mathematics", "high_school_microeconomics", "high_school_physics"),
    *("high_school_psychology", "high_school_statistics", "high_school_us_history"),
    *("high_school_world_history", "human_aging", "human_sexuality", "international_law"),
    *("jurisprudence", "logical_fallacies", "machine_learning", "management", "marketing"),
    *("medical_genetics", "miscellaneous", "moral_disputes", "moral_scenarios", "nutrition"),
    *("philosophy", "prehistory", "professional_accounting", "professional_law"),
    *("professional_medicine", "professional_psychology", "public_relations"),
    *("security_studies", "sociology", "us_foreign_policy", "virology", "world_religions"),
)
FINGERPRINTS = {
    "dev": "97b967a95a78806fbbcf92d37a1bb44ccf4f6f167be11a4c2bde518b36380c6c",
    "val": "b56698bcc06acdd91435428a19601619c1e712a21e9e003465c6f1609610ed60",
    "test": "a26c4a3807776e266cbde871402f3e67242ecbfae3bc5dcd3a7602c5f6cd5cce",
}
PATHS = {
    f"{split}/{subject}": f"{split}/{subject}_{split}.csv"
    for split in FINGERPRINTS
    for subject in SUBJECTS
}
ARCHIVE = Archive(
    "https://people.eecs.berkeley.edu/~hendrycks/data.tar",
    {f"data/{path}": f"mmlu/{path}" for path in PATHS.values()},
    "bec563ba4bac1d6aaf04141cd7d1605d7a5ca833e38f994051e818489592989b",
)
MAPPING = ColumnMapping(
    fields=("1",), choices=("2", "3", "4", "5"), answer="6", answers_from="letters", header=False
)


def load(folder: str | None = None) -> Benchmark:
    """Load MMLU; the files of all subjects are needed."""
    paths = {
        part: find_file(DataFile(f"mmlu/{path}", ARCHIVE), folder) for part, path in PATHS.items()
    }
    files = read_files({part: (path, MAPPING) for part, path in paths.items()})
    splits = {
        split: tuple(
            item
            for subject in SUBJECTS
            for item in _subject_items(split, subject, files.splits[f"{split}/{subject}"])
        )
        for split in FINGERPRINTS
    }
    for split, items in splits.items():
        check_downloaded(paths[f"{split}/{SUBJECTS[0]}"], items, FINGERPRINTS[split])
    roles = {"select": "val", "test": "test"}
    return mark_changes(Benchmark("mmlu", splits, roles, CARD, notes=files.notes), FINGERPRINTS)


def _subject_items(split: str, subject: str, items: Items) -> list[Item]:
    """Name the items of one file by split, subject and number, as in `test/anatomy/1`."""
    return [
        replace(
            item,
            id=f"{split}/{subject}/{number}",
            meta={"subject": subject},
        )
        for number, item in enumerate(items, 1)
    ]
