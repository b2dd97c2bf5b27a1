"""Rows in an order of their own, and the median in which weights are copies."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.sample import canonical_order, merge_rows, weighted_median
from tests.helpers import assert_close


def test_weighted_median_counts_weights_as_copies(seed):
    rng = np.random.default_rng(seed)
    values, counts = rng.random(20), rng.integers(1, 5, 20)
    expected = np.median(np.repeat(values, counts))
    assert_close(weighted_median(values, counts.astype(float)), expected)
    assert weighted_median(values, np.ones(20)) == np.median(values)


@pytest.mark.parametrize("n_values", [2, 5, 1000])
def test_the_canonical_order_is_that_of_lexsort(seed, n_values):
    columns = list(np.random.default_rng(seed).integers(0, n_values, (3, 200)))
    order, first = canonical_order(columns)
    np.testing.assert_array_equal(order, np.lexsort(columns[::-1]))
    rows = np.column_stack(columns)[order]
    differs = np.append(True, (rows[1:] != rows[:-1]).any(axis=1))
    np.testing.assert_array_equal(first, np.flatnonzero(differs))


def test_merged_rows_have_the_weight_of_their_copies(seed):
    rng = np.random.default_rng(seed)
    rows, weight = rng.integers(0, 3, (100, 2)), rng.random(100)
    kept, merged = merge_rows([*rows.T], weight)
    assert len(np.unique(rows[kept], axis=0)) == len(kept) == len(np.unique(rows, axis=0))
    for row, total in zip(rows[kept], merged, strict=True):
        assert_close(total, weight[(rows == row).all(axis=1)].sum())
    shuffled = rng.permutation(100)
    again, _ = merge_rows([*rows[shuffled].T], weight[shuffled])
    np.testing.assert_array_equal(rows[shuffled][again], rows[kept])
