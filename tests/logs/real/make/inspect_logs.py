"""Makes the Inspect logs beside it: a model that is a function, nine short runs.

    python inspect_logs.py TOY.jsonl OUT

All work is done in a folder of a neutral name because the tool writes paths into its logs.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from typing import Any

WORK = "/tmp/run"
ITEMS, FEW = 12, 6
LOGS: dict[str, dict[str, Any]] = {  # what is made: how it is run
    "plain": {},
    "json": {"log_format": "json", "limit": FEW},
    "shuffled": {},
    "reordered": {},
    "epochs": {"epochs": 2, "limit": FEW},
    "unclear": {"fail_on_error": False},
    "free-text": {"limit": 3},
    "no-samples": {"log_samples": False},
    "failed": {},
}


def main(toy: str, out: str) -> None:
    """Run every evaluation, copy its log under the name it has here."""
    with open(toy, encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file][:ITEMS]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    for name, how in LOGS.items():
        inspect: Any = import_module("inspect_ai")
        model = import_module("inspect_ai.model").get_model(
            "mockllm/model", custom_outputs=_answers(name), memoize=False
        )
        task = inspect.Task(name=f"toy_{name}", display_name=name, **_task(name, pairs))
        options = {"display": "none", "log_dir": "logs", "max_samples": 1, "max_connections": 1}
        (log,) = inspect.eval(task, model=model, **{**options, **how})
        path = log.location.removeprefix("file://")
        shutil.copy(path, os.path.join(out, name + os.path.splitext(path)[1]))


def _task(name: str, pairs: list[dict[str, Any]]) -> dict[str, Any]:
    solver: Any = import_module("inspect_ai.solver")
    scorer: Any = import_module("inspect_ai.scorer")
    dataset: Any = import_module("inspect_ai.dataset")
    samples = [_sample(dataset.Sample, pair) for pair in pairs]
    items = dataset.MemoryDataset(samples, name="toy")
    if name == "free-text":
        for sample, pair in zip(samples, pairs, strict=True):
            sample.choices, sample.target = None, pair["choices"][pair["answer"]]
        return {"dataset": items, "solver": solver.generate(), "scorer": scorer.match()}
    if name == "reordered":
        items.shuffle_choices(seed=3)
    shuffle = {"shuffle": random.Random(5)} if name == "shuffled" else {}
    scorers = [scorer.match(), scorer.choice()] if name == "plain" else scorer.choice()
    return {"dataset": items, "solver": solver.multiple_choice(**shuffle), "scorer": scorers}


def _sample(make: Any, pair: dict[str, Any]) -> Any:
    question = f"{pair['premise']} What was the {pair['asks_for']}?"
    target = "AB"[pair["answer"]]
    return make(id=pair["id"], input=question, choices=pair["choices"], target=target)


def _answers(name: str) -> Any:
    """A model that prefers the longer choice, wherever it stands."""
    asked = 0

    def answer(messages: Any, *settings: Any) -> Any:
        nonlocal asked
        asked += 1
        if name == "failed" and asked == 5:
            raise RuntimeError("the model is gone")
        if name == "unclear" and asked in (2, 7):
            return _said("I would rather not say.")
        if name == "unclear" and asked == 9:
            raise RuntimeError("the model is gone")
        found = re.findall(r"^([A-B])\) (.*)$", messages[-1].text, re.MULTILINE)
        letter = max(found, key=lambda one: len(one[1]))[0] if found else "A fox."
        if name == "epochs" and asked > FEW:
            letter = "A"
        return _said(f"ANSWER: {letter}")

    return answer


def _said(text: str) -> Any:
    """An output with a count of tokens, which the tool would else look up on the net."""
    model: Any = import_module("inspect_ai.model")
    said = model.ModelOutput.from_content("mockllm", text)
    said.usage = model.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return said


def _again(toy: str, out: str) -> None:
    """Run this file by a path that says nothing of this machine: tracebacks are logged."""
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.symlink(sys.base_prefix, f"{WORK}/python")
    os.symlink(sysconfig.get_path("purelib"), f"{WORK}/packages")
    script = shutil.copy(__file__, WORK)
    paths = [os.path.abspath(toy), os.path.abspath(out)]
    env = {"HOME": WORK, "PYTHONHOME": f"{WORK}/python", "PYTHONPATH": f"{WORK}/packages"}
    subprocess.run([sys.executable, script, *paths], cwd=WORK, env=env, check=True)


if __name__ == "__main__":
    (main if os.path.dirname(__file__) == WORK else _again)(*sys.argv[1:])
