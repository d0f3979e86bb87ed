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

_LONG = np.uint64(0xFF00000000000000)  # marks keys of long tokens: no byte of UTF-8 is 0xFF
_PAD = "\0" * 24  # so that eight bytes can be read from any token's start, whole words at a time
_CHUNK = 1 << 14  # texts joined at a time: their bytes stay near, and their memory is used again
_BLOCK = 1 << 13  # bytes cut into tokens before these are looked up


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
    # large arrays come from numpy, which asks for huge pages, rather than from compiled code
    ids = np.empty((sum(map(len, texts)) + len(texts)) // 2 + 1, np.int32)
    offsets = np.zeros(len(texts) + 1, np.int64)
    slots, ends = np.zeros((1 << 12, 2), np.uint64), np.zeros((1 << 12) + 1, np.int64)
    words, tokens, known = np.empty(1 << 16, np.uint8), 0, 0
    for begin in range(0, len(texts), _CHUNK):
        chunk = texts[begin : begin + _CHUNK]
        raw = _joined(chunk, tokenizer)
        if tokens + len(raw) // 2 + 1 > ids.size:  # lower case may be longer than what it is of
            ids = np.concatenate([ids, np.empty(ids.size + len(raw), np.int32)])
        buffer, eights = np.frombuffer(raw, np.uint8), np.frombuffer(raw, np.uint64, len(raw) // 8)
        here = offsets[begin + 1 : begin + 1 + len(chunk)]
        tokens, seams, slots, words, ends, known = _scan(
            buffer, eights, _classes(pattern), ids, tokens, here, slots, words, ends, known
        )
        if seams != len(chunk) + len(_PAD):  # a text holds the very character that parts texts
            return _encode_slowly(texts, tokenizer)
    spelt = words[: ends[known]].tobytes().decode("utf-8", "surrogatepass")
    return Encoded(ids[:tokens], offsets, spelt.split(" ")[:-1])


def _joined(texts: Sequence[str], tokenizer: Tokenizer) -> bytes:
    """The bytes of all texts with seams between, lower-cased where the tokenizer does so."""
    joined = "\0".join([*texts, _PAD])
    if tokenizer.name != "word":
        return joined.encode("utf-8", "surrogatepass")
    if not joined.isascii():
        lowered = [text if text.isascii() else text.lower() for text in texts]
        joined = "\0".join([*lowered, _PAD])
    return joined.encode("utf-8", "surrogatepass").lower()  # of bytes: A to Z and nothing else


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


@njit(inline="always")
def mix(key: np.uint64) -> np.uint64:
    """A 64-bit key with its bits spread, for hash tables."""
    key = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(29))


@njit(cache=True)
def _scan(buffer, eights, classes, ids, tokens, text_ends, slots, words, ends, vocabulary):  # type: ignore[no-untyped-def]
    """Go on writing ids, and where texts end; what is known of words so far goes in and out.

    `slots`: key, id + 1. Word `k` is words[ends[k] : ends[k + 1] - 1], a blank after it.
    """
    room = slots.shape[0]
    edges = np.empty(_BLOCK + 2, np.int64)  # where tokens start and end, by turns
    keys = np.empty(_BLOCK, np.uint64)
    i, text = 0, 0
    while i < buffer.size:
        i, n, text = _cut(buffer, classes, i, edges, text_ends, text, tokens)
        for x in range(n):  # apart from the look-ups: straight work, with nothing to wait for
            keys[x] = _key(eights, edges[2 * x], edges[2 * x + 1])
        for x in range(n):
            key, start, end = keys[x], edges[2 * x], edges[2 * x + 1]
            at = mix(key) & np.uint64(room - 1)
            while True:
                k = int(slots[at, 1]) - 1
                if k < 0:
                    k = vocabulary
                    slots[at, 0], slots[at, 1] = key, np.uint64(k + 1)
                    if ends[k] + end - start + 1 > words.size:
                        words = np.concatenate(
                            (words, np.empty(words.size + end - start, np.uint8))
                        )
                    ends[k + 1] = _append(words, ends[k], buffer, start, end)
                    vocabulary += 1
                    if 2 * vocabulary > room:
                        slots, room = _rehash(slots), 2 * room
                        ends = np.concatenate((ends, np.empty(room // 2, np.int64)))
                    break
                if slots[at, 0] == key and (
                    key < _LONG or _same(words, ends[k], ends[k + 1] - 1, buffer, start, end)
                ):
                    break
                at = (at + np.uint64(1)) & np.uint64(room - 1)
            ids[tokens] = k
            tokens += 1
    return tokens, text, slots, words, ends, vocabulary


@njit(cache=True)
def _cut(buffer, classes, i, edges, text_ends, text, tokens):  # type: ignore[no-untyped-def]
    """Cut a block of bytes into tokens, the last of them whole.

    Written without branches on what a byte is, save for seams and characters of several bytes:
    where a word ends cannot be foretold, and a processor that guesses wrong loses more than this.
    """
    n, within, wide = 0, False, False
    stop = min(i + _BLOCK, buffer.size)
    while i < stop or (within and i < buffer.size):
        byte = buffer[i]
        inside = classes[byte]
        if byte >= 0x80:
            if byte >= 0xC0:
                wide = classes[_point(buffer, i)]
            inside = wide
        elif byte == 0:
            if text < text_ends.size:
                text_ends[text] = tokens + (n + within) // 2
            text += 1
        edges[n] = i
        n += inside != within
        within = inside
        i += 1
    if within:
        edges[n] = i
        n += 1
    return i, n // 2, text


@njit(cache=True)
def _point(buffer, i):  # type: ignore[no-untyped-def]
    """The code point of the character of several bytes that starts here."""
    lead = np.int64(buffer[i])
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    point = lead & (0x7F >> size)
    for j in range(i + 1, i + size):
        point = point << 6 | np.int64(buffer[j]) & 0x3F
    return point


@njit(inline="always")
def _eight(eights, start, size):  # type: ignore[no-untyped-def]
    """Up to eight bytes from here on as a number. They lie in two neighbours of `eights`."""
    at, shift = start >> 3, np.uint64((start & 7) << 3)
    # shifting by one and then by the rest: a shift by 64 would do nothing at all
    both = (eights[at] >> shift) | ((eights[at + 1] << np.uint64(1)) << (np.uint64(63) - shift))
    beyond = np.uint64(64) - np.uint64(8) * np.uint64(min(size, 8))
    return (both << beyond) >> beyond


@njit(inline="always")
def _key(eights, start, end):  # type: ignore[no-untyped-def]
    """A token of up to eight bytes as a number; of a longer one a hash, marked as such."""
    key = _eight(eights, start, end - start)
    if end - start > 8:
        for more in range(start + 8, end, 8):
            key = mix(key ^ _eight(eights, more, end - more))
        key |= _LONG
    return key


@njit(cache=True)
def _append(words, at, buffer, start, end):  # type: ignore[no-untyped-def]
    """Write a word and a blank; where the next one goes."""
    for q in range(end - start):
        words[at + q] = buffer[start + q]
    words[at + end - start] = 32
    return at + end - start + 1


@njit(cache=True)
def _same(words, first, last, buffer, start, end):  # type: ignore[no-untyped-def]
    """Whether a known word is the one in the buffer."""
    if last - first != end - start:
        return False
    for q in range(end - start):  # noqa: SIM110 (compiled: a plain loop is what is wanted)
        if words[first + q] != buffer[start + q]:
            return False
    return True


@njit(cache=True)
def _rehash(slots):  # type: ignore[no-untyped-def]
    """The same entries in twice the room."""
    room = 2 * slots.shape[0]
    larger = np.zeros((room, 2), np.uint64)
    for key, number in slots:
        if number == 0:
            continue
        at = mix(key) & np.uint64(room - 1)
        while larger[at, 1] != 0:
            at = (at + np.uint64(1)) & np.uint64(room - 1)
        larger[at, 0], larger[at, 1] = key, number
    return larger
