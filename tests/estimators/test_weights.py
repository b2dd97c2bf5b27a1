"""Sample and class weights: what equals what, and what cannot.

A weight multiplies a row's squared error. So a weight of zero removes the row, and for *given*
nodes an integer weight is that many copies of the row. Leave-one-out predictions differ: they
leave out the row with all its weight, where of copies one goes and the others stay.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier

from drumlin import ForwardRBFClassifier, ForwardRBFRegressor
from drumlin.criteria import CRITERIA
from drumlin.linear import REGULARIZERS
from tests.helpers import assert_close


@pytest.fixture
def weight(seed):
    """Random integer weights, some of them zero."""
    return np.random.default_rng(seed).integers(0, 4, 80).astype(float)


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@pytest.mark.parametrize("regularizer", sorted(REGULARIZERS))
def test_rows_of_weight_zero_are_not_there(criterion, regularizer, moons, weight):
    X, y = moons
    used = np.flatnonzero(weight)
    model = ForwardRBFClassifier(criterion=criterion, regularizer=regularizer, max_nodes=8)
    whole = model.fit(X, y, weight)
    support, scores = whole.support_, whole.decision_function(X)
    fewer = model.fit(X[used], y[used], weight[used])
    np.testing.assert_array_equal(support, used[fewer.support_])
    np.testing.assert_array_equal(scores, fewer.decision_function(X))


def test_a_class_of_weight_zero_is_not_there(blobs):
    X, y = blobs
    model = ForwardRBFClassifier(1.0).fit(X, y, np.where(y == 2, 0.0, 1.0))
    np.testing.assert_array_equal(model.classes_, [0, 1, 3])
    fewer = ForwardRBFClassifier(1.0).fit(X[y != 2], y[y != 2])
    np.testing.assert_array_equal(model.predict_proba(X), fewer.predict_proba(X))


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_integer_weights_are_copies_for_given_nodes(standardize, fit_intercept, moons, weight):
    """Without a penalty, which depends on the order of the nodes, and for any one node."""
    X, y = moons
    copies = np.repeat(np.arange(len(y)), weight.astype(int))
    for centers, alpha in [(X[:5], 0.0), (X[7:8], 0.3)]:
        model = ForwardRBFClassifier(
            1.0,
            alpha=alpha,
            candidates=centers,
            min_nodes=len(centers),
            standardize=standardize,
            fit_intercept=fit_intercept,
        )
        weighted = model.fit(X, y, weight).decision_function(X)
        repeated = model.fit(X[copies], y[copies]).decision_function(X)
        assert_close(weighted, repeated)


def test_evidence_counts_weights_as_samples(moons, weight):
    """The regularisers need no leave-one-out, so copies are weights for them too."""
    X, y = moons
    copies = np.repeat(np.arange(len(y)), weight.astype(int))
    for regularizer in ("evidence", "stage_evidence"):
        model = ForwardRBFClassifier(1.0, regularizer=regularizer, candidates=X[7:8])
        weighted = model.fit(X, y, weight).decision_function(X)
        assert_close(weighted, model.fit(X[copies], y[copies]).decision_function(X))


def test_automatic_widths_count_weights_as_samples(moons, weight):
    X, y = moons
    copies = np.repeat(np.arange(len(y)), weight.astype(int))
    weighted = ForwardRBFClassifier(max_nodes=1).fit(X, y, weight)
    repeated = ForwardRBFClassifier(max_nodes=1).fit(X[copies], y[copies])
    assert_close(weighted.width_path_["width"], repeated.width_path_["width"])


def test_copies_know_each_other():
    """The honest difference: a lonely row is predicted without its copies, or by them."""
    X = np.array([[-1.0], [0.0], [1.0]])
    y = np.array([0.0, 1.0, 0.0])
    model = ForwardRBFRegressor(0.3, standardize=False)
    weighted = model.fit(X, y, [1.0, 5.0, 1.0]).loo_score_
    repeated = model.fit(np.repeat(X, [1, 5, 1], axis=0), np.repeat(y, [1, 5, 1])).loo_score_
    assert weighted < 0.0
    assert repeated > 0.9


@pytest.mark.parametrize("weight", [None, 1.0, np.ones(80)], ids=["none", "scalar", "ones"])
def test_unit_weights(weight, moons):
    X, y = moons
    plain = ForwardRBFClassifier(1.0).fit(X, y)
    model = ForwardRBFClassifier(1.0).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
def test_class_weights_are_sample_weights(criterion, blobs, seed):
    X, y = blobs
    own = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    factors = {0: 1.0, 1: 3.0, 2: 0.5, 3: 2.0}
    by_class = ForwardRBFClassifier(1.0, criterion=criterion, class_weight=factors).fit(X, y, own)
    by_sample = ForwardRBFClassifier(1.0, criterion=criterion).fit(
        X, y, own * np.vectorize(factors.get)(y)
    )
    np.testing.assert_array_equal(by_class.support_, by_sample.support_)
    assert_close(by_class.predict_proba(X), by_sample.predict_proba(X))


def test_balanced_classes_weigh_the_same(moons, weight):
    X, y = moons
    keep = (y == 0) | (np.arange(len(y)) % 4 == 0)  # four of class 0 for each of class 1
    X, y, weight = X[keep], y[keep], weight[keep]
    total = weight.sum()
    share = np.array([total / (2.0 * weight[y == k].sum()) for k in (0, 1)])
    balanced = ForwardRBFClassifier(1.0, class_weight="balanced").fit(X, y, weight)
    by_hand = ForwardRBFClassifier(1.0).fit(X, y, weight * share[y])
    assert_close(balanced.decision_function(X), by_hand.decision_function(X))
    plain = ForwardRBFClassifier(1.0).fit(X, y, weight)
    assert (balanced.predict(X) == 1).sum() >= (plain.predict(X) == 1).sum()


@pytest.mark.parametrize("regularizer", sorted(REGULARIZERS))
def test_boosting(regularizer, moons):
    """AdaBoost's weights sum to one and become very unequal."""
    X, y = moons
    weak = ForwardRBFClassifier(1.0, max_nodes=2, regularizer=regularizer, alpha=1e-6)
    boosted = AdaBoostClassifier(weak, n_estimators=10).fit(X, y)
    assert boosted.score(X, y) >= weak.fit(X, y).score(X, y)
