"""How a corpus is parted: all of it once, in order, and no core waits long for the last part."""

from __future__ import annotations

import heapq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.corpus import CorpusSource
from hansproof.corpus.shards import MAX_SHARD, MIN_SHARD, CorpusReader


def sizes(size: int, stretch: int = MAX_SHARD) -> list[int]:
    parts = CorpusReader().plan_shards([CorpusSource("a.txt", "plain", size=size)], stretch)
    ends = [size if part.end is None else part.end for part in parts]
    assert [part.start for part in parts] == [0, *ends[:-1]]
    assert ends[-1] == size
    return [end - part.start for part, end in zip(parts, ends, strict=True)]


@given(size=st.integers(1, 1 << 40), stretch=st.integers(1 << 30, 1 << 36))
def test_parts_are_the_whole(size: int, stretch: int) -> None:
    assert max(sizes(size, stretch)) <= stretch


@pytest.mark.parametrize("cores", [2, 3, 4, 8])
def test_no_core_waits_long(cores: int) -> None:
    """Whoever is done takes the next: all end within the time of a small part."""
    busy = [0] * cores
    for size in sizes(520_000_000):
        heapq.heapreplace(busy, busy[0] + size)
    assert max(busy) - min(busy) <= MIN_SHARD
