"""Count the items of real benchmarks that match text unrelated to them.

Scans the corpora of $HANSPROOF_DATA for all items of seven benchmarks, and lists the matches by
level, with a sample of passages for a person to read:

    python -m bench.false_alarms build/false_alarms build/false_alarms/found.json

docs/results/contamination.json is such a file, with a reader's judgement added to each passage.

N is chosen by the benchmarks (tokenizer `word`, near-duplicates included), then 8 and 6 for all;
at 6, common phrases start to match.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

from hansproof.benchmarks import load
from hansproof.contamination.build_index import build_index
from hansproof.contamination.coordinator import scan_in_threads
from hansproof.contamination.levels import CLEAN, SHORT, LevelRules, MatchedNgram, classify_items
from hansproof.contamination.result import ScanResult
from hansproof.contamination.scan import ScanPlan
from hansproof.corpus import resolve_sources, text_stream
from hansproof.corpus.shards import CorpusReader

BENCHMARKS = ("arct", "arc_challenge", "arc_easy", "csqa", "piqa", "copa", "balanced_copa")
SAMPLE = 30
SIZES = (None, 8, 6)


def extract_corpora(folder: Path) -> list[str]:
    """Write each corpus as a plain text file; Brown without its tags."""
    source = Path(os.environ["HANSPROOF_DATA"]) / "corpora"
    names = ["abc.zip", "webtext.zip", "brown.zip", "wiki_demo.txt"]
    names += ["wikitext-2/valid.txt", "wikitext-2/test.txt"]
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names:
        path = folder / (name.replace("/", "-").removesuffix(".zip").removesuffix(".txt") + ".txt")
        texts = text_stream.read_text(
            resolve_sources([str(source / name)]), lambda *issue: print("not read:", *issue)
        )
        path.write_text("".join(piece for piece, _ in texts))
        paths.append(str(path))
    return paths


def scan_benchmarks(folder: Path, n: int | None) -> ScanResult:
    """Scan the corpora for the items of all benchmarks."""
    benchmarks = [load(name) for name in BENCHMARKS]
    index = build_index(benchmarks, "word", n, sketches=True)
    sources = resolve_sources(extract_corpora(folder))
    output = folder / f"found-{n or 'own'}.json"
    return scan_in_threads(
        ScanPlan.for_sources(index, sources, CorpusReader()),
        str(output),
        threads=os.cpu_count() or 1,
    )


def tabulate_levels(scan: ScanResult) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Return the number of items of each level by benchmark, and a row for each match."""
    counts, rows = [], []
    for name in BENCHMARKS:
        for split, matches in classify_items(
            load(name), [("scan", scan)], [], LevelRules()
        ).items():
            level_counts = {
                level: sum(match.level == level for match in matches)
                for level in sorted({match.level for match in matches})
            }
            n = next(m.n for m in scan.index_header.members if m.name == load(name).name)
            counts.append(
                {
                    "benchmark": f"{load(name).name}:{split}",
                    "n": n,
                    "items": len(matches),
                    **level_counts,
                }
            )
            for match in matches:
                if match.level in (CLEAN, SHORT) or match.passage is None:
                    continue
                low = max(0, match.spans[0][0] - 100) if match.spans else 0
                high = match.spans[-1][1] + 100 if match.spans else 700
                rows.append({
                    "benchmark": name, "item": match.item.id, "level": match.level, "n": n,
                    "grams": [_ngram_to_json(ngram) for ngram in match.matches[:3]],
                    "share": match.shingle_share, "source": os.path.basename(match.passage.source),
                    "byte": match.passage.start, "passage": match.passage.text[low:high],
                    "question": " / ".join(match.item.fields.values()),
                    "right": match.item.choices[match.item.answer or 0],
                })  # fmt: skip
    return counts, rows


def _ngram_to_json(ngram: MatchedNgram) -> dict[str, object]:
    return {
        "text": ngram.text,
        "count": ngram.count,
        "parts": sorted(ngram.parts),
        "items": ngram.n_items,
        "reference": ngram.reference_count,
        "expected": ngram.expected_count,
    }


def main(folder: str, output: str) -> None:
    """Scan with each N and write the matches."""
    result: dict[str, object] = {"command": f"python -m bench.false_alarms {folder} {output}"}
    for n in SIZES:
        scan = scan_benchmarks(Path(folder), n)
        counts, rows = tabulate_levels(scan)
        sample = random.Random(0).sample(rows, min(SAMPLE, len(rows)))
        words = scan.corpus.words
        result[f"n={n or 'own'}"] = {"words": words, "levels": counts, "sample": sample}
        print(n, words, json.dumps(counts, indent=1), len(rows))
    Path(output).write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
