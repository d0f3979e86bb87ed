"""A value inside a JSON document that knows where it is, so that errors name the place."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import BadInput
from ..records.location import type_name


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value, the file it is in, and its path there, such as `request_states[3].instance`."""

    value: object
    file: str
    field: str = ""

    def error(self, message: str) -> BadInput:
        """Build an error about this value."""
        return BadInput(self.file, message, field=self.field)

    def members(self) -> dict[str, JsonValue]:
        """Return the members of an object."""
        if not isinstance(self.value, dict):
            raise self.error(f"is {type_name(self.value)}, not an object")
        prefix = f"{self.field}." if self.field else ""
        return {
            name: JsonValue(value, self.file, f"{prefix}{name}")
            for name, value in self.value.items()
        }

    def member(self, *names: str) -> JsonValue:
        """Return the value at the end of a path of names; None as a value if it is missing."""
        node = self
        for name in names:
            field = f"{node.field}.{name}" if node.field else name
            node = node.members().get(name, JsonValue(None, self.file, field))
        return node

    def elements(self) -> list[JsonValue]:
        """Return the elements of a list."""
        if not isinstance(self.value, list):
            raise self.error(f"is {type_name(self.value)}, not a list")
        return [
            JsonValue(value, self.file, f"{self.field}[{i}]") for i, value in enumerate(self.value)
        ]

    def text(self) -> str:
        """Return the value if it is text that can be written as UTF-8."""
        if not isinstance(self.value, str):
            raise self.error(f"is {type_name(self.value)}, not text")
        if "\0" in self.value:
            raise self.error("contains a NUL character")
        try:
            self.value.encode()
        except UnicodeEncodeError:
            raise self.error("contains half of a surrogate pair, not valid Unicode") from None
        return self.value

    def name(self) -> str:
        """Return text without spaces around it; raise if nothing is left."""
        text = self.text().strip()
        if not text:
            raise self.error("is empty")
        return text
