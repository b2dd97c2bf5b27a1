"""The first view of the inputs: sums over parts are the statistics of the table."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import InputMap, Standardizer
from drumlin.flagship.recipe import ViewRule
from drumlin.flagship.view import clip_of_outliers, standardizer, usual_range
from drumlin.sample import memory
from tests.helpers import EXACT, assert_close, sample_of

CLIP = 3.0
RULE = ViewRule()


def rows_of(X, weight=None):
    return sample_of(X, np.zeros(len(X)), weight)


def clips_of(X):
    rows = rows_of(X)
    return clip_of_outliers(rows, InputMap(standardizer(rows, RULE), np.inf), CLIP)


@pytest.mark.parametrize("part_rows", [memory.PART_ROWS, 40])
def test_sums_over_parts_standardise_as_the_whole_table_does(seed, part_rows, monkeypatch):
    monkeypatch.setattr(memory, "PART_ROWS", part_rows)
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((500, 4)) * [1.0, 1e200, 1e-200, 0.0] + [1e3, 0.0, 0.0, 7.0]
    weight = rng.uniform(0.0, 3.0, 500)
    found, expected = standardizer(rows_of(X, weight), RULE), Standardizer.fit(X, weight)
    assert_close(found.shift / expected.shift, 1.0, EXACT)
    varies = np.isfinite(expected.scale)
    assert_close(found.scale[varies] / expected.scale[varies], 1.0, EXACT)
    np.testing.assert_array_equal(varies, [True, True, True, False])
    assert np.isinf(found.scale[~varies]).all()


def test_only_columns_with_outliers_are_clipped(seed):
    rng = np.random.default_rng(seed)
    X = np.c_[rng.uniform(size=500), rng.standard_cauchy(500), np.ones(500), rng.uniform(size=500)]
    X[7, 3] = 20.0
    np.testing.assert_array_equal(clips_of(X), [np.inf, CLIP, np.inf, CLIP])


def test_normal_columns_hardly_ever_count_as_outliers(seed):
    clips = clips_of(np.random.default_rng(seed).standard_normal((500, 100)))
    assert np.isfinite(clips).mean() < 0.02  # one in a thousand expected


def test_wild_entries_do_not_set_the_scale(seed):
    """They count as if at the edge; a column that is mostly one value has no middle."""
    rng = np.random.default_rng(seed)
    X = np.c_[rng.standard_normal((20_000, 2)), rng.random(20_000) < 0.02]
    usual = standardizer(rows_of(X), RULE)
    assert_close(usual.scale, X.std(axis=0), EXACT)
    wild = X.copy()
    wild[3, 0], wild[4, 2] = 1e6, 1e6
    found = standardizer(rows_of(wild), RULE)
    assert 0.9 < found.scale[0] / usual.scale[0] < 1.5
    assert found.scale[1] == usual.scale[1]
    assert found.scale[2] > 1e3


def test_the_usual_range_counts_weights_as_copies(seed):
    rng = np.random.default_rng(seed)
    X, counts = rng.standard_normal((200, 2)), rng.integers(1, 5, 200)
    weighted = usual_range(rows_of(X, counts.astype(float)), 10.0)
    repeated = usual_range(rows_of(np.repeat(X, counts, axis=0)), 10.0)
    assert_close(np.array(weighted), np.array(repeated))
    low, high = np.quantile(
        np.repeat(X, counts, axis=0), [0.05, 0.95], axis=0, method="inverted_cdf"
    )
    spread = 10.0 / 3.29 * (high - low)
    assert_close(np.array(weighted), np.array([low - spread, high + spread]))


def test_columns_of_any_size_have_a_range():
    X = np.array([[-1e308, 0.0], [1e308, 5e-324], [0.0, 1e-320]])
    low, high = usual_range(rows_of(X), 10.0)
    assert np.all(low <= X.min(axis=0))
    assert np.all(high >= X.max(axis=0))
