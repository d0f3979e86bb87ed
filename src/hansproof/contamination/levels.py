"""From hits to findings: which items stood in a text, and how sure that is.

An N-gram says little of an item if it stands in many items (a template) or many times in text
that knows nothing of them (a common phrase). What is left makes a match; with the right choice
near it, a match with answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import BadInput
from ..text import normalised, tokenizer
from ..types import Benchmark, Item, fingerprint
from .found import Found, Place
from .near import NEAR as SKETCHED
from .near import containment, words_of
from .sequences import QUESTION, RIGHT, WRONG

ANSWER, MATCH, NEAR = "match with answer", "match", "near-duplicate"
COMMON, SHORT, CLEAN = "likely template or common phrase", "unsearchable", "clean"
LEVELS = (ANSWER, MATCH, NEAR, COMMON, SHORT, CLEAN)
DIRTY = (ANSWER, MATCH)

SHINGLES = 3  # of an item in a passage that make it worth a comparison
BESIDE = 50  # words on either side of an N-gram in which the right choice counts as near
_PARTS = {
    QUESTION: "question", RIGHT: "right choice", WRONG: "wrong choice",
    QUESTION | RIGHT: "question + right choice", QUESTION | WRONG: "question + wrong choice",
}  # fmt: skip

Hit = tuple[str, int, int, int]  # N-gram, start, end, where in the item it stands


@dataclass(frozen=True, slots=True)
class Rules:
    """When an N-gram says little of an item."""

    often: int = 10  # it stands in the text more often than that, alone (GPT-3's rule)
    template: int = 3  # so many items have it, those of a group counted once
    expected: float = 1.0  # by a reference it is to be expected in the text so often
    near: float = 0.3  # share of an item's shingles in a passage that makes a near-duplicate


@dataclass(slots=True)
class Seen:
    """An N-gram of an item that was found."""

    text: str
    count: int  # in the text
    parts: frozenset[int]  # where in the item its words stand
    items: int  # that have it, those of a group counted once
    reference: int | None = None  # how often it stands in the reference
    expected: float | None = None  # how often one expects it in the text, by the reference

    def specific(self, rules: Rules, long: bool) -> bool:
        """Whether it tells of the item; `long`: much of the item stands in one place."""
        return (
            (long or self.count <= rules.often)
            and self.items < rules.template
            and (self.expected is None or self.expected < rules.expected)
        )


@dataclass(slots=True)
class Finding:
    """What is known of an item."""

    item: Item
    grams: int  # that it has
    level: str = CLEAN
    seen: list[Seen] = field(default_factory=list)
    place: Place | None = None  # the passage that says most
    marks: tuple[tuple[int, int], ...] = ()  # in its text: the words of the N-grams
    right: bool = False  # whether the right choice stands near
    wrong: int = 0  # how many wrong choices do
    share: float | None = None  # of its shingles that stand together in a passage
    long: bool = False  # whether one passage has as many of its N-grams as N

    def telling(self, rules: Rules) -> list[Seen]:
        """The N-grams that tell of the item."""
        return [one for one in self.seen if one.specific(rules, self.long)]

    def parts(self) -> list[str]:
        """Where in the item the N-grams stand that were found."""
        return [
            _PARTS[p] for p in sorted({p for one in self.seen for p in one.parts if p in _PARTS})
        ]


Scan = tuple[str, Found]  # the file's name, and what it says


def findings(
    benchmark: Benchmark, scans: Sequence[Scan], references: Sequence[Scan], rules: Rules
) -> dict[str, list[Finding]]:
    """By split that was scanned for, what is known of every item."""
    looked = {split: _Looked(split, items) for split, items in benchmark.splits.items()}
    for scan in scans:
        for split, numbers in _covered(benchmark, scan).items():
            looked[split].add(scan, numbers)
    for scan in references:
        for split in _covered(benchmark, scan):
            looked[split].refer(scan)
    return {split: one.findings(rules) for split, one in looked.items() if one.scans}


def _covered(benchmark: Benchmark, scan: Scan) -> dict[str, dict[str, int]]:
    """By split that was scanned for, the number in the index of every item."""
    name, found = scan
    own, splits, offset = benchmark.sha256(), {}, 0
    for member in found.index.members:
        numbers = {id: offset + at for at, id in enumerate(member.ids)}
        offset += len(member.ids)
        for split, sha in own.items():
            if sha in member.splits.values():
                splits[split] = {item.id: numbers[item.id] for item in benchmark.splits[split]}
    if not splits:
        known = ", ".join(f"{m.name}:{'+'.join(m.splits)}" for m in found.index.members)
        raise BadInput(name, f"is a scan for other items ({known}), or these were changed since")
    return splits


class _Looked:
    """All scans for one split."""

    def __init__(self, split: str, items: Sequence[Item]) -> None:
        self.split, self.items = split, items
        self.scans: list[Found] = []
        self._n = 0
        self._grams: dict[str, int] = {}
        self._counts: Counter[str] = Counter()
        self._parts: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        self._places: dict[str, list[tuple[Place, list[Hit]]]] = defaultdict(list)
        self._sketched: dict[str, list[Place]] = defaultdict(list)
        self._words, self._reference = 0, 0
        self._referred: Counter[str] = Counter()

    def add(self, scan: Scan, numbers: Mapping[str, int]) -> None:
        """What one scan found of the split's items."""
        found = scan[1]
        self._same(scan)
        self.scans.append(found)
        self._words += found.corpus.words
        ids = {number: id for id, number in numbers.items()}
        sizes = [size for member in found.index.members for size in member.grams]
        self._grams = {id: sizes[number] for id, number in numbers.items()}
        for gram in found.grams:
            mine = [(ids[number], part) for number, part in gram.items if number in ids]
            if mine:
                self._counts[gram.text] += gram.count
            for id, part in mine:
                self._parts[gram.text][id].add(part)
        for place in found.places:
            self._take(place, found, ids)

    def _take(self, place: Place, found: Found, ids: Mapping[int, str]) -> None:
        exact: dict[str, list[Hit]] = defaultdict(list)
        shingles: Counter[str] = Counter()
        for number, start, end in place.hits:
            gram = found.grams[number]
            for item, part in gram.items:
                if item not in ids:
                    continue
                if part == SKETCHED:
                    shingles[ids[item]] += 1
                else:
                    exact[ids[item]].append((gram.text, start, end, part))
        for id, hits in exact.items():
            self._places[id].append((place, hits))
        for id, count in shingles.items():
            if count >= SHINGLES:
                self._sketched[id].append(place)

    def refer(self, scan: Scan) -> None:
        """How often N-grams stand in text that knows nothing of the items."""
        self._same(scan)
        self._reference += scan[1].corpus.words
        for gram in scan[1].grams:
            self._referred[gram.text] += gram.count

    def _same(self, scan: Scan) -> None:
        """Refuse scans that looked for other N-grams of the same items."""
        head = scan[1].index
        sha = fingerprint(self.items)
        n = next(m.n for m in head.members if sha in m.splits.values())
        first = self.scans[0].index if self.scans else head
        if (head.tokenizer, n) != (first.tokenizer, self._n or n):
            what = f"has N = {n} and tokenizer {head.tokenizer}, the scan before it others"
            raise BadInput(scan[0], f"{what}: use one index")
        self._n = n

    def findings(self, rules: Rules) -> list[Finding]:
        """What is known of every item."""
        groups = {item.id: item.group or f"item {item.id}" for item in self.items}
        seen: dict[str, list[Seen]] = defaultdict(list)
        for text, owners in self._parts.items():
            wide = len({groups[id] for id, parts in owners.items() if parts != {SKETCHED}})
            for id, parts in owners.items():
                own = frozenset(parts - {SKETCHED})
                if own:
                    seen[id].append(self._seen(text, own, wide))
        return [self._finding(item, seen[item.id], rules) for item in self.items]

    def _seen(self, text: str, parts: frozenset[int], items: int) -> Seen:
        one = Seen(text, self._counts[text], parts, items)
        if self._reference:
            one.reference = self._referred[text]
            one.expected = one.reference * self._words / self._reference
        return one

    def _finding(self, item: Item, seen: list[Seen], rules: Rules) -> Finding:
        finding = Finding(item, self._grams[item.id], seen=seen)
        places = self._places.get(item.id, ())
        # twice N words of an item are no phrase, however often they were copied
        finding.long = any(len({hit[0] for hit in hits}) >= self._n for _, hits in places)
        telling = {one.text for one in finding.telling(rules)}
        read = [_read(item, place, hits, telling) for place, hits in places]
        if read:
            best = max(read, key=lambda one: (one.telling, one.right, len(one.marks)))
            finding.place, finding.marks = best.place, best.marks
            finding.right, finding.wrong = best.right and best.telling > 0, best.wrong
        if telling:
            finding.level = ANSWER if finding.right else MATCH
            return finding
        self._near(finding, rules)
        if finding.level != NEAR:
            finding.level = COMMON if seen else CLEAN if finding.grams else SHORT
        return finding

    def _near(self, finding: Finding, rules: Rules) -> None:
        """Whether the item stands somewhere in other words."""
        split = tokenizer(self.scans[0].index.tokenizer).split
        words = words_of(finding.item, split)
        for place in self._sketched.get(finding.item.id, ()):
            common = [one.text for one in finding.seen]
            share = containment(words, split(place.text), common)
            if share >= max(rules.near, finding.share or 0.0):
                finding.level, finding.share, finding.place = NEAR, share, place
                finding.marks = ()


