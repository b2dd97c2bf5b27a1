r"""Imitation without data: the reduced set of an RBF support vector machine.

The function :math:`f = \sum_i \alpha_i k(x_i, \cdot)` lies in the space of its kernel, where the
distance to :math:`g = \sum_j \beta_j k(z_j, \cdot)` has a closed form (Burges, 1996):

.. math:: \|f - g\|^2 = \alpha' K_{xx} \alpha - 2 \beta' K_{zx} \alpha + \beta' K_{zz} \beta

For given z the best weights are :math:`\beta = K_{zz}^{-1} K_{zx} \alpha`; z is found by descent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.sparse import issparse
from sklearn.cluster import KMeans
from sklearn.svm import SVC

from drumlin._kernels.blas import one_blas_thread
from drumlin._typing import FloatArray
from drumlin.basis import Gaussian, Nodes
from drumlin.compression.imitation import sizes, temperature_of
from drumlin.compression.teacher import Teacher
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.network import Network

_RIDGE = 1e-8
_MAX_ITER = 300


def reduced_sets(
    teacher: Teacher, max_nodes: int | None, rng: np.random.Generator
) -> Iterator[Any]:
    """Reduced sets of growing size of a support vector machine of two classes.

    Raises
    ------
    ValueError
        At once, where the model is something else.
    """
    return _reduced_sets(teacher, _checked(teacher.model), max_nodes, rng)


def _reduced_sets(
    teacher: Teacher, svm: Any, max_nodes: int | None, rng: np.random.Generator
) -> Iterator[Any]:
    x, alpha, gamma = svm.support_vectors_, svm.dual_coef_[0], float(svm._gamma)
    rows = rows_between(x, 1000, rng)
    for size in sizes(max_nodes):
        if size >= len(x):
            return
        with one_blas_thread():  # products are small: threads would wait for each other
            z = _descend(_start(x, alpha, size), x, alpha, gamma)
            beta = _weights(z, x, alpha, gamma)[0]
        widths = np.full(z.shape, 1.0 / np.sqrt(2.0 * gamma))
        network = Network(Nodes(z, widths, Gaussian()), beta[:, None], svm.intercept_.copy())
        temperature = temperature_of(network(rows), teacher.probabilities(rows))
        yield CompressedClassifier.of(network, svm.classes_, temperature, x)


def rows_between(x: FloatArray, n_rows: int, rng: np.random.Generator) -> FloatArray:
    """Rows between pairs of support vectors: where the classes meet."""
    at, other = rng.integers(len(x), size=(2, n_rows))
    return np.asarray(x[at] + rng.uniform(size=(n_rows, 1)) * (x[other] - x[at]))


def _checked(model: Any) -> SVC:
    if not isinstance(model, SVC) or model.kernel != "rbf" or len(model.classes_) != 2:
        raise ValueError(
            "The 'X' parameter of compress must be rows of inputs, unless 'model' is an SVC with "
            f"an RBF kernel and two classes. Got None with {type(model).__name__}."
        )
    if issparse(model.support_vectors_):
        raise ValueError(
            "The 'X' parameter of compress must be rows of inputs where 'model' was fitted to a "
            f"sparse matrix. Got None with {type(model).__name__}."
        )
    return model


def _kernel(a: FloatArray, b: FloatArray, gamma: float) -> FloatArray:
    squares = (a**2).sum(axis=1)[:, None] - 2.0 * a @ b.T + (b**2).sum(axis=1)
    return np.asarray(np.exp(-gamma * np.maximum(squares, 0.0)))


def _weights(
    z: FloatArray, x: FloatArray, alpha: FloatArray, gamma: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Best weights, and the kernels (n_nodes, n_vectors) and (n_nodes, n_nodes)."""
    across, within = _kernel(z, x, gamma), _kernel(z, z, gamma)
    factor = cho_factor(within + _RIDGE * np.eye(len(z)))
    return np.asarray(cho_solve(factor, across @ alpha)), across, within


def _start(x: FloatArray, alpha: FloatArray, n_nodes: int) -> FloatArray:
    """Means of clusters of the support vectors, by class, weighted."""
    parts = []
    share = np.clip(round(n_nodes * (alpha > 0.0).mean()), 1, n_nodes - 1)
    for sign, size in ((1.0, int(share)), (-1.0, n_nodes - int(share))):
        own = sign * alpha > 0.0
        means = KMeans(min(size, int(own.sum())), n_init=3, random_state=0)
        parts.append(means.fit(x[own], sample_weight=np.abs(alpha[own])).cluster_centers_)
    return np.vstack(parts)


def _descend(z: FloatArray, x: FloatArray, alpha: FloatArray, gamma: float) -> FloatArray:
    """Places that minimise the distance in the kernel's space."""

    def cost(vector: FloatArray) -> tuple[float, FloatArray]:
        z = vector.reshape(-1, x.shape[1])
        beta, across, within = _weights(z, x, alpha, gamma)
        # The value at the best weights is minus v' beta; its slope is that at fixed weights.
        pull = (across * alpha) @ x - (across @ alpha)[:, None] * z
        push = (within * beta) @ z - (within @ beta)[:, None] * z
        slope = -4.0 * gamma * beta[:, None] * (pull - push)
        return -float(beta @ (across @ alpha)), slope.ravel()

    found = minimize(cost, z.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _MAX_ITER})
    return np.asarray(found.x.reshape(z.shape))
