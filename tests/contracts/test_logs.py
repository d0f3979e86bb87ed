"""No kind takes the files of another for its own, and no bytes bring a reader down."""

from __future__ import annotations

import glob
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import plugins
from hansproof.errors import HansproofError
from hansproof.logs import read
from hansproof.logs._sniff import read_head
from hansproof.predictions import write
from hansproof.types import Predictions

from ..support.log_factories import BENCH, data_path, write_file
from ..support.markers import needs_data

KINDS = list(plugins.names("logs"))
REAL = {
    "copa_keys": ["copa/*.dev", "copa/*.test"],
    "balanced_copa": ["balanced_copa/predictions.tar.bz2"],
    "semeval2018": ["arct_semeval2018/submissions/*.txt", "arct_semeval2018/truth.txt"],
    "arct2": ["arct_adversarial/recorded/*/preds*"],
    "helm": ["helm/*/*.json.gz"],
}
OTHERS = [
    "arct/*.tsv",
    "arct_adversarial/*.csv",
    "arct_adversarial/recorded/*/accs.csv",
    "copa/*.xml",
    "balanced_copa/*.json",
    "arc/*.jsonl",
    "piqa/*",
    "csqa/*",
]


def kinds(path: str) -> set[str]:
    """The kinds that take a file for their own, the last resort aside."""
    start = read_head(path)
    found = {kind for kind in KINDS if plugins.load_module("logs", kind).matches(path, start)}
    return found - {"table"}


@needs_data
@pytest.mark.parametrize("kind", REAL)
def test_every_real_file_is_of_one_kind(kind: str) -> None:
    paths = [path for pattern in REAL[kind] for path in glob.glob(data_path(pattern))]
    assert paths
    for path in paths:
        assert kinds(path) == {kind}, path


@needs_data
@pytest.mark.parametrize("pattern", OTHERS)
def test_benchmarks_are_no_logs(pattern: str) -> None:
    paths = glob.glob(data_path(pattern))
    assert paths
    for path in paths:
        assert kinds(path) == set(), path


def test_logs_of_our_own_and_of_other_tools(tmp_path: Path) -> None:
    run = Predictions("made", "dev", BENCH.sha256()["dev"], "m", "full", {"1": (1.0, 0.0)})
    path = tmp_path / "predictions.jsonl"
    write(str(path), run)
    assert kinds(str(path)) == {"predictions"}
    assert kinds(str(path.rename(tmp_path / "x.jsonl.part"))) == {"predictions"}
    for real in Path(__file__).parents[1].glob("logs/real/**/*.*"):
        if real.is_file() and real.suffix in (".eval", ".json", ".jsonl"):
            assert len(kinds(str(real))) <= 1, real


def test_every_kind_says_what_it_is() -> None:
    for kind, summary in plugins.names("logs").items():
        module = plugins.load_module("logs", kind)
        assert summary
        assert hasattr(module, "runs") != hasattr(module, "read"), kind


SEEDS = {
    "arct2": ("p.csv", b"run_no,dataset,id,prob0,prob1,pred,correct\n1,dev,1,.9,.1,0,True\n"),
    "balanced_copa": ("b.csv", b"QuestionNumber,SystemOutput_Seed0,CorrectAnswer\nQ1,2,1\n"),
    "copa_keys": ("k.dev", b"1 1 0\n2 0 1\n"),
    "helm": (
        "h.json",
        b'{"adapter_spec":{"method":"multiple_choice_joint","model":"m"},"request_states":[{'
        b'"instance":{"input":{"text":"why 1?"},"references":[{"output":{"text":"yes 1"},'
        b'"tags":["correct"]},{"output":{"text":"no 1"},"tags":[]}],"split":"dev","id":"1"},'
        b'"train_trial_index":0,"output_mapping":{"A":"yes 1","B":"no 1"},'
        b'"request":{"prompt":"why 1?"},"result":{"success":true,"completions":[{"text":"A"}]}}]}',
    ),
    "predictions": (
        "p.jsonl",
        b'{"predictions": 1, "benchmark": "made", "split": "dev", "sha256": "'
        + BENCH.sha256()["dev"].encode()
        + b'", "model": "m", "view": "full"}\n{"id": "1", "scores": [1, 2]}\n'
        + b'{"id": "2", "choice": 1}\n',
    ),
    "semeval2018": ("s.txt", b"#id\tlabel\n1\t0\n2 1\n"),
    "table": ("t.jsonl", b'{"id": 1, "choice": 0, "gold": 0}\n{"id": 2, "choice": 1}\n'),
}
EDITS = st.lists(
    st.tuples(st.integers(0, 240), st.integers(0, 9), st.binary(max_size=4)), min_size=1, max_size=4
)


def reads_or_refuses(name: str, content: bytes, kind: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            assert read([write_file(Path(folder), name, content)], BENCH, kind=kind)
        except HansproofError as error:
            assert str(error).isprintable()  # noqa: PT017 - both ways are right


@pytest.mark.parametrize("kind", SEEDS)
@settings(max_examples=40)
@given(edits=EDITS, forced=st.booleans())
def test_files_with_faults(kind: str, edits: list[tuple[int, int, bytes]], forced: bool) -> None:
    name, content = SEEDS[kind]
    changed = bytearray(content)
    for start, length, new in edits:
        changed[start : start + length] = new
    reads_or_refuses(name, bytes(changed), kind if forced else None)


ENDINGS = [".csv", ".json", ".jsonl", ".txt", ".tar.gz", ".zip", ".gz", ".eval", ".dev"]


@pytest.mark.parametrize("kind", [*KINDS, None])
@settings(max_examples=20)
@given(
    content=st.binary(max_size=200) | st.text(max_size=60).map(lambda text: text.encode()),
    magic=st.sampled_from(
        [b"", b"\x1f\x8b\x08\x00", b"BZh9", b"\xfd7zXZ\x00", b"PK\x03\x04", b"{"]
    ),
    ending=st.sampled_from(ENDINGS),
)
def test_any_bytes(kind: str | None, content: bytes, magic: bytes, ending: str) -> None:
    reads_or_refuses("x" + ending, magic + content, kind)
