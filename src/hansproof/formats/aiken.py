"""Aiken, the plain text format of Moodle: a question, lines from `A.` on, and `ANSWER: B`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..records.lines import iter_lines
from ..records.location import Location, Record, Records, truncate

_CHOICE = re.compile(r"([A-Z])[.)]\s+(.*)")
_ANSWER = re.compile(r"ANSWER:\s*(.*)", re.IGNORECASE)


@dataclass(slots=True)
class AikenItem:
    """The lines of an item that have been read so far."""

    location: Location
    question: list[str] = field(default_factory=list)
    choices: dict[str, str] = field(default_factory=dict)

    def add_line(self, text: str, location: Location) -> None:
        """Add a line of the question, or a choice."""
        choice = _CHOICE.fullmatch(text)
        if choice is None:
            if self.choices:
                message = f'"{truncate(text)}" is neither a choice nor ANSWER:'
                raise location.error(None, message)
            self.question.append(text)
            return
        expected = chr(ord("A") + len(self.choices))
        if choice[1] != expected:
            raise location.error(None, f"choice {choice[1]} follows, but {expected} is expected")
        self.choices[expected] = choice[2].strip()

    def to_record(self, answer: str) -> Record:
        """Build the record of a complete item."""
        if not self.question:
            raise self.location.error(None, "choices without a question")
        question = " ".join(self.question)
        return {"question": question, "choices": self.choices, "answer": answer.strip().upper()}


def records(path: str) -> Records:
    """Yield one record per question, with the line where it begins."""
    item: AikenItem | None = None
    for line, raw_text in iter_lines(path):
        text = raw_text.strip()
        if not text:
            continue
        location = Location(path, line)
        item = item or AikenItem(location)
        answer = _ANSWER.fullmatch(text)
        if answer is None:
            item.add_line(text, location)
            continue
        yield item.location.line, item.to_record(answer[1])
        item = None
    if item is not None:
        raise item.location.error(None, "the question has no line ANSWER:")
