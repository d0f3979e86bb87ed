"""Texts to token ids, at the speed of a scan over their bytes.

`word` and `whitespace` run in compiled code; every other tokenizer is called text by text. Token
identity is exact: a token of up to eight bytes is its own key, a longer one is compared byte by
byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .text import Tokenizer

Bytes = NDArray[np.uint8]

_U8 = np.uint64(8)
_U32 = np.uint64(32)
_U29 = np.uint64(29)
_LOW = np.uint64(0xFFFFFFFF)
_HIGH = np.uint64(0xFFFFFFFF00000000)
_ONE = np.uint64(1)
_LONG = np.uint64(0xFF00000000000000)  # marks keys of long tokens: no byte of UTF-8 is 0xFF
_BLOCK = 2048  # tokens scanned before they are looked up: look-ups then overlap in the processor


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of many texts; text `t` is `ids[offsets[t]:offsets[t + 1]]`."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    vocabulary: Sequence[str]


def encode(texts: Sequence[str], tokenizer: Tokenizer) -> Encoded:
    """The token ids of every text, ids numbered by first appearance."""
    pattern = {"word": r"\w+", "whitespace": r"\S+"}.get(tokenizer.name)
    if pattern is None or not texts:
        return _encode_slowly(texts, tokenizer)
    lower = tokenizer.name == "word"
    joined = "\0".join(texts)
    if lower and not joined.isascii():  # the scan itself lowers A to Z, and nothing else
        joined = "\0".join([text if text.isascii() else text.lower() for text in texts])
    buffer = np.frombuffer(joined.encode("utf-8", "surrogatepass"), np.uint8)
    # large arrays come from numpy, which asks for huge pages, rather than from compiled code
    ids = np.empty(buffer.size // 2 + 1, np.int32)
    offsets = np.zeros(len(texts) + 1, np.int64)
    tokens, words, seams = _scan(buffer, _fold(pattern, lower), _classes(pattern), ids, offsets)
    if seams != len(texts) - 1:  # a text holds the very character that parts the texts
        return _encode_slowly(texts, tokenizer)
    vocabulary = words.tobytes().decode("utf-8", "surrogatepass").split(" ")[:-1]
    return Encoded(ids[:tokens], offsets, vocabulary)


def _encode_slowly(texts: Sequence[str], tokenizer: Tokenizer) -> Encoded:
    known: dict[str, int] = {}
    ids: list[int] = []
    offsets = [0]
    for text in texts:
        ids.extend(known.setdefault(token, len(known)) for token in tokenizer.split(text))
        offsets.append(len(ids))
    return Encoded(np.array(ids, np.int32), np.array(offsets, np.int64), list(known))


@lru_cache
def _classes(pattern: str) -> NDArray[np.bool_]:
    """Which code points the pattern takes: asked of `re` itself, so the two cannot disagree."""
    classes = np.zeros(0x110000, np.bool_)
    for match in re.finditer(pattern, "".join(map(chr, range(0x110000)))):
        classes[match.start() : match.end()] = True
    classes[0] = False  # the seam between texts
    return classes


def _fold(pattern: str, lower: bool) -> Bytes:
    """What stands for a byte in a token: itself, its lower case, or 0 where it parts tokens."""
    fold = np.arange(256, dtype=np.uint8)
    if lower:
        fold[ord("A") : ord("Z") + 1] += 32
    fold[:128][~_classes(pattern)[:128]] = 0
    return fold


@njit(cache=True)
def _opens(buffer, i, classes):  # type: ignore[no-untyped-def]
    """Whether the character of several bytes that starts here belongs to a token."""
    lead = np.int64(buffer[i])
    if lead < 0xC0:
        return False  # inside such a character
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    point = lead & (0x7F >> size)
    for j in range(i + 1, i + size):
        point = point << 6 | np.int64(buffer[j]) & 0x3F
    return classes[point]


@njit(inline="always")
def mix(key: np.uint64) -> np.uint64:
    """A 64-bit key with its bits spread, for hash tables."""
    key = (key ^ (key >> _U32)) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> _U29)


@njit(cache=True)
def _block(buffer, fold, classes, i, starts, sizes, keys, offsets, text, tokens):  # type: ignore[no-untyped-def]
    """Cut the next block of tokens out of the buffer: where they start, how long, their keys."""
    end, n = buffer.size, 0
    while i < end and n < keys.size:
        byte = fold[buffer[i]]
        if byte == 0 or (byte >= 0x80 and not _opens(buffer, i, classes)):
            if buffer[i] == 0:
                text += 1
                if text < offsets.size:
                    offsets[text] = tokens + n
            i += 1
            continue
        start, shift, key = i, _U8, np.uint64(byte)
        i += 1
        stop = min(end, start + 8)
        while i < stop:
            byte = fold[buffer[i]]
            if byte == 0 or (byte >= 0xC0 and not _opens(buffer, i, classes)):
                break
            key |= np.uint64(byte) << shift
            shift += _U8
            i += 1
        if i == start + 8:
            while i < end:
                byte = fold[buffer[i]]
                if byte == 0 or (byte >= 0xC0 and not _opens(buffer, i, classes)):
                    break
                key = (key ^ np.uint64(byte)) * np.uint64(1099511628211)
                i += 1
            if i > stop:
                key |= _LONG
        starts[n], sizes[n], keys[n] = start, i - start, key
        n += 1
    return i, n, text


@njit(cache=True)
def _same(words, first, last, buffer, fold, start, size):  # type: ignore[no-untyped-def]
    """Whether a known word of more than eight bytes is the one in the buffer."""
    if last - first != size:
        return False
    for q in range(size):  # noqa: SIM110 (compiled: a plain loop is what is wanted)
        if words[first + q] != fold[buffer[start + q]]:
            return False
    return True


@njit(cache=True)
def _scan(buffer, fold, classes, ids, offsets):  # type: ignore[no-untyped-def]
    """Write ids and offsets; return tokens, the words each followed by a blank, and seams."""
    room = 1 << 12
    slots = np.zeros(room, np.uint64)  # upper half of the hash, then id + 1
    known = np.empty(room, np.uint64)  # key by id
    ends = np.zeros(room + 1, np.int64)  # word `k` is words[ends[k] : ends[k + 1] - 1]
    words = np.empty(1 << 16, np.uint8)
    starts, sizes = np.empty(_BLOCK, np.int64), np.empty(_BLOCK, np.int64)
    keys = np.empty(_BLOCK, np.uint64)
    i, text, tokens, vocabulary = 0, 0, 0, 0
    while i < buffer.size:
        i, n, text = _block(buffer, fold, classes, i, starts, sizes, keys, offsets, text, tokens)
        for x in range(n):
            key = keys[x]
            hashed = mix(key)
            at = hashed & np.uint64(room - 1)
            while True:
                slot = slots[at]
                if slot == 0:
                    k = vocabulary
                    slots[at] = (hashed & _HIGH) | np.uint64(k + 1)
                    known[k] = key
                    stop = ends[k] + sizes[x]
                    if stop + 1 > words.size:
                        words = np.concatenate((words, np.empty(words.size + sizes[x], np.uint8)))
                    for q in range(sizes[x]):
                        words[ends[k] + q] = fold[buffer[starts[x] + q]]
                    words[stop] = 32
                    ends[k + 1] = stop + 1
                    vocabulary += 1
                    if 2 * vocabulary > room:
                        known = np.concatenate((known, np.empty(room, np.uint64)))
                        ends = np.concatenate((ends, np.empty(room, np.int64)))
                        room *= 2
                        slots = _rehash(known, vocabulary, room)
                    break
                if (slot & _HIGH) == (hashed & _HIGH):
                    k = int(slot & _LOW) - 1
                    if known[k] == key and (
                        key < _LONG
                        or _same(words, ends[k], ends[k + 1] - 1, buffer, fold, starts[x], sizes[x])
                    ):
                        break
                at = (at + _ONE) & np.uint64(room - 1)
            ids[tokens] = k
            tokens += 1
    offsets[-1] = tokens
    return tokens, words[: ends[vocabulary]].copy(), text


@njit(cache=True)
def _rehash(known, vocabulary, room):  # type: ignore[no-untyped-def]
    slots = np.zeros(room, np.uint64)
    for k in range(vocabulary):
        hashed = mix(known[k])
        at = hashed & np.uint64(room - 1)
        while slots[at] != 0:
            at = (at + _ONE) & np.uint64(room - 1)
        slots[at] = (hashed & _HIGH) | np.uint64(k + 1)
    return slots
