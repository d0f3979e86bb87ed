"""Time the search for benchmark items in 520 MB of text against two peers and several floors.

    python bench/contamination.py [PYTHON OF THE PEERS]       writes bench/contamination.json

The text consists of sentences of real corpora, sampled with replacement. Each line is a document,
and some documents contain an item verbatim. All contenders search for the same thing, eight
consecutive words of any sequence of four benchmarks, but each splits words in its own way.

Timing. All files are in the page cache, and each contender has one core. Contenders ("routes") are
processes that take turns, in reverse order every other time. Routes with a required ratio run three
times in a round, and the median counts, because the speed of the machine varies. Ratios compare
times of the same round; the result is their median. One core and two cores alternate fifteen
times, together with two independent processes, which show what a second core can gain at most. The
time of a scan includes checkpoints, hashing the index and writing the result. It excludes starting
Python, reading the index and loading compiled code; the time of the whole command is reported as
well. A megabyte is a million bytes of uncompressed text.

Memory is the peak of a process. The part beyond the index is given in two ways: compared with a
process that only prepares the index, and compared with the same process at the start of the scan.
The second is stricter, because preparing the index itself needs some extra memory for a moment.

Needs HANSPROOF_DATA, wc, zstd, gzip and taskset.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hansproof.contamination.scan import ScanPlan

FOLDER = Path("build/contamination")
PEERS = Path(__file__).with_name("contamination_peers.py")
BENCHMARKS = ("arct_adversarial:test", "arc_challenge:test", "csqa:dev", "piqa:dev")
LARGE = ("piqa:train", "csqa:train")
TEXTS = ("abc.zip", "webtext.zip", "brown.zip", "wiki_demo.txt", "wikitext-2/test.txt",
         "wikitext-2/valid.txt")  # fmt: skip
RECIPE = {"bytes": 520_000_000, "sentences of a document": 1000, "seed": 1,
          "documents for one planted item": 50, "n": 8, "form": 2}  # fmt: skip
N_PLAIN_DOCUMENTS = 300  # sample in which plain Python counts the N-grams, too
ROUNDS, LAPS, PAIRS = 3, 3, 15
REPEATED_ROUTES = ("ours", "ours, .zst", "wc -w, C", "wc -w, C.UTF-8", "zstd -d", "cat")
SECONDS = 20  # that a peer works in a round
WORD, WHITESPACE, BIG = "word.npz", "whitespace.npz", "large.npz"

Figures = dict[str, Any]


# the corpus: made in its own process, so that the measuring process stays small


def make_corpus() -> Figures:
    """Write the text in all formats, and the items for the peers."""
    from hansproof import load
    from hansproof.contamination.sequences import item_sequences, sequence_words
    from hansproof.text.tokenizers import get_tokenizer

    FOLDER.mkdir(parents=True, exist_ok=True)
    items = [
        i for name in BENCHMARKS for split_items in load(name).splits.values() for i in split_items
    ]
    # this tokenizer returns each field as one word, so that sequences keep the original text
    texts = [
        [
            " ".join(" ".join(sequence_words(sequence)[0]).splitlines())
            for sequence in item_sequences(item, lambda t: [t])
        ]
        for item in items
    ]
    with open(FOLDER / "items.jsonl", "w", encoding="utf-8") as file:
        file.writelines(
            json.dumps({"text": text}) + "\n" for item_texts in texts for text in item_texts
        )
    split = get_tokenizer("word").split
    long_texts = [
        [text for text in item_texts if len(split(text)) >= RECIPE["n"]] for item_texts in texts
    ]
    summary = {
        "recipe": RECIPE, "items": len(items), "sequences": sum(map(len, texts)),
        **write_corpus([item_texts for item_texts in long_texts if item_texts]),
    }  # fmt: skip
    compress_corpus()
    (FOLDER / "made.json").write_text(json.dumps(summary))
    return summary


def read_sentences() -> list[str]:
    """Return the sentences of the corpora."""
    from hansproof.corpus import resolve_sources, text_stream

    base = Path(os.environ["HANSPROOF_DATA"], "corpora")
    sources = resolve_sources(str(base / name) for name in TEXTS)
    text = "".join(piece for piece, _ in text_stream.read_text(sources, raise_read_issue))
    text = re.sub(r"\r(?!\n)", " ", text).replace("\r\n", "\n")
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+|\n+", text) if sentence.strip()]


def raise_read_issue(*problem: object) -> None:
    """Fail on any read issue: all of these corpora are readable."""
    raise ValueError(problem)


def write_corpus(items: list[list[str]]) -> Figures:
    """Write the text as lines and as JSON lines, and record the planted items."""
    sentences, rng = read_sentences(), random.Random(RECIPE["seed"])
    planting_interval = RECIPE["documents for one planted item"]
    size = RECIPE["sentences of a document"]
    rng.shuffle(items)
    planted: list[tuple[int, str]] = []
    bytes_written = documents = 0
    with (
        open(FOLDER / "corpus.txt", "wb") as plain,
        open(FOLDER / "corpus.jsonl", "wb") as lines,
        open(FOLDER / "some.jsonl", "wb") as sample,
    ):
        while bytes_written < RECIPE["bytes"]:
            chosen = rng.choices(sentences, k=size)
            documents += 1
            if documents % planting_interval == 0:
                planted.append((documents, rng.choice(items[len(planted)])))
                chosen.insert(rng.randrange(size + 1), planted[-1][1])
            text = " ".join(chosen)
            bytes_written += plain.write(text.encode() + b"\n")
            line = json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n"
            lines.write(line)
            if documents <= N_PLAIN_DOCUMENTS:
                sample.write(line)
    (FOLDER / "planted.json").write_text(json.dumps(planted))
    return {
        "texts": TEXTS, "different sentences": len({*sentences}), "megabytes": bytes_written / 1e6,
        "documents": documents, "planted items": len(planted),
    }  # fmt: skip


def compress_corpus() -> None:
    """Compress the files with the tools' default settings, and link four more copies."""
    subprocess.run(["zstd", "-q", "-f", FOLDER / "corpus.txt"], check=True)
    subprocess.run(["gzip", "-k", "-f", FOLDER / "corpus.jsonl"], check=True)
    (FOLDER / "four").mkdir(exist_ok=True)
    four = (FOLDER / "four" / f"{number}.txt" for number in range(4))
    for copy in (*four, FOLDER / "again.txt"):
        copy.unlink(missing_ok=True)
        os.link(FOLDER / "corpus.txt", copy)


