"""Cholesky factors of matrices that are singular to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.linear.factors import cholesky_factor
from tests.helpers import assert_close


def singular(seed):
    half = np.random.default_rng(seed).standard_normal((3, 6))
    return half.T @ half


def test_a_regular_matrix_is_factored_as_it_is(seed):
    matrix = singular(seed) + np.eye(6)
    np.testing.assert_array_equal(cholesky_factor(matrix), np.linalg.cholesky(matrix))


@pytest.mark.parametrize("unit", [1.0, 1e12, 1e-200])
def test_a_singular_matrix_is_hardly_changed(unit, seed):
    matrix = unit * (singular(seed) - 1e-13 * np.eye(6))
    factor = cholesky_factor(matrix)
    assert_close(factor @ factor.T / unit, matrix / unit)


def test_units_of_the_variables_do_not_matter(seed):
    """A small entry of the diagonal is not drowned by what a large one needs."""
    matrix = np.zeros((7, 7))
    matrix[:6, :6], matrix[6, 6] = 1e20 * (singular(seed) - 1e-13 * np.eye(6)), 1e-6
    assert_close(cholesky_factor(matrix)[6, 6] ** 2 / 1e-6, 1.0)


def test_a_negative_matrix_is_refused():
    with pytest.raises(np.linalg.LinAlgError):
        cholesky_factor(-np.eye(2))
