"""The functions of `hansproof` take what people have at hand: names, paths, frames, objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import pytest

import hansproof
from hansproof import logs
from hansproof.predictions import write
from hansproof.probes.integrity import Integrity
from hansproof.types import Benchmark, Predictions

TOY = hansproof.load("toy:original")
RECORDS = [
    {"question": f"What is {i} + 1?", "choices": [str(i), str(i + 1)], "answer": i % 2}
    for i in range(30)
]
FAST = ["class_balance", "integrity"]


def write_items(folder: Path) -> Path:
    path = folder / "quiz.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)))
    return path


def run_of(model: str, view: str = "full", seed: int = 0) -> Predictions:
    return hansproof.predict(TOY, model, view, seed=seed)


def test_load_takes_names_paths_lists_records_and_frames(tmp_path: Path) -> None:
    path = write_items(tmp_path)
    expected = hansproof.load(str(path)).splits["all"]
    assert len(expected) == 30
    sources: list[Any] = [path, [path], [str(path)]]
    for source in sources:
        assert hansproof.load(source).splits["all"] == expected
    for data in (RECORDS, pandas.DataFrame(RECORDS)):
        loaded = hansproof.load(data).splits["all"]
        assert [item.choices for item in loaded] == [item.choices for item in expected]
    assert hansproof.load(TOY) is TOY


@pytest.mark.parametrize("kind", ["name", "path", "frame", "benchmark"])
def test_audit_takes_whatever_load_takes(kind: str, tmp_path: Path) -> None:
    sources: dict[str, object] = {
        "name": "toy:original",
        "path": write_items(tmp_path),
        "frame": pandas.DataFrame(RECORDS),
        "benchmark": TOY,
    }
    audit = hansproof.audit(sources[kind], probes=FAST)
    assert [result.probe for result in audit.results] == FAST
    assert sum(audit.sizes.values()) == (120 if kind in ("name", "benchmark") else 30)


def test_probes_are_only_these_and_extra_probes_are_added() -> None:
    only = hansproof.audit(TOY, probes="integrity")
    assert [result.probe for result in only.results] == ["integrity"]
    called: list[str] = []
    more = hansproof.audit(
        TOY, probes=FAST, extra_probes=["surface"], by="asks_for", progress=called.append
    )
    assert called == [*FAST, "surface", "parts"] == [result.probe for result in more.results]
    default = {result.probe for result in hansproof.audit(TOY).results}
    replaced = hansproof.audit(TOY, extra_probes=["cues:ngram=1"])
    assert {result.probe for result in replaced.results} == default
    assert replaced["cues"].params["ngram"] == 1


def test_inputs_are_paths_wildcards_lists_or_objects(tmp_path: Path) -> None:
    runs = [run_of("bow"), run_of("longest")]
    for run in runs:
        write(str(tmp_path / f"{run.model}.jsonl"), run)
    wildcard = str(tmp_path / "*.jsonl")
    expected = hansproof.audit(TOY, probes=["accuracy"], predictions=wildcard)["accuracy"]
    assert {row[1] for row in expected.tables["systems"].rows} == {"bow", "longest"}
    paths = [tmp_path / "bow.jsonl", str(tmp_path / "longest.jsonl")]
    for predictions in (paths, runs, [paths[0], runs[1]], logs.read([wildcard], TOY)):
        assert hansproof.run("accuracy", TOY, predictions=predictions) == expected


def test_run_takes_settings_and_inputs() -> None:
    result = hansproof.run(
        "compare", TOY, predictions=[run_of("bow"), run_of("longest")], level=0.1
    )
    assert result.params["level"] == 0.1
    with pytest.raises(hansproof.UnknownName, match="did you mean predictions"):
        hansproof.run("compare", TOY, prediction=run_of("bow"))
    with pytest.raises(hansproof.BadInput, match=r"^`predictions`: "):
        hansproof.run("compare", TOY)
    with pytest.raises(hansproof.BadInput, match=r"^`level`: is 3"):
        hansproof.run("compare", TOY, level=3)


def test_predict_names_the_split_that_it_needs() -> None:
    run = hansproof.predict("toy", "longest", split="mirrored")
    assert (run.split, run.protocol, len(run.scores)) == ("mirrored", "given", 120)
    with pytest.raises(hansproof.BadInput, match=r"original, mirrored\): name one with `split`"):
        hansproof.predict("toy", "longest")


def test_compare_takes_paths_and_runs(tmp_path: Path) -> None:
    a, b = [run_of("bow", seed=seed) for seed in range(2)], run_of("longest")
    for run in (*a, b):
        write(str(tmp_path / f"{run.model}.{run.seed}.jsonl"), run)
    expected = hansproof.compare(a, b, TOY)
    (estimate,) = expected.estimates
    assert (estimate.name, estimate.n) == ("original: bow minus longest", 120)
    patterns = str(tmp_path / "bow.*.jsonl"), tmp_path / "longest.0.jsonl"
    assert hansproof.compare(*patterns) == expected  # the files name the benchmark
    assert hansproof.compare(a, b) == expected
    with pytest.raises(hansproof.BadInput, match="b: is empty"):
        hansproof.compare(a, [], TOY)
    stranger = Benchmark("strange", TOY.splits)
    with pytest.raises(hansproof.BadInput, match="name it with `benchmark`"):
        hansproof.compare(hansproof.predict(stranger, "longest"), b)


def test_gate_takes_audits_paths_and_benchmarks(tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text("[limits]\nverdicts = 'any'\nduplicates = 0\n")
    audit = hansproof.audit(TOY, probes=["integrity"])
    audit.save(tmp_path / "audit")
    sources = (audit, tmp_path / "audit", tmp_path / "audit" / "audit.json", TOY, "toy:original")
    results = [hansproof.gate(source, limits) for source in sources]
    assert all(result.outcomes == results[0].outcomes for result in results)
    assert results[0].passes()
    assert not hansproof.gate(pandas.DataFrame(RECORDS * 2), str(limits)).passes()


def test_errors_name_keyword_arguments(tmp_path: Path) -> None:
    records = [{"stem": "2 + 2?", "A": "3", "B": "4"}]
    with pytest.raises(hansproof.BadInput) as caught:
        hansproof.audit(records)
    assert "`answer`" in str(caught.value)
    assert "--" not in str(caught.value)
    with pytest.raises(hansproof.BadInput, match="`predictions`: is not used by any probe"):
        hansproof.audit(TOY, probes=FAST, predictions=run_of("longest"))
    with pytest.raises(hansproof.BadInput, match="`extra_probes`: cues is given twice"):
        hansproof.audit(TOY, extra_probes=["cues", "cues:ngram=1"])


def test_run_takes_keywords_and_names_what_is_wrong_with_its_arguments() -> None:
    expected = hansproof.run("integrity", TOY)
    assert hansproof.run(probe="integrity", benchmark=TOY) == expected
    wrong: list[tuple[Any, Any, str]] = [
        (TOY, "integrity", r"`probe`: comes before the benchmark: run\('integrity', benchmark\)"),
        (None, TOY, "`probe`: is of type NoneType, must be a probe"),
        (Integrity, TOY, r"`probe`: is a class: give an object of it, such as Integrity\(\)"),
    ]
    for probe, benchmark, message in wrong:
        with pytest.raises(hansproof.BadInput, match=message):
            hansproof.run(probe, benchmark)


def test_audit_takes_a_probe_object_and_refuses_what_is_no_probe() -> None:
    audit = hansproof.audit(TOY, probes=Integrity(), progress=None)
    assert audit.results == hansproof.audit(TOY, probes=["integrity"]).results
    wrong: list[tuple[Any, str]] = [
        ([Integrity], "`probes`: is a class"),
        ([], "`probes`: is empty"),
        (["cues", "cues:ngram=1"], "`probes`: cues is given twice"),
    ]
    for probes, message in wrong:
        with pytest.raises(hansproof.BadInput, match=message):
            hansproof.audit(TOY, probes=probes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"protocol": "nonsense"}, "`protocol`: is 'nonsense', must be train-test or cv"),
        ({"folds": "5"}, "`folds`: is '5', must be of type int"),
        ({"seed": -1}, "`seed`: is -1, must be at least 0"),
        ({"split": 3}, "`split`: is 3, must be of type str"),
        ({"view": ["full"]}, r"`view`: is \['full'\], must be of type str"),
    ],
)
def test_predict_checks_its_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(hansproof.BadInput, match=message):
        hansproof.predict(TOY, "longest", **arguments)


def test_arguments_of_other_functions_are_checked() -> None:
    run: Any = hansproof.run
    with pytest.raises(hansproof.BadInput, match="`ngram`: is '1', must be of type int"):
        run("cues", TOY, ngram="1")
    gate: Any = hansproof.gate
    with pytest.raises(hansproof.BadInput, match="`limits`: is 3, must be of type str"):
        gate(TOY, 3)


def test_advice_is_a_call_in_python(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text(
        "Frage,x,y,z\n" + "".join(f"Was {i}?,a{i},b{i},{i % 2 + 1}\n" for i in range(9))
    )
    for source, label in ((path, f'"{path}"'), (pandas.read_csv(path), "data")):
        with pytest.raises(hansproof.BadInput, match="columns not recognised") as caught:
            hansproof.load(source)
        (advice,) = (note for note in caught.value.__notes__ if note.startswith("try: "))
        mapping = 'fields=("Frage",), choices=("x", "y"), answer="z"'
        assert advice == f"try: hansproof.load({label}, hansproof.ColumnMapping({mapping}))"
        call = advice.removeprefix("try: ")
        benchmark = eval(call, {"hansproof": hansproof, "data": source})
        assert benchmark.splits["all"][0].choices == ("a0", "b0")


def test_failures_that_are_stored_name_keyword_arguments() -> None:
    (failure,) = hansproof.audit(TOY, probes=["accuracy"]).failures
    assert failure.error.startswith("`predictions`: ")


def test_logs_are_read_by_a_path_and_the_name_of_a_benchmark(tmp_path: Path) -> None:
    run = run_of("longest")
    path = tmp_path / "runs.jsonl"
    write(str(path), run)
    for patterns in (path, str(path), [path], (str(path),)):
        assert logs.read(patterns, "toy:original") == (run,) == logs.read(patterns, TOY)
    wrong: Any = 3
    with pytest.raises(hansproof.BadInput, match="`patterns`: is 3, must be a list of str"):
        logs.read(wrong, TOY)
    with pytest.raises(hansproof.UnknownName, match="did you mean toy"):
        logs.read(path, "toi")
