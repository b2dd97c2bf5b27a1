"""Weights of fixed nodes: the convex problems are solved, and as scikit-learn solves them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from drumlin.linear.weights import fit_weights
from drumlin.losses import Logistic, Softmax, Squared, loss_of_classes
from tests.helpers import REFERENCE, assert_close


def make(seed, n_classes, n=200, m=4):
    rng = np.random.default_rng(seed)
    Phi = rng.random((n, m))
    labels = Phi @ rng.standard_normal((m, n_classes)) + rng.gumbel(size=(n, n_classes))
    return Phi, labels.argmax(axis=1), rng.uniform(0.5, 2.0, n)


def test_two_classes_are_logistic_regression(seed):
    Phi, labels, weight = make(seed, 2)
    coef, intercept = fit_weights(Phi, labels, weight, Logistic(), (1e-8, 0.5))
    reference = LogisticRegression(C=2.0, tol=1e-12, solver="newton-cholesky", max_iter=1000)
    reference.fit(Phi, labels, sample_weight=weight)
    assert_close(coef[:, 0], reference.coef_[0], 1e-4)  # Newton stops at 1e-6 of the loss
    assert_close(intercept, reference.intercept_, 1e-4)


def test_many_classes_reach_the_softmax_minimum(seed):
    """L-BFGS stops early by design: the loss, not the weights, is what must agree."""
    Phi, labels, weight = make(seed, 4)
    coef, intercept = fit_weights(Phi, labels, weight, Softmax(4), (1e-8, 0.5))
    reference = LogisticRegression(C=2.0, tol=1e-12, solver="newton-cg", max_iter=1000)
    reference.fit(Phi, labels, sample_weight=weight)

    def loss(W, b):
        scores = Phi @ W + b
        log_norm = np.log(np.exp(scores).sum(axis=1))
        fit = weight @ (log_norm - scores[np.arange(len(labels)), labels])
        return fit + 0.25 * (W * W).sum()

    assert_close(loss(coef, intercept), loss(reference.coef_.T, reference.intercept_), 1e-4)


def test_numbers_are_ridge_regression(seed):
    rng = np.random.default_rng(seed)
    Phi, targets, weight = rng.random((50, 3)), rng.standard_normal((50, 2)), rng.random(50) + 0.1
    coef, intercept = fit_weights(Phi, targets, weight, Squared(), (1e-10, 0.7))
    reference = Ridge(alpha=0.7).fit(Phi, targets, sample_weight=weight)
    assert_close(coef, reference.coef_.T, REFERENCE)
    assert_close(intercept, reference.intercept_, REFERENCE)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_separable_classes_stay_finite(n_classes):
    labels = np.arange(30) % n_classes
    Phi = np.eye(n_classes)[labels]
    loss = loss_of_classes(n_classes)
    coef, intercept = fit_weights(Phi, labels, np.ones(30), loss, (1e-6, 1e-6))
    assert np.isfinite(coef).all()
    assert np.isfinite(intercept).all()
