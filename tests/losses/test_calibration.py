"""One temperature: convex, never changes the winner, as good as scikit-learn's slope."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss as sklearn_log_loss

from drumlin.losses import class_probabilities, fit_temperature, log_loss, smoothed_targets
from tests.helpers import EXACT, REFERENCE, assert_close


def make_scores(seed, n_classes, n=300):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_classes, n)
    signs = (
        np.where(labels == 1, 1.0, -1.0)[:, None] if n_classes == 2 else np.eye(n_classes)[labels]
    )
    return signs + rng.standard_normal(signs.shape), labels, rng.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_temperature_minimises_the_cross_entropy(seed, n_classes):
    scores, labels, weight = make_scores(seed, n_classes)
    targets = np.eye(n_classes)[labels]
    found = fit_temperature(scores, targets, weight)
    best = minimize_scalar(
        lambda beta: log_loss(scores, labels, weight, beta), bounds=(0, 50), method="bounded",
        options={"xatol": 1e-10},
    )  # fmt: skip
    assert_close(found, best.x, 1e-5)  # both stop on the size of the last step


def test_two_classes_are_logistic_regression_on_the_score(seed):
    scores, labels, weight = make_scores(seed, 2)
    reference = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10)
    reference.fit(scores, labels, sample_weight=weight)
    found = fit_temperature(scores, np.eye(2)[labels], weight)
    assert_close(found, reference.coef_[0, 0], 1e-5)  # lbfgs


@pytest.mark.parametrize("n_classes", [2, 5])
def test_log_loss_is_sklearns(seed, n_classes):
    scores, labels, weight = make_scores(seed, n_classes)
    ours = log_loss(scores, labels, weight, 0.7)
    p = class_probabilities(scores, 0.7)
    assert_close(ours, sklearn_log_loss(labels, p, sample_weight=weight), REFERENCE)


@given(
    scores=arrays(np.float64, (6, 4), elements=st.floats(-1e3, 1e3)),
    temperature=st.floats(0.0, 1e4),
)
def test_the_largest_probability_is_the_largest_score(scores, temperature):
    for block in (scores, scores[:, :1]):
        p = class_probabilities(block, temperature)
        assert_close(p.sum(axis=1), 1.0, EXACT)
        expected = (block[:, 0] > 0).astype(int) if block.shape[1] == 1 else block.argmax(axis=1)
        np.testing.assert_array_equal(p.argmax(axis=1), expected)


def test_separated_scores_keep_a_finite_temperature():
    labels, weight = np.array([0, 1] * 20), np.ones(40)
    scores = np.where(labels == 1, 1.0, -1.0)[:, None]
    beta = fit_temperature(scores, smoothed_targets(labels, weight, 2), weight)
    assert_close(class_probabilities(scores, beta)[0, 0], 21.0 / 22.0, REFERENCE)


def test_worse_than_chance_means_no_opinion(seed):
    scores, labels, weight = make_scores(seed, 3)
    beta = fit_temperature(-scores, np.eye(3)[labels], weight)
    assert beta < REFERENCE


@pytest.mark.parametrize("n_classes", [2, 4])
def test_smoothed_targets_are_platts(n_classes):
    labels = np.arange(n_classes).repeat(9)
    targets = smoothed_targets(labels, np.ones(len(labels)), n_classes)
    assert_close(targets.sum(axis=1), 1.0, EXACT)
    assert_close(targets[np.arange(len(labels)), labels], 10.0 / 11.0, EXACT)
