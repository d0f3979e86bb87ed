"""The audit that collects the results of probes, and the probes that failed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ._items import Card, Displayable, Items
from ._results import Result, Subject, Verdict


@dataclass(frozen=True, slots=True, repr=False)
class Failure(Displayable):
    """A probe that could not be run, and why.

    Attributes:
        probe: The name of the probe.
        error: The message of its error.
        subject: What the probe is about: `"benchmark"`, or `"models"`.

    Examples:
        >>> import hansproof
        >>> hansproof.Failure("cues", "the tokenizer nltk is not installed").probe
        'cues'
    """

    probe: str
    error: str
    subject: Subject = "benchmark"


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Displayable):
    """A saved run of probes over one benchmark, enough to redo it and to draw the report.

    Attributes:
        schema: The version of the file format.
        version: The version of hansproof that ran it.
        benchmark: The name of the benchmark.
        sha256: The fingerprint of each split.
        sizes: The number of items of each split.
        card: The origin, licence and citation of the benchmark.
        results: The results of the probes, with verdicts corrected for each other.
        failures: The probes that could not be run.
        environment: The versions of Python and of the packages that can change a number.
        items: The items that are quoted as evidence, each once; see `find_items`.
        created: Date and time in UTC, such as `2026-11-18T16:40:00Z`; empty if run in Python.
        command: The command line that ran it; empty if run in Python.

    Examples:
        >>> import hansproof
        >>> audit = hansproof.audit("toy:original", probes=["class_balance", "cues"])
        >>> audit["cues"].verdict
        'exposed'
        >>> "surface" in audit
        False
    """

    SCHEMA: ClassVar[int] = 3

    schema: int
    version: str
    benchmark: str
    sha256: dict[str, str]
    sizes: dict[str, int]
    card: Card
    results: tuple[Result, ...]
    failures: tuple[Failure, ...]
    environment: dict[str, str]
    items: Items = ()
    created: str = ""
    command: str = ""

    __iter__ = None  # `audit["cues"]` is a look-up by name; `audit.results` are to be iterated over

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the benchmark: the worst of its probes; None if none could judge it.

        What is undecided may turn out worse than a caution. Probes of models do not count.

        Examples:
            >>> import hansproof
            >>> hansproof.audit("toy:original", probes=["class_balance", "cues"]).verdict
            'exposed'
        """
        from ..auditing import overall_verdict

        return overall_verdict(self)

    @property
    def headline(self) -> str:
        """The audit in one or two sentences, as the report begins.

        Examples:
            >>> import hansproof
            >>> hansproof.audit("toy:original", probes=["cues"]).headline.partition(": ")[0]
            'toy:original is not Hans-proof'
        """
        from ..report.headline import build_headline

        return build_headline(self)

    def __getitem__(self, probe: str) -> Result:
        """Return the result of a probe; `-` and `_` in its name are the same.

        Raises BadInput if the probe was not run or could not be run, and UnknownName if there is no
        such probe.
        """
        from ..auditing import explain_missing

        result = self._find_result(probe)
        if result is None:
            raise explain_missing(self, str(probe))
        return result

    def __contains__(self, probe: object) -> bool:
        """Tell whether the audit has a result of this probe."""
        return self._find_result(probe) is not None

    def _find_result(self, probe: object) -> Result | None:
        """Return the result of a probe, first by its exact name."""
        names = (probe, probe.replace("-", "_")) if isinstance(probe, str) else ()
        results = (result for name in names for result in self.results if result.probe == name)
        return next(results, None)

    def find_items(self, ids: Iterable[str]) -> Items:
        """Return the items with these ids that the audit quotes, in the order of the ids.

        An audit quotes the first 50 items of each piece of evidence.

        Examples:
            >>> import hansproof
            >>> audit = hansproof.audit("toy:original", probes=["cues"])
            >>> items = audit.find_items(audit["cues"].evidence["original: had"])
            >>> all("had" in " ".join(item.choices).split() for item in items)
            True
        """
        items_by_id = {item.id: item for item in self.items}
        return tuple(items_by_id[id] for id in ids if id in items_by_id)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write `audit.json` and `report.html` to a folder, which is created if it is missing.

        Files of these names are replaced.

        Examples:
            >>> import hansproof, os, tempfile
            >>> audit = hansproof.audit("toy:original", probes=["class_balance"])
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     audit.save(folder)
            ...     sorted(os.listdir(folder)), hansproof.Audit.load(folder) == audit
            (['audit.json', 'report.html'], True)
        """
        from ..report.files import save_report

        save_report(self, folder)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Audit:
        """Load a saved audit: an `audit.json`, or the folder that contains it.

        Raises BadInput if the file is not an audit, or if another version wrote it differently.
        """
        from ..auditing import load_audit

        return load_audit(path)