# our scans: each in its own process


def make_indexes() -> Figures:
    """Build the indexes that the scans use."""
    from hansproof import load
    from hansproof.contamination import index as indexes
    from hansproof.contamination.build_index import build_index

    result: Figures = {"benchmarks": BENCHMARKS}
    for name in (WORD, WHITESPACE):
        stem, start = name.removesuffix(".npz"), time.perf_counter()
        ngram_index = build_index([load(benchmark) for benchmark in BENCHMARKS], stem, RECIPE["n"])
        indexes.write_index(str(FOLDER / name), ngram_index)
        seconds = round_figure(time.perf_counter() - start)
        result[stem] = {"N-grams": len(ngram_index), "seconds to make": seconds}
    return result


def load_scan_plan(index: str, corpus: str) -> ScanPlan:
    """Return a scan whose index is loaded and prepared."""
    from hansproof.contamination import index as indexes
    from hansproof.contamination.scan import ScanPlan
    from hansproof.corpus import resolve_sources
    from hansproof.corpus.shards import CorpusReader

    plan = ScanPlan.for_sources(
        indexes.read_index(str(FOLDER / index)),
        resolve_sources([str(FOLDER / corpus)]),
        CorpusReader(),
    )
    assert plan.prepared_index
    return plan


def prepare_index(index: str) -> Figures:
    """Prepare an index and do nothing else."""
    return {
        "parts": len(load_scan_plan(index, "corpus.txt").shards),
        "peak": memory_megabytes("VmHWM"),
    }


