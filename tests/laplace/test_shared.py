"""Several scores that share their nodes: the same sums as with every score alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.linear.factors import inverse_of_factor
from drumlin.losses import Softmax
from drumlin.refinement.state import Refined
from tests.helpers import assert_close
from tests.refinement.problems import (
    PENALTIES,
    jacobians,
    make_sample,
    make_variables,
    random_point,
)


@pytest.fixture(params=[1, 3, 5], ids="{} scores".format)
def network(request, seed):
    """A network at no special point, rows, and curvatures of their losses."""
    sample = make_sample(seed, Softmax(3), 40)
    variables = replace(make_variables(sample, Softmax(3)), n_outputs=request.param)
    R = np.random.default_rng(seed).standard_normal((40, request.param, request.param))
    return (
        Refined(variables, random_point(variables, seed), PENALTIES),
        sample.X,
        R @ np.moveaxis(R, 1, 2),
    )


def test_curvature(network):
    state, Z, S = network
    J = jacobians(state, Z)
    found = state.curvature_of_variables(state.shared_slopes(Z).curvature(S))
    assert_close(found, np.einsum("nkp,nkl,nlq->pq", J, S, J, optimize=True))


def test_covariances(network, seed):
    state, Z, _ = network
    J, R = (
        jacobians(state, Z),
        np.random.default_rng(seed).standard_normal((state.size, state.size)),
    )
    inverse = R @ R.T
    found = state.shared_slopes(Z).covariances(state.covariance_of_slopes(inverse))
    assert_close(found, J @ inverse @ np.moveaxis(J, 1, 2))


def test_inverse_of_a_factor(seed):
    R = np.random.default_rng(seed).standard_normal((9, 6))
    H = R.T @ R
    assert_close(inverse_of_factor(np.linalg.cholesky(H)), np.linalg.inv(H))
