"""Means and standard deviations of rows that come in groups."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis.scaling import pooled_moments, stable_moments
from tests.helpers import EXACT, assert_close


@pytest.mark.parametrize("n_first", [1, 30, 49])
def test_moments_of_two_groups_are_those_of_all_rows(n_first, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((50, 3)) * [1.0, 1e200, 1e-200] + [5.0, 0.0, 0.0]
    weight = rng.uniform(0.1, 3.0, 50)

    def moments(rows):
        mean, spread, largest = stable_moments(X[rows], weight[rows])
        return mean * largest, spread * largest

    share = weight[n_first:].sum() / weight.sum()
    found = pooled_moments(moments(slice(n_first)), moments(slice(n_first, None)), share)
    for actual, expected in zip(found, moments(slice(None)), strict=True):
        assert_close(actual / expected, 1.0, EXACT)
