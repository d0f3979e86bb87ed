"""Looking for items in text: ours beside two peers and the floors, one core each, on 520 MB.

    python bench/contamination.py [PEER'S PYTHON]       writes bench/contamination.json

The text is sentences of real corpora, drawn again and again; a line is a document, and into some an
item is planted as it stands. All look for the same, eight words in a row of any sequence of four
benchmarks, each by its own notion of a word. Everything is read from the page cache. Routes are
processes that take turns, backwards by turns; those on which a bar is judged run thrice in a round,
for the machine is not always as fast, and the median is the round's. Ratios are of the same round,
and the median of these counts. One core and two follow upon each other fifteen times, for the
machine's speed changes by more than a ratio of two allows; beside them two processes that know
nothing of each other: what the second core is worth. The speed of a scan is that of `run`:
checkpoints, hashing the index and writing the result are in it, starting Python, reading the index
and loading compiled code are not; how long the whole command takes is there, too. A megabyte is a
million bytes, of text as it is unpacked. Memory is the most that a process held. What of it is not
the index is said in two ways: how much more a process held than one that only gets the index ready;
and how much more than it had itself when the scan began, which is stricter, for getting ready takes
room for a moment, too. Needs HANSPROOF_DATA, wc, zstd, gzip and taskset.
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
from typing import Any

FOLDER = Path("build/contamination")
PEERS = Path(__file__).with_name("contamination_peers.py")
BENCHMARKS = ("arct_adversarial:test", "arc_challenge:test", "csqa:dev", "piqa:dev")
LARGE = ("piqa:train", "csqa:train")
TEXTS = ("abc.zip", "webtext.zip", "brown.zip", "wiki_demo.txt", "wikitext-2/test.txt",
         "wikitext-2/valid.txt")  # fmt: skip
RECIPE = {"bytes": 520_000_000, "sentences of a document": 1000, "seed": 1,
          "documents for one planted item": 50, "n": 8, "form": 2}  # fmt: skip
SOME = 300  # documents, all of whose N-grams are looked up in plain Python, too
ROUNDS, LAPS, PAIRS = 3, 3, 15
OFTEN = ("ours", "ours, .zst", "wc -w, C", "wc -w, C.UTF-8", "zstd -d", "cat")
SECONDS = 20  # of a peer's work in a round
WORD, BLANKS, BIG = "word.npz", "whitespace.npz", "large.npz"

Found = dict[str, Any]


# the corpus, in a process of its own, so that the one that measures stays small


def make() -> Found:
    """The text in all its forms, and the items for the peers."""
    from hansproof import load
    from hansproof.contamination.sequences import item_sequences, sequence_words
    from hansproof.text.tokenizers import get_tokenizer

    FOLDER.mkdir(parents=True, exist_ok=True)
    items = [i for name in BENCHMARKS for some in load(name).splits.values() for i in some]
    # a field is one long word here, so that a sequence is text as it stands
    texts = [
        [
            " ".join(" ".join(sequence_words(one)[0]).splitlines())
            for one in item_sequences(item, lambda t: [t])
        ]
        for item in items
    ]
    with open(FOLDER / "items.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps({"text": text}) + "\n" for some in texts for text in some)
    split = get_tokenizer("word").split
    long = [[text for text in some if len(split(text)) >= RECIPE["n"]] for some in texts]
    made = {
        "recipe": RECIPE, "items": len(items), "sequences": sum(map(len, texts)),
        **written([some for some in long if some]),
    }  # fmt: skip
    pack()
    (FOLDER / "made.json").write_text(json.dumps(made))
    return made


def drawn() -> list[str]:
    """The sentences of the corpora."""
    from hansproof.corpus import resolve_sources, text_stream

    base = Path(os.environ["HANSPROOF_DATA"], "corpora")
    sources = resolve_sources(str(base / name) for name in TEXTS)
    text = "".join(piece for piece, _ in text_stream.read_text(sources, complain))
    text = re.sub(r"\r(?!\n)", " ", text).replace("\r\n", "\n")
    return [one for one in re.split(r"(?<=[.!?])\s+|\n+", text) if one.strip()]


def complain(*problem: object) -> None:
    """All of these corpora can be read."""
    raise ValueError(problem)


def written(items: list[list[str]]) -> Found:
    """The text as lines and as JSON lines, and what was planted where."""
    sentences, rng = drawn(), random.Random(RECIPE["seed"])
    every, size = RECIPE["documents for one planted item"], RECIPE["sentences of a document"]
    rng.shuffle(items)
    planted: list[tuple[int, str]] = []
    done = documents = 0
    with (
        open(FOLDER / "corpus.txt", "wb") as plain,
        open(FOLDER / "corpus.jsonl", "wb") as lines,
        open(FOLDER / "some.jsonl", "wb") as some,
    ):
        while done < RECIPE["bytes"]:
            chosen = rng.choices(sentences, k=size)
            documents += 1
            if documents % every == 0:
                planted.append((documents, rng.choice(items[len(planted)])))
                chosen.insert(rng.randrange(size + 1), planted[-1][1])
            text = " ".join(chosen)
            done += plain.write(text.encode() + b"\n")
            line = json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n"
            lines.write(line)
            if documents <= SOME:
                some.write(line)
    (FOLDER / "planted.json").write_text(json.dumps(planted))
    return {
        "texts": TEXTS, "different sentences": len({*sentences}), "megabytes": done / 1e6,
        "documents": documents, "planted items": len(planted),
    }  # fmt: skip


def pack() -> None:
    """The same packed, as the tools do it when they are not told how; and four times over."""
    subprocess.run(["zstd", "-q", "-f", FOLDER / "corpus.txt"], check=True)
    subprocess.run(["gzip", "-k", "-f", FOLDER / "corpus.jsonl"], check=True)
    (FOLDER / "four").mkdir(exist_ok=True)
    four = (FOLDER / "four" / f"{number}.txt" for number in range(4))
    for copy in (*four, FOLDER / "again.txt"):
        copy.unlink(missing_ok=True)
        os.link(FOLDER / "corpus.txt", copy)


# ours, in processes of their own


def index() -> Found:
    """The indexes that are looked for, made anew."""
    from hansproof import load
    from hansproof.contamination import index as indexes
    from hansproof.contamination.build_index import build_index

    result: Found = {"benchmarks": BENCHMARKS}
    for name in (WORD, BLANKS):
        stem, begun = name.removesuffix(".npz"), time.perf_counter()
        made = build_index([load(one) for one in BENCHMARKS], stem, RECIPE["n"])
        indexes.write_index(str(FOLDER / name), made)
        seconds = rounded(time.perf_counter() - begun)
        result[stem] = {"N-grams": len(made), "seconds to make": seconds}
    return result


def job_of(index: str, corpus: str) -> Any:
    """A scan, its index read and made ready."""
    from hansproof.contamination import index as indexes
    from hansproof.contamination.scan import ScanPlan
    from hansproof.corpus import resolve_sources
    from hansproof.corpus.shards import CorpusReader

    job = ScanPlan.for_sources(
        indexes.read_index(str(FOLDER / index)),
        resolve_sources([str(FOLDER / corpus)]),
        CorpusReader(),
    )
    assert job.prepared_index
    return job


def ready(index: str) -> Found:
    """Make an index ready, and nothing else."""
    return {"parts": len(job_of(index, "corpus.txt").parts), "peak": held("VmHWM")}


def held(kind: str) -> float:
    """Megabytes that this process holds (VmRSS), or held at most (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith(kind)) * 1024 / 1e6


