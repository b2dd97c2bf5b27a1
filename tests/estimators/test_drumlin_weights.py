"""Weights of samples and classes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics import log_loss

from drumlin import DrumlinClassifier
from drumlin.flagship.figures import REFINED, ClassFigures
from tests.estimators.tables import scores_of
from tests.helpers import assert_close


def test_integer_weights_are_copies(fitted, seed):
    model, (X, y) = fitted
    weight = np.random.default_rng(seed).integers(0, 4, len(y))
    weight[:4] = 3
    copies = np.repeat(np.arange(len(y)), weight)
    weighted = clone(model).fit(X, y, sample_weight=weight)
    repeated = clone(model).fit(X[copies], y[copies])
    np.testing.assert_array_equal(scores_of(weighted, X), scores_of(repeated, X))
    np.testing.assert_array_equal(weighted.support_, copies[repeated.support_])
    np.testing.assert_array_equal(weighted.novelty(X), repeated.novelty(X))
    np.testing.assert_array_equal(weighted.relevance_, repeated.relevance_)
    assert weighted.loo_error_ == repeated.loo_error_


def test_rows_of_weight_zero_are_not_there(fitted, seed):
    model, (X, y) = fitted
    used = np.random.default_rng(seed).random(len(y)) < 0.7
    weighted = clone(model).fit(X, y, sample_weight=used)
    fewer = clone(model).fit(X[used], y[used])
    np.testing.assert_array_equal(scores_of(weighted, X), scores_of(fewer, X))
    np.testing.assert_array_equal(weighted.support_, np.flatnonzero(used)[fewer.support_])


def test_small_weights_are_relative(fitted):
    model, (X, y) = fitted
    for factor in (0.5, 2.0**-40):
        other = clone(model).fit(X, y, sample_weight=np.full(len(y), factor))
        np.testing.assert_array_equal(scores_of(other, X), scores_of(model, X))


def test_more_weight_is_more_data(seed):
    """A hundredfold weight is a hundred copies: more certain, so more nodes or more extreme."""
    X, y = make_moons(60, noise=0.3, random_state=seed)
    model = DrumlinClassifier().fit(X, y)
    heavy = DrumlinClassifier().fit(X, y, sample_weight=np.full(60, 100.0))
    assert heavy.n_nodes_ >= model.n_nodes_
    assert log_loss(y, heavy.predict_proba(X)) < log_loss(y, model.predict_proba(X))


def test_class_weights_weigh_as_sample_weights_do(blobs):
    """Only that they make no more samples: penalties and prices are those of the rows."""
    X, y = blobs
    factors = {0: 1.0, 1: 3.0, 2: 0.5, 3: 2.0}
    by_class = DrumlinClassifier(class_weight=factors).fit(X, y)
    by_sample = DrumlinClassifier().fit(X, y, np.vectorize(factors.get)(y))
    plain = DrumlinClassifier().fit(X, y)
    found = by_class.predict_proba(X)
    apart, moved = (np.abs(found - m.predict_proba(X)).mean() for m in (by_sample, plain))
    assert apart < 0.2 * moved
    ones = DrumlinClassifier(class_weight=dict.fromkeys(factors, 1.0)).fit(X, y)
    np.testing.assert_array_equal(ones.predict_proba(X), plain.predict_proba(X))


def test_balanced_classes_weigh_the_same(seed):
    X, y = make_moons(300, noise=0.3, random_state=seed)
    keep = (y == 0) | (np.arange(300) % 5 == 0)
    X, y = X[keep], y[keep]
    plain = DrumlinClassifier().fit(X, y)
    balanced = DrumlinClassifier(class_weight="balanced").fit(X, y)
    assert (balanced.predict(X) == 1).sum() > (plain.predict(X) == 1).sum()
    assert abs(plain.predict_proba(X)[:, 1].mean() - y.mean()) < 0.02
    assert balanced.predict_proba(X)[:, 1].mean() > y.mean() + 0.02


def test_figures_count_samples_as_they_came(seed):
    """As baselines and errors of test rows do, whatever classes weigh."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((60, 2)), (np.arange(60) < 6).astype(int)
    rows = DrumlinClassifier(class_weight="balanced")._prepared(X, y, None).rows
    scores = np.where(np.arange(60) < 15, -1.0, 1.0)[:, None]  # of rows.labels in any order
    figures = ClassFigures._judged(rows, scores, REFINED)
    assert_close(figures.loo_error, np.mean((scores[:, 0] > 0.0) != rows.labels))
    signs = 2.0 * rows.labels - 1.0
    assert_close(figures.loo_log_loss, np.logaddexp(0.0, -signs * scores[:, 0]).mean())


def test_boosting(moons):
    X, y = moons
    boosted = AdaBoostClassifier(DrumlinClassifier(1), n_estimators=5).fit(X, y)
    assert boosted.score(X, y) >= DrumlinClassifier(1).fit(X, y).score(X, y)


def test_balanced_classes_do_not_make_a_few_samples_many(seed):
    """A class of 30 rows among 1500 buys no more nodes for being weighed as 750."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((1500, 3))
    y = (np.arange(1500) < 30).astype(int)
    X[y == 1, 0] += 2.0
    model = DrumlinClassifier(class_weight="balanced").fit(X, y)
    assert model.n_nodes_ <= 2 + DrumlinClassifier().fit(X, y).n_nodes_
    training, _ = model._prepare(X, y, None)
    assert_close(training.sample(2).class_weights, [1500 / 2 / 1470, 1500 / 2 / 30])
    training, _ = model._prepare(X[[0, 0, 40]], y[[0, 0, 40]], None)
    assert len(training.weight) == 2  # two copies and one
    assert_close(training.sample(2).class_weights, [1.5, 0.75])


@pytest.mark.parametrize("unit", [1.0, 0.5, 0.02])
@pytest.mark.parametrize("scale", [1.0, 0.2, 0.02])
def test_light_classes_are_no_more_samples(scale, unit, seed):
    """Non-regression: with weights of a mean below 1, one row became many copies."""
    X, y = np.random.default_rng(seed).standard_normal((200, 2)), (np.arange(200) < 20).astype(int)
    model = DrumlinClassifier(class_weight={0: scale, 1: 5.0 * scale})
    rows = model._prepared(X, y, np.full(200, unit)).rows
    assert_close(rows.copies, np.ones(200))
    assert_close(rows.left_out, rows.weight)
    assert_close(rows.effective, DrumlinClassifier()._prepared(X, y, None).rows.effective)
    assert_close(rows.weight[rows.labels == 1] / rows.weight[rows.labels == 0][0], np.full(20, 5.0))
    twice = model._prepared(np.repeat(X, 2, axis=0), np.repeat(y, 2), None).rows
    assert_close(twice.copies, np.full(200, 2.0))
    assert_close(twice.left_out, 0.5 * twice.weight)
