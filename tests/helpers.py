"""Named tolerances and small helpers; import with ``from tests.helpers import ...``."""

from __future__ import annotations

import numpy as np

EXACT = 1e-12  # two backends, same order of operations
IDENTITY = 1e-9  # two ways to compute one quantity
REFERENCE = 1e-6  # another library


def assert_close(actual, expected, tolerance=IDENTITY, *, err_msg=""):
    """Assert |actual - expected| <= tolerance * (1 + |expected|) in every entry."""
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance, err_msg=err_msg)
