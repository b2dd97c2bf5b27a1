"""What a regression keeps of its quadratic model gives the standard deviations of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_friedman1

from drumlin import DrumlinRegressor
from drumlin.estimators import refined
from drumlin.laplace import LocalFit
from drumlin.laplace.rounding import LEAST_BITS, MOST_BITS, RoundedTriangle, compensation, n_entries
from drumlin.losses import Squared
from tests.helpers import assert_close

CODE = 130
"""Bytes that describe Huffman's code itself, at most."""


def friedman(n_samples, n_inputs):
    X, y = make_friedman1(n_samples, n_inputs, noise=1.0, random_state=0)
    return X, y, make_friedman1(1000, n_inputs, noise=1.0, random_state=1)[0]


def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return X[::2], y[::2], X[1::2]


def waves():
    """Nearly without noise: all variance is that of the network."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-2.0, 2.0, size=(80, 2))
    return X, np.sin(2.0 * X[:, 0]) + X[:, 1], rng.uniform(-2.0, 2.0, size=(500, 2))


CASES = {
    "friedman1, few rows": lambda: friedman(200, 10),
    "friedman1": lambda: friedman(500, 10),
    "friedman1, more inputs": lambda: friedman(300, 20),
    "friedman1, more rows": lambda: friedman(1500, 10),
    "diabetes": diabetes,
    "no noise": waves,
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """A fitted model, the standard deviations of the whole quadratic model, and new rows."""
    X, y, new = CASES[request.param]()
    fits, fit_flagship = [], refined.fit_flagship
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refined, "fit_flagship", lambda *a: fits.append(fit_flagship(*a)) or fits[-1])
        model = DrumlinRegressor(max_nodes=5).fit(X, y)
    fit = fits[0]
    sample = fit.rows.represented_by(model._recipe.judge.rows).with_noise(fit.noise)
    quadratic = LocalFit.of(fit.solution, sample, Squared()).model
    J = fit.solution.jacobian(model.network_.mapped(new))
    std = np.sqrt(quadratic.variances(J) + fit.noise) * y.std()
    return model, std, new


def test_standard_deviations_are_within_one_percent(case):
    model, std, new = case
    assert model.n_nodes_ > 0
    ratio = model.predict(new, return_std=True)[1] / std
    assert np.abs(ratio - 1.0).max() < 0.01
    assert std.max() > 1.02 * std.min()  # else a constant would pass


def test_it_is_small(case):
    """No estimator keeps a matrix of all variables in full precision."""
    known = case[0]._uncertainty
    assert isinstance(known.factor, RoundedTriangle)
    n_bits = n_entries(len(known.scale)) * known.factor.bits
    assert known.factor.coded.nbytes <= n_bits / 8 + CODE
    assert known.nodes.centers is case[0].network_.nodes.centers


def test_smaller_models_keep_what_is_known(case):
    model, _, new = case
    smaller = model.truncate(1)
    mean, std = smaller.predict(new, return_std=True)
    scale = model._units[1][0]
    network = model.predict(new, return_std=True)[1] ** 2 - model._noise * scale**2
    assert_close(std**2, network + smaller._noise * scale**2, 1e-9 * scale**2)
    assert np.isfinite(mean).all()


# ------------------------------------------------------------------ the triangle
@pytest.mark.parametrize("bits", range(LEAST_BITS, MOST_BITS + 1))
@pytest.mark.parametrize("n", [1, 7, 40])
def test_a_triangle_comes_back_to_its_steps(n, bits):
    rng = np.random.default_rng(n)
    triangle = np.tril(rng.uniform(-1.0, 1.0, size=(n, n)))
    rounded = RoundedTriangle.of(triangle, compensation(np.eye(n)), bits)
    matrix = rounded.matrix()
    entries = rounded.entries()
    again = RoundedTriangle.of_entries(bits, rounded.sizes, entries)
    assert (again.coded == rounded.coded).all()
    assert len(rounded.coded) <= n_entries(n) * bits / 8 + CODE
    assert not np.triu(matrix, 1).any()
    # Rows of one entry each are all likely to the same part: there is nothing to make up for.
    largest = np.abs(triangle).max(axis=0)
    top = 2 ** (bits - 1) - 1
    assert (np.abs(matrix - triangle) <= 0.501 * largest / top).all()


def test_later_rows_make_up_for_what_a_row_loses():
    rng = np.random.default_rng(0)
    triangle = np.tril(rng.uniform(-1.0, 1.0, size=(30, 30)))
    likely = rng.normal(size=(200, 5)) @ rng.normal(size=(5, 30))
    exact = likely @ triangle

    def error(rows):
        rounded = RoundedTriangle.of(triangle, compensation(rows), 6)
        return np.abs(likely @ rounded.matrix() - exact).mean()

    assert error(likely) < 0.7 * error(np.eye(30))
