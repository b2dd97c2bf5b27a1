"""Streaming recursive least squares beside a straightforward NumPy loop, sample by sample."""

from __future__ import annotations

import numpy as np

from benchmarks.speed.measure import best_time, peak_memory, report
from drumlin import NadarayaWatsonRegressor, RBFNetworkRegressor

NODES = 50
FEATURES = 5
ROWS = 5000


class NumpyNetwork:
    """What a careful reader of section 5.6 would write: eqs. (5.33), (5.38), (5.44)-(5.48)."""

    def __init__(self, centers: np.ndarray, width: float, alpha: float) -> None:
        self.centers, self.width = centers, width
        self.P = np.eye(len(centers)) / alpha
        self.w = np.zeros(len(centers))

    def learn(self, X: np.ndarray, d: np.ndarray) -> None:
        for x, target in zip(X, d, strict=True):
            phi = np.exp(-((x - self.centers) ** 2).sum(axis=1) / (2.0 * self.width**2))
            self.update(phi, target)

    def update(self, phi: np.ndarray, target: float) -> None:
        gain = self.P @ phi
        gain /= 1.0 + phi @ gain
        self.P -= np.outer(gain, phi @ self.P)
        self.w += gain * (target - self.w @ phi)


def problem(n: int = ROWS) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, FEATURES))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.standard_normal(n)
    return X, y, rng.standard_normal((NODES, FEATURES))


def against_numpy() -> None:
    """Samples per second of partial_fit over those of the loop; small batches beside it."""
    X, y, centers = problem()
    model = RBFNetworkRegressor(centers=centers, width=1.5, fit_intercept=False)
    theirs = NumpyNetwork(centers, 1.5, 1e-3)
    theirs.learn(X, y)
    model.partial_fit(X, y)  # compile
    if np.abs(model.coef_ - theirs.w).max() > 1e-6 * np.abs(theirs.w).max():
        raise AssertionError("the two networks differ")
    Phi = model.network_.activations(X).T.copy()
    loop = best_time(lambda: theirs.learn(X, y)) / ROWS
    bare = best_time(lambda: [theirs.update(phi, d) for phi, d in zip(Phi, y, strict=True)]) / ROWS

    def ours(batch: int) -> float:
        def stream() -> None:
            for start in range(0, ROWS, batch):
                model.partial_fit(X[start : start + batch], y[start : start + batch])

        return best_time(stream) / ROWS

    large = ours(1000)
    report(f"stream: NumPy loop / partial_fit, K = {NODES}, batches of 1000", loop / large, 5.0)
    print(
        f"{'':4s}ours {1e6 * large:.2f} us per sample, loop {1e6 * loop:.1f} us "
        f"({1e6 * bare:.1f} us without activations: {bare / large:.1f} x)"
    )
    small = ours(100)
    print(f"{'':4s}batches of 100: {loop / small:.1f} x, since every call checks its input")


def kernel_regression() -> None:
    """N = 100000 samples in kernel regression on a budget of 1 GB."""
    X, y, _ = problem(100_000)
    model = NadarayaWatsonRegressor()
    seconds: list[float] = []

    def fit_and_predict() -> None:
        seconds.append(best_time(lambda: model.fit(X, y), 1))
        seconds.append(best_time(lambda: model.predict(X[:1000]), 1))

    peak = peak_memory(fit_and_predict)
    report("kernel regression: peak GB, N = 100000", peak / 1e9, 1.0, at_least=False)
    print(
        f"{'':4s}fit {seconds[0]:.1f} s (15 bandwidths by leave-one-out), predict "
        f"{seconds[1]:.2f} ms per row, leave-one-out R2 {model.loo_score_:.3f}"
    )
