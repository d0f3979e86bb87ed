"""Write docs/papers.md: what four papers found, and what holds.

    python docs/papers.py

The figures are compared anew: it takes the data, and half a minute.
"""

from __future__ import annotations

from pathlib import Path

from hansproof.reproduce import PAPERS, Reproduction, reproduce
from hansproof.reproduce.markdown import markdown
from hansproof.reproduce.outcome import counts
from hansproof.reproduce.terminal import said

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
        for c in (one.counts(),)
    )
    every = counts(outcome for one in found.values() for outcome in one.outcomes)
    total = f"| all four | {every.reached} | {every.reachable} | {every.total} |\n"
    tally = f"| paper | reached | reachable | figures |\n|---|--:|--:|--:|\n{rows}{total}"
    return f"{HEAD}{tally}\n{said(every)}\n\n" + "\n".join(_paper(one) for one in found.values())


def _paper(one: Reproduction) -> str:
    head = f"## {one.paper.title} {{ #{one.paper.key} }}\n\n{one.paper.citation}.\n\n"
    return f"{head}{said(one.counts())} `hansproof reproduce {one.paper.key}`\n\n{markdown(one)}"


if __name__ == "__main__":
    PAGE.write_text(page({key: reproduce(key) for key in PAPERS}))
