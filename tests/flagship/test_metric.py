"""Metrics in which nodes start round."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.flagship import Recipe
from drumlin.flagship.metric import Metric, metrics, whitener
from tests.helpers import assert_close, sample_of
from tests.selection.problems import three_blobs

RULE = Recipe().start


def test_whitener_whitens_within_classes(seed):
    X, labels = three_blobs(seed)
    X = X @ np.array([[3.0, 1.0, 0.0], [0.0, 1.0, 0.2], [0.0, 0.0, 0.1]])
    sample = sample_of(X, labels)
    Y = X @ whitener(sample, 0.0)
    within = np.concatenate([Y[labels == k] - Y[labels == k].mean(axis=0) for k in range(3)])
    assert_close(within.T @ within / len(X), np.eye(3))
    round_one = whitener(sample, 1.0)
    assert_close(round_one, round_one[0, 0] * np.eye(3))
    assert whitener(sample_of(np.ones_like(X), labels), 0.5) is None


def test_whitened_metrics_are_for_classes_with_samples_enough(seed):
    X, labels = three_blobs(seed)
    plain, *whitened = metrics(sample_of(X, labels), RULE)
    assert plain == Metric()
    assert len(whitened) == len(RULE.shrinkage)
    assert list(metrics(sample_of(X, labels.astype(float)), RULE)) == [Metric()]
    few = np.r_[0, 1, 2, np.arange(3, 11)]  # eleven samples of three inputs: more than a quarter
    assert list(metrics(sample_of(X[few], labels[few], n_classes=3), RULE)) == [Metric()]


@pytest.mark.parametrize("shrinkage", [0.5, 0.05])
def test_the_handicap_grows_with_what_was_learned(seed, shrinkage):
    X, labels = three_blobs(seed)
    sample = sample_of(X, labels)
    whitened = list(metrics(sample, RULE))[1 + RULE.shrinkage.index(shrinkage)]
    assert_close(whitened.matrix, whitener(sample, shrinkage))
    assert_close(whitened.handicap(sample), 0.1 + (1.0 - shrinkage) * 3 / sample.effective)
    assert Metric().handicap(sample) == 0.0
    assert_close(whitened(X), X @ whitened.matrix)
    assert Metric()(X) is X
