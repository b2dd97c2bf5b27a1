"""Answers of least expected cost, and what is asked of classes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import precision_score, recall_score

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin._errors import ParameterError
from drumlin.evaluation import Decision, class_costs, judge, least_cost, mean_cost
from drumlin.evaluation.measures import best_constant, class_measures, operating_point
from tests.helpers import EXACT, assert_close


@pytest.fixture(scope="module")
def probabilities():
    return np.random.default_rng(0).dirichlet([1.0, 0.5, 0.2, 2.0], 300)


def test_least_cost_is_that_of_brute_force(probabilities):
    """Expected costs by their definition, a matrix of what every answer costs every class."""
    costs = np.array([1.0, 3.0, 40.0, 0.5])
    matrix = costs[:, None] * (1.0 - np.eye(4))  # rows are true classes, columns answers
    expected = np.array([[row @ matrix[:, j] for j in range(4)] for row in probabilities])
    np.testing.assert_array_equal(least_cost(probabilities, costs), expected.argmin(axis=1))
    assert len(set(least_cost(probabilities, costs))) == 4


def test_equal_costs_are_the_most_probable_class(probabilities):
    for cost in (1.0, 7.0):
        found = least_cost(probabilities, np.full(4, cost))
        np.testing.assert_array_equal(found, probabilities.argmax(axis=1))
    np.testing.assert_array_equal(Decision().answers(probabilities), probabilities.argmax(axis=1))


def test_two_classes_have_a_threshold():
    p = np.linspace(0.0, 1.0, 1001)
    said = least_cost(np.column_stack([1.0 - p, p]), [1.0, 10.0])
    assert_close(p[said == 1].min(), 0.091, EXACT)  # the first above 1 / 11


def test_no_answers_cost_less_on_average(probabilities):
    """Drawn from these very probabilities, no other constant shift of the odds is cheaper."""
    rng, costs = np.random.default_rng(1), np.array([1.0, 3.0, 40.0, 0.5])
    p = np.tile(probabilities, (60, 1))
    codes = (rng.random(len(p))[:, None] > np.cumsum(p, axis=1)).sum(axis=1).clip(0, 3)
    ours = mean_cost(least_cost(p, costs), codes, costs)
    for factors in product([0.5, 2.0], repeat=4):
        if len(set(factors)) > 1:
            assert ours < mean_cost(least_cost(p, costs * factors), codes, costs)


def test_costs_by_label():
    classes = np.array(["no", "yes"])
    np.testing.assert_array_equal(class_costs({"yes": 10}, classes), [1.0, 10.0])
    np.testing.assert_array_equal(class_costs({1: 2.0, "0": 3.0}, np.array([0, 1])), [3.0, 2.0])
    np.testing.assert_array_equal(class_costs((2.0, 5.0), classes), [2.0, 5.0])
    with pytest.raises(ParameterError, match=r"'costs' .* classes of \['no', 'yes'\]. Got 'maybe'"):
        class_costs({"maybe": 1.0}, classes)
    for wrong in ((1.0, 2.0, 3.0), "ab", 4.0, (1.0, float("nan"))):
        with pytest.raises(ParameterError, match=r"'costs' parameter must hold a positive number"):
            class_costs(wrong, classes)
    for wrong, got in ((0.0, "0.0"), ("much", "'much'"), (float("inf"), "inf")):
        rule = rf"'costs' parameter must hold positive numbers. Got {got} for the class 'yes'"
        with pytest.raises(ParameterError, match=rule):
            class_costs({"yes": wrong}, classes)


def test_recall_at_a_precision_is_that_of_brute_force():
    rng = np.random.default_rng(0)
    true = rng.random(80) < 0.2
    p = np.round(np.clip(0.3 * true + rng.normal(0.3, 0.2, 80), 0.0, 1.0), 2)  # with ties
    for wanted in (0.2, 0.5, 0.8, 1.0):
        found = [
            (recall_score(true, p >= t), t)
            for t in np.unique(p)
            if precision_score(true, p >= t) >= wanted
        ]
        recall, threshold = operating_point(true, p, wanted)
        assert recall == (max(found)[0] if found else 0.0)
        assert (np.isinf(threshold) and not found) or (recall, threshold) in found
    assert operating_point(np.array([True, False]), np.array([0.1, 0.9]), 0.9) == (0.0, np.inf)


def test_measures_that_are_asked_for(probabilities):
    codes = np.random.default_rng(2).integers(0, 4, 300)
    decision = Decision.of(np.arange(4), costs=[1.0, 3.0, 40.0, 0.5], precision=0.4)
    answers = decision.answers(probabilities)
    measures = class_measures(probabilities, answers, codes, decision)
    assert measures["cost per row"] == mean_cost(answers, codes, decision.costs)
    found = [operating_point(codes == k, probabilities[:, k], 0.4)[0] for k in range(4)]
    assert_close(measures["recall at precision 0.4"], np.mean(found), EXACT)
    constant = best_constant(codes, 4, decision)
    costs = [mean_cost(np.full(300, k), codes, decision.costs) for k in range(4)]
    assert constant["cost per row"] == min(costs)
    plain = class_measures(probabilities, answers, codes)
    assert "cost per row" not in plain
    assert not any("recall" in name for name in plain)


def test_what_cannot_be_asked():
    X, y = make_moons(60, random_state=0)
    weighted = DrumlinClassifier(class_weight="balanced", max_nodes=2).fit(X, y)
    with pytest.raises(ParameterError, match=r"'costs' .* None where classes have weights"):
        judge(weighted, X, y, costs={"1": 5.0})
    number = DrumlinRegressor(max_nodes=2).fit(X, X[:, 0])
    for name, value in (("costs", [1.0, 2.0]), ("precision", 0.5)):
        rule = rf"'{name}' parameter is for classes: .* left out where the target holds numbers"
        with pytest.raises(ParameterError, match=rule):
            judge(number, X, X[:, 0], **{name: value})
    for wrong in (0.0, 1.5, "high", True):
        with pytest.raises(ParameterError, match=r"'precision' .* above 0 and at most 1"):
            judge(weighted, X, y, precision=wrong)


def test_a_judged_model_answers_at_least_cost():
    X, y = load_iris(return_X_y=True)
    model = DrumlinClassifier(max_nodes=4).fit(X[::2], y[::2])
    judged = judge(model, X[1::2], y[1::2], costs={2: 50.0})
    p = model.predict_proba(X[1::2])
    np.testing.assert_array_equal(judged.answers, (p * [1.0, 1.0, 50.0]).argmax(axis=1))
    assert judged.confusion[:, 2].sum() >= (model.predict(X[1::2]) == 2).sum()
