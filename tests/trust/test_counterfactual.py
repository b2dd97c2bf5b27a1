"""The nearest input with another answer, against what is known of it."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin import DrumlinClassifier, DrumlinRegressor, ForwardRBFClassifier
from tests.helpers import assert_close


@pytest.fixture(scope="module")
def table(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((300, 4)) * [1.0, 10.0, 1.0, 0.1]
    X[:, 2] = np.round(3.0 * X[:, 2])
    y = X[:, 0] + X[:, 1] / 10.0 + X[:, 2] / 3.0
    return X, y


@pytest.fixture(scope="module")
def classifier(table):
    X, y = table
    return DrumlinClassifier().fit(X, np.digitize(y, [-1.0, 1.0]))


@pytest.fixture(scope="module")
def regressor(table):
    return DrumlinRegressor().fit(*table)


def check(model, X, told, x):
    """What every answer must keep."""
    assert told.found
    assert told.reason == ""
    np.testing.assert_array_equal(np.flatnonzero(told.x != x), told.changed)
    assert_close(told.distance, np.linalg.norm((told.x - x) / model._seen.spread))
    changed = told.x[told.changed]
    assert (changed >= X.min(axis=0)[told.changed]).all()
    assert (changed <= X.max(axis=0)[told.changed]).all()
    assert told.x[2] == np.round(told.x[2])  # all were whole in training
    assert not model._novelty.is_beyond(told.x[None])[0]


def test_classes(classifier, table):
    X, _ = table
    for x in X[:25]:
        for target in (0, 1, 2):
            told = classifier.counterfactual(x, target)
            check(classifier, X, told, x)
            assert classifier.predict(told.x[None])[0] == target
            assert told.found
            assert (told.distance == 0.0) == (classifier.predict(x[None])[0] == target)


def test_one_input_is_searched_to_the_end(classifier, table):
    """Against a very fine grid."""
    X, _ = table
    for x in X[:10]:
        target = (classifier.predict(x[None])[0] + 1) % 3
        told = classifier.counterfactual(x, target, vary=[0])
        rows = np.tile(x, (20_001, 1))
        rows[:, 0] = np.linspace(X[:, 0].min(), X[:, 0].max(), len(rows))
        good = rows[classifier.predict(rows) == target]
        good = good[~classifier._novelty.is_beyond(good)]
        assert told.found == bool(len(good))
        if told.found:
            nearest = np.abs(good[:, 0] - x[0]).min()
            step = np.ptp(X[:, 0]) / 200
            assert abs(told.x[0] - x[0]) <= nearest + step


def test_few_changes_first_then_distance(classifier, table):
    """No random input with as few changes is nearer; fewer were tried before."""
    X, _ = table
    rng = np.random.default_rng(5)
    for x in X[:6]:
        target = (classifier.predict(x[None])[0] + 1) % 3
        told = classifier.counterfactual(x, target)
        k = len(told.changed)
        rows = np.tile(x, (20_000, 1))
        for row in rows:
            which = rng.choice(4, rng.integers(1, k + 1), replace=False)
            row[which] = X[rng.integers(len(X)), which]
        good = rows[(classifier.predict(rows) == target) & ~classifier._novelty.is_beyond(rows)]
        n_changed = (good != x).sum(axis=1)
        distance = np.linalg.norm((good - x) / classifier._seen.spread, axis=1)
        assert not (n_changed < k).any()
        assert not (distance[n_changed == k] < told.distance * (1.0 - 1e-3)).any()


def test_numbers(regressor, table):
    X, _ = table
    for x in X[:10]:
        now = regressor.predict(x[None])[0]
        up = regressor.counterfactual(x, (now + 1.0, None))
        between = regressor.counterfactual(x, (now - 1.1, now - 1.0))
        check(regressor, X, up, x)
        assert regressor.predict(up.x[None])[0] > now + 1.0
        if between.found:
            check(regressor, X, between, x)
            assert now - 1.1 < regressor.predict(between.x[None])[0] < now - 1.0


def test_limits_are_kept_and_what_is_impossible_said(regressor, table):
    X, y = table
    x = X[np.argmin(np.abs(y))]
    told = regressor.counterfactual(x, (1.0, None), vary=[0, 1], ranges={0: (x[0], x[0] + 0.2)})
    assert set(told.changed) <= {0, 1}
    assert x[0] <= told.x[0] <= x[0] + 0.2
    none = regressor.counterfactual(x, (100.0, None))
    assert not none.found
    assert none.distance == np.inf
    assert "no input was found" in none.reason
    np.testing.assert_array_equal(none.x, x)
    few = regressor.counterfactual(x, (2.5, None), max_changed=1)
    assert not few.found or len(few.changed) == 1


def test_names_and_bad_questions(table):
    import pandas as pd

    X, y = table
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = ForwardRBFClassifier(2.0, max_nodes=5).fit(frame, np.where(y > 0, "up", "down"))
    row = frame.iloc[[0]]
    target = "up" if model.predict(row)[0] == "down" else "down"
    told = model.counterfactual(row, target, vary=["a", "c"], ranges={"a": (-9.0, 9.0)})
    assert set(told.changed) <= {0, 2}
    bad = [
        ({"target": "left"}, r"'target' parameter .* classes \['down', 'up'\]. Got 'left'"),
        ({"vary": ["e"]}, r"'vary' parameter .* names of .*Got 'e'"),
        ({"vary": [7]}, r"'vary' parameter .* numbers below 4"),
        ({"max_changed": 0}, r"'max_changed' parameter .* int >= 1. Got 0"),
        ({"ranges": {"a": (1.0, 0.0)}}, r"'ranges' parameter .* the lower first"),
        ({"ranges": {"a": (100.0, 200.0)}}, r"'ranges' parameter .* overlap with the training"),
    ]
    for given, match in bad:
        given = {"target": target, **given}
        with pytest.raises(ValueError, match=match):
            model.counterfactual(row, **given)
    with pytest.raises(ValueError, match=r"'x' parameter .* one row. Got 2"):
        model.counterfactual(frame.iloc[:2], target)


def test_several_outputs_and_bad_targets_are_refused(regressor, table):
    X, y = table
    for target in (1.0, (2.0, 1.0), (None, None), ("a", "b")):
        with pytest.raises(ValueError, match=r"'target' parameter .* pair of numbers"):
            regressor.counterfactual(X[0], target)
    several = DrumlinRegressor(max_nodes=3).fit(X[:60], np.column_stack([y, -y])[:60])
    with pytest.raises(ValueError, match=r"one output. Got 2"):
        several.counterfactual(X[0], (1.0, None))


def test_an_input_may_have_one_other_value(regressor, table):
    """Non-regression: an input with a single allowed value was not tried."""
    X, _ = table
    x = X[np.argsort(X[:, 2])[len(X) // 2]]
    moved = x + np.eye(4)[2]  # whole numbers
    assert regressor.novelty(moved[None])[0] < 1.0
    before, after = regressor.predict(np.array([x, moved]))
    middle = 0.5 * (before + after)
    wanted = (middle, None) if after > before else (None, middle)
    only = (moved[2] - 0.5, moved[2] + 0.5)
    told = regressor.counterfactual(x, wanted, vary=[2], ranges={2: only})
    assert told.found
    np.testing.assert_array_equal(told.x, moved)
