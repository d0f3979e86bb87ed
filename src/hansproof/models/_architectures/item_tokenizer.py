"""Turns items into token sequences, caches them, and records which were too long.

If an item is too long, its fields are shortened, the longest first, equally for all its choices.
A choice is truncated only if it does not fit even without fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...errors import ModelError
from ...pretrained import input_formats
from ...pretrained.text_batches import encode_segments, to_valid_utf8
from ...types import Item, Items

if TYPE_CHECKING:
    from . import InputFormat

MAX_CACHED = 100_000  # sequences; an attack encodes many more
TokenSequence = tuple[tuple[int, ...], tuple[int, ...]]  # token ids, and the segment of each
TextSegments = tuple[str, ...]
Span = tuple[int, int, int]  # segment, start, end in characters
SPECIAL = -1  # the segment of a token that represents no text


@dataclass(frozen=True, slots=True)
class SpannedSequence:
    """A sequence, the text segments it was made of, and the span of each token in them.

    If a sequence consists of a prompt and answers, only the tokens of the prompt have spans.
    """

    texts: TextSegments
    tokens: TokenSequence
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ItemTokenizer:
    """Tokenizes the choices of items for one network."""

    tokenizer: Any
    input_format: InputFormat
    length: int
    uses_prompts: bool  # the prompt lists all choices, the model answers in words
    adds_end_token: bool  # each sequence ends in a special token, which is scored
    vocabulary_size: int  # of the network
    by_text: dict[TextSegments, TokenSequence] = field(default_factory=dict)
    cut_texts: set[TextSegments] = field(default_factory=set)  # texts longer than the limit

    def encode(
        self, items: Items, read_texts: set[TextSegments] | None = None
    ) -> list[list[TokenSequence]]:
        """Return a sequence for each choice; add the texts it was made of to `read_texts`."""
        if len(self.by_text) > MAX_CACHED:
            self.by_text.clear()
        item_texts = [self.choice_texts(item) for item in items]
        texts = dict.fromkeys(text for choice_texts in item_texts for text in choice_texts)
        if read_texts is not None:
            read_texts.update(texts)
        new_texts = [
            text for text in texts if text not in self.by_text and text not in self.cut_texts
        ]
        for text, tokens in zip(new_texts, self._tokenize_texts(new_texts), strict=True):
            if len(tokens[0]) > self.length:
                self.cut_texts.add(text)
            else:
                self.by_text[text] = tokens
        return [
            self._shorten_item(item)
            if self.cut_texts & {*choice_texts}
            else [self.by_text[text] for text in choice_texts]
            for item, choice_texts in zip(items, item_texts, strict=True)
        ]

    def encode_with_spans(self, items: Items) -> list[list[SpannedSequence]]:
        """Return the same sequences with their texts and spans."""
        if not self.tokenizer.is_fast:
            message = (
                "its tokenizer does not report the positions of tokens; use one with a "
                "tokenizer.json"
            )
            raise ModelError(f"{self.tokenizer.name_or_path}: {message}")
        item_sequences = []
        for item in items:
            item, sequences = self._fit_fields(item)
            text_tokens = zip(self.choice_texts(item), sequences, strict=True)
            item_sequences.append(
                [self._locate_tokens(text, tokens) for text, tokens in text_tokens]
            )
        return item_sequences

    def _locate_tokens(self, text: TextSegments, tokens: TokenSequence) -> SpannedSequence:
        """Return a sequence with the spans of its tokens."""
        text = tuple(map(to_valid_utf8, text[:1] if self.uses_prompts else text))
        positions, spans = self._remaining_positions(tokens), self._token_spans(text)
        remaining_spans = tuple(spans[position] for position in positions if position < len(spans))
        return SpannedSequence(text, self._truncate_sequence(tokens), remaining_spans)

    def _token_spans(self, text: TextSegments) -> list[Span]:
        """Return the spans of all tokens of a text, without truncating it."""
        *earlier, last = text
        encoding = self.tokenizer(
            *earlier, last + self._end_marker(), return_offsets_mapping=True, verbose=False
        )
        special_tokens, spans = {*self.tokenizer.all_special_tokens}, []
        for segment, (start, end) in zip(
            encoding.sequence_ids(), encoding["offset_mapping"], strict=True
        ):
            # separators within a text and the appended end marker are special, too
            token_text = "" if segment is None else text[segment][start:end].strip()
            is_text = (
                segment is not None
                and start < len(text[segment])
                and token_text not in special_tokens
            )
            spans.append((segment, start, end) if is_text else (SPECIAL, 0, 0))
        return spans or [(SPECIAL, 0, 0)]

    def choice_texts(self, item: Item) -> list[TextSegments]:
        """Return the segments to read for each choice, or the prompt and its answers."""
        if self.uses_prompts:
            prompt, answers = input_formats.text_to_text_prompt(item, self.input_format.task)
            if len(item.choices) == 1:
                return [(prompt, *reversed(answers))]
            return [(prompt, answer) for answer in answers[: len(item.choices)]]
        format_choice = self._choose_format()
        return [format_choice(item, choice) for choice in item.choices]

    def _choose_format(self) -> input_formats.Format:
        if self.input_format.inputs == "ranking":
            return input_formats.ranking_format(
                self.tokenizer.sep_token or self.tokenizer.eos_token or ""
            )
        in_pairs = self.input_format.inputs == "pair" and self.tokenizer.sep_token is not None
        return input_formats.format_pair if in_pairs else input_formats.format_joined

    def _shorten_item(self, item: Item) -> list[TokenSequence]:
        """Return the sequences of an item of which some are too long."""
        return [self._truncate_sequence(tokens) for tokens in self._fit_fields(item)[1]]

    def _fit_fields(self, item: Item) -> tuple[Item, list[TokenSequence]]:
        """Shorten the fields until all choices fit, if possible; return item and sequences."""
        while True:
            sequences = self._tokenize_texts(self.choice_texts(item))
            excess = max(len(tokens[0]) for tokens in sequences) - self.length
            longest_field = max(
                item.fields, key=lambda field_name: len(item.fields[field_name]), default=""
            )
            text = item.fields.get(longest_field, "")
            if excess <= 0 or not text:
                return item, sequences
            item = replace(
                item, fields={**item.fields, longest_field: text[: max(0, len(text) - excess)]}
            )

    def _truncate_sequence(self, tokens: TokenSequence) -> TokenSequence:
        """Return the part of a sequence that is within the limit."""
        ids, segment_ids = tokens
        positions = self._remaining_positions(tokens)
        remaining_segments = (
            tuple(segment_ids[position] for position in positions)
            if self.uses_prompts
            else segment_ids[: len(positions)]
        )
        return tuple(ids[position] for position in positions), remaining_segments

    def _remaining_positions(self, tokens: TokenSequence) -> list[int]:
        """Return the positions within the limit; answers and the scored token always remain."""
        ids, segment_ids = tokens
        excess, prompt_length = len(ids) - self.length, segment_ids.count(0)
        if excess <= 0:
            return [*range(len(ids))]
        if self.uses_prompts:
            return [*range(max(1, prompt_length - excess)), *range(prompt_length, len(ids))]
        last = [len(ids) - 1] if self.adds_end_token or self.length > 1 else []
        return [*range(self.length - len(last)), *last]

    def _tokenize_texts(self, texts: Sequence[TextSegments]) -> list[TokenSequence]:
        """Return the sequences of texts, without truncating them."""
        tokens_by_text: dict[TextSegments, TokenSequence] = {}
        for size in {len(text) for text in texts}:
            same_size = [text for text in texts if len(text) == size]
            sequences = (
                self._tokenize_prompts(same_size)
                if self.uses_prompts
                else self._tokenize_segments(same_size)
            )
            tokens_by_text.update(
                zip(same_size, map(self._check_token_ids, sequences), strict=True)
            )
        return [tokens_by_text[text] for text in texts]

    def _tokenize_segments(self, texts: Sequence[TextSegments]) -> list[TokenSequence]:
        columns = [[to_valid_utf8(part) for part in column] for column in zip(*texts, strict=True)]
        columns[-1] = [text + self._end_marker() for text in columns[-1]]
        return [
            (tuple(ids) or (self._fallback_token(),), tuple(segment_ids) or (0,))
            for ids, segment_ids in encode_segments(self.tokenizer, columns)
        ]

    def _end_marker(self) -> str:
        return str(self.tokenizer.cls_token) if self.adds_end_token else ""

    def _tokenize_prompts(self, texts: Sequence[TextSegments]) -> list[TokenSequence]:
        """Return the sequences of prompts, each followed by its answers."""
        sequences = []
        for text in texts:
            parts = [
                self.tokenizer(to_valid_utf8(segment), verbose=False)["input_ids"]
                for segment in text
            ]
            segment_ids = tuple(segment_id for segment_id, part in enumerate(parts) for _ in part)
            sequences.append((tuple(token_id for part in parts for token_id in part), segment_ids))
        return sequences

    def _check_token_ids(self, tokens: TokenSequence) -> TokenSequence:
        largest, size = max(tokens[0]), self.vocabulary_size
        if largest >= size:
            message = f"its tokenizer has a token {largest}, but its network has only {size} tokens"
            raise ModelError(f"{self.tokenizer.name_or_path}: {message}")
        return tokens

    def _fallback_token(self) -> int:
        """Return a token for an empty text, if the tokenizer adds none itself."""
        candidates = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id)
        return next((token_id for token_id in candidates if token_id is not None), 0)
