"""Measures: those of scikit-learn where it has them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from drumlin.evaluation.measures import (
    best_constant,
    class_measures,
    error_rate,
    log_loss,
    mean_and_error,
    number_measures,
    paired,
)
from tests.helpers import EXACT, assert_close


@pytest.fixture
def answers():
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet([1.0, 1.0, 1.0], 50)
    return probabilities, probabilities.argmax(axis=1), rng.integers(0, 3, 50)


def test_classes(answers):
    probabilities, predicted, codes = answers
    measures = class_measures(*answers)
    assert_close(measures["error"], 1.0 - metrics.accuracy_score(codes, predicted), EXACT)
    found = metrics.balanced_accuracy_score(codes, predicted)
    assert_close(measures["balanced error"], 1.0 - found, EXACT)
    assert_close(measures["log-loss"], metrics.log_loss(codes, probabilities), EXACT)
    area = metrics.roc_auc_score(codes, probabilities, multi_class="ovr")
    assert_close(measures["area under ROC curve"], area, EXACT)
    precision = metrics.average_precision_score(np.eye(3)[codes], probabilities)
    assert_close(measures["average precision"], precision, EXACT)
    assert "Brier score" not in measures  # it is of two classes


def test_two_classes(answers):
    p = answers[0][:, 0]
    codes = np.minimum(answers[2], 1)
    measures = class_measures(np.column_stack([1.0 - p, p]), (p > 0.5).astype(int), codes)
    assert_close(measures["Brier score"], metrics.brier_score_loss(codes, p), EXACT)
    assert_close(measures["area under ROC curve"], metrics.roc_auc_score(codes, p), EXACT)
    precision = metrics.average_precision_score(codes, p)
    assert_close(measures["average precision"], precision, EXACT)


def test_the_best_constant(answers):
    codes = answers[2]
    share = np.bincount(codes) / len(codes)
    constant = best_constant(codes, 3)
    assert_close(constant["error"], 1.0 - share.max(), EXACT)
    assert_close(constant["log-loss"], -(share * np.log(share)).sum(), EXACT)
    assert constant["area under ROC curve"] == 0.5
    assert_close(constant["average precision"], 1.0 / 3.0, EXACT)
    rng = np.random.default_rng(1)
    for targets in (rng.normal(size=9), rng.normal(size=(9, 2))):
        constant = best_constant(targets, None)
        assert_close(constant["R²"], 0.0, EXACT)
        assert_close(constant["root mean squared error"], targets.std(axis=0).mean(), EXACT)


def test_one_of_two_classes_has_no_curve():
    measures = class_measures(np.full((3, 2), 0.5), np.zeros(3, int), np.zeros(3, int))
    assert not measures.keys() & {"area under ROC curve", "average precision"}
    assert measures["balanced error"] == 0.0


def test_sure_and_wrong_costs_much_but_not_all():
    loss = log_loss(np.array([[1.0, 0.0]]), np.array(["a", "b"]), np.array(["b"]))
    assert 36.0 < loss < 37.0  # -log of the least step of a float
    unseen = log_loss(np.array([[1.0, 0.0]]), np.array(["a", "b"]), np.array(["c"]))
    assert unseen == loss


def test_error_rate_of_a_column_is_that_of_its_entries():
    """CatBoost answers several classes with a column."""
    answers, y = np.array([0, 1, 2, 2]), np.array([0, 2, 2, 2])
    assert error_rate(answers[:, None], y) == error_rate(answers, y) == 0.25


def test_error_rate_is_a_share():
    assert error_rate(np.array(["a", "b", "b", "b"]), np.array(["a", "a", "b", "b"])) == 0.25


def test_numbers():
    targets, answers = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0])
    assert number_measures(answers, targets) == pytest.approx(
        {
            "R²": metrics.r2_score(targets, answers),
            "root mean squared error": np.sqrt(5.0 / 3.0),
            "mean absolute error": 1.0,
            "largest absolute error": 2.0,
        }
    )
    assert np.isnan(number_measures(answers[:1], targets[:1])["R²"])


def test_mean_and_its_error():
    assert mean_and_error([1.0, 3.0]) == (2.0, 1.0)
    assert paired([2.0, 5.0], [1.0, 2.0]) == mean_and_error([1.0, 3.0])
    assert np.isnan(mean_and_error([1.0])[1])
