r"""Cover's theorem: how many random patterns a surface can separate (section 5.2 of haykin5).

N patterns in general position get random labels; m hidden functions (or inputs) give a separating
surface m degrees of freedom. Everything is computed in logarithms: nothing overflows.

Examples
--------
>>> from drumlin import cover
>>> round(cover.separability(40, 20), 12)  # the threshold: N = 2 m
0.5
>>> cover.capacity_mean(20), cover.capacity_median(20)
(40, 40)
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from numbers import Integral

import numpy as np
from scipy.optimize import linprog
from scipy.special import gammaln, logsumexp
from sklearn.utils import check_array, check_random_state

from drumlin._typing import BoolArray, FloatArray, IntArray

_LOG2 = float(np.log(2.0))


def log_separability(n_samples: int, n_functions: int) -> float:
    r"""Logarithm of ``separability``.

    See Also
    --------
    separability

    Examples
    --------
    >>> from drumlin.cover import log_separability
    >>> round(log_separability(10_000, 100))
    -6379
    """
    n, m = _checked("n_samples", n_samples), _checked("n_functions", n_functions)
    if n <= m:
        return 0.0
    chosen = np.arange(m)
    # Eq. (5.5). By symmetry of the binomials the larger tail is 1 minus the smaller one, and only
    # a smaller one is summed: so the result is right to the last digits near 1, too.
    if 2 * m > n:
        others = np.arange(m, n)
        return float(np.log1p(-np.exp(logsumexp(_log_binomial(n - 1, others)) - (n - 1) * _LOG2)))
    return float(logsumexp(_log_binomial(n - 1, chosen)) - (n - 1) * _LOG2)


def separability(n_samples: int, n_functions: int) -> float:
    r"""Probability that random labels of random patterns are separable, eq. (5.5).

    .. math:: P(N, m) = 2^{1-N} \sum_{k=0}^{m-1} \binom{N-1}{k}, \qquad P = 1 \text{ for } N \le m

    Parameters
    ----------
    n_samples : int
        Patterns N.
    n_functions : int
        Degrees of freedom m: hidden functions, a constant included where there is one.

    Returns
    -------
    float

    See Also
    --------
    log_separability
    simulate_separability

    Examples
    --------
    >>> from drumlin.cover import separability
    >>> round(separability(20, 10), 12)  # twice as many patterns as functions
    0.5
    """
    return float(np.exp(log_separability(n_samples, n_functions)))


def n_dichotomies(n_samples: int, n_functions: int) -> int:
    r"""Cover's C(N, m): how many labellings of N patterns in general position are separable.

    .. math:: C(N, m) = 2 \sum_{k=0}^{m-1} \binom{N-1}{k} = 2^N P(N, m)

    Exact, a whole number of any size. For a surface of order r take ``n_monomials`` functions.

    Parameters
    ----------
    n_samples, n_functions : int

    See Also
    --------
    separability

    Examples
    --------
    >>> from drumlin.cover import n_dichotomies
    >>> n_dichotomies(4, 3)  # lines separate all labellings of four points but the two of XOR
    14
    """
    n, m = _checked("n_samples", n_samples), _checked("n_functions", n_functions)
    return 2 * sum(comb(n - 1, k) for k in range(min(n, m)))


def n_monomials(n_features: int, order: int) -> int:
    r"""Number of monomials of a rational variety, eq. (5.4): :math:`\binom{m_0 + r}{r}`.

    The book prints :math:`m_0!/((m_0 - r)! \, r!)`, which counts products of r *different* inputs
    only; the sum of (5.4) runs over :math:`0 \le i_1 \le \dots \le i_r \le m_0` with
    :math:`x_0 = 1`, so powers and lower orders are among them.

    Parameters
    ----------
    n_features : int
        Inputs :math:`m_0`.
    order : int
        The order r: 1 for hyperplanes, 2 for quadrics.

    See Also
    --------
    monomials

    Examples
    --------
    >>> from drumlin.cover import n_monomials
    >>> n_monomials(2, order=2)  # 1, x, y, x^2, xy, y^2
    6
    """
    return comb(_checked("n_features", n_features) + _checked("order", order), order)


def monomials(X: FloatArray, order: int) -> FloatArray:
    r"""All products of r coordinates of every pattern, with :math:`x_0 = 1`: eqs. (5.1), (5.4).

    A rational variety of order r is a hyperplane (5.3) in them. They are in general position, and
    ``separability`` holds, where no variety of this order passes through too many patterns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    order : int

    Returns
    -------
    ndarray of shape (n_samples, n_monomials(n_features, order))
        The first column is 1.

    See Also
    --------
    n_monomials

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.cover import monomials
    >>> monomials(np.array([[2.0, 3.0]]), order=2)
    array([[1., 2., 3., 4., 6., 9.]])
    """
    X = check_array(X, dtype=np.float64, input_name="X")
    with_one = np.column_stack([np.ones(len(X)), X])
    which = combinations_with_replacement(range(with_one.shape[1]), _checked("order", order))
    return np.column_stack([with_one[:, list(chosen)].prod(axis=1) for chosen in which])


def capacity_pmf(n_samples: int, n_functions: int) -> float:
    r"""Probability that exactly N patterns of a sequence are separable and no more, eq. (5.6).

    .. math:: \mathrm{Prob}(N = n) = 2^{-n} \binom{n-1}{m-1}, \qquad n \ge m

    Parameters
    ----------
    n_samples : int
        The number n.
    n_functions : int
        Degrees of freedom m.

    Returns
    -------
    float

    See Also
    --------
    capacity_mean
    capacity_median

    Examples
    --------
    >>> from drumlin.cover import capacity_pmf
    >>> capacity_pmf(4, 2)
    0.1875
    """
    n, m = _checked("n_samples", n_samples), _checked("n_functions", n_functions)
    if n < m:
        return 0.0
    return float(np.exp(_log_binomial(n - 1, np.array(m - 1)) - n * _LOG2))


def capacity_mean(n_functions: int) -> int:
    """Expected number of patterns that can be separated, 2 m, eq. (5.7).

    See Also
    --------
    capacity_median
    capacity_pmf

    Examples
    --------
    >>> from drumlin.cover import capacity_mean
    >>> capacity_mean(10)
    20
    """
    return 2 * _checked("n_functions", n_functions)


def capacity_median(n_functions: int) -> int:
    """Median number of patterns that can be separated, 2 m, eq. (5.8).

    Exactly half of the probability is at 2 m and above, so 2 m - 1 is a median as well.

    See Also
    --------
    capacity_mean
    capacity_pmf

    Examples
    --------
    >>> from drumlin.cover import capacity_median
    >>> capacity_median(10)
    20
    """
    return 2 * _checked("n_functions", n_functions)


def is_separable(Phi: FloatArray, y: BoolArray) -> bool:
    """Whether some w has positive ``Phi @ w`` where y is true and negative elsewhere, eq. (5.2).

    Decided by linear programming. For a surface with a constant add a column of ones.

    Parameters
    ----------
    Phi : ndarray of shape (n_samples, n_functions)
    y : ndarray of shape (n_samples,)
        Truth values, or 0 and 1.

    See Also
    --------
    simulate_separability

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.cover import is_separable, monomials
    >>> from drumlin.datasets import make_xor
    >>> X, y = make_xor()
    >>> [is_separable(monomials(X, order), y) for order in (1, 2)]
    [False, True]
    """
    Phi, y = check_array(Phi, dtype=np.float64, input_name="Phi"), np.asarray(y)
    if y.shape != (len(Phi),) or not np.isin(y, (False, True)).all():
        raise ValueError(
            "The 'y' parameter of is_separable must hold a truth value (or 0, 1) for each of the "
            f"{len(Phi)} rows of Phi. Got {y!r}."
        )
    signed = np.where(y.astype(bool), 1.0, -1.0)[:, None] * Phi
    # Any separating w can be scaled to reach 1 everywhere.
    result = linprog(
        np.zeros(signed.shape[1]), A_ub=-signed, b_ub=-np.ones(len(signed)), bounds=(None, None)
    )
    return result.status == 0


def simulate_separability(
    n_samples: int,
    n_functions: int,
    *,
    n_trials: int = 200,
    random_state: int | np.random.RandomState | None = None,
) -> float:
    """Monte Carlo estimate of ``separability`` with normal patterns and fair labels.

    Parameters
    ----------
    n_samples, n_functions : int
    n_trials : int, default=200
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    float
        Part of the trials that were separable; its standard error is at most
        ``0.5 / sqrt(n_trials)``.

    See Also
    --------
    separability : What it estimates.

    Examples
    --------
    >>> from drumlin.cover import simulate_separability
    >>> abs(simulate_separability(8, 4, n_trials=50, random_state=0) - 0.5) < 0.3
    True
    """
    n, m = _checked("n_samples", n_samples), _checked("n_functions", n_functions)
    rng = check_random_state(random_state)
    n_trials = _checked("n_trials", n_trials)
    separated = [
        is_separable(rng.standard_normal((n, m)), rng.uniform(size=n) < 0.5)
        for _ in range(n_trials)
    ]
    return float(np.mean(separated))


def _log_binomial(n: int, k: IntArray) -> FloatArray:
    return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))


def _checked(name: str, value: int) -> int:
    if not isinstance(value, Integral) or value < 1:
        raise ValueError(f"The '{name}' parameter must be an int of at least 1. Got {value!r}.")
    return int(value)
