"""COPA-style XML: <item id asks-for most-plausible-alternative> with <p>, <a1>, <a2>."""

from __future__ import annotations

from typing import Any, Protocol
from xml.etree.ElementTree import ParseError

from ..errors import BadInput
from ..records.lines import read_bytes
from ..records.location import Record, Records


class _ParserPosition(Protocol):
    CurrentLineNumber: int


class _CopaXmlTarget:
    """Builds records from parser events: the attributes and children of every <item>."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.position: _ParserPosition | None = None
        self.records: list[tuple[int, Record]] = []
        self.record: Record | None = None
        self.child: str | None = None
        self.text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        assert self.position is not None
        line = self.position.CurrentLineNumber
        if self.child is not None:
            raise BadInput(
                self.path,
                f"contains <{tag}>, but only text is allowed",
                line=line,
                field=self.child,
            )
        if tag == "item":
            self.record = dict(attributes)
            self.records.append((line, self.record))
        elif self.record is not None:
            if tag in self.record:
                raise BadInput(self.path, "appears twice in the item", line=line, field=tag)
            self.child, self.text = tag, []

    def data(self, text: str) -> None:
        self.text.append(text)

    def end(self, tag: str) -> None:
        if tag == "item":
            self.record = None
        elif self.record is not None:
            self.record[tag] = "".join(self.text)
            self.child = None

    def close(self) -> list[tuple[int, Record]]:
        return self.records


def records(path: str) -> Records:
    """Yield one record per <item>; a DTD is not read, entities are refused."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    data = read_bytes(path)
    if not data.strip():
        return
    target = _CopaXmlTarget(path)
    # The file may name a DTD; expat does not read external DTDs by default.
    parser: Any = DefusedXMLParser(target=target, forbid_dtd=False)
    target.position = parser.parser
    try:
        parser.feed(data)
        items = parser.close()
    except DefusedXmlException as error:
        line = parser.parser.CurrentLineNumber
        message = f"XML entities are not allowed ({type(error).__name__})"
        raise BadInput(path, message, line=line) from None
    except (ParseError, LookupError, ValueError) as error:
        raise BadInput(path, f"broken XML: {error}", line=_error_line(error)) from None
    if not items:
        message = "XML is read only in COPA's format; export the quiz as GIFT or Aiken"
        raise BadInput(path, f"contains no items: {message}")
    yield from items


def _error_line(error: Exception) -> int | None:
    return error.position[0] if isinstance(error, ParseError) else None
