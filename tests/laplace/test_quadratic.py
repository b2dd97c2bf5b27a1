"""The quadratic model at an optimum: leaving a sample out is refitting without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.basis import gaussian_activations
from drumlin.flagship.smooth import smooth_network
from drumlin.laplace import LocalFit, QuadraticModel, network_scores
from drumlin.laplace.quadratic import (
    LEAST_FREEDOM,
    gauss_newton_factor,
    loo_scores,
    penalized,
)
from drumlin.losses import Logistic, Squared
from drumlin.refinement import refine
from tests.helpers import assert_close, sample_of
from tests.refinement.problems import SCHEDULE, make_objective, make_sample, make_variables

SHAPE = np.log([1.5, 2.0, 0.05])


def test_leave_one_out_by_newton_is_exact_for_least_squares(seed):
    """With squared loss and only weights to fit, one Newton step is the refit."""
    sample = make_sample(seed, Squared(), n=30)
    Phi = gaussian_activations(sample.X, sample.X[:4], np.full((4, 3), 0.7))
    H = np.column_stack([np.ones(30), Phi])
    penalties = np.array([1e-6, 0.3, 0.3, 0.3, 0.3])
    weight, target = sample.weight, sample.targets[:, 0]

    def fit(rows):
        system = (H[rows] * weight[rows, None]).T @ H[rows] + np.diag(penalties)
        return np.linalg.solve(system, H[rows].T @ (weight[rows] * target[rows]))

    scores = H @ fit(np.arange(30))
    model = QuadraticModel.fit(H, weight, penalties)
    loo = loo_scores(scores, scores - target, np.ones(30), model.variances(H), weight)
    expected = [H[i] @ fit(np.delete(np.arange(30), i)) for i in range(30)]
    assert_close(loo, expected)


@pytest.mark.parametrize("whole", [False, True], ids=["one by one", "with all copies"])
def test_errors_left_out_are_those_of_refitting(whole, seed):
    """Exact for squared loss when widths are held."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((40, 2))
    y = Z[:, 0] + 0.3 * rng.standard_normal(40)
    y /= y.std()
    counts = np.random.default_rng(0).integers(1, 4, 40).astype(float)
    sample = sample_of(Z, y, counts)
    smooth = smooth_network(sample, Z[:3], SHAPE, 1e-8)

    class Held:
        """The smooth network without its widths among the variables."""

        nodes = staticmethod(smooth.nodes)

        @staticmethod
        def jacobian(Z):
            return smooth.jacobian(Z)[:, :4]

        @staticmethod
        def precision():
            return smooth.precision()[:4, :4]

    local = LocalFit.of(Held, sample.with_noise(smooth.noise), Squared())
    found = local.loo_scores(whole=whole) - y
    J = smooth.jacobian(Z)[:, :4]
    for i in range(40):
        rest = counts - (counts if whole else 1.0) * (np.arange(40) == i)
        H = (J * (rest / smooth.noise)[:, None]).T @ J + smooth.precision()[:4, :4]
        fit = np.linalg.solve(H, J.T @ (rest / smooth.noise * y))
        assert_close(-found[i], y[i] - J[i] @ fit, 1e-5)  # prior of the intercept


@pytest.mark.parametrize("loss", [Logistic(), Squared()], ids=["logistic", "squared"])
def test_a_local_fit_is_the_gauss_newton_matrix_written_down(loss, seed):
    sample = make_sample(seed, loss).with_noise(0.5)
    state = refine(make_variables(sample, loss), sample, make_objective(loss), SCHEDULE)
    local = LocalFit.of(state, sample, loss)
    scores, J = network_scores(state, sample.X), state.jacobian(sample.X)
    assert_close(local.scores, scores[:, 0])
    q = loss.curvatures(scores)[:, 0]
    H = J.T @ (J * (sample.weight / 0.5 * q)[:, None]) + np.diag(state.precision())
    assert_close(local.variance, np.einsum("np,pn->n", J, np.linalg.solve(H, J.T)), 1e-7)
    assert_close(local.used, sample.weight @ local.variance / 0.5 / sample.total)
    h = np.minimum(sample.weight, 1.0) / 0.5 * local.variance
    slope = loss.slopes(sample.targets, scores)[:, 0]
    expected = local.scores + h * slope / np.maximum(1.0 - q * h, LEAST_FREEDOM)
    assert_close(local.loo_scores(), expected)
    if loss == Squared():
        assert_close(local.errors, local.scores - sample.codes[:, 0])


def test_a_draw_that_stands_for_all_rows_weighs_like_all(seed):
    """Copies drawn once and weighed back give the model of all copies."""
    loss, sample = Squared(), make_sample(seed, Squared())
    state = refine(make_variables(sample, loss), sample, make_objective(loss), SCHEDULE)
    twice = sample.take(np.tile(np.arange(sample.n_rows), 2))
    half = replace(sample, stands_for=2.0)
    one, other = (LocalFit.of(state, rows, loss) for rows in (twice, half))
    assert_close(one.variance[: sample.n_rows], other.variance)
    assert_close(one.used, other.used)


def test_one_sample_never_decides_its_own_score():
    """Where a step is not to be trusted, what is divided by stays away from zero."""
    one = np.ones(1)
    for variance in (0.9, 0.99, 1.0, 5.0):
        moved = loo_scores(0.0 * one, one, one, variance * one, one)
        assert_close(moved, variance / max(1.0 - variance, LEAST_FREEDOM))


def test_a_matrix_of_penalties_is_a_diagonal_where_it_is_one(seed):
    rng = np.random.default_rng(seed)
    J, curvature, penalties = rng.standard_normal((20, 4)), rng.random(20), rng.random(4) + 0.1
    blocks = [(J[:7], curvature[:7]), (J[7:], curvature[7:])]
    diagonal = gauss_newton_factor(blocks, penalties)
    matrix = gauss_newton_factor(blocks, np.diag(penalties))
    H = (J * curvature[:, None]).T @ J + np.diag(penalties)
    for factor in (diagonal, matrix):
        assert_close(factor @ factor.T, H)
        assert_close(factor, np.tril(factor))


def test_curvatures_of_single_precision_are_positive_definite(seed):
    """Summed in single precision they would not be: rounding is above the penalties."""
    rng = np.random.default_rng(seed)
    J = (1e3 * rng.standard_normal((60, 100))).astype(np.float32)
    penalties = np.full(100, 1e-3)
    H = penalized([J], penalties)
    assert_close(H, J.astype(float).T @ J.astype(float) + np.diag(penalties))
    factor = gauss_newton_factor([(J, np.ones(60))], penalties)
    np.testing.assert_array_equal(factor, np.linalg.cholesky(H))  # the diagonal was not raised
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky((J.T @ J).astype(float) + np.diag(penalties))
