"""The yardstick: forward selection by LOO misclassification in straightforward vectorised NumPy.

What a careful reader of hong2008 would write: all candidates as columns of one matrix, every
quantity of section 4.1 an array, no loop over candidates. Two classes, no intercept.
"""

from __future__ import annotations

import numpy as np


class NumpySelection:
    """State of the selection; ``stage()`` does one stage and returns the winner."""

    def __init__(self, Phi: np.ndarray, y: np.ndarray, alpha: float = 1e-6) -> None:
        self.P = Phi.copy()  # (n, L) orthogonalised candidates
        self.y = y
        self.alpha = alpha
        self.numerator = np.zeros(len(y))
        self.denominator = np.ones(len(y))
        self.taken = np.zeros(Phi.shape[1], dtype=bool)

    def stage(self) -> int:
        """Eqs. (21)-(24)."""
        P, y = self.P, self.y
        kappa = (P**2).sum(axis=0)
        gamma = (P.T @ y) / (kappa + self.alpha)
        leverage = P**2 / (kappa + self.alpha)
        numerator = self.numerator[:, None] + gamma * P * y[:, None] - leverage
        denominator = self.denominator[:, None] - leverage
        cost = (numerator / denominator < 0).mean(axis=0)
        cost[self.taken] = np.inf
        winner = int(cost.argmin())
        self.taken[winner] = True
        self.numerator, self.denominator = numerator[:, winner], denominator[:, winner]
        w = P[:, winner].copy()
        P -= np.outer(w, (w @ P) / (w @ w))
        return winner
