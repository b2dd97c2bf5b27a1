"""The ``solver`` of Haykin's networks: what each learns with, and what it needs of the others."""

from __future__ import annotations

from numbers import Real

import numpy as np

from drumlin._warnings import warn
from drumlin.basis import Gaussian
from drumlin.linear.least_squares import LeastSquares
from drumlin.linear.streaming import (
    BlockLeastSquares,
    Learner,
    LeastMeanSquares,
    RecursiveLeastSquares,
)
from drumlin.network import Network
from drumlin.sample import Sample

STREAMING = ("rls", "lms", "plain-lms", "ridge")
"""Solvers that learn from batches."""

SUMS = ("rls", "ridge")
"""Solvers whose weights follow from sums over rows, whatever their order."""

ACTIVATIONS = 1 << 20
"""Activations that are computed at once."""

WITHOUT_POSTERIOR = ("lms", "plain-lms", "exact")
"""Solvers that do not know how uncertain their weights are."""

MAX_ITER = {"rls": 1, "lms": 20, "plain-lms": 20, "gradient": 100}
"""Epochs, or iterations, where ``max_iter`` is None."""

LEARNERS = {
    "rls": RecursiveLeastSquares,
    "lms": LeastMeanSquares,
    "plain-lms": LeastMeanSquares,
    "ridge": BlockLeastSquares,
}
"""What each of them has learned with."""

LEAST_PENALTY = 1e-300
"""Smaller penalties, which forgetting would leave of alpha, have no inverse to speak of."""

RAN_AWAY = 1e100
"""Weights, of targets near 1, that no network needs."""


def new_learner(estimator, n_nodes: int, n_outputs: int, annealing: int) -> Learner:
    """Weights before the first sample."""
    intercept = estimator.fit_intercept
    if estimator.solver in ("lms", "plain-lms"):
        rates, normalized = learning_rates(estimator), estimator.solver == "lms"
        return LeastMeanSquares.start(
            n_nodes, n_outputs, rates, annealing, fit_intercept=intercept, normalized=normalized
        )
    state = LeastSquares.start(n_nodes, n_outputs, estimator.alpha, fit_intercept=intercept)
    if estimator.solver == "rls":
        return RecursiveLeastSquares(state, estimator.alpha, estimator.forgetting)
    return BlockLeastSquares(state)


def check_sums(estimator) -> None:
    """Refuse what takes other things of many rows than sums."""
    centers = estimator.centers if isinstance(estimator.centers, str) else "given"
    good = estimator.solver in SUMS and estimator.forgetting == 1.0 and centers != "all"
    if not good:
        raise TypeError(
            f"{type(estimator).__name__} needs all rows in memory unless weights are sums over "
            f"them: solver='ridge' or 'rls', forgetting=1 and 'centers' that are not 'all' can be "
            f"fitted to a Dask collection of many rows. Got solver={estimator.solver!r}, "
            f"forgetting={estimator.forgetting:g} and centers={centers!r}."
        )


def least_squares_of(
    piece: Sample, network: Network, copies: int, *, fit_intercept: bool
) -> LeastSquares:
    """Least squares without a penalty of a piece of the rows, each entered so many times."""
    n_nodes, n_outputs = network.coef.shape
    state = LeastSquares.start(n_nodes, n_outputs, 0.0, fit_intercept=fit_intercept)
    step = max(1, ACTIVATIONS // n_nodes)
    for start in range(0, piece.n_rows, step):
        some = piece.take(slice(start, start + step))
        Phi = network.activations(np.asarray(some.X, dtype=np.float64)).T
        state = state.absorb(Phi, some.codes, copies * some.weight)
    return state


def learning_rates(estimator) -> tuple[float, float]:
    """First and last rate."""
    pair = estimator.learning_rate
    pair = (pair, pair) if isinstance(pair, Real) else tuple(pair)
    good = len(pair) == 2 and all(isinstance(r, Real) and 0.0 < float(r) <= 1.0 for r in pair)
    if not good:
        raise ValueError(
            f"The 'learning_rate' parameter of {type(estimator).__name__} must be a number in the "
            f"range (0, 1] or a pair of them, first and last. Got {estimator.learning_rate!r}."
        )
    return float(pair[0]), float(pair[1])


def check_parts(estimator) -> None:
    """Refuse parts that do not go together."""
    name, solver, centers = type(estimator).__name__, estimator.solver, estimator.centers
    if solver == "exact" and not (isinstance(centers, str) and centers == "all"):
        raise ValueError(
            f"solver='exact' of {name} needs a node on every sample: 'centers' must be 'all'. "
            f"Got {centers!r}."
        )
    gaussian = estimator.radial == "gaussian" or isinstance(estimator.radial, Gaussian)
    if solver == "gradient" and (not gaussian or estimator.normalized):
        raise ValueError(
            f"solver='gradient' of {name} needs radial='gaussian' and normalized=False. "
            f"Got radial={estimator.radial!r} and normalized={estimator.normalized!r}."
        )
    if solver != "rls" and estimator.forgetting < 1.0:
        raise ValueError(
            f"The 'forgetting' parameter of {name} must be 1 unless solver='rls'. "
            f"Got {estimator.forgetting} with solver={solver!r}."
        )
    learning_rates(estimator)


def check_steps(estimator, learner: Learner) -> None:
    """Refuse plain steps that went too far, again and again."""
    if estimator.solver == "plain-lms" and not np.abs(learner.coef).max() < RAN_AWAY:
        raise ValueError(
            f"The 'learning_rate' parameter of {type(estimator).__name__} must be less than 2 over "
            "the summed squared activations of a sample with solver='plain-lms'; solver='lms' "
            f"divides by them. Got {estimator.learning_rate!r}, and weights ran away."
        )


def check_forgetting(estimator, n_nodes: int) -> None:
    """Refuse to forget so fast that a penalty vanishes before it is renewed."""
    least = (LEAST_PENALTY / estimator.alpha) ** (1.0 / n_nodes)
    if estimator.forgetting < min(least, 1.0):
        raise ValueError(
            f"The 'forgetting' parameter of {type(estimator).__name__} must be at least "
            f"{least:.3g} with {n_nodes} nodes and alpha={estimator.alpha:g}. "
            f"Got {estimator.forgetting}."
        )


def check_same(estimator, learner) -> None:
    """Refuse another solver in the middle of a stream."""
    if not isinstance(learner, LEARNERS[estimator.solver]):
        raise ValueError(
            f"The 'solver' parameter of {type(estimator).__name__} must stay the same while "
            f"batches come one by one (partial_fit). Got {estimator.solver!r} after another; call "
            "fit to start anew."
        )


def warn_of_first_batch(estimator, n_nodes: int, n_wished: int, constant: list[int]) -> None:
    """Tell what a stream will never get back: nodes and inputs."""
    first = f"The first batch of {type(estimator).__name__}.partial_fit"
    found = isinstance(estimator.centers, str) and estimator.centers != "all"
    if found and n_nodes < n_wished:
        warn(
            f"{first} has room for only {n_nodes} nodes, fewer than 'n_nodes' ({n_wished}): it "
            "needs as many distinct rows. Give more rows, or the 'centers' themselves."
        )
    if constant:
        warn(
            f"{first} has constant inputs, columns {constant}: they are ignored from now on. Give "
            "more rows, standardize=False, or the 'centers'."
        )