@dataclass(frozen=True, slots=True)
class _Read:
    """A passage, read for an item."""

    place: Place
    telling: int  # N-grams in it that tell of the item
    right: bool
    wrong: int
    marks: tuple[tuple[int, int], ...]


def _read(item: Item, place: Place, hits: list[Hit], telling: set[str]) -> _Read:
    kept = [hit for hit in hits if hit[0] in telling] or hits
    marks = _joined([(start, end) for _, start, end, _ in kept])
    near = _beside(place.text, marks[0][0], marks[-1][1])
    chosen = [normalised(choice) for choice in item.choices]
    there = [bool(choice) and f" {choice} " in near for choice in chosen]
    right = item.answer is not None and (
        there[item.answer] or any(part == QUESTION | RIGHT for *_, part in kept)
    )
    wrong = sum(one for at, one in enumerate(there) if at != item.answer)
    return _Read(place, sum(hit[0] in telling for hit in kept), right, wrong, marks)


def _joined(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans that overlap made one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)


def _beside(text: str, start: int, end: int) -> str:
    """The words before and behind a stretch, without its own: they would be the question's."""
    before = normalised(text[:start]).split(" ")[-BESIDE:]
    behind = normalised(text[end:]).split(" ")[:BESIDE]
    return f" {' '.join(before)} | {' '.join(behind)} "
