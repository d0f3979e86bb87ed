"""Files of likelihoods: what is refused, and several processes that write one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hansproof.errors import BadInput
from hansproof.inputs.likelihood_files import (
    LikelihoodTable,
    LikelihoodWriter,
    read_table,
    read_valid,
    text_digest,
    write_table,
)
from tests.support import torch_models
from tests.test_layers import HEAVY

A, B = text_digest("a"), text_digest("b")
EMPTY = LikelihoodTable("lm:x", "abc", "cpu")
TABLE = LikelihoodTable("lm:x", "abc", "cpu", {A: (-1.25, 3), B: (0.0, 0)})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = str(tmp_path / "x.jsonl")
    write_table(path, TABLE)
    assert read_table(path) == TABLE
    assert read_valid(path, "abc") == TABLE
    assert read_valid(path, "abd") is None
    assert read_valid(str(tmp_path / "y.jsonl"), "abc") is None


def row(**changes: Any) -> str:
    return json.dumps({"sha256": A, "log": -1.0, "tokens": 2, **changes})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "is not a JSON object"),
        ("[1]", "is not a JSON object"),
        ("[" * 100_000, "is not a JSON object"),
        (row()[:-3], "is not a JSON object"),
        (row(log="-1"), "log: must be a number, at most 0"),
        (row(log=None), "log: must be a number"),
        (row(log=True), "log: must be a number"),
        (row(log=float("nan")), "log: must be a number"),
        (row(log=-float("inf")), "log: must be a number"),
        (row(log=0.5), "log: must be a number"),
        (row(log=-(10**400)), "log: must be a number"),
        (row(log=-1).replace("-1,", "-1e999,"), "log: must be a number"),
        (row(log=-1).replace("-1,", f"-{'9' * 5000},"), "is not a JSON object"),
        (row(tokens=-1), "tokens: must be a whole number, from 0 to 1,000,000,000"),
        (row(tokens=2).replace("2}", "1e3}"), "tokens: must be a whole number"),
        (row(tokens=2.0), "tokens: must be"),
        (row(tokens=False), "tokens: must be"),
        (row(tokens=10**30), "tokens: must be"),
        (row(sha256=A.upper()), "sha256: must be 64 hexadecimal digits"),
        (row(sha256=7), "sha256: must be"),
        (row(sha256=A[1:]), "sha256: must be"),
    ],
)
def test_a_damaged_line_is_an_error(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "x.jsonl"
    write_table(str(path), EMPTY)
    path.write_text(f"{path.read_text()}{row(sha256=B)}\n{line}\n{row(sha256=B)}\n")
    with pytest.raises(BadInput, match=rf"x\.jsonl:3: {message}"):
        read_table(str(path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hansproof": "else"}, "is not a file of likelihoods"),
        ({"hansproof": "else"}, r".*hansproof\.inputs\.likelihood_files\.write_likelihoods"),
        ({"schema": 2}, "schema: is 2, but this hansproof reads 1"),
        ({"schema": "x" * 999}, r"schema: is 'x{59}\.\.\., but this hansproof reads 1"),
        ({"model": ["x"]}, "model: must be a text"),
        ({"fingerprint": ""}, "fingerprint: must be a text"),
        ({"fingerprint": "\ud800"}, "fingerprint: must be a text"),
        ({"device": "cuda: \udfff"}, "device: must be a text"),
        ({"device": None}, "device: must be a text"),
    ],
)
def test_a_damaged_header_is_an_error(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = tmp_path / "x.jsonl"
    write_table(str(path), TABLE)
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(header), **changes}), *rows]))
    with pytest.raises(BadInput, match=rf"x\.jsonl:1: {message}"):
        read_table(str(path))


def test_names_are_printable(tmp_path: Path) -> None:
    path = str(tmp_path / "x.jsonl")
    write_table(path, LikelihoodTable("lm:\x1b[31m" + "x" * 99, "abc", "cpu"))
    assert read_table(path).model == "lm:?[31m" + "x" * 52


def test_results_that_are_there_stay(tmp_path: Path) -> None:
    other = LikelihoodTable("lm:y", "abc", "cuda: H200", {A: (-9.0, 9), "c": (-1.0, 1)})
    assert TABLE.merge(other).by_digest == {**TABLE.by_digest, "c": (-1.0, 1)}
    assert TABLE.merge(other).device == "cpu, cuda: H200"
    assert TABLE.merge(LikelihoodTable("lm:y", "abc", "cuda", {A: (-9.0, 9)})) == TABLE


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "x.jsonl")
    first, second = (LikelihoodWriter(path, EMPTY, None, is_cache=False) for _ in range(2))
    first.add({"a": (-1.0, 1)})
    second.add({"b": (-2.0, 1)})
    first.save()
    assert second.save().by_digest == {A: (-1.0, 1), B: (-2.0, 1)}
    first.add({"c": (-3.0, 1)})
    assert len(first.save().by_digest) == len(read_table(path).by_digest) == 3


WRITER = """
import sys
class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {heavy!r} | {{"torch"}}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Lacking())
from hansproof.inputs import likelihood_files as files
from hansproof.models.lm import Lm
path, name = sys.argv[1:]
files.SAVE_SECONDS = 0.0
writer = files.LikelihoodWriter(path, files.LikelihoodTable("lm:x", "abc", name), None, False)
for i in range(25):
    writer.add({{f"{{name}} {{i}}": (-1.0, 1)}})
"""


def test_two_processes_without_other_packages_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "x.jsonl")
    code = WRITER.format(heavy=HEAVY)
    running = [
        subprocess.Popen([sys.executable, "-c", code, path, name], stderr=subprocess.PIPE)
        for name in ("a", "b")
    ]
    errors = [process.communicate()[1] for process in running]
    assert errors == [b"", b""]
    names = [f"{name} {i}" for name in "ab" for i in range(25)]
    assert read_table(path).by_digest.keys() == {*map(text_digest, names)}


ELSEWHERE = """
import sys
sys.modules.update(dict.fromkeys({heavy!r}))
from hansproof.inputs.likelihood_files import write_likelihoods
write_likelihoods(sys.argv[1], sys.argv[2], ["the word1", "mark"])
"""


def test_a_machine_with_only_torch_and_transformers_writes_files(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    folder = torch_models.causal(tmp_path / "tiny")
    path = str(tmp_path / "x.jsonl")
    code = ELSEWHERE.format(heavy=HEAVY)
    for spec in (str(folder), f"lm:{folder}"):
        subprocess.run([sys.executable, "-c", code, path, spec], check=True)
    table = read_table(path)
    assert table.model == "lm:tiny"
    assert table.by_digest.keys() == {text_digest("the word1"), text_digest("mark")}
