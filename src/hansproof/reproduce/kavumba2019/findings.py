"""What is found wrong in Kavumba et al. 2019, mostly from its own figures."""

from __future__ import annotations

from collections.abc import Collection

from ...stats import at_least
from .. import copa
from ..counts import counts, dealt
from ..figures import TEXT, Paper, Place, Printed
from ..ours import Find, Finding, Look, Ours, implied
from ..released import Released

PARTS = ("overall", "easy", "hard")
ROUNDED = 0.05  # a first digit after the point stands for so much more or less


def _sizes(released: Released) -> tuple[int, int, int]:
    """Items of the test half: all, Easy, Hard."""
    easy = len(released.easy())
    every = len(released.benchmark("copa").splits["test"])
    return every, easy, every - easy


def _means(table: Printed, at: int) -> tuple[float, float, float]:
    return (
        table.number(at, "overall", "mean"),
        table.number(at, "easy", "mean"),
        table.number(at, "hard", "mean"),
    )


def _once(table: Printed, released: Released) -> dict[int, tuple[list[int], list[int], list[int]]]:
    """Of rows with one run, the counts that their shares of all, Easy and Hard can stand for."""
    rows = [
        at for at in range(len(table.rows)) if "spread" not in table.figures[
            table.id, at, "overall"].parts
    ]  # fmt: skip
    found = {}
    for at in rows:
        a, b, c = (counts(m, n) for m, n in zip(_means(table, at), _sizes(released), strict=True))
        found[at] = (a, b, c)
    return found


def _quoted_twice(paper: Paper, released: Released) -> Finding | None:
    """One system with two scores."""
    first, fourth = paper.tables["table-1"], paper.tables["table-4"]
    a, b = first.find(model="BigramPMI (Goodwin et al. 2012)"), fourth.find(
        model="Goodwin et al. 2012"
    )  # fmt: skip
    one, other = first.number(a, "overall", "mean"), fourth.number(b, "overall", "mean")
    _, easy, hard = _once(fourth, released)[b]
    every = _sizes(released)[0]
    sums = {round(100 * (x + y) / every, 1) for x in easy for y in hard}
    if one == other or other not in sums or one in sums:
        return None
    place = (first.id, a, "overall")
    text = (
        f"Goodwin et al. 2012 has {one} in table 1 and {other} in table 4. What table 4 prints for "
        f"Easy and Hard adds up to {other}."
    )
    return Finding("quoted-twice", first.id, text, (place,), {place: _mean(other)})


def _mean(value: float) -> Ours:
    return Ours({"mean": value}, "printed")


def _no_count(id: str, name: str) -> Find:
    """Shares that no number of right items can give, or that do not add up."""

    def found(paper: Paper, released: Released) -> Finding | None:
        table, sizes = paper.tables[name], _sizes(released)
        wrong: dict[Place, str] = {}
        ours: dict[Place, Ours] = {}
        for at, possible in _once(table, released).items():
            row, means = table.rows[at]["model"], _means(table, at)
            for column, n, k, mean in zip(PARTS, sizes, possible, means, strict=True):
                if not k:
                    wrong[name, at, column] = f"{row}: {mean} % is no number out of {n} items"
            summed = sum(m * n for m, n in zip(means[1:], sizes[1:], strict=True)) / sizes[0]
            if abs(summed - means[0]) > 2 * ROUNDED + 1e-9:
                what = f"{row}: {means[0]}, but Easy and Hard make {summed:.1f}"
                wrong.setdefault((name, at, "overall"), what)
            if (name, at, "overall") in wrong:
                ours[name, at, "overall"] = _mean(summed)
        if not wrong:
            return None
        text = "Not to be had from the published parts of the test half. "
        text += "; ".join(wrong.values()) + "." + _other_split(table, wrong, sizes[0])
        return Finding(id, name, text, (*wrong,), ours)

    return found


def _other_split(table: Printed, wrong: Collection[Place], n: int) -> str:
    """Sizes of Easy that all rows with impossible parts would fit."""
    rows = {at for _, at, column in wrong if column != "overall"}
    fit = [
        easy for easy in range(1, n)
        if rows and all(_adds_up(_means(table, at), easy, n) for at in rows)
    ]  # fmt: skip
    return f" They fit an Easy part of {' or '.join(map(str, fit))} items." if fit else ""


