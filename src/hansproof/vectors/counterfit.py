"""Counter-fitting: synonyms are drawn together, antonyms pushed apart, neighbourhoods kept.

Mrkšić et al.: Counter-fitting Word Vectors to Linguistic Constraints. NAACL, 2016. All vectors are
of length one. At each of 20 steps every word moves by the mean of what its pairs want of it, and is
brought back to length one:

- an antonym pushes it away while their cosine is above 1 - delta,
- a synonym draws it near while their cosine is below 1 - gamma,
- a word that was within rho of it, and is farther away now than it was, draws it near again.

So words that no list names follow their neighbours. The published code works the same way: it moves
all words at once, and what it adds up pair by pair is here the product of a sparse matrix. It
differs where neighbours are just as far apart as they were: in the paper they do nothing then, as
here; in that code they draw each other, so that at the first step all do, but for what rounding
makes of it. It also makes vectors half a millionth shorter than one, in single precision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..progress import track
from .constraints import Constraints
from .table import Floats, Ints, Table, Vectors, dots, unit

DELTA, GAMMA, RHO = 1.0, 0.0, 0.2  # distances, as 1 - cosine
REPEL, ATTRACT, KEEP = 0.1, 0.1, 0.1  # the weights k1, k2, k3
STEPS = 20

_CELLS = 2**23  # cosines worked out at a time: 32 MiB


def counterfit(table: Table, constraints: Constraints) -> Table:
    """The same words, with vectors that have been fitted."""
    rows = unit(table.rows.astype(np.float64))
    ties = _ties(rows, table.units, constraints)
    for _ in track(range(STEPS), STEPS, "counter-fitting"):
        ties.move(rows)
    return Table(table.words, rows.astype(np.float32))


@dataclass(frozen=True, slots=True)
class _Ties:
    """Pairs of rows, and by row those that it is in: pairs `pair`, beside the rows `other`."""

    pairs: Ints  # (n, 2)
    force: Floats  # towards each other; away from each other below nil
    limit: Floats  # the cosine that a pair is to have at least, or at most
    own: Ints  # (2n,), in order
    other: Ints
    pair: Ints

    def move(self, rows: Floats) -> None:
        """One step; rows that nothing moves stay as they are to the last bit."""
        from scipy.sparse import csr_array

        size = len(rows)
        cosines = dots(rows, *self.pairs.T)
        wanting = np.sign(self.force) * (self.limit - cosines) > 0
        force = np.where(wanting, self.force, 0)[self.pair]
        starts = np.searchsorted(self.own, np.arange(size + 1))
        drawn = csr_array((force, self.other, starts), shape=(size, size)) @ rows
        along = np.bincount(self.own, force * cosines[self.pair], size)
        count = np.bincount(self.own, wanting[self.pair], size)
        moved = np.flatnonzero(count)
        step = (drawn[moved] - along[moved, None] * rows[moved]) / count[moved, None]
        rows[moved] = unit(rows[moved] + step)


def _ties(rows: Floats, units: Vectors, constraints: Constraints) -> _Ties:
    """What moves which rows."""
    apart, together = constraints.antonyms, constraints.synonyms
    near = _near(units, apart)
    sizes = len(apart), len(together), len(near)
    pairs = np.concatenate((apart, together, near))
    own, other = np.concatenate((pairs, pairs[:, ::-1])).T
    order = np.argsort(own, kind="stable")
    return _Ties(
        pairs=pairs,
        force=np.repeat((-REPEL, ATTRACT, KEEP), sizes),
        limit=np.concatenate(
            (np.full(sizes[0], 1 - DELTA), np.full(sizes[1], 1 - GAMMA), dots(rows, *near.T))
        ),
        own=own[order],
        other=other[order],
        pair=order % len(pairs),
    )


def _near(units: Vectors, apart: Ints) -> Ints:
    """Pairs of rows that are within rho of each other, but for those that are to be apart."""
    size = len(units)
    block = max(1, _CELLS // size)
    starts = range(0, size, block)
    found = [np.empty((0, 2), np.int64)]
    for at in track(starts, len(starts), "neighbours"):
        cosines = units[at : at + block] @ units[at:].T
        left, right = np.nonzero(cosines >= 1 - RHO)
        found.append(np.stack((left, right), 1)[left < right] + at)
    pairs = np.concatenate(found)
    return pairs[~np.isin(pairs @ (size, 1), apart @ (size, 1))]
