"""Pages show what happens: `make docs` runs their console blocks and writes the output again.

    ```console
    $ hansproof validate items.jsonl
    all: 48 items, 2 choices, labelled; fields: premise
    ```

The commands of a page run in order, in one folder, as on a terminal of 80 columns. A line `...`
stands for lines that are left out. What lies in the folder `page/` beside `page.md` lies in that
folder at first; a block with a `title="limits.toml"` is written there. A block right after
`<!-- not run: why -->` is only parsed, and one after `<!-- needs data -->` is run where
HANSPROOF_DATA is set. Output is compared as it is, but for the path of that folder. `make docs`
also writes the question of each probe, from its docstring, on the probe's page.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from hansproof import plugins

from .cli_runner import run_here, run_on_terminal

ROOT = Path(__file__).parents[2]
ALL = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(
    r"(?ms)^(?:<!-- (?P<mark>[^>]*) -->\n\s*)?(?P<fence>`{3,})(?P<info>[^\n`]*)\n"
    r"(?P<body>.*?)^(?P=fence)$"
)
LEFT_OUT = "..."


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the file it is, and the note before it."""

    kind: str
    body: str
    title: str
    mark: str

    @classmethod
    def of(cls, found: re.Match[str]) -> Block:
        title = re.search(r'title="(.+?)"', found["info"])
        kind = found["info"].partition(" ")[0]
        return cls(kind, found["body"], title[1] if title else "", found["mark"] or "")

    def run(self) -> bool:
        return self.kind == "console" and not self.mark.startswith("not run: ")

    def has_what_it_needs(self) -> bool:
        return self.mark != "needs data" or bool(os.environ.get("HANSPROOF_DATA"))


def blocks(text: str) -> list[Block]:
    return [Block.of(found) for found in BLOCK.finditer(text)]


def shown(page: Path) -> list[Path]:
    """Pages with blocks that are run."""
    return [page] if any(block.run() for block in blocks(page.read_text())) else []


PAGES = [page for each in ALL for page in shown(each)]


def written(page: Path, folder: Path) -> str:
    """The page with what its commands print now."""
    beside = page.with_suffix("")
    if beside.is_dir():
        shutil.copytree(beside, folder, dirs_exist_ok=True)
    session = Session(folder)

    def again(found: re.Match[str]) -> str:
        block = Block.of(found)
        if block.title:
            (folder / block.title).write_text(block.body)
        if not block.run() or not block.has_what_it_needs():
            return found[0]
        return found[0].replace(block.body, session.block(block.body))

    return BLOCK.sub(again, page.read_text())


class Session:
    """Commands that follow each other in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.code = folder, 0

    def block(self, body: str) -> str:
        """A block with what its commands print now, lines left out as before."""
        parts = re.split(r"(?m)^\$ (.*\n)", body)[1:]
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return "".join(
            f"$ {command}{_shortened(self._checked(command), old)}" for command, old in pairs
        )

    def _checked(self, command: str) -> str:
        """What a command prints; a crash is never written to a page."""
        text = self.run(command)
        assert "Traceback (most recent call last)" not in text, f"{command}{text}"
        return text

    def run(self, command: str) -> str:
        """What a command prints; one of ours in this process."""
        ours = re.fullmatch(r"hansproof ([^|;&>]+)(?: > (\S+))?\n", command)
        if ours is None:
            return self._shell(command)
        args = shlex.split(ours[1])
        if ours[2]:
            done = run_here(*args, cwd=self.folder)
            (self.folder / ours[2]).write_text(done.stdout)
            self.code, text = done.returncode, done.stderr
        else:
            self.code, text = run_on_terminal(*args, cwd=self.folder)
        return text.replace(f"{self.folder.resolve()}/", "")

    def _shell(self, command: str) -> str:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.code}); {command}"],
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.code = done.returncode
        return done.stdout


def _shortened(text: str, old: str) -> str:
    """What is printed now, with the lines left out that were left out before."""
    lines = [line.rstrip() for line in text.splitlines()]
    parts = _parts(old.splitlines())
    if len(parts) > 1:
        kept = [lines[: len(parts[0])]]
        rest = lines[len(parts[0]) :]
        for part in parts[1:-1]:
            at = _most_alike(rest, part)
            kept.append(rest[at : at + len(part)])
            rest = rest[at + len(part) :]
        last = parts[-1]
        kept.append(rest[len(rest) - len(last) :] if last else [])
        lines = [line for part in kept for line in (*part, LEFT_OUT)][:-1]
    return "".join(f"{line}\n" for line in lines)


def _parts(lines: list[str]) -> list[list[str]]:
    """The lines between those that stand for others."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def _most_alike(lines: list[str], part: list[str]) -> int:
    """Where the lines are most like those that were shown."""

    def likeness(at: int) -> float:
        there = lines[at : at + len(part)]
        return SequenceMatcher(None, "\n".join(there), "\n".join(part), autojunk=False).ratio()

    same = [at for at in range(len(lines)) if lines[at : at + len(part)] == part]
    return same[0] if same else max(range(len(lines) or 1), key=likeness)


def write_questions() -> None:
    """Write the question of each probe on its page."""
    for name, question in plugins.names("probes").items():
        page = ROOT / "docs" / "probes" / f"{name}.md"
        heading = re.escape(f"# {name}\n\n")
        text = re.sub(rf"\A({heading})\*\*.+\*\*", rf"\1**{question}**", page.read_text())
        page.write_text(text)


def main() -> None:
    write_questions()
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            text = written(page, Path(folder))
        if text != page.read_text():
            page.write_text(text)
            print(f"wrote {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