def _adds_up(means: tuple[float, float, float], easy: int, n: int) -> bool:
    every, first, second = (
        counts(mean, size) for mean, size in zip(means, (n, easy, n - easy), strict=True)
    )
    return any(a + b in every for a in first for b in second)


def _p_values(paper: Paper, released: Released) -> Finding | None:
    """p of rows with one run, from the counts that their shares imply."""
    table = paper.tables["table-4"]
    _, n, m = _sizes(released)
    told, cells, ours = [], [], {}
    for at, (_, easy, hard) in _once(table, released).items():
        if not (easy and hard):
            continue
        two, one = dealt(easy[0], n, hard[0], m)
        printed = table.number(at, "p_value_percent")
        if round(two, 1) == printed:
            continue
        place = (table.id, at, "p_value_percent")
        cells.append(place)
        ours[place] = implied(two, f"one-sided {one:.1f}")
        told.append(f"{table.rows[at]['model']} {two:.1f} (one-sided {one:.1f}; printed {printed})")
        star = (table.id, at, "significant")
        if bool(table.figures[star].parts["value"]) is not (two < copa.STAR):
            cells.append(star)
            ours[star] = implied(two < copa.STAR)
    if not cells:
        return None
    text = f"Dealing the implied counts anew gives, in per cent: {'; '.join(told)}."
    return Finding("p-values", table.id, text, tuple(cells), ours)


def _pooled(paper: Paper, released: Released) -> Finding | None:
    """How small p is depends on whether an item counts once or once for each run."""
    table = paper.tables["table-4"]
    notes = {
        table.rows[at]["model"]: one.note
        for (at, column), one in copa.scores(table, released).items()
        if column == "p_value_percent"
    }
    text = "p of 0.0 needs the three runs pooled: " + "; ".join(
        f"{model}: {note.rpartition('; ')[2]}" for model, note in notes.items()
    )
    return Finding("pooled", table.id, text + ".")


def _frequency_p(paper: Paper, released: Released) -> Finding | None:
    """One p for two hypotheses."""
    table = paper.tables["table-4"]
    at, figure = table.find(model="Word frequency"), paper.text("wordfreq-p")
    _, easy, hard = _once(table, released)[at]
    if figure.parts["value"] != table.number(at, "p_value_percent") or not (easy and hard):
        return None
    right, n = easy[0] + hard[0], _sizes(released)[0]
    p = 100 * float(at_least(right, n, 0.5))
    text = (
        f'{figure.parts["value"]} % stands for Easy against Hard in table 4 and for "better than '
        f'chance" in a footnote. {right} of {n} items, as its Easy and Hard imply, are better than '
        f"chance with p = {p:.1f} %."
    )
    return Finding("one-p-for-two", table.id, text, (figure.place,), {figure.place: implied(p)})


def _rounded(paper: Paper, released: Released) -> Finding | None:
    """Differences that are not those of the figures beside them."""
    table = paper.tables["table-7"]
    told = []
    for at, row in enumerate(table.rows):
        plain = table.number(at, "s_b_copa") - table.number(at, "s_copa")
        printed = table.number(at, "difference")
        if round(plain, 2) != printed:
            told.append(f"{row['cue']}: {printed} is printed, the figures beside it make "
                        f"{plain:.2f}")  # fmt: skip
    low, high = (float(v) for v in paper.text("sensitivity-drop-range").parts.values())
    outside = [
        f"{row['cue']} {table.number(at, 'productivity')}"
        for at, row in enumerate(table.rows)
        if not low <= table.number(at, "productivity") <= high
    ]
    if outside:
        told.append(f"cues of productivity {low} to {high} are announced, {', '.join(outside)} "
                    "are listed")  # fmt: skip
    return Finding("table-7", table.id, "; ".join(told).capitalize() + ".") if told else None


FINDINGS: tuple[Look, ...] = (
    Look(_quoted_twice, "table-1"),
    Look(_no_count("no-such-share", "table-4"), "table-4"),
    Look(_p_values, "table-4"),
    Look(_pooled, "table-4"),
    Look(_frequency_p, "table-4", TEXT),
    Look(_no_count("another-split", "table-6"), "table-6"),
    Look(_rounded, "table-7"),
)
