"""Encoding of texts as token ids, at the speed of a scan over their bytes.

The tokenizers `word` and `whitespace` run in compiled code, as do `chars` and `pairs` once their
tokens are separated by spaces; others are called text by text, and so are all of them on small
inputs. Token identity is exact: a token of up to eight bytes is its own key, a longer one is
compared byte by byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .._infra.compilation import compile_function, is_small
from . import scripts
from .grapheme_spacing import space_tokens
from .tokenizers import COMPILED_PATTERNS, GRAPHEME_TOKENIZERS, Tokenizer

_LONG_TOKEN = np.uint64(0xFF00000000000000)  # marks keys of long tokens: no byte of UTF-8 is 0xFF
_PAD = "\0" * 24  # so that eight bytes can be read at once from the start of any token
_CHUNK = 1 << 14  # texts joined at a time, so that their bytes stay in the cache
_BLOCK = 1 << 13  # bytes split into tokens before these are looked up


@dataclass(frozen=True, slots=True)
class EncodedTexts:
    """Token ids of many texts; text `t` is `ids[offsets[t]:offsets[t + 1]]`."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    vocabulary: Sequence[str]


def encode_texts(texts: Sequence[str], tokenizer: Tokenizer) -> EncodedTexts:
    """Return the token ids of every text; ids are numbered by first appearance."""
    n_characters = sum(map(len, texts))
    pattern = _scan_pattern(tokenizer.name)
    if pattern is None or is_small(n_characters):
        return _encode_in_python(texts, tokenizer)
    # large arrays are allocated by numpy, which requests huge pages, not in compiled code
    ids = np.empty((n_characters + len(texts)) // 2 + 1, np.int32)
    offsets = np.zeros(len(texts) + 1, np.int64)
    slots, ends = np.zeros((1 << 12, 2), np.uint64), np.zeros((1 << 12) + 1, np.int64)
    words, n_tokens, n_words = np.empty(1 << 16, np.uint8), 0, 0
    for begin in range(0, len(texts), _CHUNK):
        chunk = texts[begin : begin + _CHUNK]
        raw = _join_texts(chunk, tokenizer)
        if n_tokens + len(raw) // 2 + 1 > ids.size:  # lower case may be longer
            ids = np.concatenate([ids, np.empty(ids.size + len(raw), np.int32)])
        buffer, eights = np.frombuffer(raw, np.uint8), np.frombuffer(raw, np.uint64, len(raw) // 8)
        text_ends = offsets[begin + 1 : begin + 1 + len(chunk)]
        n_tokens, seams, slots, words, ends, n_words = _scan_tokens(
            buffer, eights, _character_classes(pattern), ids, n_tokens, text_ends, slots, words,
            ends, n_words,
        )  # fmt: skip
        if seams != len(chunk) + len(_PAD):  # a text contains the separator
            return _encode_in_python(texts, tokenizer)
    spelled = words[: ends[n_words]].tobytes().decode("utf-8", "surrogatepass")
    return EncodedTexts(ids[:n_tokens], offsets, spelled.split(" ")[:-1])


def _scan_pattern(name: str) -> str | None:
    """Return the pattern of tokens in joined texts; None if Python has to find them."""
    if name in GRAPHEME_TOKENIZERS:
        return scripts.token_characters()
    return COMPILED_PATTERNS.get(name)


def _join_texts(texts: Sequence[str], tokenizer: Tokenizer) -> bytes:
    """Join texts to bytes with separators, in lower case if the tokenizer needs it."""
    joined = "\0".join([*texts, _PAD])
    if tokenizer.name == "whitespace":
        return joined.encode("utf-8", "surrogatepass")
    if not joined.isascii():
        folded = [text if text.isascii() else tokenizer.fold(text) for text in texts]
        joined = "\0".join([*folded, _PAD])
        if tokenizer.name in GRAPHEME_TOKENIZERS:
            joined = space_tokens(joined, pairs=tokenizer.name == "pairs")
    return joined.encode("utf-8", "surrogatepass").lower()  # of bytes: changes A to Z only


def _encode_in_python(texts: Sequence[str], tokenizer: Tokenizer) -> EncodedTexts:
    token_ids: dict[str, int] = {}
    ids: list[int] = []
    offsets = [0]
    for text in texts:
        ids.extend(token_ids.setdefault(token, len(token_ids)) for token in tokenizer.split(text))
        offsets.append(len(ids))
    return EncodedTexts(np.array(ids, np.int32), np.array(offsets, np.int64), list(token_ids))


@lru_cache
def _character_classes(pattern: str) -> NDArray[np.bool_]:
    """Return which code points a pattern matches, by `re` itself, so that both always agree."""
    classes = np.zeros(0x110000, np.bool_)
    for match in re.finditer(pattern, "".join(map(chr, range(0x110000)))):
        classes[match.start() : match.end()] = True
    classes[0] = False  # the separator of texts
    return classes


@njit(inline="always")
def mix_bits(key: np.uint64) -> np.uint64:
    """Mix the bits of a 64-bit key, for hash tables."""
    key = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(29))


@compile_function()
def bucket_bounds(keys, bits):  # type: ignore[no-untyped-def]
    """Count keys into 2**bits buckets by their highest mixed bits; return where each begins."""
    shift = np.uint64(64 - bits)
    bounds = np.zeros((1 << bits) + 1, np.int64)
    for i in range(keys.size):
        bounds[np.int64(mix_bits(keys[i]) >> shift) + 1] += 1
    return np.cumsum(bounds)


@compile_function()
def _scan_tokens(buffer, eights, classes, ids, tokens, text_ends, slots, words, ends, vocabulary):  # type: ignore[no-untyped-def]
    """Continue to write ids and the ends of texts; take the vocabulary so far and return it.

    A row of `slots` is a key and its id + 1. Word `k` is words[ends[k] : ends[k + 1] - 1].
    """
    capacity = slots.shape[0]
    edges = np.empty(_BLOCK + 2, np.int64)  # starts and ends of tokens, alternating
    keys = np.empty(_BLOCK, np.uint64)
    i, text = 0, 0
    while i < buffer.size:
        i, n, text = _split_block(buffer, classes, i, edges, text_ends, text, tokens)
        for x in range(n):  # separate from the look-ups, which wait for memory
            keys[x] = _token_key(eights, edges[2 * x], edges[2 * x + 1])
        for x in range(n):
            key, start, end = keys[x], edges[2 * x], edges[2 * x + 1]
            slot = mix_bits(key) & np.uint64(capacity - 1)
            while True:
                k = int(slots[slot, 1]) - 1
                if k < 0:
                    k = vocabulary
                    slots[slot, 0], slots[slot, 1] = key, np.uint64(k + 1)
                    if ends[k] + end - start + 1 > words.size:
                        words = np.concatenate(
                            (words, np.empty(words.size + end - start, np.uint8))
                        )
                    ends[k + 1] = _append_word(words, ends[k], buffer, start, end)
                    vocabulary += 1
                    if 2 * vocabulary > capacity:
                        slots, capacity = _grow_table(slots), 2 * capacity
                        ends = np.concatenate((ends, np.empty(capacity // 2, np.int64)))
                    break
                if slots[slot, 0] == key and (
                    key < _LONG_TOKEN
                    or _is_same_word(words, ends[k], ends[k + 1] - 1, buffer, start, end)
                ):
                    break
                slot = (slot + np.uint64(1)) & np.uint64(capacity - 1)
            ids[tokens] = k
            tokens += 1
    return tokens, text, slots, words, ends, vocabulary


@compile_function()
def _split_block(buffer, classes, i, edges, text_ends, text, tokens):  # type: ignore[no-untyped-def]
    """Split a block of bytes into tokens; the last token is complete.

    There are no branches on the class of a byte, except for separators and multibyte characters:
    the ends of words are unpredictable, and mispredicted branches would cost more.
    """
    n, within, wide = 0, False, False
    stop = min(i + _BLOCK, buffer.size)
    while i < stop or (within and i < buffer.size):
        byte = buffer[i]
        inside = classes[byte]
        if byte >= 0x80:
            if byte >= 0xC0:
                wide = classes[_decode_codepoint(buffer, i)]
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


@compile_function()
def _decode_codepoint(buffer, i):  # type: ignore[no-untyped-def]
    """Decode the multibyte character that starts at position i."""
    lead = np.int64(buffer[i])
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    point = lead & (0x7F >> size)
    for j in range(i + 1, i + size):
        point = point << 6 | np.int64(buffer[j]) & 0x3F
    return point


@njit(inline="always")
def _read_eight(eights, start, size):  # type: ignore[no-untyped-def]
    """Read up to eight bytes as a number; they lie in two neighbouring elements of `eights`."""
    index, shift = start >> 3, np.uint64((start & 7) << 3)
    # shifted in two steps, as a shift by 64 would have no effect
    combined = (eights[index] >> shift) | (
        (eights[index + 1] << np.uint64(1)) << (np.uint64(63) - shift)
    )
    unused_bits = np.uint64(64) - np.uint64(8) * np.uint64(min(size, 8))
    return (combined << unused_bits) >> unused_bits


@njit(inline="always")
def _token_key(eights, start, end):  # type: ignore[no-untyped-def]
    """Return a token of up to eight bytes as a number; for a longer one, a marked hash."""
    key = _read_eight(eights, start, end - start)
    if end - start > 8:
        for offset in range(start + 8, end, 8):
            key = mix_bits(key ^ _read_eight(eights, offset, end - offset))
        key |= _LONG_TOKEN
    return key


@compile_function()
def _append_word(words, position, buffer, start, end):  # type: ignore[no-untyped-def]
    """Write a word and a space; return the position of the next word."""
    for q in range(end - start):
        words[position + q] = buffer[start + q]
    words[position + end - start] = 32
    return position + end - start + 1


@compile_function()
def _is_same_word(words, first, last, buffer, start, end):  # type: ignore[no-untyped-def]
    """Return whether a known word equals the one in the buffer."""
    if last - first != end - start:
        return False
    for q in range(end - start):  # noqa: SIM110 (compiled: a plain loop is faster)
        if words[first + q] != buffer[start + q]:
            return False
    return True


@compile_function()
def _grow_table(slots):  # type: ignore[no-untyped-def]
    """Copy the entries to a table of twice the capacity."""
    capacity = 2 * slots.shape[0]
    larger = np.zeros((capacity, 2), np.uint64)
    for key, number in slots:
        if number == 0:
            continue
        slot = mix_bits(key) & np.uint64(capacity - 1)
        while larger[slot, 1] != 0:
            slot = (slot + np.uint64(1)) & np.uint64(capacity - 1)
        larger[slot, 0], larger[slot, 1] = key, number
    return larger
