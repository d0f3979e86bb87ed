"""Assigns levels to items: whether the corpus contains them, and how certain that is.

An N-gram is not specific to an item if many items contain it (a template), or if it is frequent
in the corpus or in a reference corpus (a common phrase). A specific N-gram makes a match; with the
right choice nearby, a match with answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import BadInput
from ..text.ngrams import normalise_text
from ..text.tokenizers import get_tokenizer
from ..types import Benchmark, Item, fingerprint
from .result import Passage, ScanResult
from .sequences import QUESTION, RIGHT, WRONG
from .shingles import SHINGLE_PART as SKETCHED
from .shingles import item_words, shingle_containment

ANSWER, MATCH, NEAR = "match with answer", "match", "near-duplicate"
COMMON, SHORT, CLEAN = "likely template or common phrase", "unsearchable", "clean"
LEVELS = (ANSWER, MATCH, NEAR, COMMON, SHORT, CLEAN)
DIRTY = (ANSWER, MATCH)

MIN_SHINGLES = 3  # of an item in a passage, for the two to be compared
ANSWER_WINDOW = 50  # words on either side of a match in which the right choice is looked for
_PART_NAMES = {
    QUESTION: "question", RIGHT: "right choice", WRONG: "wrong choice",
    QUESTION | RIGHT: "question + right choice", QUESTION | WRONG: "question + wrong choice",
}  # fmt: skip

ItemHit = tuple[str, int, int, int]  # N-gram, start, end, parts of the item


@dataclass(frozen=True, slots=True)
class LevelRules:
    """The limits by which N-grams count as specific, and passages as near-duplicates."""

    max_count: int = 10  # in the corpus, without a long match (GPT-3's rule)
    template_items: int = 3  # an N-gram of so many items (groups) is a template
    max_expected: float = 1.0  # occurrences in the corpus, estimated from a reference
    min_shingle_share: float = 0.3  # of an item, in a passage that is a near-duplicate


@dataclass(slots=True)
class MatchedNgram:
    """An N-gram of an item that occurs in the corpus."""

    text: str
    count: int  # in the corpus
    parts: frozenset[int]  # of the item that it occurs in
    n_items: int  # that contain it; the items of a group count once
    reference_count: int | None = None  # in the reference corpus
    expected_count: float | None = None  # in the corpus, estimated from the reference

    def is_specific(self, rules: LevelRules, in_long_match: bool) -> bool:
        """Whether it is evidence for the item; a frequent one only within a long match."""
        return (
            (in_long_match or self.count <= rules.max_count)
            and self.n_items < rules.template_items
            and (self.expected_count is None or self.expected_count < rules.max_expected)
        )


@dataclass(slots=True)
class ItemFinding:
    """The level of an item, and the evidence for it."""

    item: Item
    n_ngrams: int  # different ones in the item
    level: str = CLEAN
    matches: list[MatchedNgram] = field(default_factory=list)
    passage: Passage | None = None  # the one with the strongest evidence
    spans: tuple[tuple[int, int], ...] = ()  # of the N-grams in the text of the passage
    right_nearby: bool = False  # whether the right choice is near the match
    n_wrong_nearby: int = 0  # how many wrong choices are
    shingle_share: float | None = None  # of the item, in the passage
    has_long_match: bool = False  # whether one passage contains at least N of its N-grams

    def specific_matches(self, rules: LevelRules) -> list[MatchedNgram]:
        """Return the N-grams that are specific to the item."""
        return [match for match in self.matches if match.is_specific(rules, self.has_long_match)]

    def part_names(self) -> list[str]:
        """Return the names of the parts of the item that were found."""
        return [
            _PART_NAMES[p]
            for p in sorted({p for match in self.matches for p in match.parts if p in _PART_NAMES})
        ]


NamedScan = tuple[str, ScanResult]  # path and content of the file


def classify_items(
    benchmark: Benchmark,
    scans: Sequence[NamedScan],
    references: Sequence[NamedScan],
    rules: LevelRules,
) -> dict[str, list[ItemFinding]]:
    """Return by split, for each split that was scanned for, the findings of all items."""
    scans_by_split = {split: SplitScans(split, items) for split, items in benchmark.splits.items()}
    for scan in scans:
        for split, numbers in _covered_items(benchmark, scan).items():
            scans_by_split[split].add_scan(scan, numbers)
    for scan in references:
        for split in _covered_items(benchmark, scan):
            scans_by_split[split].add_reference(scan)
    return {
        split: split_scans.classify_items(rules)
        for split, split_scans in scans_by_split.items()
        if split_scans.scans
    }


def _covered_items(benchmark: Benchmark, scan: NamedScan) -> dict[str, dict[str, int]]:
    """Return by split, for each split that was scanned for, the numbers of items in the index."""
    name, result = scan
    split_hashes, splits, offset = benchmark.sha256(), {}, 0
    for member in result.index_header.members:
        numbers = {item_id: offset + i for i, item_id in enumerate(member.ids)}
        offset += len(member.ids)
        for split, sha in split_hashes.items():
            if sha in member.splits.values():
                splits[split] = {item.id: numbers[item.id] for item in benchmark.splits[split]}
    if not splits:
        indexed_splits = ", ".join(
            f"{m.name}:{'+'.join(m.splits)}" for m in result.index_header.members
        )
        raise BadInput(
            name,
            f"is a scan for other items ({indexed_splits}), or the items have changed since: scan "
            "again",
        )
    return splits


class SplitScans:
    """Adds up all scans for one split."""

    def __init__(self, split: str, items: Sequence[Item]) -> None:
        self.split, self.items = split, items
        self.scans: list[ScanResult] = []
        self._ngram_size = 0
        self._ngram_counts: dict[str, int] = {}
        self._text_counts: Counter[str] = Counter()
        self._ngram_parts: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        self._passages: dict[str, list[tuple[Passage, list[ItemHit]]]] = defaultdict(list)
        self._near_passages: dict[str, list[Passage]] = defaultdict(list)
        self._n_words, self._n_reference_words = 0, 0
        self._reference_counts: Counter[str] = Counter()

    def add_scan(self, scan: NamedScan, numbers: Mapping[str, int]) -> None:
        """Add the hits of a scan for items of the split."""
        result = scan[1]
        self._check_same_ngrams(scan)
        self.scans.append(result)
        self._n_words += result.corpus.words
        ids = {number: item_id for item_id, number in numbers.items()}
        sizes = [size for member in result.index_header.members for size in member.ngram_counts]
        self._ngram_counts = {item_id: sizes[number] for item_id, number in numbers.items()}
        for gram in result.ngrams:
            item_parts = [(ids[number], part) for number, part in gram.items if number in ids]
            if item_parts:
                self._text_counts[gram.text] += gram.count
            for item_id, part in item_parts:
                self._ngram_parts[gram.text][item_id].add(part)
        for passage in result.passages:
            self._add_passage(passage, result, ids)

    def _add_passage(self, passage: Passage, result: ScanResult, ids: Mapping[int, str]) -> None:
        exact: dict[str, list[ItemHit]] = defaultdict(list)
        shingles: Counter[str] = Counter()
        for number, start, end in passage.hits:
            gram = result.ngrams[number]
            for item, part in gram.items:
                if item not in ids:
                    continue
                if part == SKETCHED:
                    shingles[ids[item]] += 1
                else:
                    exact[ids[item]].append((gram.text, start, end, part))
        for item_id, hits in exact.items():
            self._passages[item_id].append((passage, hits))
        for item_id, count in shingles.items():
            if count >= MIN_SHINGLES:
                self._near_passages[item_id].append(passage)

    def add_reference(self, scan: NamedScan) -> None:
        """Add the counts of a scan of a reference corpus, which does not contain the items."""
        self._check_same_ngrams(scan)
        self._n_reference_words += scan[1].corpus.words
        for gram in scan[1].ngrams:
            self._reference_counts[gram.text] += gram.count

    def _check_same_ngrams(self, scan: NamedScan) -> None:
        """Refuse a scan that looked for other N-grams of the same items."""
        header = scan[1].index_header
        sha = fingerprint(self.items)
        n = next(m.n for m in header.members if sha in m.splits.values())
        first_header = self.scans[0].index_header if self.scans else header
        if (header.tokenizer, n) != (first_header.tokenizer, self._ngram_size or n):
            message = f"has N = {n} and tokenizer {header.tokenizer}, unlike the scan before it"
            raise BadInput(scan[0], f"{message}: use scans of the same index")
        self._ngram_size = n

    def classify_items(self, rules: LevelRules) -> list[ItemFinding]:
        """Return the findings of all items."""
        groups = {item.id: item.group or f"item {item.id}" for item in self.items}
        matches: dict[str, list[MatchedNgram]] = defaultdict(list)
        for text, owners in self._ngram_parts.items():
            n_groups = len(
                {groups[item_id] for item_id, parts in owners.items() if parts != {SKETCHED}}
            )
            for item_id, parts in owners.items():
                item_parts = frozenset(parts - {SKETCHED})
                if item_parts:
                    matches[item_id].append(self._match_ngram(text, item_parts, n_groups))
        return [self._classify_item(item, matches[item.id], rules) for item in self.items]

    def _match_ngram(self, text: str, parts: frozenset[int], n_items: int) -> MatchedNgram:
        match = MatchedNgram(text, self._text_counts[text], parts, n_items)
        if self._n_reference_words:
            match.reference_count = self._reference_counts[text]
            match.expected_count = match.reference_count * self._n_words / self._n_reference_words
        return match

    def _classify_item(
        self, item: Item, matches: list[MatchedNgram], rules: LevelRules
    ) -> ItemFinding:
        finding = ItemFinding(item, self._ngram_counts[item.id], matches=matches)
        passages = self._passages.get(item.id, ())
        # 2N words of an item are no common phrase, however often they occur
        finding.has_long_match = any(
            len({hit[0] for hit in hits}) >= self._ngram_size for _, hits in passages
        )
        specific_texts = {match.text for match in finding.specific_matches(rules)}
        passage_matches = [
            _match_passage(item, passage, hits, specific_texts) for passage, hits in passages
        ]
        if passage_matches:
            best = max(
                passage_matches,
                key=lambda match: (match.n_specific, match.right_nearby, len(match.spans)),
            )
            finding.passage, finding.spans = best.passage, best.spans
            finding.right_nearby, finding.n_wrong_nearby = (
                best.right_nearby and best.n_specific > 0,
                best.n_wrong_nearby,
            )
        if specific_texts:
            finding.level = ANSWER if finding.right_nearby else MATCH
            return finding
        self._check_near_duplicate(finding, rules)
        if finding.level != NEAR:
            finding.level = COMMON if matches else CLEAN if finding.n_ngrams else SHORT
        return finding

    def _check_near_duplicate(self, finding: ItemFinding, rules: LevelRules) -> None:
        """Set the level to near-duplicate if a passage contains enough shingles of the item."""
        split = get_tokenizer(self.scans[0].index_header.tokenizer).split
        words = item_words(finding.item, split)
        for passage in self._near_passages.get(finding.item.id, ()):
            common = [match.text for match in finding.matches]
            share = shingle_containment(words, split(passage.text), common)
            if share >= max(rules.min_shingle_share, finding.shingle_share or 0.0):
                finding.level, finding.shingle_share, finding.passage = NEAR, share, passage
                finding.spans = ()


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """A passage as evidence for an item."""

    passage: Passage
    n_specific: int  # hits of N-grams that are specific to the item
    right_nearby: bool
    n_wrong_nearby: int
    spans: tuple[tuple[int, int], ...]


def _match_passage(
    item: Item, passage: Passage, hits: list[ItemHit], specific_texts: set[str]
) -> PassageMatch:
    used_hits = [hit for hit in hits if hit[0] in specific_texts] or hits
    spans = _merge_spans([(start, end) for _, start, end, _ in used_hits])
    nearby_text = _text_around(passage.text, spans[0][0], spans[-1][1])
    choices = [normalise_text(choice) for choice in item.choices]
    is_nearby = [bool(choice) and f" {choice} " in nearby_text for choice in choices]
    right_nearby = item.answer is not None and (
        is_nearby[item.answer] or any(part == QUESTION | RIGHT for *_, part in used_hits)
    )
    n_wrong = sum(nearby for i, nearby in enumerate(is_nearby) if i != item.answer)
    return PassageMatch(
        passage, sum(hit[0] in specific_texts for hit in used_hits), right_nearby, n_wrong, spans
    )


def _merge_spans(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Merge spans that overlap."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def _text_around(text: str, start: int, end: int) -> str:
    """Return the words before and after a span, without its own, which are the question's."""
    words_before = normalise_text(text[:start]).split(" ")[-ANSWER_WINDOW:]
    words_after = normalise_text(text[end:]).split(" ")[:ANSWER_WINDOW]
    return f" {' '.join(words_before)} | {' '.join(words_after)} "
