"""The benchmarks of the papers and the files that their authors released."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from .. import logs
from ..benchmarks import load
from ..download import find_file, github_file
from ..errors import BadInput
from ..inputs import accuracies
from ..inputs.accuracies import SeedAccuracy
from ..inputs.systems import System, build_systems
from ..records.by_content import read_records
from ..records.location import Record
from ..types import Benchmark, Item, Items

_COPA_SITE = "Balanced-COPA/Balanced-COPA.github.io", "6e031959f0df0620059cb03d708bfbefd38ee0ba"
PREDICTIONS = github_file(
    "balanced_copa/predictions.tar.bz2",
    _COPA_SITE[0], "downloads/predictions.tar.bz2", _COPA_SITE[1],
    "3386956d3ffd4c5210f44bd9161739d60a5805a9e630766f4bc0df2949584c92",
)  # fmt: skip
EASY_SUBSETS = github_file(
    "balanced_copa/easy_hard_subsets.json",
    _COPA_SITE[0], "downloads/easy_hard_subsets.json", _COPA_SITE[1],
    "f9f1bb7bf0266ad9f2175d0f5b8da638af89475c693e54a78b7ca7f262a2d1bb",
)  # fmt: skip
SWAPPED_WARRANTS = github_file(
    "arct/train-w-swap.tsv", "UKPLab/argument-reasoning-comprehension-task",
    "experiments/src/main/python/data/train-w-swap.tsv", "929f5847487e28036e60803f72e26a82c638db43",
    "165091b9850209e47b3962bc086ae57656506c3a3c1cea6dcb4c08ab67ed4fb5",
)  # fmt: skip
# files of accuracies by seed: experiment -> sha256 of its file
_ARCT_RUNS = "IKMLab/arct2", "0efa2d209287be1106766ccbe05633bc2a4a4c62"
EXPERIMENTS = {
    "bert_base": "24c36315affadbf1bf5550a2c27c1909e7a93f6f68b1bede88ec81a0b01fa3f2",
    "bert_large": "8f37d0410ea43c0e44022bd37021ba312985d090d9171aab02364c4220029115",
    "bert_large_adv": "9870729de315b6881c03daba11d12542fe764d0de8237a110c3217db4b005e81",
    "bert_large_adv_cw": "6e2b214ae2d344eb00c9d91dae874dc0ec8fcfc6da732de8fcc6a1096f310b04",
    "bert_large_adv_rw": "4a3a15c10043aea0be7d99e472265a67d667a23f4d169ee8ed309f4ef13b50c0",
    "bert_large_adv_w": "c93cb129695ac41f3477ef108ccbdb31e35ee9a3c63f995bca31a68150a170b3",
    "bert_large_cw": "4bcbb9e844cd541ec05b62b10d4c00645670d5194f29028049eaaecb82b769a9",
    "bert_large_rw": "77580930f5c822d177f96265efb4d974e565c0f14ea4ec1589e1290a8decd320",
    "bert_large_w": "b2497fb92f71d165f58255d02be6230681418e13269f22b2478a0c24acf9ad9a",
    "bilstm": "dc279bd36b3ac1116bad5885cbdf558668397e8876025029c37bc77c85992830",
    "bilstm_adv": "09efa85b3e5447e7f25c9d21d3dba473c6e3f369b6e210614c82077a80a0fe3e",
    "bilstm_cw": "b55e60ed4c76e3aa40ab36706e5b2f729e8501212737822aeb76ebd799ef9241",
    "bilstm_rw": "c96eb2137327998b717f648ab453fe4c17e489e3078b2aa0b6f2a872e781e6cc",
    "bilstm_w": "1cf3198ac443dda885256d53facf794a9061a271dc48d91f5788c7674b30013c",
    "bov": "ea31d286a6bfc335c1a796d23ae24e7a358b765a07ce684d986b0cf8be17ebad",
    "bov_adv": "a594ac3062c39831b44c12596781cd30898380469a05975154c0124a75864219",
    "bov_cw": "d670c9c18067763d3b69fde1d886b9cb12dd2d94df525e0765b2bed9100b03ca",
    "bov_rw": "b125733d8f867b4e0879413b55eacf6b684aefbcaccf25dbf7c41bf53a68f85d",
    "bov_w": "37067e2047dee2c51410936c2141d8550c4eec02306bdc21fed8b6f1e551dc8a",
}  # fmt: skip

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PaperData:
    """Loads benchmarks and released files, each once, from a folder or the default places."""

    folder: str | None = None
    _cache: dict[str, object] = field(default_factory=dict)

    def benchmark(self, name: str) -> Benchmark:
        """Load a benchmark of the papers."""
        return self._load_once(name, lambda: load(name, folder=self.folder))

    def copa_systems(self) -> dict[str, System]:
        """Load the released predictions on COPA's test split: BERT and RoBERTa, three runs each."""

        def read_systems() -> dict[str, System]:
            benchmark = self.benchmark("copa")
            runs = logs.read_runs([find_file(PREDICTIONS, self.folder)], benchmark)
            return {system.name: system for system in build_systems(benchmark, runs)}

        return self._load_once("runs of COPA", read_systems)

    def easy_ids(self) -> frozenset[str]:
        """Load the published ids of the Easy items."""
        path = find_file(EASY_SUBSETS, self.folder)
        try:
            with open(path, encoding="utf-8") as file:
                return frozenset(str(item_id) for item_id in json.load(file)["easy"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadInput(path, f"is not a list of Easy items: {error!r}") from None

    def seed_accuracies(self, experiment: str) -> tuple[SeedAccuracy, ...]:
        """Load the accuracies of an experiment of Niven and Kao."""
        name = f"arct_adversarial/recorded/{experiment}/accs.csv"
        path = f"results_from_paper/{experiment}/accs.csv"
        source = github_file(name, _ARCT_RUNS[0], path, _ARCT_RUNS[1], EXPERIMENTS[experiment])
        return self._load_once(
            name, lambda: accuracies.read_accuracies([find_file(source, self.folder)])
        )

    def swapped_items(self) -> Items:
        """Load ARCT's training items with a second copy of each whose warrants are swapped.

        The two copies share an id, so this file cannot be loaded as a benchmark.
        """
        path = find_file(SWAPPED_WARRANTS, self.folder)
        try:
            return tuple(_parse_argument(line, record) for line, record in read_records(path))
        except (KeyError, ValueError) as error:
            raise BadInput(path, f"is not a file of arguments: {error!r}") from None

    def _load_once(self, name: str, loader: Callable[[], T]) -> T:
        if name not in self._cache:
            self._cache[name] = loader()
        return cast(T, self._cache[name])


def _parse_argument(line: int, record: Record) -> Item:
    fields = {name: str(record[name]) for name in ("reason", "claim")}
    warrants = (str(record["warrant0"]), str(record["warrant1"]))
    answer = int(str(record["correctLabelW0orW1"]))
    return Item(str(line), fields, warrants, answer, group=str(record["#id"]))
