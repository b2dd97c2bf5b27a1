"""The algorithm of hong2014 (section 5) and hong2008 (section 4) as printed, in plain NumPy.

Modified Gram-Schmidt on all columns, psi and eta by eqs. (32), (33), every candidate scored, the
first of equal ones taken. Nothing of the library is used.
"""

from __future__ import annotations

import numpy as np

ALPHA = 1e-6
TIE = 1e-9  # of information, which two orders of adding up round differently
DEPENDENT = 1e-8  # part of its squared norm that a column keeps, as in the library


def select(X, y, width, n_nodes, *, bayesian):
    """Nodes and costs by LOOMI with stage evidence (hong2014), or by LOO-MR (hong2008)."""
    V = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2.0 * width**2))
    start, error, psi = (V * V).sum(axis=0), y.copy(), np.zeros(len(y))
    chosen, costs = [], []
    for stage in range(n_nodes):
        kappa = (V * V).sum(axis=0)
        g = V.T @ error / (kappa + ALPHA)
        leverage = V * V / (kappa + ALPHA)
        if stage == 0 and bayesian:
            cost = (((error[:, None] - g * V) / (1.0 - leverage)) ** 2).mean(axis=0)
        else:
            grown = psi[:, None] + y[:, None] * g * V - leverage
            cost = np.array([_cost(column, y, bayesian) for column in grown.T])
        cost[kappa <= DEPENDENT * start] = np.inf
        cost[chosen] = np.inf
        j = int(np.flatnonzero(cost <= cost.min() + TIE)[0])
        w = V[:, j].copy()
        alpha = _evidence(w, error) if bayesian else ALPHA
        weight = w @ error / (w @ w + alpha)
        psi = psi + y * weight * w - w * w / (w @ w + alpha)
        error = error - weight * w
        V = V - np.outer(w, w @ V / (w @ w))
        chosen.append(j)
        costs.append(_cost(psi, y, bayesian))
    return chosen, costs


def _cost(psi, y, bayesian):
    return -_information(psi <= 0.0, y) if bayesian else float((psi < 0.0).mean())


def _information(wrong, y):
    """Eq. (23), with the probabilities (24), (25)."""
    p = np.array([[np.mean((wrong == bad) & (y == label)) for bad in (False, True)]
                  for label in (-1.0, 1.0)])  # fmt: skip
    p[1] = p[1, ::-1]  # columns: predicted -1, predicted +1
    expected = np.outer(p.sum(axis=1), p.sum(axis=0))
    seen = p > 0.0
    return float((p[seen] * np.log2(p[seen] / expected[seen])).sum())


def _evidence(w, error):
    """Ten iterations of eqs. (45), (47), and the reset."""
    kappa, alpha = w @ w, ALPHA
    for _ in range(10):
        g = w @ error / (kappa + alpha)
        epsilon = (len(w) - kappa / (kappa + alpha)) / (
            error @ error - g * g * (kappa + 2.0 * alpha)
        )
        alpha = kappa / (g * g * (kappa + alpha)) / epsilon
    return alpha if 0.0 < alpha <= 1e6 else ALPHA
