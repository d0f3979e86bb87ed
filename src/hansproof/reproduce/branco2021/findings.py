"""What is found wrong in Branco et al. 2021, from its own figures and from the data."""

from __future__ import annotations

from collections.abc import Iterator

from ...text import tokenizer
from ..arct import word
from ..figures import TEXT, Paper, Printed
from ..ours import Find, Finding, Look, implied
from ..released import Released
from .tables import TABLES

BLANK = {"C+R", "Q", "G"}  # inputs without a choice
ROUNDED = 0.0005  # a third digit after the point stands for so much more or less


def _ties(paper: Paper, released: Released) -> Finding | None:
    """Scores that say where right answers stand, and nothing of models."""
    table = paper.tables["table-2"]
    ours = TABLES[table.id](table, released)
    rows = [at for at, row in enumerate(table.rows) if row["input"] in BLANK]
    cells = [(at, c) for at in rows for c in table.columns if (at, c) in ours and c != "random"]
    fit = [(at, c) for at, c in cells if table.figures[table.id, at, c].matches(ours[at, c].parts)]
    if not fit:
        return None
    told = [
        f"{table.rows[at]['task']} {table.rows[at]['input']}: {ours[at, c].note.split(': ')[1]}"
        for at, c in fit
        if c == table.columns[-1]
    ]
    text = (
        f"{len(fit)} of the {len(cells)} scores without a choice in the input are those of taking "
        f"the first: every choice looks the same there, so a ranker has {100:d} % ties "
        f"({'; '.join(told)}). They say nothing of what a model has learnt; by expectation a tie "
        "earns chance."
    )
    return Finding("ties", table.id, text)


def _drops(paper: Paper, released: Released) -> Finding | None:
    """Shares lost that do not follow from the scores beside them."""
    table, wrong, told = paper.tables["table-3"], {}, []
    for at, row in enumerate(table.rows):
        before, delta = table.number(at, "before"), -table.number(at, "delta")
        low, high = (100 * (delta - s * ROUNDED) / (before + s * ROUNDED) for s in (1, -1))
        printed = table.number(at, "drop_percent")
        if not low - 0.05 <= printed <= high + 0.05:
            wrong[table.id, at, "drop_percent"] = implied(100 * delta / before)
            told.append(f"{row['task']}, {row['model']}: {printed} %, but {delta:.3f} of "
                        f"{before:.3f} is {100 * delta / before:.1f} %")  # fmt: skip
    claim = float(paper.text("csqa-drop-claim").parts["value"])
    over = [f"{table.number(at, 'drop_percent')} % ({row['model']})"
            for at, row in enumerate(table.rows)
            if row["task"] == "CSQA" and table.number(at, "drop_percent") >= claim]  # fmt: skip
    if over:
        told.append(f"CSQA is said to lose less than {claim:.0f} %, and loses {', '.join(over)}")
    return Finding("drops", table.id, "; ".join(told) + ".", (*wrong,), wrong) if told else None


def _best(paper: Paper, task: str, model: str) -> float:
    """The best run on the whole input, as table 2 has it."""
    table = paper.tables["table-2"]
    return table.number(table.find(task=task, partial=False), model, "mean")


def _deltas(name: str, model: str) -> Find:
    """Differences to the best run that do not follow from the scores beside them."""

    def found(paper: Paper, released: Released) -> Finding | None:
        table, wrong, told = paper.tables[name], {}, []
        for at, row in enumerate(table.rows):
            for part in ("dirty", "clean"):
                score, best = table.number(at, part), _best(paper, row["task"], model)
                printed = table.number(at, f"{part}_delta")
                if abs(printed - (score - best)) > 3 * ROUNDED + 1e-9:
                    wrong[name, at, f"{part}_delta"] = implied(round(score - best, 3))
                    told.append(f"{row['task']}, {part}: {printed:+.3f}, but {score:.3f} - "
                                f"{best:.3f} = {score - best:+.3f}")  # fmt: skip
        return Finding("deltas", name, "; ".join(told) + ".", (*wrong,), wrong) if told else None

    return found


def _diagonal(paper: Paper, released: Released) -> Finding | None:
    """Whose scores stand on the diagonal of the transfer."""
    table, means = paper.tables["table-7"], paper.tables["table-1"]
    row = means.find(model="RoBERTa-large")
    tasks = [str(one["trained_on"]) for one in table.rows if one["trained_on"] in table.columns]
    own = {task: table.number(table.find(trained_on=task), task) for task in tasks}
    best = {task: _best(paper, task, "RoBERTa-large") for task in tasks}
    first = {task: means.number(row, task, "mean") for task in tasks}
    if own != best or own == first:
        return None
    text = (
        "The diagonal is said to be that of table 1, the mean over runs; it is the best run of "
        "table 2: " + ", ".join(f"{t} {own[t]} (mean {first[t]})" for t in tasks)
    )
    return Finding("diagonal", table.id, text + ".")