def scan(index: str, corpus: str, threads: int) -> Found:
    """One scan; the clock starts when all is loaded."""
    from hansproof.contamination.coordinator import scan_in_threads
    from hansproof.contamination.scanner.compiled import CompiledScanner

    output = str(FOLDER / f"found-{index}-{corpus}.json")
    job = job_of(index, corpus)
    before, had = held("VmHWM"), held("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the most that was held is forgotten
    scanner = CompiledScanner(job.finder)
    scanner.start_document(0)
    scanner.feed(b"so that what is compiled is loaded")
    scanner.finish()
    begun, worked = time.perf_counter(), time.process_time()
    result = scan_in_threads(job, output, threads)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    assert not result.issues
    return {
        "seconds": seconds, "cpu": cpu, "documents": result.corpus.documents,
        "hits": sum(gram.count for gram in result.ngrams),
        "peak": max(before, held("VmHWM")), "more": held("VmHWM") - had,
    }  # fmt: skip


def large() -> Found:
    """How much room an index of many items takes."""
    from hansproof import load
    from hansproof.contamination import index as indexes
    from hansproof.contamination.build_index import build_index
    from hansproof.contamination.scanner.compiled import CompiledIndex

    begun = time.perf_counter()
    indexes.write_index(str(FOLDER / BIG), build_index([load(name) for name in LARGE]))
    seconds = time.perf_counter() - begun
    index = indexes.read_index(str(FOLDER / BIG))
    finder = CompiledIndex(index)
    arrays = sum(one.nbytes for one in index.arrays.values())
    filed = finder.lookup.bits.nbytes + finder.lookup.slots.nbytes
    disk, memory = os.path.getsize(FOLDER / BIG) / 1e6, (arrays + filed) / 1e6
    return {
        "benchmarks": LARGE,
        "items": index.item_offsets[-1],
        "n": {member.name: member.n for member in index.header.members},
        "N-grams": len(index),
        "seconds to make": round(seconds, 1),
        "on disk, MB": disk,
        "in memory, MB": memory,
        "of these bitmap and slots, MB": filed / 1e6,
        "tables of letters, for any index, MB": 2 * finder.fold_table.nbytes / 1e6,
        "at most, MB": 200,
        "met": max(disk, memory) <= 200,
    }


# whether all is found


def check() -> Found:
    """What was planted against what was found; and all there is in some documents."""
    from hansproof.contamination.result import read_result
    from hansproof.contamination.scanner import hits as scanner_hits
    from hansproof.text.ngrams import extract_ngrams
    from hansproof.text.tokenizers import get_tokenizer

    split = get_tokenizer("word").split
    result = read_result(str(FOLDER / f"found-{WORD}-corpus.txt.json"))
    counts = {gram.text: gram.count for gram in result.ngrams}
    planted = json.loads((FOLDER / "planted.json").read_text())
    wanted = Counter(
        gram for _, text in planted for gram in extract_ngrams(split(text), RECIPE["n"])
    )
    scanner_hits.MAX_PASSAGES = sys.maxsize  # passages, for once, so that every document is told
    documents = scan(WORD, "corpus.jsonl", 1)["documents"]
    places = read_result(str(FOLDER / f"found-{WORD}-corpus.jsonl.json")).passages
    flagged = {place.document for place in places}
    hits = sum(counts.values())
    return {
        "planted N-grams": wanted.total(),
        "planted N-grams found": sum(min(n, counts.get(gram, 0)) for gram, n in wanted.items()),
        "N-grams found": hits,
        "N-grams found per million words": hits / result.corpus.words * 1e6,
        "words": result.corpus.words,
        "documents flagged": len(flagged),
        "share of documents flagged": len(flagged) / documents,
        "documents planted and flagged": len({number for number, _ in planted} & flagged),
        "numbers of documents flagged": sorted(flagged),
        **plainly(),
    }


def plainly() -> Found:
    """Some documents by ours and as one would write it."""
    from hansproof.contamination import index as indexes
    from hansproof.contamination.result import read_result
    from hansproof.text.ngrams import extract_ngrams
    from hansproof.text.tokenizers import get_tokenizer

    scan(WORD, "some.jsonl", 1)
    result = read_result(str(FOLDER / f"found-{WORD}-some.jsonl.json"))
    ours = {gram.text: gram.count for gram in result.ngrams}
    index = indexes.read_index(str(FOLDER / WORD))
    known = {index.ngram_text(number) for number in range(len(index))}
    split, plain = get_tokenizer("word").split, Counter[str]()
    with open(FOLDER / "some.jsonl", encoding="utf-8") as lines:
        for line in lines:
            grams = extract_ngrams(split(json.loads(line)["text"]), RECIPE["n"])
            plain.update(gram for gram in grams if gram in known)
    return {
        "documents read in plain Python, too": SOME,
        "N-grams in these, ours": sum(ours.values()),
        "N-grams in these, plain Python": plain.total(),
        "the same N-grams as often": ours == plain,
    }


# the measurement


@dataclass(frozen=True)
class Ran:
    """What a process said, and what it took."""

    out: str
    seconds: float
    cpu: float
    peak: float  # megabytes
    others: float  # cores that were busy with something else meanwhile


def spend(command: Sequence[str | Path], cores: str = "0", locale: str = "C.UTF-8") -> Ran:
    """Run a command on the first core, or on some."""
    pinned = ["taskset", "-c", cores, *map(str, command)]
    environment = {**os.environ, "LC_ALL": locale}
    begun, busy = time.perf_counter(), _busy()
    process = subprocess.Popen(pinned, stdout=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)  # the usage of this one child
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, pinned)
    seconds, cpu = time.perf_counter() - begun, used.ru_utime + used.ru_stime
    others = max(0.0, (_busy() - busy - cpu) / seconds)
    return Ran(out.decode(), seconds, cpu, used.ru_maxrss * 1024 / 1e6, others)


