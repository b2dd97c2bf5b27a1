"""Identities of orthogonal least squares: the shortcut equals the refit."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.linear import OrthogonalRegression
from tests.helpers import IDENTITY, assert_close

LOO = 1e-10  # the issue's own tolerance for analytic against brute-force leave-one-out


def make_regression(seed, *, n=25, k=4, outputs=1, weighted=False, intercept=False, alpha=0.1):
    """A regression with k random columns, and the columns themselves (unweighted)."""
    rng = np.random.default_rng(seed)
    columns = np.exp(-rng.random((k, n)) * 3.0)
    targets = rng.standard_normal((n, outputs))
    weight = rng.uniform(0.2, 3.0, n) if weighted else np.ones(n)
    model = OrthogonalRegression(targets, weight, fit_intercept=intercept)
    for j, column in enumerate(columns):
        w, a = model.basis.orthogonalize(model.root * column)
        model.append(w, a, alpha=alpha * (j + 1))
    if intercept:
        columns = np.vstack([np.ones(n), columns])
    return model, columns


def refit(model, columns, rows, weight=None):
    """Weights of the penalised least-squares fit to some rows, A and alphas kept."""
    weight = model.weight if weight is None else weight
    Phi, s, T = columns.T[rows], weight[rows], model.targets[rows]
    A = model.basis.A
    penalty = A.T @ np.diag(model.alphas) @ A
    return np.linalg.solve(Phi.T @ (s[:, None] * Phi) + penalty, Phi.T @ (s[:, None] * T))


cases = pytest.mark.parametrize("outputs", [1, 3])
weightings = pytest.mark.parametrize("weighted", [False, True])
intercepts = pytest.mark.parametrize("intercept", [False, True])


@cases
@weightings
@intercepts
def test_leave_one_out_is_brute_force(seed, outputs, weighted, intercept):
    model, columns = make_regression(seed, outputs=outputs, weighted=weighted, intercept=intercept)
    n = len(model.weight)
    expected = np.empty_like(model.targets)
    for i in range(n):
        rows = np.delete(np.arange(n), i)
        expected[i] = columns[:, i] @ refit(model, columns, rows)
    assert_close(model.loo_predictions(), expected, LOO)


@cases
@weightings
@intercepts
def test_coefficients_are_the_penalised_fit(seed, outputs, weighted, intercept):
    model, columns = make_regression(seed, outputs=outputs, weighted=weighted, intercept=intercept)
    expected = refit(model, columns, slice(None))
    coef, constant = model.coefficients()
    if intercept:
        assert_close(constant, expected[0])
        expected = expected[1:]
    assert_close(coef, expected)


@weightings
@intercepts
def test_a_grown_column_gives_the_predictions_of_the_grown_model(seed, weighted, intercept):
    model, _ = make_regression(seed, outputs=2, weighted=weighted, intercept=intercept)
    column = model.root * np.random.default_rng(seed + 1).random(len(model.weight))
    expected = model.grown_loo_predictions(column, 0.3)
    model.append(*model.basis.orthogonalize(column), alpha=0.3)
    assert_close(model.loo_predictions(), expected)


def test_squared_error_is_the_mean_of_squared_loo_errors(seed):
    model, _ = make_regression(seed, outputs=2, weighted=True)
    squares = ((model.targets - model.loo_predictions()) ** 2).sum(axis=1)
    assert_close(model.loo_squared_error(), np.average(squares, weights=model.weight))


@intercepts
def test_prefix_is_the_smaller_model(seed, intercept):
    model, _ = make_regression(seed, outputs=2, weighted=True, intercept=intercept)
    predictions = list(model.prefix_loo_predictions())
    assert len(predictions) == model.n_nodes + 1
    for k in range(model.n_nodes + 1):
        smaller = rebuilt(model, k, intercept)
        assert_close(model.prefix(k).loo_predictions(), smaller.loo_predictions())
        assert_close(predictions[k], smaller.loo_predictions())
        assert_close(model.prefix(k).coefficients()[0], smaller.coefficients()[0])


def rebuilt(model, n_nodes, intercept):
    """The first columns of a model, appended anew one by one."""
    smaller = OrthogonalRegression(model.targets, model.weight, fit_intercept=intercept)
    first = int(intercept)
    for k in range(first, first + n_nodes):
        smaller.append(model.basis.W[k], model.basis.A[:k, k], alpha=model.alphas[k])
    return smaller


def test_other_penalties_keep_the_columns(seed):
    model, columns = make_regression(seed, weighted=True)
    other = model.with_alphas(np.array([0.5, 0.0, 2.0, 1e-3]))
    assert_close(other.coefficients()[0], refit(other, columns, slice(None)))
    assert_close(other.with_alphas(model.alphas).loo_predictions(), model.loo_predictions())


def repeated(model, columns, counts, intercept):
    """The same columns and penalties on rows repeated ``counts`` times, without weights."""
    rows = np.repeat(np.arange(len(counts)), counts)
    big = OrthogonalRegression(model.targets[rows], np.ones(len(rows)), fit_intercept=intercept)
    for k in range(int(intercept), len(columns)):
        w, a = big.basis.orthogonalize(columns[k][rows])
        big.append(w, a, alpha=model.alphas[k])
    return big, rows


@intercepts
def test_integer_weights_are_repeated_rows_except_in_leave_one_out(seed, intercept):
    """What holds: weights, penalised fit, residuals. What does not: leaving out a copy."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, 25)
    model, columns = make_regression(seed, intercept=intercept)
    weighted = OrthogonalRegression(model.targets, counts.astype(float), fit_intercept=intercept)
    for k in range(int(intercept), len(columns)):
        column = weighted.root * columns[k]
        weighted.append(*weighted.basis.orthogonalize(column), alpha=model.alphas[k])
    big, rows = repeated(model, columns, counts, intercept)
    assert_close(weighted.coefficients()[0], big.coefficients()[0])
    assert_close((weighted.residual / weighted.root[:, None])[rows], big.residual)
    # Leaving out row i with its weight is leaving out all copies of it.
    for i in range(len(counts)):
        others = np.flatnonzero(rows != i)
        coef = refit(big, columns[:, rows], others, np.ones(len(rows)))
        assert_close(weighted.loo_predictions()[i], columns[:, i] @ coef, LOO)
    # Leaving out one copy of several is not.
    several = counts[rows] > 1
    gap = np.abs(weighted.loo_predictions()[rows] - big.loo_predictions())
    assert gap[several].max() > 1e-3
    assert_close(gap[~several], 0.0, IDENTITY)


def test_orthogonalize_splits_a_column(seed):
    model, columns = make_regression(seed)
    basis = model.basis
    assert_close(basis.A.T @ basis.W, columns)
    gram = basis.W @ basis.W.T
    assert_close(gram, np.diag(basis.norms2))
