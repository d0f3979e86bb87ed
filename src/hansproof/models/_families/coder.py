"""Items as sequences of tokens, each worked out once; those that are too long are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...errors import ModelError
from ...types import Item, Items
from .. import _inputs

if TYPE_CHECKING:
    from . import Way

Tokens = tuple[tuple[int, ...], tuple[int, ...]]  # and the segment of each
Text = tuple[str, ...]


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
    cut: set[Tokens] = field(default_factory=set)  # those that were longer

    def code(self, items: Items) -> list[list[Tokens]]:
        """A sequence for each choice."""
        texts = [self._texts(item) for item in items]
        self._learn(list(dict.fromkeys(text for some in texts for text in some)))
        return [[self.known[text] for text in some] for some in texts]

    def _texts(self, item: Item) -> list[Text]:
        if self.prompts:
            prompt, answers = _inputs.text_to_text(item, self.way.task)
            if len(item.choices) == 1:
                return [(prompt, *reversed(answers))]
            return [(prompt, answer) for answer in answers[: len(item.choices)]]
        return [self._format()(item, choice) for choice in item.choices]

    def _format(self) -> _inputs.Format:
        if self.way.inputs == "ranking":
            return _inputs.ranking(self.tokenizer.sep_token or self.tokenizer.eos_token or "")
        in_pairs = self.way.inputs == "pair" and self.tokenizer.sep_token is not None
        return _inputs.pair if in_pairs else _inputs.joined

    def _learn(self, texts: Sequence[Text]) -> None:
        new = [text for text in texts if text not in self.known]
        for size in {len(text) for text in new}:
            some = [text for text in new if len(text) == size]
            coded = self._prompted(some) if self.prompts else self._segments(some)
            self.known.update(zip(some, coded, strict=True))

    def _segments(self, texts: Sequence[Text]) -> list[Tokens]:
        clean = [[_clean(part) for part in text] for text in texts]
        end = self.tokenizer.cls_token if self.ends else ""
        columns = [list(column) for column in zip(*clean, strict=True)]
        columns[-1] = [text + end for text in columns[-1]]
        whole = self.tokenizer(*columns, return_token_type_ids=True, verbose=False)
        short = self.tokenizer(
            *columns, return_token_type_ids=True, truncation=True, max_length=self.length,
            verbose=False,
        )  # fmt: skip
        found = []
        for at, long in enumerate(whole["input_ids"]):
            # a limit with no room for the frame of a text is none to a tokenizer
            ids = short["input_ids"][at][: self.length]
            kinds = short["token_type_ids"][at][: self.length]
            if len(long) > self.length and end:
                ids[-1] = self.tokenizer.cls_token_id  # what is scored is never cut off
            found.append(self._one(ids or [self._something()], kinds or [0], len(long)))
        return found

    def _prompted(self, texts: Sequence[Text]) -> list[Tokens]:
        """Prompt and answers; of a long one the end of the prompt is cut off."""
        found = []
        for prompt, *answers in texts:
            ids = self.tokenizer(_clean(prompt), verbose=False)["input_ids"]
            said = [self.tokenizer(one)["input_ids"] for one in answers]
            room = max(1, self.length - sum(map(len, said)))
            kinds = [kind for kind, some in enumerate([ids[:room], *said]) for _ in some]
            joined = [*ids[:room], *(one for some in said for one in some)]
            found.append(self._one(joined, kinds, len(ids) + len(joined) - len(ids[:room])))
        return found

    def _one(self, ids: Sequence[int], kinds: Sequence[int], long: int) -> Tokens:
        made = (tuple(ids), tuple(kinds))
        if max(ids) >= self.words:
            what = f"its tokenizer has a token {max(ids)}, its network only {self.words}"
            raise ModelError(f"{self.tokenizer.name_or_path}: {what}")
        if long > self.length:
            self.cut.add(made)
        return made

    def _something(self) -> int:
        """A token for a text that has none, and a tokenizer that adds none."""
        known = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id)
        return next((one for one in known if one is not None), 0)


def _clean(text: str) -> str:
    """A text that can be written as UTF-8, which tokenizers insist on."""
    return text.encode("utf-8", "replace").decode("utf-8")