def _busy() -> float:
    """Seconds that all cores together have worked."""
    user, nice, system, _, _, *more = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + sum(more)) / os.sysconf("SC_CLK_TCK")


def part(name: str, *given: Any, cores: str = "0") -> Ran:
    """One of our own parts in a process of its own."""
    return spend([sys.executable, __file__, name, json.dumps(given)], cores)


def ours(size: float, index: str, corpus: str, threads: int = 1) -> Found:
    """A scan: its own time, and that of the process."""
    ran = part("scan", index, corpus, threads, cores=f"0-{threads - 1}")
    said = json.loads(ran.out)
    return {
        "MB/s": size / said["seconds"], "seconds": said["seconds"], "CPU seconds": said["cpu"],
        "whole process, seconds": ran.seconds, "peak, MB": said["peak"], "more, MB": said["more"],
        "cores busy with others": ran.others, "hits": said["hits"],
    }  # fmt: skip


def tool(size: float, command: Sequence[str | Path], locale: str = "C.UTF-8") -> Found:
    """A whole process; what it says goes nowhere."""
    ran = spend(["sh", "-c", '"$@" > /dev/null', "sh", *command], "0", locale)
    return {
        "MB/s": size / ran.seconds, "seconds": ran.seconds, "CPU seconds": ran.cpu,
        "cores busy with others": ran.others,
    }  # fmt: skip


