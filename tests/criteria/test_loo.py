"""Criteria: definitions, known special cases, and bounds that never lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, mean_squared_error
from sklearn.metrics.cluster import mutual_info_score

from drumlin._kernels import CONFUSION, SQUARED_ERROR, WRONG_BY_CLASS, ZERO_IS_FIRST
from drumlin.criteria import (
    CRITERIA,
    LOOMisclassification,
    LOOMutualInformation,
    LOOSquaredError,
)
from drumlin.criteria.base import confusion_table
from drumlin.losses import winners
from tests.helpers import EXACT, REFERENCE, assert_close


def make_predictions(seed, n_classes, n=200):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_classes, n)
    if n_classes == 2:
        targets = np.where(labels == 1, 1.0, -1.0)[:, None]
    else:
        targets = np.full((n, n_classes), -1.0 / (n_classes - 1))
        targets[np.arange(n), labels] = 1.0
    predictions = 0.7 * targets + rng.standard_normal(targets.shape)
    predicted = (
        (predictions[:, 0] > 0).astype(int) if n_classes == 2 else predictions.argmax(axis=1)
    )
    return targets, predictions, labels, predicted


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_costs_are_the_well_known_measures(seed, n_classes):
    targets, predictions, labels, predicted = make_predictions(seed, n_classes)
    weight = np.ones(len(labels))
    error = LOOMisclassification().cost(targets, predictions, labels, weight)
    assert_close(error, 1.0 - accuracy_score(labels, predicted))
    for signed in (True, False):
        bits = -LOOMutualInformation(signed).cost(targets, predictions, labels, weight)
        assert_close(bits, mutual_info_score(labels, predicted) / np.log(2.0), REFERENCE)
    squares = LOOSquaredError().cost(targets, predictions, labels, weight)
    assert_close(squares, mean_squared_error(targets, predictions) * targets.shape[1])


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_integer_weights_are_repeated_samples(seed, name, n_classes):
    """Given the predictions, every criterion treats weight as a count."""
    targets, predictions, labels, _ = make_predictions(seed, n_classes, n=60)
    counts = np.random.default_rng(seed).integers(1, 5, 60)
    rows = np.repeat(np.arange(60), counts)
    criterion = CRITERIA[name]()
    weighted = criterion.cost(targets, predictions, labels, counts.astype(float))
    repeated = criterion.cost(targets[rows], predictions[rows], labels[rows], np.ones(len(rows)))
    assert_close(weighted, repeated)


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_scale_of_weights_does_not_matter(seed, name, n_classes):
    targets, predictions, labels, _ = make_predictions(seed, n_classes)
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(labels))
    criterion = CRITERIA[name]()
    cost = criterion.cost(targets, predictions, labels, weight)
    assert_close(criterion.cost(targets, predictions, labels, 1e-3 * weight), cost)


def test_confusion_table_is_sklearns(seed):
    targets, predictions, labels, predicted = make_predictions(seed, 4)
    weight = np.random.default_rng(seed).random(len(labels))
    table = confusion_table(targets, predictions, labels, weight, ZERO_IS_FIRST)
    assert_close(table, confusion_matrix(labels, predicted, sample_weight=weight))


def test_printed_information_cannot_tell_a_classifier_from_its_inverse(seed):
    targets, predictions, labels, _ = make_predictions(seed, 2)
    weight = np.ones(len(labels))
    printed, signed = LOOMutualInformation(signed=False), LOOMutualInformation()
    right = printed.cost(targets, predictions, labels, weight)
    assert_close(printed.cost(targets, -predictions, labels, weight), right)
    assert_close(signed.cost(targets, predictions, labels, weight), right)
    assert_close(signed.cost(targets, -predictions, labels, weight), -right)


def test_sign_rule_is_the_determinant_for_two_classes(seed):
    tables = np.random.default_rng(seed).integers(0, 20, (500, 2, 2)) + 1.0
    signed = LOOMutualInformation().from_statistic(tables.reshape(500, 4), np.ones(2))
    printed = LOOMutualInformation(False).from_statistic(tables.reshape(500, 4), np.ones(2))
    determinant = tables[:, 0, 0] * tables[:, 1, 1] - tables[:, 0, 1] * tables[:, 1, 0]
    assert_close(signed, np.where(determinant < 0, -printed, printed), EXACT)


def test_zero_is_wrong_or_right():
    """hong2014 and chen2010 count an output of zero as an error, hong2008 does not."""
    targets, predictions = np.array([[1.0], [-1.0], [1.0]]), np.zeros((3, 1))
    labels, weight = np.array([1, 0, 1]), np.ones(3)
    for zero_is_wrong, rate in ((True, 1.0), (False, 0.0), (None, 2 / 3)):
        criterion = LOOMisclassification(zero_is_wrong=zero_is_wrong)
        assert criterion.cost(targets, predictions, labels, weight) == pytest.approx(rate)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_tie_is_what_predict_makes_of_it(seed, n_classes):
    """By default zero is the first class, and the first of several equal ones."""
    targets, predictions, labels, _ = make_predictions(seed, n_classes)
    predictions = np.round(predictions)  # many zeros and ties
    weight = np.ones(len(labels))
    wrong = winners(predictions) != labels
    cost = LOOMisclassification().cost(targets, predictions, labels, weight)
    assert cost == pytest.approx(wrong.mean())
    strict = LOOMisclassification(zero_is_wrong=True).cost(targets, predictions, labels, weight)
    mild = LOOMisclassification(zero_is_wrong=False).cost(targets, predictions, labels, weight)
    assert mild < cost < strict


def test_a_constant_prediction_has_no_information():
    targets = np.array([[1.0], [-1.0], [1.0]])
    cost = LOOMutualInformation().cost(targets, np.ones((3, 1)), np.array([1, 0, 1]), np.ones(3))
    assert cost == pytest.approx(0.0, abs=EXACT)


@pytest.mark.parametrize("name", CRITERIA)
def test_statistics_asked_for(name):
    criterion = CRITERIA[name]()
    expected = [SQUARED_ERROR] * 2 if name == "squared_error" else [WRONG_BY_CLASS, CONFUSION]
    assert [criterion.statistic(1), criterion.statistic(4)] == expected


all_criteria = [
    LOOSquaredError(),
    LOOMisclassification(),
    LOOMutualInformation(True),
    LOOMutualInformation(False),
]


@pytest.mark.parametrize("criterion", all_criteria, ids=repr)
@given(
    counted=st.tuples(st.integers(0, 20), st.integers(0, 20)),
    further=st.tuples(st.integers(0, 10), st.integers(0, 10)),
    left=st.tuples(st.integers(0, 10), st.integers(0, 10)),
    right=st.tuples(st.integers(1, 20), st.integers(1, 20)),
)
def test_no_completion_beats_the_bound(criterion, counted, further, left, right):
    """Whatever the samples not counted yet turn out to be, the cost is not below the bound."""
    counted, left = np.array(counted, float), np.array(left, float)
    more = np.minimum(further, left)
    class_weight = counted + left + np.array(right)
    if criterion.statistic(1) == SQUARED_ERROR:
        counted, more = counted[:1], more[:1]
    bound = criterion.bound(counted[None], class_weight, left)[0]
    cost = criterion.from_statistic((counted + more)[None], class_weight)[0]
    assert bound <= cost + EXACT
