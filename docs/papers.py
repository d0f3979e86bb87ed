"""Write docs/papers.md: what four papers found, and what holds.

    python docs/papers.py

The figures are compared anew: it takes the data, and half a minute.
"""

from __future__ import annotations

from pathlib import Path

from hansproof.papers import PAPERS, Reproduction, reproduce
from hansproof.papers.markdown import render_markdown
from hansproof.papers.reproduction import count_figures
from hansproof.papers.terminal import format_counts

PAGE = Path(__file__).parent / "papers.md"
HEAD = """# What the papers found, and what holds

Every figure of four papers beside ours, by `hansproof reproduce PAPER`. A figure is reached when
ours, rounded to the printed digits, is the same.

| mark | |
|---|---|
| ✓ | reached, from the data or from what the authors released |
| ≠ | differs; ours in bold |
| ✗ | contradicts its own definition; what would follow from it in bold |
| (none) | cannot be had from data and released predictions; the reason stands below the table |

"""


def page(found: dict[str, Reproduction]) -> str:
    """All four, the tally first."""
    rows = "".join(
        f"| [{one.paper.title}](#{key}) | {c.reached} | {c.reachable} | {c.total} |\n"
        for key, one in found.items()
        for c in (one.figure_counts(),)
    )
    every = count_figures(outcome for one in found.values() for outcome in one.comparisons)
    total = f"| all four | {every.reached} | {every.reachable} | {every.total} |\n"
    tally = f"| paper | reached | reachable | figures |\n|---|--:|--:|--:|\n{rows}{total}"
    return f"{HEAD}{tally}\n{format_counts(every)}\n\n" + "\n".join(
        _paper(one) for one in found.values()
    )


def _paper(one: Reproduction) -> str:
    head = f"## {one.paper.title} {{ #{one.paper.key} }}\n\n{one.paper.citation}.\n\n"
    return f"{head}{format_counts(one.figure_counts())} `hansproof reproduce {one.paper.key}`\n\n{render_markdown(one)}"


if __name__ == "__main__":
    PAGE.write_text(page({key: reproduce(key) for key in PAPERS}))
