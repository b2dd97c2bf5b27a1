"""Named tolerances and small helpers; import with ``from tests.helpers import ...``."""

from __future__ import annotations

import numpy as np

from drumlin.sample import Sample
from drumlin.sample.codes import encode_classes

EXACT = 1e-12  # two backends, same order of operations
IDENTITY = 1e-9  # two ways to compute one quantity
REFERENCE = 1e-6  # another library


def assert_close(actual, expected, tolerance=IDENTITY, *, err_msg=""):
    """Assert |actual - expected| <= tolerance * (1 + |expected|) in every entry."""
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance, err_msg=err_msg)


def sample_of(X, targets, weight=None, n_classes=None):
    """Rows in memory: targets are classes where they are integers, else columns of numbers."""
    targets, weight = np.asarray(targets), np.ones(len(X)) if weight is None else weight
    if targets.dtype.kind == "f":
        codes = targets.reshape(len(X), -1)
        return Sample.of(X, codes, np.zeros(len(X), np.int64), weight, 1)
    n_classes = int(targets.max()) + 1 if n_classes is None else n_classes
    return Sample.of(X, encode_classes(targets, n_classes), targets, weight, n_classes)