def memory_megabytes(kind: str) -> float:
    """Return the current memory of this process (VmRSS) or its peak (VmHWM), in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(kind)) * 1024 / 1e6


def run_scan(index: str, corpus: str, threads: int) -> Figures:
    """Run one scan; the clock starts when everything is loaded."""
    from hansproof.contamination.coordinator import scan_in_threads
    from hansproof.contamination.scanner.compiled import CompiledIndex, CompiledScanner

    output = str(FOLDER / f"found-{index}-{corpus}.json")
    plan = load_scan_plan(index, corpus)
    peak_before, memory_before = memory_megabytes("VmHWM"), memory_megabytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # reset the recorded peak
    assert isinstance(plan.prepared_index, CompiledIndex)
    scanner = CompiledScanner(plan.prepared_index)
    scanner.start_document(0)
    scanner.feed(b"loads the compiled code")
    scanner.finish()
    start, cpu_start = time.perf_counter(), time.process_time()
    result = scan_in_threads(plan, output, threads)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    assert not result.issues
    return {
        "seconds": seconds,
        "cpu": cpu,
        "documents": result.corpus.documents,
        "hits": sum(gram.count for gram in result.ngrams),
        "peak": max(peak_before, memory_megabytes("VmHWM")),
        "more": memory_megabytes("VmHWM") - memory_before,
    }


def measure_large_index() -> Figures:
    """Measure the size of an index of many items, on disk and in memory."""
    from hansproof import load
    from hansproof.contamination import index as indexes
    from hansproof.contamination.build_index import build_index
    from hansproof.contamination.scanner.compiled import CompiledIndex

    start = time.perf_counter()
    indexes.write_index(str(FOLDER / BIG), build_index([load(name) for name in LARGE]))
    seconds = time.perf_counter() - start
    index = indexes.read_index(str(FOLDER / BIG))
    finder = CompiledIndex(index)
    arrays = sum(array.nbytes for array in index.arrays.values())
    lookup_bytes = finder.lookup.bits.nbytes + finder.lookup.slots.nbytes
    disk, memory = os.path.getsize(FOLDER / BIG) / 1e6, (arrays + lookup_bytes) / 1e6
    return {
        "benchmarks": LARGE,
        "items": index.item_offsets[-1],
        "n": {member.name: member.n for member in index.header.members},
        "N-grams": len(index),
        "seconds to make": round(seconds, 1),
        "on disk, MB": disk,
        "in memory, MB": memory,
        "of these bitmap and slots, MB": lookup_bytes / 1e6,
        "tables of letters, for any index, MB": 2 * finder.fold_table.nbytes / 1e6,
        "at most, MB": 200,
        "met": max(disk, memory) <= 200,
    }


# correctness


def check_hits() -> Figures:
    """Compare the hits with the planted items, and a sample of documents with plain Python."""
    from hansproof.contamination.result import read_result
    from hansproof.contamination.scanner import hits as scanner_hits
    from hansproof.text.ngrams import extract_ngrams
    from hansproof.text.tokenizers import get_tokenizer

    split = get_tokenizer("word").split
    result = read_result(str(FOLDER / f"found-{WORD}-corpus.txt.json"))
    counts = {gram.text: gram.count for gram in result.ngrams}
    planted = json.loads((FOLDER / "planted.json").read_text())
    expected = Counter(
        gram for _, text in planted for gram in extract_ngrams(split(text), RECIPE["n"])
    )
    scanner_hits.MAX_PASSAGES = sys.maxsize  # keep a passage of each flagged document
    documents = run_scan(WORD, "corpus.jsonl", 1)["documents"]
    passages = read_result(str(FOLDER / f"found-{WORD}-corpus.jsonl.json")).passages
    flagged = {passage.document for passage in passages}
    hits = sum(counts.values())
    return {
        "planted N-grams": expected.total(),
        "planted N-grams found": sum(min(n, counts.get(gram, 0)) for gram, n in expected.items()),
        "N-grams found": hits,
        "N-grams found per million words": hits / result.corpus.words * 1e6,
        "words": result.corpus.words,
        "documents flagged": len(flagged),
        "share of documents flagged": len(flagged) / documents,
        "documents planted and flagged": len({number for number, _ in planted} & flagged),
        "numbers of documents flagged": sorted(flagged),
        **compare_with_plain_python(),
    }


def compare_with_plain_python() -> Figures:
    """Count the N-grams of a sample of documents with a scan and with plain Python."""
    from hansproof.contamination import index as indexes
    from hansproof.contamination.result import read_result
    from hansproof.text.ngrams import extract_ngrams
    from hansproof.text.tokenizers import get_tokenizer

    run_scan(WORD, "some.jsonl", 1)
    result = read_result(str(FOLDER / f"found-{WORD}-some.jsonl.json"))
    ours = {gram.text: gram.count for gram in result.ngrams}
    index = indexes.read_index(str(FOLDER / WORD))
    indexed_ngrams = {index.ngram_text(number) for number in range(len(index))}
    split, plain = get_tokenizer("word").split, Counter[str]()
    with open(FOLDER / "some.jsonl", encoding="utf-8") as lines:
        for line in lines:
            grams = extract_ngrams(split(json.loads(line)["text"]), RECIPE["n"])
            plain.update(gram for gram in grams if gram in indexed_ngrams)
    return {
        "documents read in plain Python, too": N_PLAIN_DOCUMENTS,
        "N-grams in these, ours": sum(ours.values()),
        "N-grams in these, plain Python": plain.total(),
        "the same N-grams as often": ours == plain,
    }


# the measurement


@dataclass(frozen=True)
class ProcessResult:
    """Output and resource usage of a process."""

    out: str
    seconds: float
    cpu: float
    peak: float  # megabytes
    other_cores: float  # cores that were busy with other processes


def run_pinned(
    command: Sequence[str | Path], cores: str = "0", locale: str = "C.UTF-8"
) -> ProcessResult:
    """Run a command on the given cores, by default on the first."""
    pinned = ["taskset", "-c", cores, *map(str, command)]
    environment = {**os.environ, "LC_ALL": locale}
    start, busy = time.perf_counter(), _busy_seconds()
    process = subprocess.Popen(pinned, stdout=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)  # resource usage of this child only
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, pinned)
    seconds, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    other_cores = max(0.0, (_busy_seconds() - busy - cpu) / seconds)
    return ProcessResult(out.decode(), seconds, cpu, usage.ru_maxrss * 1024 / 1e6, other_cores)


def _busy_seconds() -> float:
    """Return the seconds that all cores together have worked."""
    user, nice, system, _, _, *more = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + sum(more)) / os.sysconf("SC_CLK_TCK")


def run_part(name: str, *arguments: Any, cores: str = "0") -> ProcessResult:
    """Run one part of this script in its own process."""
    return run_pinned([sys.executable, __file__, name, json.dumps(arguments)], cores)


def time_scan(size: float, index: str, corpus: str, threads: int = 1) -> Figures:
    """Time a scan, and the process around it."""
    process = run_part("scan", index, corpus, threads, cores=f"0-{threads - 1}")
    report = json.loads(process.out)
    return {
        "MB/s": size / report["seconds"],
        "seconds": report["seconds"],
        "CPU seconds": report["cpu"],
        "whole process, seconds": process.seconds,
        "peak, MB": report["peak"],
        "more, MB": report["more"],
        "cores busy with others": process.other_cores,
        "hits": report["hits"],
    }


def time_tool(size: float, command: Sequence[str | Path], locale: str = "C.UTF-8") -> Figures:
    """Time a command whose output is discarded."""
    process = run_pinned(["sh", "-c", '"$@" > /dev/null', "sh", *command], "0", locale)
    return {
        "MB/s": size / process.seconds, "seconds": process.seconds, "CPU seconds": process.cpu,
        "cores busy with others": process.other_cores,
    }  # fmt: skip


def time_peer(python: str, name: str) -> Figures:
    """Let a peer work for a fixed time."""
    corpus, items = FOLDER / "corpus.txt", FOLDER / "items.jsonl"
    process = run_pinned([python, PEERS, name, corpus, items, str(RECIPE["n"]), str(SECONDS)])
    report = json.loads(process.out)
    keys = ("seconds", "documents", "documents_flagged", "ngrams")
    return {
        "MB/s": report["megabytes_per_second"], **{key: report[key] for key in keys},
        "peak, MB": process.peak, "cores busy with others": process.other_cores,
    }  # fmt: skip


def build_routes(size: float, python: str) -> dict[str, Callable[[], Figures]]:
    """Return all routes that take turns."""
    text, packed = FOLDER / "corpus.txt", FOLDER / "corpus.txt.zst"
    command: list[str | Path] = [
        Path(sys.executable).with_name("hansproof"), "scan", FOLDER / WORD, text,
        "-o", FOLDER / "found.json", "--threads", "1",
    ]  # fmt: skip
    return {
        "ours": partial(time_scan, size, WORD, "corpus.txt"),
        "ours, .zst": partial(time_scan, size, WORD, "corpus.txt.zst"),
        "ours, .jsonl": partial(time_scan, size, WORD, "corpus.jsonl"),
        "ours, .jsonl.gz": partial(time_scan, size, WORD, "corpus.jsonl.gz"),
        "ours, tokenizer whitespace": partial(time_scan, size, WHITESPACE, "corpus.txt"),
        "hansproof scan, whole command": partial(time_tool, size, command),
        "janitor": partial(time_peer, python, "janitor"),
        "datatrove": partial(time_peer, python, "datatrove"),
        "wc -w, C": partial(time_tool, size, ["wc", "-w", text], "C"),
        "wc -w, C.UTF-8": partial(time_tool, size, ["wc", "-w", text]),
        "zstd -d": partial(time_tool, size, ["zstd", "-q", "-d", "-c", packed]),
        "gzip -d": partial(time_tool, size, ["gzip", "-d", "-c", FOLDER / "corpus.jsonl.gz"]),
        "cat": partial(time_tool, size, ["cat", text]),
    }


def time_routes(
    routes: dict[str, Callable[[], Figures]],
) -> tuple[dict[str, list[Figures]], list[float]]:
    """Time each route in each round, and return the load before each round."""
    runs: dict[str, list[Figures]] = {name: [] for name in routes}
    loads = []
    for turn in range(ROUNDS * LAPS):
        if turn % LAPS == 0:
            loads.append(os.getloadavg()[0])
        names = [name for name in routes if name in REPEATED_ROUTES or turn % LAPS == 0]
        for name in names[:: -1 if turn % 2 else 1]:
            runs[name].append(routes[name]())
            print(turn, name, round(runs[name][-1]["MB/s"], 2), "MB/s", flush=True)
    return runs, loads


def time_core_pairs(size: float) -> dict[str, list[Figures]]:
    """Alternate scans on one core, on two cores, and two scans at the same time."""
    scans = {
        "ours, one core": partial(time_scan, size, WORD, "corpus.txt"),
        "ours, two cores": partial(time_scan, size, WORD, "corpus.txt", 2),
        "two processes of one core each": partial(time_two_processes, size),
    }
    runs: dict[str, list[Figures]] = {name: [] for name in scans}
    for turn in range(PAIRS):
        for name in list(scans)[:: -1 if turn % 2 else 1]:
            runs[name].append(scans[name]())
            print(turn, name, round(runs[name][-1]["MB/s"], 2), "MB/s", flush=True)
    return runs


def time_two_processes(size: float) -> Figures:
    """Run two scans at the same time, each on its own core."""
    jobs = [("0", "corpus.txt"), ("1", "again.txt")]
    with ThreadPoolExecutor() as pool:
        futures = [
            pool.submit(run_part, "scan", WORD, corpus, 1, cores=core) for core, corpus in jobs
        ]
    seconds = max(json.loads(future.result().out)["seconds"] for future in futures)
    return {"MB/s": 2 * size / seconds, "seconds": seconds}


def summarize_runs(runs: list[Figures]) -> Figures:
    """Return the median speed and all figures of all rounds."""
    return {
        "MB/s": round_figure(statistics.median(run["MB/s"] for run in runs)),
        "all": {key: [round_figure(run[key]) for run in runs] for key in runs[0]},
    }


def round_figure(value: Any) -> Any:
    """Round a float to four significant digits."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def compute_ratios(runs: dict[str, list[Figures]], paired: dict[str, list[Figures]]) -> Figures:
    """Compute the speed ratios and compare them with the required ones."""
    one_core, two_cores, two_processes = (
        [run["MB/s"] for run in route_runs] for route_runs in paired.values()
    )

    def round_speeds(name: str) -> list[float]:
        """Return the median speed of each round."""
        speeds = [run["MB/s"] for run in runs[name]]
        laps = len(speeds) // ROUNDS
        return [
            statistics.median(speeds[first : first + laps]) for first in range(0, len(speeds), laps)
        ]

    faster = [
        max(pair)
        for pair in zip(round_speeds("wc -w, C"), round_speeds("wc -w, C.UTF-8"), strict=True)
    ]
    comparisons = {
        "ours / janitor": (round_speeds("ours"), round_speeds("janitor"), 150),
        "ours / datatrove": (round_speeds("ours"), round_speeds("datatrove"), 400),
        "ours / faster wc -w": (round_speeds("ours"), faster, 1.5),
        "ours / zstd -d": (round_speeds("ours"), round_speeds("zstd -d"), 0.5),
        "ours unpacking .zst / zstd -d": (
            round_speeds("ours, .zst"),
            round_speeds("zstd -d"),
            None,
        ),
        "two cores / one": (two_cores, one_core, 1.7),
        "two processes / one": (two_processes, one_core, None),
    }
    result = {}
    for name, (over, under, bar) in comparisons.items():
        round_ratios = [a / b for a, b in zip(over, under, strict=True)]
        median = statistics.median(round_ratios)
        result[name] = {"ratio": round_figure(median), "rounds": [*map(round_figure, round_ratios)]}
        if bar is not None:
            result[name] |= {"at least": bar, "met": median >= bar}
    return result


