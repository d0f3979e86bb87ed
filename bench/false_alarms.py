"""How many items of real benchmarks match text that was not written with them in mind?

Scans the corpora of $HANSPROOF_DATA for all items of seven benchmarks, and lists what is found,
by level, with a sample of passages to be read by a person:

    python -m bench.false_alarms build/false_alarms build/false_alarms/found.json

docs/results/contamination.json is such a file, to which was added how each passage was read.

The benchmarks' own N, tokenizer word, near-duplicates looked for too. Also with one N of 8, and of
6, at which phrases show.
"""

from __future__ import annotations

import json
import os
import random
import sys
from dataclasses import asdict
from pathlib import Path

from hansproof.benchmarks import load
from hansproof.contamination.build_index import build_index
from hansproof.contamination.coordinator import scan_in_threads
from hansproof.contamination.levels import CLEAN, SHORT, LevelRules, classify_items
from hansproof.contamination.result import ScanResult
from hansproof.contamination.scan import ScanPlan
from hansproof.corpus import resolve_sources, text_stream
from hansproof.corpus.shards import CorpusReader

BENCHMARKS = ("arct", "arc_challenge", "arc_easy", "csqa", "piqa", "copa", "balanced_copa")
SAMPLE = 30
SIZES = (None, 8, 6)


def corpora(folder: Path) -> list[str]:
    """The corpora as plain text, a file for each; of Brown without its tags."""
    source = Path(os.environ["HANSPROOF_DATA"]) / "corpora"
    names = ["abc.zip", "webtext.zip", "brown.zip", "wiki_demo.txt"]
    names += ["wikitext-2/valid.txt", "wikitext-2/test.txt"]
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names:
        path = folder / (name.replace("/", "-").removesuffix(".zip").removesuffix(".txt") + ".txt")
        texts = text_stream.read_text(
            resolve_sources([str(source / name)]), lambda *told: print("not read:", *told)
        )
        path.write_text("".join(piece for piece, _ in texts))
        paths.append(str(path))
    return paths


def scanned(folder: Path, n: int | None) -> ScanResult:
    """The result for all benchmarks."""
    benchmarks = [load(name) for name in BENCHMARKS]
    index = build_index(benchmarks, "word", n, sketches=True)
    sources = resolve_sources(corpora(folder))
    output = folder / f"found-{n or 'own'}.json"
    return scan_in_threads(
        ScanPlan.for_sources(index, sources, CorpusReader()),
        str(output),
        threads=os.cpu_count() or 1,
    )


def levels(scan: ScanResult) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """By benchmark how many items are of each level; and all that was found of them."""
    counts, rows = [], []
    for name in BENCHMARKS:
        for split, some in classify_items(load(name), [("scan", scan)], [], LevelRules()).items():
            of = {
                level: sum(one.level == level for one in some)
                for level in sorted({o.level for o in some})
            }
            n = next(m.n for m in scan.index_header.members if m.name == load(name).name)
            counts.append(
                {"benchmark": f"{load(name).name}:{split}", "n": n, "items": len(some), **of}
            )
            for one in some:
                if one.level in (CLEAN, SHORT) or one.passage is None:
                    continue
                low = max(0, one.spans[0][0] - 100) if one.spans else 0
                high = one.spans[-1][1] + 100 if one.spans else 700
                rows.append({
                    "benchmark": name, "item": one.item.id, "level": one.level, "n": n,
                    "grams": [asdict(s) | {"parts": sorted(s.parts)} for s in one.matches[:3]],
                    "share": one.shingle_share, "source": os.path.basename(one.passage.source),
                    "byte": one.passage.start, "passage": one.passage.text[low:high],
                    "question": " / ".join(one.item.fields.values()),
                    "right": one.item.choices[one.item.answer or 0],
                })  # fmt: skip
    return counts, rows


def main(folder: str, output: str) -> None:
    """Scan with each N, and write what was found."""
    result: dict[str, object] = {"command": f"python -m bench.false_alarms {folder} {output}"}
    for n in SIZES:
        scan = scanned(Path(folder), n)
        counts, rows = levels(scan)
        drawn = random.Random(0).sample(rows, min(SAMPLE, len(rows)))
        words = scan.corpus.words
        result[f"n={n or 'own'}"] = {"words": words, "levels": counts, "sample": drawn}
        print(n, words, json.dumps(counts, indent=1), len(rows))
    Path(output).write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
