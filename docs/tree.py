"""Write the tree in CONTRIBUTING.md from the first docstring lines of packages and modules.

python docs/tree.py
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
SOURCE = ROOT / "src" / "hansproof"
START, END = "<!-- tree: written by `make docs` -->\n", "<!-- end of tree -->\n"
PLUGINS = ("benchmarks", "edits", "formats", "logs", "models", "probes")  # listed by their folder
NAME_WIDTH = 22


def read_summary(path: Path) -> str:
    """Read the first line of a module's docstring."""
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]


def build_tree() -> str:
    """List all top-level packages and modules, and the packages inside them."""
    lines = ["src/hansproof/"]
    for path in sorted(SOURCE.iterdir(), key=lambda path: path.name.removesuffix(".py")):
        if path.suffix == ".py" and not path.name.startswith("__"):
            lines.append(format_line(1, path.name, read_summary(path)))
        elif (path / "__init__.py").exists():
            lines.append(format_line(1, f"{path.name}/", read_summary(path / "__init__.py")))
            folders = () if path.name in PLUGINS else sorted(path.glob("*/__init__.py"))
            lines += [
                format_line(2, f"{init.parent.name}/", read_summary(init)) for init in folders
            ]
    return "".join(f"    {line}\n" for line in lines)


def format_line(depth: int, name: str, summary: str) -> str:
    return f"{'  ' * depth}{name:<{NAME_WIDTH - 2 * depth}}{summary}".rstrip()


def page(text: str) -> str:
    """Replace the tree in the text of the page."""
    before, after_start = text.split(START)
    return f"{before}{START}\n{build_tree()}\n{END}{after_start.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
    print(f"wrote {PAGE}", file=sys.stderr)
