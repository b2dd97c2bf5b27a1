"""Many-valued categories: shrunk means that do not know their own row."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from drumlin import TableEncoder
from drumlin.tables.statistics import Targets, out_of_fold, shrunk_means
from tests.helpers import assert_close


def test_shrunk_means_are_those_of_the_formula():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 12, 300)
    values = (rng.normal(0.0, 1.0, 12)[groups] + rng.normal(0.0, 0.5, 300))[:, None]
    made = shrunk_means(groups, values, 13)
    n, k, mean = 300, 12, values.mean()
    sizes = np.array([(groups == i).sum() for i in range(12)])
    means = np.array([values[groups == i].mean() for i in range(12)])
    within = sum(((values[groups == i] - means[i]) ** 2).sum() for i in range(12)) / (n - k)
    between = (sizes * (means - mean) ** 2).sum() / (k - 1)
    effect = (between - within) / ((n - (sizes**2).sum() / n) / (k - 1))
    assert_close(made[:12, 0], mean + sizes / (sizes + within / effect) * (means - mean))
    assert_close(made[12:, 0], [mean, mean])  # no rows, and nobody knows


def test_no_effect_no_difference():
    rng = np.random.default_rng(1)
    groups, values = np.arange(400) % 40, rng.permutation(np.repeat([0.0, 1.0], 200))[:, None]
    balanced = np.tile([0.0, 1.0], 200)[:, None]
    assert (shrunk_means(np.arange(400) // 10, balanced, 40) == 0.5).all()
    spread = np.ptp(shrunk_means(groups, values, 40))
    assert spread < 0.3 * np.ptp([values[groups == g].mean() for g in range(40)])


def test_rows_have_the_figures_of_other_folds():
    rng = np.random.default_rng(2)
    groups, y = rng.integers(0, 6, 90), rng.choice(["a", "b", "c"], 90)
    targets = Targets.of(y, "auto")
    made, folds = out_of_fold(groups, targets, 6), targets.folds()
    for fold in range(5):
        others = folds != fold
        means = shrunk_means(groups[others], targets.values[others], 6)
        np.testing.assert_array_equal(made[~others], means[groups[~others]])
        for label in "abc":  # every class in every fold, as evenly as can be
            assert abs((y[~others] == label).sum() - (y == label).sum() / 5) <= 1.0


@pytest.mark.parametrize("seed", range(3))
def test_random_labels_are_not_leaked(seed):
    """Three texts of five rows each say nothing; their own means would tell the labels apart."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"c": [f"t{i}" for i in rng.permutation(np.arange(600) % 100)]})
    y = rng.integers(0, 2, 600)
    encoder = TableEncoder()
    Z = encoder.fit_transform(frame, y)
    own = pd.Series(y).groupby(frame["c"].to_numpy()).transform("mean")
    assert roc_auc_score(y, own) > 0.65  # what a leak looks like
    assert abs(roc_auc_score(y, Z[:, 0]) - 0.5) < 0.08
    assert LogisticRegression().fit(Z, y).score(Z, y) < 0.57


def test_what_categories_tell_is_kept():
    rng = np.random.default_rng(3)
    effect = rng.normal(0.0, 2.0, 60)
    shop = rng.integers(0, 60, 1200)
    y = (rng.logistic(size=1200) < effect[shop]).astype(int)
    frame = pd.DataFrame({"shop": [f"s{i}" for i in shop]})
    encoder = TableEncoder().fit(frame[:900], y[:900])
    assert roc_auc_score(y[900:], encoder.transform(frame[900:])[:, 0]) > 0.8


def test_names_of_statistics():
    frame = pd.DataFrame({"c": [f"t{i % 30}" for i in range(300)]})
    rng = np.random.default_rng(0)
    number, label = rng.normal(size=300), rng.choice(["x", "y", "z"], 300)
    for y, names in (
        (number, ["c (mean target)"]),
        (np.column_stack([number, -number]), ["c (mean target 0)", "c (mean target 1)"]),
        (label, ["c (share of x)", "c (share of y)", "c (share of z)"]),
        (label == "x", ["c (share of True)"]),
    ):
        assert list(TableEncoder().fit(frame, y).get_feature_names_out()) == names
    whole = np.arange(300)
    fitted = TableEncoder(target="numbers").fit(frame, whole)
    assert list(fitted.get_feature_names_out()) == ["c (mean target)"]
    assert len(TableEncoder().fit(frame).get_feature_names_out()) == 20  # no targets: pooled


def test_classes_of_several_outputs_are_told_apart():
    frame = pd.DataFrame({"c": [f"t{i % 30}" for i in range(300)]})
    rng = np.random.default_rng(0)
    y = np.column_stack([rng.integers(0, 2, 300), rng.integers(0, 3, 300)])
    both = TableEncoder().fit(frame, y)
    assert list(both.get_feature_names_out()) == [
        f"c (share of {label})" for label in ("1 in 0", "0 in 1", "1 in 1", "2 in 1")
    ]
    alone = [TableEncoder().fit(frame, column).transform(frame) for column in y.T]
    np.testing.assert_array_equal(both.transform(frame), np.hstack(alone))
    assert both.fit_transform(frame, y).shape == (300, 4)
    np.testing.assert_array_equal(
        TableEncoder().fit_transform(frame, y[:, :1]), TableEncoder().fit_transform(frame, y[:, 0])
    )
