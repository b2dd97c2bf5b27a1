"""The tree that joins the values of parts: the same whoever has which of them."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.sample.parts import branches, joined_branches, tree_joined


@pytest.mark.parametrize("n_parts", [0, 1, 2, 3, 7, 32])
@pytest.mark.parametrize("n_workers", [1, 2, 3])
def test_whoever_joins_the_result_is_the_same(n_parts, n_workers, seed):
    rng = np.random.default_rng(seed)
    values = [None if rng.random() < 0.1 else rng.standard_normal() for _ in range(n_parts)]
    owners = rng.integers(0, n_workers, n_parts)
    known = {}
    for worker in range(n_workers):
        own = {i: values[i] for i in range(n_parts) if owners[i] == worker}
        known |= branches(own, n_parts, lambda a, b: a + b)
    expected = tree_joined(values, lambda a, b: a + b)
    assert joined_branches(known, n_parts, lambda a, b: a + b) == expected
    there = [value for value in values if value is not None]
    if there:
        assert expected == pytest.approx(sum(there))
    else:
        assert expected is None


def test_order_is_kept():
    assert tree_joined([[i] for i in range(7)], list.__add__) == list(range(7))


def test_neighbours_are_one_branch():
    halves = [{i: 1.0 for i in range(start, start + 16)} for start in (0, 16)]
    assert branches(halves[0], 32, float.__add__) == {(0, 16): 16.0}
    assert branches(halves[1], 32, float.__add__) == {(16, 32): 16.0}
