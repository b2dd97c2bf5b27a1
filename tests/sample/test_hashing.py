"""Hashes of rows by their content."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

from drumlin.sample import hashing
from drumlin.sample.hashing import content_hashes, highest_rows, lowest_rows


def rows_of(seed, n=500, d=3):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal((n, 1))


def test_equal_rows_have_equal_hashes_and_others_do_not(seed):
    X, codes = rows_of(seed)
    hashes = content_hashes(X, codes)
    assert hashes.dtype == np.uint64
    assert len(np.unique(hashes)) == len(X)
    np.testing.assert_array_equal(content_hashes(X.copy(), codes.copy()), hashes)
    assert not (content_hashes(X, codes + 1.0) == hashes).any()
    assert not (content_hashes(X[:, ::-1], codes) == hashes).any()  # columns are told apart


def test_a_change_of_one_bit_is_another_row(seed):
    X, codes = rows_of(seed)
    moved = X.copy()
    moved[:, 1] = np.nextafter(X[:, 1], np.inf)
    bits = np.unpackbits((content_hashes(moved, codes) ^ content_hashes(X, codes)).view(np.uint8))
    assert abs(bits.mean() - 0.5) < 0.02  # half of 32000 bits flip, give or take


def test_minus_zero_is_zero():
    zero = np.zeros((1, 2))
    np.testing.assert_array_equal(
        content_hashes(-zero, -zero[:, :1]), content_hashes(zero, zero[:, :1])
    )


@pytest.mark.parametrize("kind", ["numbers", "integers", "one column varies"])
def test_hashes_are_uniform(seed, kind):
    X, codes = rows_of(seed, 4000)
    if kind == "integers":
        X = np.arange(12_000.0).reshape(4000, 3)
    elif kind == "one column varies":
        X = np.column_stack([np.zeros((4000, 2)), np.arange(4000.0)])
        codes = np.zeros((4000, 1))
    shares = content_hashes(X, codes) / 2.0**64
    assert kstest(shares, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("block", [1, 7, 500, 1 << 14])
def test_blocks_do_not_matter(seed, block, monkeypatch):
    X, codes = rows_of(seed)
    expected = content_hashes(X, codes)
    monkeypatch.setattr(hashing, "_BLOCK", block)
    np.testing.assert_array_equal(content_hashes(X, codes), expected)
    np.testing.assert_array_equal(content_hashes(X[::3], codes[::3]), expected[::3])


def test_single_precision_hashes_as_the_numbers_it_holds(seed):
    X, codes = rows_of(seed)
    single = X.astype(np.float32)
    np.testing.assert_array_equal(
        content_hashes(single, codes), content_hashes(single.astype(np.float64), codes)
    )


def test_lowest_rows_come_in_the_order_of_their_hashes(seed):
    X, codes = rows_of(seed)
    hashes = content_hashes(X, codes)
    rows = lowest_rows(hashes, np.zeros(500, np.int64), 40)
    np.testing.assert_array_equal(rows, np.argsort(hashes)[:40])


def test_the_highest_rows_are_other_rows_than_the_lowest(seed):
    rng = np.random.default_rng(seed)
    hashes = rng.integers(0, 2**63, 1000).astype(np.uint64)
    labels = np.append(rng.choice([0, 0, 0, 1], 998), [2, 2])
    high, low = highest_rows(hashes, labels, 300), lowest_rows(hashes, labels, 700)
    assert not set(high) & set(low)
    assert np.sum(labels[high] == 2) == 1  # less than one row of 300, but there are two
    assert not len(highest_rows(hashes[:9], np.arange(9), 5))  # classes of one row
    for k in (0, 1):
        own = np.flatnonzero(labels == k)
        wanted = int(300 * len(own) / 1000)
        assert set(high[labels[high] == k]) == set(own[np.argsort(hashes[own])[-wanted:]])
