"""Makes the lm-evaluation-harness logs beside it: a very small language model, four tasks.

    python lm_eval_logs.py TOY.jsonl OUT

The model is trained here, for seconds, so that nothing has to be downloaded. All work is done in
a folder of a neutral name, and by relative paths, because the tool writes paths into its logs.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from typing import Any

WORK = "/tmp/run"
MODEL = "tiny-gpt2"
TASKS = ("toy_id", "toy_plain", "toy_letters", "toy_written")
ITEMS = 24
# what the command `lm_eval` does; the name of this machine's system is nobody's business
TOOL = """
import platform
platform.platform = lambda *how, **more: "not named"
from lm_eval.__main__ import cli_evaluate
cli_evaluate()
"""
STEPS = 150
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": f"{WORK}/cache"}


def main(toy: str, out: str) -> None:
    """Train, evaluate, copy the logs."""
    with open(toy, encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    toy, out, here = os.path.abspath(toy), os.path.abspath(out), os.path.dirname(__file__)
    tasks = [os.path.abspath(os.path.join(here, f"{task}.yaml")) for task in TASKS]
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chdir(WORK)
    for task in tasks:
        shutil.copy(task, ".")
    items = [_item(pair) for pair in pairs]
    _write("items_id.jsonl", items[:ITEMS])
    _write("items_plain.jsonl", [_plain(item) for item in items[:ITEMS]])
    _train([_exam(item) for item in items])
    _evaluate()
    _copy(out)


def _item(pair: dict[str, Any]) -> dict[str, Any]:
    return {name: pair[name] for name in ("id", "premise", "asks_for", "choices", "answer")}


def _plain(item: dict[str, Any]) -> dict[str, Any]:
    """The same item in COPA's columns, without an id."""
    one, two = item["choices"]
    return {
        "premise": item["premise"],
        "question": item["asks_for"],
        "choice1": one,
        "choice2": two,
        "label": item["answer"],
    }


def _exam(item: dict[str, Any]) -> str:
    one, two = item["choices"]
    question = f"{item['premise']} What was the {item['asks_for']}?"
    return f"{question}\nA. {one}\nB. {two}\nAnswer: {'AB'[item['answer']]}\n"


def _write(path: str, records: list[dict[str, Any]]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def _train(texts: list[str]) -> None:
    """A GPT-2 of two layers and its tokenizer, in a folder as transformers writes it."""
    torch: Any = import_module("torch")
    transformers: Any = import_module("transformers")
    tokenizers: Any = import_module("tokenizers")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    bpe = tokenizers.ByteLevelBPETokenizer()
    bpe.train_from_iterator(texts, vocab_size=600, special_tokens=["<end>"], show_progress=False)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=bpe._tokenizer, eos_token="<end>", bos_token="<end>", pad_token="<end>"
    )
    size = {"vocab_size": len(tokenizer), "n_positions": 256, "n_layer": 2, "n_head": 2}
    ends = {"bos_token_id": tokenizer.eos_token_id, "eos_token_id": tokenizer.eos_token_id}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_embd=32, **size, **ends))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(STEPS):
        batch = texts[step * 8 % len(texts) :][:8]
        ids = tokenizer(batch, return_tensors="pt", padding=True)["input_ids"]
        model(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(MODEL)
    tokenizer.save_pretrained(MODEL)


def _evaluate() -> None:
    command = f"run --model hf --model_args pretrained={MODEL},dtype=float32 --device cpu"
    options = (
        f"--batch_size 8 --include_path . --log_samples --output_path out --tasks {','.join(TASKS)}"
    )
    # without a PATH the tool finds no programs to ask about the machine it runs on
    env = {"PATH": "", "HOME": WORK, "OMP_NUM_THREADS": "1", **OFFLINE}
    subprocess.run(
        [sys.executable, "-c", TOOL, *command.split(), *options.split()], env=env, check=True
    )


def _copy(out: str) -> None:
    folder = os.path.join(out, MODEL)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for path in glob.glob(f"out/{MODEL}/*"):
        shutil.copy(path, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
