"""Smaller models from fitted ones, without data."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import is_regressor
from sklearn.metrics import log_loss

from tests.estimators.tables import ROUNDING, scores_of, sine
from tests.helpers import assert_close


def loss_of(model, X, y):
    if is_regressor(model):
        return np.sqrt(np.mean((model.predict(X) - y) ** 2))
    return log_loss(y, model.predict_proba(X))


def test_truncate(fitted):
    model, (X, y) = fitted
    before = pickle.dumps(model)
    losses = []
    for k in range(1, model.n_nodes_ + 1):
        small = model.truncate(k)
        assert small.n_nodes_ == len(small.centers_) == len(small.widths_) == k
        assert small.n_bytes_ == model.n_bytes_ - (model.n_nodes_ - k) * (
            8 * (2 * X.shape[1] + scores_of(model, X).shape[1])
        )
        assert set(small.support_) <= set(model.support_)
        assert_close(small.contributions(X).sum(axis=1), scores_of(small, X))
        np.testing.assert_array_equal(small.novelty(X), model.novelty(X))
        losses.append(loss_of(small, X, y))
    assert pickle.dumps(model) == before
    np.testing.assert_array_equal(scores_of(small, X), scores_of(model, X))
    constant = y.std() if is_regressor(model) else np.log(len(model.classes_))
    assert max(losses) < 1.5 * constant  # one or two nodes, by the quadratic model of many
    assert max(losses[2:], default=0.0) < constant
    assert (np.diff(losses) < 0.05 * constant).all()  # hardly ever better with less


def test_truncating_twice_is_truncating_once(fitted):
    model, (X, _) = fitted
    for k in range(2, model.n_nodes_):
        twice, once = model.truncate(k).truncate(k - 1), model.truncate(k - 1)
        assert_close(scores_of(twice, X), scores_of(once, X), ROUNDING)
        np.testing.assert_array_equal(twice.support_, once.support_)


def test_truncated_models_know_that_they_are_worse(seed, fitted_to):
    model, (new, truth) = fitted_to("sine"), sine(seed + 1, 3000)
    for k in range(1, model.n_nodes_ + 1):
        small = model.truncate(k)
        mean, std = small.predict(new, return_std=True)
        error = np.sqrt(np.mean((mean - truth) ** 2))
        assert 0.8 < small.noise_std_ / error < 1.25
        assert 0.8 < small.loo_error_ / error < 1.25
        assert 0.8 < np.mean(np.abs(mean - truth) < 1.645 * std) < 0.97


def test_leave_one_out_of_truncated_classifiers(fitted_to):
    model = fitted_to("two")
    assert model.truncate(model.n_nodes_).loo_error_ == model.loo_error_
    losses = [model.truncate(k).loo_log_loss_ for k in range(1, model.n_nodes_ + 1)]
    assert (np.diff(losses) < 0.0).all()
    assert np.isnan(model.truncate(1).loo_error_)


@pytest.mark.parametrize("n_nodes", [0, -1, 2.5, "two", 10**6, None])
def test_bad_truncation(n_nodes, fitted_to):
    model = fitted_to("two")
    with pytest.raises(ValueError, match=r"'n_nodes' parameter of Drum.*\.truncate .* Got"):
        model.truncate(n_nodes)
