"""Which of up to ten choices answers a hard exam question? (MMLU-Pro)

Splits: validation (70 examples for prompts) and test (12032), with 3 to 10 choices per item. The
field of knowledge (`category`) and the source of the question (`src`) are in meta.

The files are Parquet (`pip install 'hansproof[parquet]'`). Their checksums are those of the hub.
No copy of these items was at hand for a fingerprint, so a copy with other bytes, such as an
earlier revision of the hub, is said to be unconfirmed.
"""

from __future__ import annotations

from ..download import DataFile
from ..formats import ColumnMapping
from ..types import Benchmark, Card
from ._splits import PublishedSplit, keep_meta, load_published

CARD = Card(
    title="MMLU-Pro",
    home="https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro",
    licence="MIT",
    citation="Wang, Ma, Zhang, Ni, Chandra, Guo, Ren, Arulraj, He, Jiang, Li, Ku, Wang, Zhuang, "
    "Fan, Yue, Chen: MMLU-Pro: A More Robust and Challenging Multi-Task Language Understanding "
    "Benchmark. NeurIPS, 2024.",
)
_REVISION = "b189ec765aa7ed75c8acfea42df31fdae71f97be"
CHECKSUMS = {
    "validation": "139423c23722e480c807ac4a191409a710cfce4eba744c1d641cf88e730e2078",
    "test": "0e24a191921c2f453518a537a8b2117bd137e7714d4ef1565e9ba06c1ecb9ad8",
}
# `answer` contains the same as a letter
MAPPING = ColumnMapping(
    fields=("question",),
    choices=("options",),
    answer="answer_index",
    id="question_id",
    answers_from="0",
)


def load(folder: str | None = None) -> Benchmark:
    """Load MMLU-Pro."""
    sources = {
        split: PublishedSplit(_hub_file(split), fingerprint=None, mapping=MAPPING)
        for split in CHECKSUMS
    }
    benchmark = load_published("mmlu_pro", sources, {"test": "test"}, CARD, folder)
    return keep_meta(benchmark, ("category", "src"))


def _hub_file(split: str) -> DataFile:
    name = f"{split}-00000-of-00001.parquet"
    url = f"{CARD.home}/resolve/{_REVISION}/data/{name}"
    return DataFile(f"mmlu_pro/{name}", url, CHECKSUMS[split])
