"""Items as sequences of tokens, each worked out once; those that are too long are counted.

Where there is no room, the fields are cut, the longest first, and the choices stay: the same for
all choices of an item. Only a choice that has no room by itself is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...errors import ModelError
from ...types import Item, Items
from .. import _inputs
from .._segments import clean, numbers

if TYPE_CHECKING:
    from . import Way

MOST = 100_000  # sequences that are kept; an attack asks about many more
Tokens = tuple[tuple[int, ...], tuple[int, ...]]  # and the segment of each
Text = tuple[str, ...]
Span = tuple[int, int, int]  # segment, start, end in characters
SPECIAL = -1  # the segment of a token that stands for no text


@dataclass(frozen=True, slots=True)
class Read:
    """A sequence, the segments it was made of, and where in them its tokens stand.

    Of a prompt with an answer it is the prompt's tokens that stand somewhere.
    """

    texts: Text
    tokens: Tokens
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Coder:
    """What a tokenizer makes of the choices of items."""

    tokenizer: Any
    way: Way
    length: int
    prompts: bool  # all choices in one prompt, to be answered in words
    ends: bool  # with a token of its own, which is scored
    words: int  # that the network knows
    known: dict[Text, Tokens] = field(default_factory=dict)
    cut: set[Text] = field(default_factory=set)  # those that were longer

    def code(self, items: Items, read: set[Text] | None = None) -> list[list[Tokens]]:
        """A sequence for each choice; what it was made of is put down in `read`."""
        if len(self.known) > MOST:
            self.known.clear()
        each = [self.texts(item) for item in items]
        texts = dict.fromkeys(text for some in each for text in some)
        if read is not None:
            read.update(texts)
        new = [text for text in texts if text not in self.known and text not in self.cut]
        for text, tokens in zip(new, self._tokens(new), strict=True):
            if len(tokens[0]) > self.length:
                self.cut.add(text)
            else:
                self.known[text] = tokens
        return [
            self._shortened(item) if self.cut & {*some} else [self.known[text] for text in some]
            for item, some in zip(items, each, strict=True)
        ]

    def read(self, items: Items) -> list[list[Read]]:
        """The same sequences, with what they were made of."""
        if not self.tokenizer.is_fast:
            what = "its tokenizer does not tell where tokens stand; one with a tokenizer.json does"
            raise ModelError(f"{self.tokenizer.name_or_path}: {what}")
        found = []
        for item in items:
            item, coded = self._fitting(item)
            each = zip(self.texts(item), coded, strict=True)
            found.append([self._placed(text, tokens) for text, tokens in each])
        return found

    def _placed(self, text: Text, tokens: Tokens) -> Read:
        text = tuple(map(clean, text[:1] if self.prompts else text))
        left, spans = self._left(tokens), self._spans(text)
        there = tuple(spans[place] for place in left if place < len(spans))
        return Read(text, self._cut_off(tokens), there)

    def _spans(self, text: Text) -> list[Span]:
        """Where the tokens of segments stand, however many there are."""
        *first, last = text
        made = self.tokenizer(
            *first, last + self._end(), return_offsets_mapping=True, verbose=False
        )
        named, spans = {*self.tokenizer.all_special_tokens}, []
        for which, (start, end) in zip(made.sequence_ids(), made["offset_mapping"], strict=True):
            # a separator within a text is one, too, and so is the end that was added to it
            said = "" if which is None else text[which][start:end].strip()
            plain = which is not None and start < len(text[which]) and said not in named
            spans.append((which, start, end) if plain else (SPECIAL, 0, 0))
        return spans or [(SPECIAL, 0, 0)]

    def texts(self, item: Item) -> list[Text]:
        """What is read of each choice, in segments, or prompt and answers."""
        if self.prompts:
            prompt, answers = _inputs.text_to_text(item, self.way.task)
            if len(item.choices) == 1:
                return [(prompt, *reversed(answers))]
            return [(prompt, answer) for answer in answers[: len(item.choices)]]
        format = self._format()
        return [format(item, choice) for choice in item.choices]

    def _format(self) -> _inputs.Format:
        if self.way.inputs == "ranking":
            return _inputs.ranking(self.tokenizer.sep_token or self.tokenizer.eos_token or "")
        in_pairs = self.way.inputs == "pair" and self.tokenizer.sep_token is not None
        return _inputs.pair if in_pairs else _inputs.joined

    def _shortened(self, item: Item) -> list[Tokens]:
        """The sequences of an item some of which are too long."""
        return [self._cut_off(tokens) for tokens in self._fitting(item)[1]]

    def _fitting(self, item: Item) -> tuple[Item, list[Tokens]]:
        """An item whose fields leave room for its choices, if that can be, and its sequences."""
        while True:
            coded = self._tokens(self.texts(item))
            over = max(len(tokens[0]) for tokens in coded) - self.length
            name = max(item.fields, key=lambda one: len(item.fields[one]), default="")
            text = item.fields.get(name, "")
            if over <= 0 or not text:
                return item, coded
            item = replace(item, fields={**item.fields, name: text[: max(0, len(text) - over)]})

    def _cut_off(self, tokens: Tokens) -> Tokens:
        """What a limit leaves."""
        ids, kinds = tokens
        left = self._left(tokens)
        of_left = tuple(kinds[place] for place in left) if self.prompts else kinds[: len(left)]
        return tuple(ids[place] for place in left), of_left

    def _left(self, tokens: Tokens) -> list[int]:
        """The places that a limit leaves: answers, and the token that is scored, are kept."""
        ids, kinds = tokens
        over, prompt = len(ids) - self.length, kinds.count(0)
        if over <= 0:
            return [*range(len(ids))]
        if self.prompts:
            return [*range(max(1, prompt - over)), *range(prompt, len(ids))]
        last = [len(ids) - 1] if self.ends or self.length > 1 else []
        return [*range(self.length - len(last)), *last]

    def _tokens(self, texts: Sequence[Text]) -> list[Tokens]:
        """However long they are."""
        found: dict[Text, Tokens] = {}
        for size in {len(text) for text in texts}:
            some = [text for text in texts if len(text) == size]
            coded = self._prompted(some) if self.prompts else self._segments(some)
            found.update(zip(some, map(self._checked, coded), strict=True))
        return [found[text] for text in texts]

    def _segments(self, texts: Sequence[Text]) -> list[Tokens]:
        columns = [[clean(part) for part in column] for column in zip(*texts, strict=True)]
        columns[-1] = [text + self._end() for text in columns[-1]]
        return [
            (tuple(ids) or (self._something(),), tuple(kinds) or (0,))
            for ids, kinds in numbers(self.tokenizer, columns)
        ]

    def _end(self) -> str:
        return str(self.tokenizer.cls_token) if self.ends else ""

    def _prompted(self, texts: Sequence[Text]) -> list[Tokens]:
        """Prompt and answers, one after the other."""
        found = []
        for text in texts:
            parts = [self.tokenizer(clean(one), verbose=False)["input_ids"] for one in text]
            kinds = tuple(kind for kind, part in enumerate(parts) for _ in part)
            found.append((tuple(one for part in parts for one in part), kinds))
        return found

    def _checked(self, tokens: Tokens) -> Tokens:
        if max(tokens[0]) >= self.words:
            what = f"its tokenizer has a token {max(tokens[0])}, its network only {self.words}"
            raise ModelError(f"{self.tokenizer.name_or_path}: {what}")
        return tokens

    def _something(self) -> int:
        """A token for a text that has none, and a tokenizer that adds none."""
        known = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id)
        return next((one for one in known if one is not None), 0)
