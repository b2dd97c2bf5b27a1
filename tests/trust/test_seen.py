"""What a model remembers of its inputs is of samples, whatever their classes weigh."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from sklearn.base import is_classifier

from drumlin import DrumlinClassifier, RBFNetworkClassifier, estimators
from drumlin.novelty import Novelty
from tests.helpers import assert_close
from tests.small import make_table, use_small_recipe

WEIGHTED = [
    cls
    for cls in (getattr(estimators, name) for name in estimators.__all__)
    if is_classifier(cls()) and "class_weight" in inspect.signature(cls).parameters
]
HEAVY = {0: 1.0, 1: 20.0}


def two_classes(seed):
    """Classes in different places, one of them rare."""
    rng = np.random.default_rng(seed)
    y = (np.arange(60) % 4 == 0).astype(int)
    return rng.standard_normal((60, 2)) + 3.0 * y[:, None], y


def assert_seen(seen, X):
    assert_close(seen.mean, X.mean(axis=0))
    assert_close(seen.spread, X.std(axis=0))
    np.testing.assert_array_equal(seen.low, X.min(axis=0))
    np.testing.assert_array_equal(seen.high, X.max(axis=0))


@pytest.mark.parametrize("cls", WEIGHTED, ids=lambda cls: cls.__name__)
def test_class_weights_do_not_change_what_was_seen(cls, seed):
    X, y = two_classes(seed)
    model = cls(class_weight=HEAVY).fit(X, y)
    assert_seen(model._seen, X)
    distances = Novelty.of(model.network_, X, np.ones(len(X))).quantiles
    np.testing.assert_array_equal(model._distance_quantiles, distances)


def test_class_weights_do_not_change_what_a_stream_has_seen(seed):
    X, y = two_classes(seed)
    model = RBFNetworkClassifier(4, class_weight=HEAVY)
    for rows in (slice(20), slice(20, 31), slice(31, 32), slice(32, 60)):
        model.partial_fit(X[rows], y[rows], classes=[0, 1])
    assert_seen(model._seen, X)


def test_ranges_are_those_of_all_rows(monkeypatch):
    """A draw need not have the extremes."""
    use_small_recipe(monkeypatch)
    X, y, _ = make_table("classes")
    X[[3, 4], 0] = -40.0, 60.0
    model = DrumlinClassifier(max_nodes=2).fit(X, y)
    seen = model._seen
    np.testing.assert_array_equal([seen.low, seen.high], [X.min(axis=0), X.max(axis=0)])