def peer(python: str, name: str) -> Found:
    """A peer at work for some time."""
    corpus, items = FOLDER / "corpus.txt", FOLDER / "items.jsonl"
    ran = spend([python, PEERS, name, corpus, items, str(RECIPE["n"]), str(SECONDS)])
    said = json.loads(ran.out)
    kept = ("seconds", "documents", "documents_flagged", "ngrams")
    return {
        "MB/s": said["megabytes_per_second"], **{key: said[key] for key in kept},
        "peak, MB": ran.peak, "cores busy with others": ran.others,
    }  # fmt: skip


def routes(size: float, python: str) -> dict[str, Callable[[], Found]]:
    """All that take turns."""
    text, packed = FOLDER / "corpus.txt", FOLDER / "corpus.txt.zst"
    whole: list[str | Path] = [
        Path(sys.executable).with_name("hansproof"), "scan", FOLDER / WORD, text,
        "-o", FOLDER / "found.json", "--threads", "1",
    ]  # fmt: skip
    return {
        "ours": partial(ours, size, WORD, "corpus.txt"),
        "ours, .zst": partial(ours, size, WORD, "corpus.txt.zst"),
        "ours, .jsonl": partial(ours, size, WORD, "corpus.jsonl"),
        "ours, .jsonl.gz": partial(ours, size, WORD, "corpus.jsonl.gz"),
        "ours, tokenizer whitespace": partial(ours, size, BLANKS, "corpus.txt"),
        "hansproof scan, whole command": partial(tool, size, whole),
        "janitor": partial(peer, python, "janitor"),
        "datatrove": partial(peer, python, "datatrove"),
        "wc -w, C": partial(tool, size, ["wc", "-w", text], "C"),
        "wc -w, C.UTF-8": partial(tool, size, ["wc", "-w", text]),
        "zstd -d": partial(tool, size, ["zstd", "-q", "-d", "-c", packed]),
        "gzip -d": partial(tool, size, ["gzip", "-d", "-c", FOLDER / "corpus.jsonl.gz"]),
        "cat": partial(tool, size, ["cat", text]),
    }


