"""Counter-fitting: moves synonyms together and antonyms apart, and preserves neighbourhoods.

Mrkšić et al.: Counter-fitting Word Vectors to Linguistic Constraints. NAACL, 2016. All vectors are
of length one. At each of 20 steps every word moves by the mean of the forces of its pairs, and is
normalized again:

- an antonym pushes it away while their cosine is above 1 - delta,
- a synonym draws it near while their cosine is below 1 - gamma,
- a word that was within rho of it, and is farther away now than it was, draws it near again.

So words that are in no list follow their neighbours. The published code works the same way: it
moves all words at once, and the sums over pairs in it are here products with a sparse matrix. It
differs where neighbours are exactly as far apart as they were: in the paper they exert no force
then, as here; in that code they attract each other, so that at the first step all do, but for
rounding. It also makes vectors half a millionth shorter than one, in single precision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._infra.progress import track
from .constraints import PairConstraints
from .table import Floats, Ints, Vectors, VectorTable, normalize_rows, pair_dots

DELTA, GAMMA, RHO = 1.0, 0.0, 0.2  # distances, as 1 - cosine
REPEL, ATTRACT, PRESERVE = 0.1, 0.1, 0.1  # the weights k1, k2, k3
STEPS = 20

_CELLS = 2**23  # cosines computed at a time: 32 MiB


def counterfit_table(table: VectorTable, constraints: PairConstraints) -> VectorTable:
    """Return a table of the same words with fitted vectors."""
    rows = normalize_rows(table.vectors.astype(np.float64))
    forces = _build_forces(rows, table.unit_vectors, constraints)
    for _ in track(range(STEPS), STEPS, "counter-fitting"):
        forces.move_rows(rows)
    return VectorTable(table.words, rows.astype(np.float32))


@dataclass(frozen=True, slots=True)
class _PairForces:
    """Pairs of rows that attract or repel each other, also sorted by row."""

    pairs: Ints  # (n, 2)
    force: Floats  # positive: attracts; negative: repels
    limit: Floats  # cosine from which on a pair exerts no force
    row: Ints  # (2n,), sorted
    other_row: Ints  # of the same pair
    pair_index: Ints

    def move_rows(self, rows: Floats) -> None:
        """Do one step; rows without a force do not change in any bit."""
        from scipy.sparse import csr_array

        size = len(rows)
        cosines = pair_dots(rows, *self.pairs.T)
        active = np.sign(self.force) * (self.limit - cosines) > 0
        force = np.where(active, self.force, 0)[self.pair_index]
        starts = np.searchsorted(self.row, np.arange(size + 1))
        pulled = csr_array((force, self.other_row, starts), shape=(size, size)) @ rows
        radial = np.bincount(self.row, force * cosines[self.pair_index], size)
        count = np.bincount(self.row, active[self.pair_index], size)
        moved = np.flatnonzero(count)
        step = (pulled[moved] - radial[moved, None] * rows[moved]) / count[moved, None]
        rows[moved] = normalize_rows(rows[moved] + step)


def _build_forces(rows: Floats, units: Vectors, constraints: PairConstraints) -> _PairForces:
    """Build the forces of antonyms, synonyms and neighbours."""
    antonyms, synonyms = constraints.antonyms, constraints.synonyms
    neighbours = _near_pairs(units, antonyms)
    sizes = len(antonyms), len(synonyms), len(neighbours)
    pairs = np.concatenate((antonyms, synonyms, neighbours))
    row, other_row = np.concatenate((pairs, pairs[:, ::-1])).T
    order = np.argsort(row, kind="stable")
    return _PairForces(
        pairs=pairs,
        force=np.repeat((-REPEL, ATTRACT, PRESERVE), sizes),
        limit=np.concatenate(
            (
                np.full(sizes[0], 1 - DELTA),
                np.full(sizes[1], 1 - GAMMA),
                pair_dots(rows, *neighbours.T),
            )
        ),
        row=row[order],
        other_row=other_row[order],
        pair_index=order % len(pairs),
    )


def _near_pairs(units: Vectors, excluded: Ints) -> Ints:
    """Return the pairs of rows within distance rho of each other, without excluded pairs."""
    size = len(units)
    block = max(1, _CELLS // size)
    starts = range(0, size, block)
    blocks = [np.empty((0, 2), np.int64)]
    for start in track(starts, len(starts), "neighbours"):
        cosines = units[start : start + block] @ units[start:].T
        first, second = np.nonzero(cosines >= 1 - RHO)
        blocks.append(np.stack((first, second), 1)[first < second] + start)
    pairs = np.concatenate(blocks)
    return pairs[~np.isin(pairs @ (size, 1), excluded @ (size, 1))]
