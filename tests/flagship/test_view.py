"""The first view of the inputs: sums over parts are the statistics of the table."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import Standardizer
from drumlin.flagship.view import clip_of_outliers, standardizer
from drumlin.sample import memory
from tests.helpers import EXACT, assert_close, sample_of

CLIP = 3.0


def rows_of(X, weight=None):
    return sample_of(X, np.zeros(len(X)), weight)


def clips_of(X):
    rows = rows_of(X)
    return clip_of_outliers(rows, standardizer(rows), CLIP)


@pytest.mark.parametrize("part_rows", [memory.PART_ROWS, 40])
def test_sums_over_parts_standardise_as_the_whole_table_does(seed, part_rows, monkeypatch):
    monkeypatch.setattr(memory, "PART_ROWS", part_rows)
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((500, 4)) * [1.0, 1e200, 1e-200, 0.0] + [1e3, 0.0, 0.0, 7.0]
    weight = rng.uniform(0.0, 3.0, 500)
    found, expected = standardizer(rows_of(X, weight)), Standardizer.fit(X, weight)
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
    assert np.isfinite(clips).mean() < 0.25  # 10 % expected
