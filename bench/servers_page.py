"""Write docs/results/endpoints.md from bench/servers.json and bench/endpoint_speed.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.endpoint_speed import RESULTS as SPEED
from bench.servers import RESULTS as SERVERS
from docs.wrap import wrap_markdown

PAGE = Path(__file__).parents[1] / "docs" / "results" / "endpoints.md"
NAMES = {"toy": "toy:original", "copa": "COPA, test", "arc_challenge": "ARC-Challenge, 200 items"}

TEXT = """# Language models behind real servers

Two servers on a CPU with two cores, asked by `hansproof` in every way that they allow (`make
servers`; `bench/servers.py`). SmolLM2-135M is asked about the embedded benchmark,
Qwen2.5-Coder-1.5B-Instruct (4 bits) about COPA and 200 items of ARC-Challenge.

{table}

*picks* counts how often each place was picked by the score. *text* is the accuracy of the text of
the same answers, where the score is the probability of the first token; *differ* is how often the
two name different choices, among answers in which both can be read. Missing answers count as wrong.

What this shows:

- **SmolLM2 goes by places.** Its first token is *A* in almost every item; half of the answers of
  `toy:original` are *A*, so 50% means nothing. Its text repeats the list of choices and then often
  names *B*: first token and text differ in most answers of a chat in which both can be read.
- **The wording of a prompt can decide.** With a prompt that ended in *… alone: A or B.*, Qwen
  picked *A* in 423 of 500 items of COPA and was right in 64.6%. The default prompt does not list
  the letters at its end.
- **The ways of asking agree where the model knows the answers.** Qwen is right in 83.6% to 84.6% of
  COPA by any of them, and in 57.5% to 60.0% of ARC, where 12 free answers went on until they were
  cut off. Asked again, the same server answers a few items differently.
- **A server that cannot do what is asked is refused.** llama.cpp ignores `echo` and returns the
  log-probabilities of the next token; SmolLM2's plain completions are empty. Neither became a
  number.
- **Likelihoods from vLLM are those of `lm`.** {agreement}

## How fast items are asked

{speed}
"""


def main() -> None:
    document = json.loads(SERVERS.read_text())
    speed = json.loads(SPEED.read_text())
    text = TEXT.format(
        table=table(document["rows"]),
        agreement=agreement_text(document["agreement"]),
        speed=speed_text(speed),
    )
    PAGE.write_text(wrap_markdown(text))


def agreement_text(agreement: dict[str, Any]) -> str:
    kinds = [value for value in agreement.values() if isinstance(value, dict)]
    largest = max(kind["largest_difference"] for kind in kinds)
    n_same = sum(kind["same_picks"] for kind in kinds)
    return (
        f"On {agreement['items']} items with {len(kinds)} kinds of scores, the largest difference "
        f"between `vllm:` and `lm:` with the same weights was {largest:.1g}, and {n_same} of "
        f"{agreement['items'] * len(kinds)} picks were equal."
    )


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| server | model | benchmark | settings | right (95%) | chance | text | differ | missing "
        "| picks | seconds |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda row: (row["model"], row["benchmark"], row["server"])):
        name = NAMES.get(row["benchmark"], row["benchmark"])
        start = f"| {row['server']} | {row['model']} | {name} | `{row['settings']}` "
        if "refused" in row:
            reason = row["refused"].partition("the server ")[2].partition(". ")[0]
            lines.append(f"{start}| refused: the server {reason} | | | | | | |")
            continue
        text = "–" if row.get("text_accuracy") is None else f"{row['text_accuracy']:.1%}"
        both = row["both_read"]
        differ = f"{row['mismatches']} of {both}" if both else "–"
        missing = ", ".join(f"{n} {reason}" for reason, n in row["unanswered"].items()) or "0"
        right = f"{row['accuracy']:.1%} ({100 * row['low']:.1f}–{100 * row['high']:.1f})"
        chance = "25%" if row["benchmark"] == "arc_challenge" else "50%"
        picks = " / ".join(map(str, row["picks"]))
        lines.append(
            f"{start}| {right} | {chance} | {text} | {differ} | {missing} | {picks} "
            f"| {row['seconds']:.0f} |"
        )
    return "\n".join(lines)


def speed_text(results: dict[str, Any]) -> str:
    run, memory = results["throughput"], results["memory"]
    small, large = sorted(memory, key=int)
    return (
        f"A local server that answers after {1000 * run['delay']:.0f} ms, {run['items']:,} items, "
        f"{run['concurrency']} requests under way: {run['seconds']} s, {run['ratio']} times the "
        f"ideal of {run['ideal']:.2f} s. A bare client with aiohttp that sends as many bytes and "
        f"keeps nothing takes {run['bare_seconds']} s ({run['bare_ratio']} times the ideal). "
        f"Against one that answers at once, {int(large):,} items take "
        f"{memory[large]['seconds']:.0f} s and {memory[large]['mb_peak']:.0f} MB, "
        f"{memory[large]['mb_before']:.0f} MB of which are the items themselves; {int(small):,} "
        f"items take {memory[small]['mb_peak']:.0f} MB (`python -m bench.endpoint_speed`)."
    )


if __name__ == "__main__":
    main()