def _total(paper: Paper, released: Released) -> Finding | None:
    """Totals that are not those of their parts."""
    table, wrong, told = paper.tables["table-9"], {}, []
    for at, row in enumerate(table.rows):
        parts = sum(int(table.number(at, part)) for part in ("train", "dev", "test"))
        printed = int(table.number(at, "total"))
        if parts != printed:
            wrong[table.id, at, "total"] = implied(parts)
            told.append(f"{row['task']}: {printed}, the parts make {parts}")
    return Finding("total", table.id, "; ".join(told) + ".", (*wrong,), wrong) if told else None


def _not(paper: Paper, released: Released) -> Finding | None:
    """Balancing changes how often a word is right, never where it stands."""
    figure = paper.text("not-original-coverage")
    before, after = (
        [i for items in released.benchmark(name).splits.values() for i in items]
        for name in ("arct", "arct_adversarial")
    )
    (_, was), (_, now) = (word(tuple(some), tokenizer("nltk")) for some in (before, after))
    printed = paper.tables["table-11"].number(0, "unigram_coverage")
    if figure.matches({"value": was}):
        return None
    text = (
        f"Cleaning is said to have brought the coverage of *not* from {figure.parts['value']} to "
        f"{printed}. It is {was:.3f} before and {now:.3f} after: a balanced copy has the same "
        "choices."
    )
    return Finding(
        "coverage-of-not", "table-11", text, (figure.place,), {figure.place: implied(was)}
    )


def _eleven(paper: Paper, released: Released) -> Iterator[str]:
    for name in ("table-11", "table-12", "table-13", "table-14"):
        if (rows := len(paper.tables[name].rows)) != 10:
            yield f"table {name.removeprefix('table-')} has {rows}"


def _ten(paper: Paper, released: Released) -> Finding | None:
    told = [*_eleven(paper, released)]
    if not told:
        return None
    return Finding("ten", "table-11", f"Ten rows are announced: {', '.join(told)}.")


def _gap(paper: Paper, released: Released) -> Finding | None:
    """How far people are ahead, and of whom."""
    table, figure = paper.tables["table-1"], paper.text("gap-csqa")
    people = table.number(table.find(model="Human"), "CSQA", "mean")
    models = {
        str(row["model"]): table.number(at, "CSQA", "mean")
        for at, row in enumerate(table.rows)
        if row["model"] not in ("Human", "Random")
    }
    best = max(models, key=lambda name: models[name])
    if figure.matches({"value": people - models[best]}):
        return None
    fits = [name for name, score in models.items() if figure.matches({"value": people - score})]
    text = (
        f"People are said to be {figure.parts['value']} ahead of the best model on CSQA; that is "
        f"{best} ({models[best]}), and they are {people - models[best]:.3f} ahead of it"
        + (f" (the figure fits {fits[0]})" if fits else "")
    )
    ours = {figure.place: implied(people - models[best])}
    return Finding("gap", "table-1", text + ".", (figure.place,), ours)


def _below(paper: Paper, released: Released) -> Finding | None:
    """A record below their own score; answers alone below chance."""
    table, told = paper.tables["table-1"], []
    record = float(paper.text("piqa-sota").parts["value"])
    own = 100 * table.number(table.find(model="RoBERTa-large"), "PIQA", "mean")
    if record < own:
        told.append(f"The record that is quoted for PIQA, {record:.0f} %, is below their own "
                    f"{own:.1f} %")  # fmt: skip
    second = paper.tables["table-2"]
    at = second.find(task="CSQA", input="A")
    chance = second.number(second.find(task="CSQA", partial=False), "random")
    low = [f"{c} {second.number(at, c, 'mean')}" for c in _models(second)
           if second.number(at, c, "mean") < chance]  # fmt: skip
    if low:
        told.append(f"CSQA is said to be answered above chance ({chance}) from answers alone; not "
                    f"by {', '.join(low)}")  # fmt: skip
    return Finding("below", "table-1", "; ".join(told) + ".") if told else None


def _models(table: Printed) -> list[str]:
    return [column for column in table.columns if column != "random"]


FINDINGS: tuple[Look, ...] = (
    Look(_ties, "table-2"),
    Look(_drops, "table-3"),
    Look(_deltas("table-5", "RoBERTa-large"), "table-5"),
    Look(_deltas("table-6", "COMET(BART)"), "table-6"),
    Look(_diagonal, "table-7"),
    Look(_total, "table-9"),
    Look(_not, "table-11", TEXT),
    Look(_ten, "table-11"),
    Look(_gap, "table-1", TEXT),
    Look(_below, "table-1"),
)