def turns(given: dict[str, Callable[[], Found]]) -> tuple[dict[str, list[Found]], list[float]]:
    """Every route in every round, some several times, and the load before each round."""
    runs: dict[str, list[Found]] = {name: [] for name in given}
    loads = []
    for turn in range(ROUNDS * LAPS):
        if turn % LAPS == 0:
            loads.append(os.getloadavg()[0])
        names = [name for name in given if name in OFTEN or turn % LAPS == 0]
        for name in names[:: -1 if turn % 2 else 1]:
            runs[name].append(given[name]())
            print(turn, name, round(runs[name][-1]["MB/s"], 2), "MB/s", flush=True)
    return runs, loads


def pairs(size: float) -> dict[str, list[Found]]:
    """One core, two cores, and two processes at a time, in turns: times as fast as one core."""
    scans = {
        "ours, one core": partial(ours, size, WORD, "corpus.txt"),
        "ours, two cores": partial(ours, size, WORD, "corpus.txt", 2),
        "two processes of one core each": partial(apart, size),
    }
    runs: dict[str, list[Found]] = {name: [] for name in scans}
    for turn in range(PAIRS):
        for name in list(scans)[:: -1 if turn % 2 else 1]:
            runs[name].append(scans[name]())
            print(turn, name, round(runs[name][-1]["MB/s"], 2), "MB/s", flush=True)
    return runs


def apart(size: float) -> Found:
    """Two scans at the same time, each on a core of its own."""
    given = [("0", "corpus.txt"), ("1", "again.txt")]
    with ThreadPoolExecutor() as pool:
        both = [pool.submit(part, "scan", WORD, corpus, 1, cores=core) for core, corpus in given]
    seconds = max(json.loads(one.result().out)["seconds"] for one in both)
    return {"MB/s": 2 * size / seconds, "seconds": seconds}


def summed(runs: list[Found]) -> Found:
    """The median speed, and every figure of every round."""
    return {
        "MB/s": rounded(statistics.median(run["MB/s"] for run in runs)),
        "all": {key: [rounded(run[key]) for run in runs] for key in runs[0]},
    }


def rounded(value: Any) -> Any:
    """Four digits that count."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def ratios(runs: dict[str, list[Found]], paired: dict[str, list[Found]]) -> Found:
    """What is asked for, and what there is."""
    alone, both, floor = ([run["MB/s"] for run in some] for some in paired.values())

    def speed(name: str) -> list[float]:
        """Of each round."""
        each = [run["MB/s"] for run in runs[name]]
        laps = len(each) // ROUNDS
        return [statistics.median(each[at : at + laps]) for at in range(0, len(each), laps)]

    faster = [max(both) for both in zip(speed("wc -w, C"), speed("wc -w, C.UTF-8"), strict=True)]
    wanted = {
        "ours / janitor": (speed("ours"), speed("janitor"), 150),
        "ours / datatrove": (speed("ours"), speed("datatrove"), 400),
        "ours / faster wc -w": (speed("ours"), faster, 1.5),
        "ours / zstd -d": (speed("ours"), speed("zstd -d"), 0.5),
        "ours unpacking .zst / zstd -d": (speed("ours, .zst"), speed("zstd -d"), None),
        "two cores / one": (both, alone, 1.7),
        "two processes / one": (floor, alone, None),
    }
    result = {}
    for name, (over, under, bar) in wanted.items():
        each = [a / b for a, b in zip(over, under, strict=True)]
        median = statistics.median(each)
        result[name] = {"ratio": rounded(median), "rounds": [*map(rounded, each)]}
        if bar is not None:
            result[name] |= {"at least": bar, "met": median >= bar}
    return result


def memory(runs: dict[str, list[Found]], size: float) -> Found:
    """The most that scans held, and how much of it is not the index."""
    alone = {
        index: min(json.loads(part("ready", index).out)["peak"] for _ in range(ROUNDS))
        for index in (WORD, BLANKS)
    }
    scans = {name: some for name, some in runs.items() if name.startswith("ours")}
    del scans["ours, one core"]  # the same as the first
    for threads, name in ((1, "ours"), (2, "ours, two cores")):
        again = [ours(4 * size, WORD, "four", threads) for _ in range(ROUNDS)]
        scans[f"{name}, four times the text"] = again
    result = {}
    for name, some in scans.items():
        peak = max(run["peak, MB"] for run in some)
        index = BLANKS if "whitespace" in name else WORD
        result[name] = {
            "peak, MB": rounded(peak),
            "more than with the index ready, MB": rounded(peak - alone[index]),
            "more than when the scan began, MB": rounded(max(run["more, MB"] for run in some)),
        }
    most = max(max(one[key] for key in one if key.startswith("more")) for one in result.values())
    return {
        "index made ready, peak, MB": rounded(alone[WORD]), "scans": result,
        "most beyond the index, MB": most, "at most": 300, "met": most <= 300,
    }  # fmt: skip


def machine(python: str) -> Found:
    """Where this was measured, with what."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    asked = "from importlib.metadata import version as v; print(*map(v, {}))"
    names = ("lm-eval", "datatrove", "spacy", "xxhash", "torch")
    said = spend([python, "-c", asked.format(names)]).out.split()
    return {
        "CPU": model[1] if model else platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "numpy", "hansproof")},
        "wc": spend(["wc", "--version"]).out.partition("\n")[0],
        "zstd": spend(["zstd", "--version"]).out.strip(),
        "peers": dict(zip(names, said, strict=True)),
    }