def measure_memory(runs: dict[str, list[Figures]], size: float) -> Figures:
    """Return the peak memory of the scans, and how much of it is not the index."""
    index_peaks = {
        index: min(json.loads(run_part("ready", index).out)["peak"] for _ in range(ROUNDS))
        for index in (WORD, WHITESPACE)
    }
    scans = {name: scan_runs for name, scan_runs in runs.items() if name.startswith("ours")}
    del scans["ours, one core"]  # the same scan as "ours"
    for threads, name in ((1, "ours"), (2, "ours, two cores")):
        repeated_runs = [time_scan(4 * size, WORD, "four", threads) for _ in range(ROUNDS)]
        scans[f"{name}, four times the text"] = repeated_runs
    result = {}
    for name, scan_runs in scans.items():
        peak = max(run["peak, MB"] for run in scan_runs)
        index = WHITESPACE if "whitespace" in name else WORD
        result[name] = {
            "peak, MB": round_figure(peak),
            "more than with the index ready, MB": round_figure(peak - index_peaks[index]),
            "more than when the scan began, MB": round_figure(
                max(run["more, MB"] for run in scan_runs)
            ),
        }
    largest = max(
        max(figures[key] for key in figures if key.startswith("more"))
        for figures in result.values()
    )
    return {
        "index made ready, peak, MB": round_figure(index_peaks[WORD]), "scans": result,
        "most beyond the index, MB": largest, "at most": 300, "met": largest <= 300,
    }  # fmt: skip


