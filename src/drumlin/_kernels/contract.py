"""What the two backends agree on: array layouts and the numbers that decide.

Everything is *candidate-major*: row ``j`` of ``V`` is candidate ``j``'s column over the samples,
so a candidate is one contiguous stretch of memory. Sample weights ``s`` have already been
multiplied in as ``sqrt(s)``; ``Loo.inv_root`` undoes that where a prediction is needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from drumlin._typing import FloatArray, IntArray

SQUARED_ERROR = 0
"""Statistic: the weighted sum of squared leave-one-out errors, one number a candidate."""

WRONG_BY_CLASS = 1
"""Statistic of two classes: weight of misclassified samples of class 0 and of class 1."""

CONFUSION = 2
"""Statistic of K classes: the weighted K x K table of (true, leave-one-out predicted) labels."""

ETA_FLOOR = 1e-10
"""Below this, ``1 - leverage`` is rounding noise and the leave-one-out error is undefined."""

EXPONENT_FLOOR = -700.0
"""Gaussian exponents are clamped here: anything smaller only makes slow denormal numbers."""

ZERO_IS_FIRST, ZERO_IS_WRONG, ZERO_IS_RIGHT = 0, 1, 2
"""What a score of exactly zero (or a tie of classes) means to a count of errors.

The first class, as ``predict`` answers and as sgn of eq. (2) of hong2014 and chen2010 has it; an
error whatever the class (Id of hong2014 and chen2010); no error (Id of hong2008).
"""

ROUNDING = 1e-13
"""A score must exceed this part of the terms it is a sum of, else it counts as an error.

Where a node reaches no sample but its own, ``y f - leverage`` is rounding and says nothing of what
the others would have predicted; so it is where nodes cancel each other, as on a lattice. Scores of
any size keep their signs: far from all nodes their terms are as small.
"""

LEAST = float(np.nextafter(0.0, 1.0))
"""The least positive number: it vanishes in any sum but that with zero."""


class Loo(NamedTuple):
    """Leave-one-out state of the current model, samples last.

    ``scores`` is eta times the leave-one-out prediction (the papers' psi, times y, for two
    classes). Adding a column w with c = 1/(norms2 + alpha) changes it to
    ``scores + w (c w't / sqrt(s) - c targets w)``: eqs. (32), (33) of hong2014. It equals
    ``targets * eta - residual / sqrt(s)``, but that difference of numbers near one would lose the
    sign of all scores below 1e-16.
    """

    residual: FloatArray  # (K, n) sqrt(s) * (target - prediction)
    eta: FloatArray  # (n,) 1 - leverage
    scores: FloatArray  # (K, n)
    targets: FloatArray  # (K, n)
    labels: IntArray  # (n,) class of each sample; zeros in regression
    weight: FloatArray  # (n,) s
    inv_root: FloatArray  # (n,) 1 / sqrt(s)
    doubt: FloatArray  # (n,) what the scores must exceed: ``ROUNDING`` times the sum of their terms
    zero: int  # what a score of exactly zero means, see ``ZERO_IS_FIRST``

    def take(self, rows: IntArray | slice) -> Loo:
        """Return the state of some samples, in contiguous arrays."""
        return Loo(
            np.ascontiguousarray(self.residual[:, rows]),
            self.eta[rows],
            np.ascontiguousarray(self.scores[:, rows]),
            np.ascontiguousarray(self.targets[:, rows]),
            self.labels[rows],
            self.weight[rows],
            self.inv_root[rows],
            self.doubt[rows],
            self.zero,
        )


class Candidates(NamedTuple):
    """What is known of every candidate column without looking at it again."""

    norms2: FloatArray  # (L,) squared norm after orthogonalisation
    dots: FloatArray  # (L, K) inner products with the weighted targets


def statistic_size(kind: int, n_outputs: int) -> int:
    """Numbers a candidate has in a statistic."""
    return {SQUARED_ERROR: 1, WRONG_BY_CLASS: 2, CONFUSION: n_outputs * n_outputs}[kind]
