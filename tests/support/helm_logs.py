"""Writes small logs as HELM writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CHOICES = ("one virus", "two viruses", "no virus")


def make_state(id: str = "id1", text: object = "B", **changes: Any) -> dict[str, Any]:
    """A request with its result; the second of three choices is right."""
    references = [
        {"output": {"text": choice}, "tags": ["correct"] if i == 1 else []}
        for i, choice in enumerate(CHOICES)
    ]
    question = f"How many of {id}?"
    letters = "".join(f"{letter}. {c}\n" for letter, c in zip("ABC", CHOICES, strict=True))
    state = {
        "instance": {
            "input": {"text": question}, "references": references, "split": "test", "id": id,
        },
        "train_trial_index": 0,
        "output_mapping": dict(zip("ABC", CHOICES, strict=True)),
        "request": {"prompt": f"Question: {question}\n{letters}Answer:"},
        "result": {"success": True, "completions": [{"text": text, "logprob": 0}]},
    }  # fmt: skip
    return {**state, **changes}


def write_log(folder: Path, *states: object, name: str = "a.json", **spec: Any) -> str:
    adapter_spec = {"method": "multiple_choice_joint", "model": "org/model", **spec}
    log = {"adapter_spec": adapter_spec, "request_states": list(states)}
    path = folder / name
    path.write_text(json.dumps(log))
    return str(path)


def change(state: dict[str, Any], *path: str | int, value: object) -> dict[str, Any]:
    """The state with the value at a path replaced."""
    node: Any = state
    for name in path[:-1]:
        node = node[name]
    node[path[-1]] = value
    return state