def sources() -> str:
    """The fingerprint of the code that is measured, wherever it lies."""
    spec = find_spec("hansproof")
    assert spec is not None
    assert spec.origin is not None
    folder, digest = Path(spec.origin).parent, hashlib.sha256()
    for path in sorted([*folder.glob("contamination/*.py"), *folder.glob("corpus/*.py")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def compared(checked: Found, runs: dict[str, list[Found]]) -> Iterator[tuple[str, Found]]:
    """Documents that a peer flagged, and those of the same that ours did."""
    ours = checked.pop("numbers of documents flagged")
    for name in ("janitor", "datatrove"):
        most = max(runs[name], key=lambda run: int(run["documents"]))
        flagged = {"flagged": most["documents_flagged"]}
        own = sum(number <= most["documents"] for number in ours)
        yield name, {"documents": most["documents"], **flagged, "flagged by ours": own}


def measured(python: str) -> Found:
    """All of it."""
    load, code = os.getloadavg(), sources()
    for left in FOLDER.glob("*.part"):  # of a bench that was stopped: nothing is gone on with
        left.unlink()
    kept = FOLDER / "made.json"
    made = json.loads(kept.read_text()) if kept.is_file() else {}
    if made.get("recipe") != RECIPE:
        made = json.loads(part("make").out)
    indexed = json.loads(part("index").out)
    given = routes(made["megabytes"], python)
    for name in given:  # all is compiled, and all files are in memory
        if name not in ("janitor", "datatrove"):
            given[name]()
    runs, loads = turns(given)
    paired = pairs(made["megabytes"])
    checked, big = (json.loads(part(name).out) for name in ("check", "large"))
    return {
        "machine": machine(python),
        "load before all (1, 5, 15 minutes)": load,
        "load before each round (1 minute)": loads,
        "corpus": made,
        "index": indexed,
        "ratios": ratios(runs, paired),
        "speeds": {name: summed(some) for name, some in {**runs, **paired}.items()},
        "memory": memory({**runs, **paired}, made["megabytes"]),
        "large index": {name: rounded(one) for name, one in big.items()},
        "documents flagged": dict(compared(checked, runs)),
        "found": {name: rounded(one) for name, one in checked.items()},
        "sources, sha256": code,
        "sources were changed meanwhile": sources() != code,
    }


def main() -> None:
    parts = {one.__name__: one for one in (make, index, ready, scan, large, check)}
    if sys.argv[1:] and sys.argv[1] in parts:
        print(json.dumps(parts[sys.argv[1]](*json.loads(sys.argv[2]))))
        return
    python = sys.argv[1] if sys.argv[1:] else ".venv-contamination/bin/python"
    result = {"command": "python bench/contamination.py", **measured(python)}
    Path(__file__).with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps({name: result[name] for name in ("ratios", "memory", "found")}, indent=1))


if __name__ == "__main__":
    main()
