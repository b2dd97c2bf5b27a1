"""The linear projection of wide tables: leave-one-out identities, and when it is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from drumlin.flagship import Recipe
from drumlin.flagship.projection import find_projection, is_wide, ridge_projection
from drumlin.flagship.start import find_start, variance
from drumlin.sample import Sample
from tests.helpers import IDENTITY, assert_close

RULE = Recipe().projection
ONE = replace(RULE, decades=(np.log10(0.5), np.log10(0.5), 1.0))
"""Only one penalty, .5 in units of the mean squared distance, so that refits know it."""


def wide_sample(seed, n=30, d=40, n_outputs=1, signal=1.0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    Z = rng.standard_normal((n, d))
    Z[:, :10] += signal * (2.0 * labels[:, None] - 1.0)
    targets = 2.0 * labels[:, None] - 1.0 + 0.1 * rng.standard_normal((n, n_outputs))
    return Sample.of(Z, targets, labels, np.ones(n), 2)


def found_in(sample, start=None):
    """What a fit does: no projection where the table is not wide."""
    return find_projection(sample, start, RULE) if is_wide(sample, RULE) else None


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("d", [5, 40])
def test_leave_one_out_is_refitting(seed, d, n_outputs):
    sample = wide_sample(seed, d=max(d, 10), n_outputs=n_outputs).through(lambda X: X[:, :d])
    Z, y = sample.X, sample.codes
    alpha = 0.5 * Z.var(axis=0).sum()
    found = ridge_projection(sample, ONE)
    assert_close(found.matrix.T, np.atleast_2d(Ridge(alpha=alpha).fit(Z, y).coef_))
    shift = y.mean(axis=0) - Z.mean(axis=0) @ found.matrix
    for i in range(len(Z)):
        rest = np.delete(np.arange(len(Z)), i)
        answer = Ridge(alpha=alpha).fit(Z[rest], y[rest]).predict(Z[i : i + 1]).reshape(-1)
        assert_close(found.scores[i] + shift, answer)
        assert_close(found.errors[i], ((y[i] - answer) ** 2).sum())


def test_integer_weights_are_copies(seed):
    sample = wide_sample(seed)
    times = 1 + np.arange(30) % 3
    rows = np.repeat(np.arange(30), times)
    weighted = ridge_projection(replace(sample, weight=times.astype(float)), RULE)
    copied = ridge_projection(sample.take(rows), RULE)
    assert_close(copied.matrix, weighted.matrix)
    assert_close(copied.scores, weighted.scores[rows])
    assert_close(copied.errors, weighted.errors[rows])


def test_it_is_taken_where_it_is_clearly_better(seed):
    sample = wide_sample(seed, n=60, d=200)
    found = found_in(sample, find_start(sample, Recipe().start))
    assert found is not None
    assert found.matrix.shape == (200, 1)
    hits = (found.scores[:, 0] > np.median(found.scores)) == sample.labels
    assert hits.mean() > 0.8


def test_the_rows_are_seen_by_their_scores(seed):
    sample = wide_sample(seed, n=60, d=200)
    seen = found_in(sample).of(sample)
    np.testing.assert_array_equal(seen.X, found_in(sample).scores)
    np.testing.assert_array_equal(seen.labels, sample.labels)


def test_it_is_not_taken_for_noise_or_narrow_tables(seed):
    noise = wide_sample(seed, n=60, d=200, signal=0.0)
    assert found_in(noise) is None
    narrow = wide_sample(seed, n=120, d=12)
    errors = ridge_projection(narrow, RULE).errors
    assert errors.mean() < 0.8 * variance(narrow)  # it would be better
    assert found_in(narrow) is None
    assert found_in(wide_sample(seed, n=4, d=20)) is None
    few = replace(RULE, rows=(5, 50))
    assert not is_wide(noise, few)
    assert is_wide(noise, RULE)


def test_constant_inputs(seed):
    sample = wide_sample(seed).through(np.zeros_like)
    found = ridge_projection(sample, RULE)
    assert np.isfinite(found.scores).all()
    assert_close(found.matrix, np.zeros_like(found.matrix), IDENTITY)
    assert found_in(sample) is None
