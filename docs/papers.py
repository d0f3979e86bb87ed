"""Write docs/papers.md: the figures of four papers compared with computed ones.

    python -m docs.papers

Compares all figures again, which needs HANSPROOF_DATA and takes half a minute.
"""

from __future__ import annotations

from pathlib import Path

from docs.wrap import wrap_markdown
from hansproof.papers import PAPERS, Reproduction, reproduce
from hansproof.papers.markdown import render_markdown
from hansproof.papers.reproduction import count_figures
from hansproof.papers.terminal import format_counts

PAGE = Path(__file__).parent / "papers.md"
HEAD = """# What the papers found, and what holds

Every figure of four papers, compared with the one that `hansproof reproduce PAPER` computes. A
figure is *reached* if ours, rounded to the printed digits, is the same. A figure is *reachable* if
the data and the predictions that the authors released are enough to compute it. Words such as
*cue* and *productivity* are explained in the [glossary](glossary.md).

| mark | meaning |
|---|---|
| ✓ | reached, from the data or from the released predictions |
| ≠ | differs; ours is in bold |
| ✗ | self-contradictory; the figure that follows from the definition is in bold |
| (none) | not reachable; the reason is given below the table |

"""


def page(reproductions: dict[str, Reproduction]) -> str:
    """Render all four papers, the counts of figures first."""
    rows = "".join(
        f"| [{reproduction.paper.title}](#{key}) | {counts.reached} | {counts.reachable} "
        f"| {counts.total} |\n"
        for key, reproduction in reproductions.items()
        for counts in (reproduction.figure_counts(),)
    )
    total = count_figures(
        comparison
        for reproduction in reproductions.values()
        for comparison in reproduction.comparisons
    )
    last_row = f"| all four | {total.reached} | {total.reachable} | {total.total} |\n"
    table = f"| paper | reached | reachable | figures |\n|---|--:|--:|--:|\n{rows}{last_row}"
    sections = "\n".join(_paper_section(reproduction) for reproduction in reproductions.values())
    return wrap_markdown(f"{HEAD}{table}\n{format_counts(total)}\n\n{sections}")


def _paper_section(reproduction: Reproduction) -> str:
    paper = reproduction.paper
    counts = format_counts(reproduction.figure_counts())
    return (
        f"## {paper.title} {{ #{paper.key} }}\n\n{paper.citation}.\n\n"
        f"{counts} `hansproof reproduce {paper.key}`\n\n{render_markdown(reproduction)}"
    )


if __name__ == "__main__":
    PAGE.write_text(page({key: reproduce(key) for key in PAPERS}))
