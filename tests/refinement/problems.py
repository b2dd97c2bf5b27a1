"""Problems of the joint refinement: rows, their loss, starting variables, penalties."""

from __future__ import annotations

import numpy as np

from drumlin.losses import Logistic, Softmax, Squared
from drumlin.refinement import Objective, Penalties, Schedule, Variables
from drumlin.refinement.variables import jacobian
from tests.helpers import sample_of

PENALTIES = Penalties(1e-6, 0.3, 3.0, 3.0, 30.0, 10.0)
SCHEDULE = Schedule()
LOSSES = {"logistic": Logistic(), "softmax": Softmax(3), "squared": Squared()}


def make_sample(seed, loss, n=80, d=3):
    """Rows of a curved signal, cut into classes for the losses of labels."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, d))
    signal = Z[:, 0] ** 2 + Z[:, 1] + 0.3 * rng.standard_normal(n)
    if loss == Squared():
        targets = (signal - signal.mean())[:, None] / signal.std()
    else:
        n_classes = 2 if loss == Logistic() else 3
        targets = np.digitize(signal, np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1]))
    return sample_of(Z, targets, rng.uniform(0.5, 2.0, n))


def make_variables(sample, loss, n_nodes=4):
    n_outputs = 3 if loss == Softmax(3) else 1
    return Variables(sample.X[:n_nodes].copy(), 1.5, n_outputs, sample.index[:n_nodes])


def make_objective(loss, price=0.0, **others):
    return Objective(
        lambda noise: loss, lambda n_nodes, total: PENALTIES, lambda total: price, **others
    )


def random_point(variables, seed):
    return 0.3 * np.random.default_rng(seed).standard_normal(variables.size)


def jacobians(state, Z):
    """Derivatives (n_rows, n_outputs, n_variables) of all scores, one at a time."""
    variables, nodes = state.variables, state.nodes()
    places = variables.split(np.arange(state.size))
    found = np.zeros((len(Z), variables.n_outputs, state.size))
    for own in range(variables.n_outputs):
        alone = nodes._replace(coef=nodes.coef[:, [own]], intercept=nodes.intercept[[own]])
        b, W, *moves = places
        columns = np.concatenate([b[[own]], W[:, own], *[group.ravel() for group in moves]])
        found[:, own, columns] = jacobian(Z, alone, variables.width)
    return found
