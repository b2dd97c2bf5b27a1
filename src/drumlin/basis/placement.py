"""Where candidate centers come from and how wide they may be. Looks at inputs only."""

from __future__ import annotations

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import pdist

from drumlin._typing import FloatArray, IntArray

ALL_UP_TO = 2000
"""Every sample is a candidate up to this many; above, a seeded sample is."""

SAMPLED = 1000
"""Candidates drawn above ``ALL_UP_TO`` samples."""

LADDER = tuple(2.0 ** (3.0 - k / 2.0) for k in range(9))
"""Automatic widths in units of ``reference_width``: 8 to 1/2, each sqrt(2) below the last."""

_PAIRS_FROM = 1000  # samples looked at for the median distance: half a million pairs


def distinct_rows(X: FloatArray) -> IntArray:
    """Index of the first of all equal rows, ascending: equal samples are one candidate.

    See Also
    --------
    drumlin.sample.merge_rows

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import distinct_rows
    >>> distinct_rows(np.array([[1.0], [2.0], [1.0]]))
    array([0, 1])
    """
    rows = np.ascontiguousarray(X + 0.0).view(np.dtype((np.void, X.itemsize * X.shape[1])))
    return np.sort(np.unique(rows.ravel(), return_index=True)[1])  # X + 0.0: -0.0 equals 0.0


def sample_candidates(
    n_samples: int,
    limit: int | None,
    rng: np.random.RandomState,
    *,
    all_up_to: int = ALL_UP_TO,
    sampled: int = SAMPLED,
) -> IntArray:
    """Rows that serve as candidate centers, in ascending order.

    Parameters
    ----------
    n_samples : int
    limit : int or None
        Most candidates; None means all up to ``all_up_to`` samples, else ``sampled`` of them.
    rng : RandomState
        Used only where not every sample is a candidate.
    all_up_to, sampled : int

    See Also
    --------
    distinct_rows

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import sample_candidates
    >>> sample_candidates(5, None, np.random.RandomState(0))
    array([0, 1, 2, 3, 4])
    >>> len(sample_candidates(5, 3, np.random.RandomState(0)))
    3
    """
    if limit is None:
        limit = n_samples if n_samples <= all_up_to else sampled
    if limit >= n_samples:
        return np.arange(n_samples)
    return np.sort(rng.choice(n_samples, limit, replace=False)).astype(np.int64)


def reference_width(X: FloatArray, weight: FloatArray, rng: np.random.RandomState) -> float:
    r"""Width at which the median pair of different samples has activation exp(-1).

    :math:`s = \sqrt{\mathrm{median}(d^2)/2}` over pairs of samples that differ. A sample of
    weight w counts as w samples. 1 where all samples are equal.

    See Also
    --------
    neighbor_distance

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import reference_width
    >>> reference_width(np.array([[0.0], [2.0]]), np.ones(2), np.random.RandomState(0)) ** 2
    2.0...
    """
    if len(X) > _PAIRS_FROM:
        rows = np.sort(rng.choice(len(X), _PAIRS_FROM, replace=False))
        X, weight = X[rows], weight[rows]
    # In units of the largest entry: squares of distances must neither overflow nor vanish.
    unit = float(np.abs(X).max()) or 1.0
    d2 = pdist(X / unit, "sqeuclidean")
    differ = d2 > 0.0
    if not differ.any():
        return 1.0
    share = weight / weight.max()
    if (share == 1.0).all():
        median = _lower_median(d2[differ])
    else:
        first, second = np.triu_indices(len(X), 1)
        median = _weighted_lower_median(d2[differ], (share[first] * share[second])[differ])
    return unit * float(np.sqrt(median / 2.0))


def neighbor_distance(X: FloatArray) -> float:
    """Median distance between a row and the nearest other row; 0 where there is only one.

    See Also
    --------
    reference_width

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import neighbor_distance
    >>> neighbor_distance(np.array([[0.0], [1.0], [3.0]]))
    1.0
    """
    if len(X) < 2:
        return 0.0
    unit = float(np.abs(X).max()) or 1.0
    distances, _ = KDTree(X / unit).query(X / unit, k=2)
    return unit * float(np.median(distances[:, 1]))


def _lower_median(values: FloatArray) -> float:
    """``_weighted_lower_median`` of equal weights, without sorting."""
    middle = (len(values) - 1) // 2
    return float(np.partition(values, middle)[middle])


def _weighted_lower_median(values: FloatArray, weight: FloatArray) -> float:
    """Smallest value that has at least half of the weight at or below it."""
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(weight[order])
    middle = np.searchsorted(cumulated, 0.5 * cumulated[-1] * (1.0 - 1e-12))
    return float(values[order[middle]])