def describe_machine(python: str) -> Figures:
    """Return the CPU and the versions of all programs."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    code = "from importlib.metadata import version as v; print(*map(v, {}))"
    names = ("lm-eval", "datatrove", "spacy", "xxhash", "torch")
    versions = run_pinned([python, "-c", code.format(names)]).out.split()
    return {
        "CPU": model[1] if model else platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "numpy", "hansproof")},
        "wc": run_pinned(["wc", "--version"]).out.partition("\n")[0],
        "zstd": run_pinned(["zstd", "--version"]).out.strip(),
        "peers": dict(zip(names, versions, strict=True)),
    }


def hash_sources() -> str:
    """Return a fingerprint of the measured code."""
    spec = find_spec("hansproof")
    assert spec is not None
    assert spec.origin is not None
    folder, digest = Path(spec.origin).parent, hashlib.sha256()
    for path in sorted([*folder.glob("contamination/**/*.py"), *folder.glob("corpus/**/*.py")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def count_flagged(
    checked: Figures, runs: dict[str, list[Figures]]
) -> Iterator[tuple[str, Figures]]:
    """Count the documents that each peer flagged, and which of the same ours flagged."""
    our_documents = checked.pop("numbers of documents flagged")
    for name in ("janitor", "datatrove"):
        longest_run = max(runs[name], key=lambda run: int(run["documents"]))
        flagged = {"flagged": longest_run["documents_flagged"]}
        our_count = sum(number <= longest_run["documents"] for number in our_documents)
        yield name, {"documents": longest_run["documents"], **flagged, "flagged by ours": our_count}


def measure_all(python: str) -> Figures:
    """Run all measurements."""
    load_average, code = os.getloadavg(), hash_sources()
    for checkpoint in FOLDER.glob("*.part"):  # left by an interrupted run
        checkpoint.unlink()
    summary_path = FOLDER / "made.json"
    corpus = json.loads(summary_path.read_text()) if summary_path.is_file() else {}
    if corpus.get("recipe") != RECIPE:
        corpus = json.loads(run_part("make").out)
    indexed = json.loads(run_part("index").out)
    routes = build_routes(corpus["megabytes"], python)
    for name in routes:  # warm up: compile, and load files into the page cache
        if name not in ("janitor", "datatrove"):
            routes[name]()
    runs, loads = time_routes(routes)
    paired = time_core_pairs(corpus["megabytes"])
    checked, large_index = (json.loads(run_part(name).out) for name in ("check", "large"))
    return {
        "machine": describe_machine(python),
        "load before all (1, 5, 15 minutes)": load_average,
        "load before each round (1 minute)": loads,
        "corpus": corpus,
        "index": indexed,
        "ratios": compute_ratios(runs, paired),
        "speeds": {
            name: summarize_runs(route_runs) for name, route_runs in {**runs, **paired}.items()
        },
        "memory": measure_memory({**runs, **paired}, corpus["megabytes"]),
        "large index": {name: round_figure(value) for name, value in large_index.items()},
        "documents flagged": dict(count_flagged(checked, runs)),
        "found": {name: round_figure(value) for name, value in checked.items()},
        "sources, sha256": code,
        "sources were changed meanwhile": hash_sources() != code,
    }


PARTS: dict[str, Callable[..., Figures]] = {
    "make": make_corpus,
    "index": make_indexes,
    "ready": prepare_index,
    "scan": run_scan,
    "large": measure_large_index,
    "check": check_hits,
}


def main() -> None:
    if sys.argv[1:] and sys.argv[1] in PARTS:
        print(json.dumps(PARTS[sys.argv[1]](*json.loads(sys.argv[2]))))
        return
    python = sys.argv[1] if sys.argv[1:] else ".venv-contamination/bin/python"
    result = {"command": "python bench/contamination.py", **measure_all(python)}
    Path(__file__).with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps({name: result[name] for name in ("ratios", "memory", "found")}, indent=1))


if __name__ == "__main__":
    main()
