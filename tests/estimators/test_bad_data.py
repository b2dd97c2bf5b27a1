"""Bad tables, weights and classes are refused by every estimator, by name, rule and value."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import is_classifier

from drumlin import estimators
from tests.estimators.tables import spoiled

KINDS = [getattr(estimators, name) for name in estimators.__all__]
CLASSIFIERS = [kind for kind in KINDS if is_classifier(kind())]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture(params=CLASSIFIERS, ids=lambda kind: kind.__name__)
def classifier(request):
    return request.param


@pytest.mark.parametrize(
    "spoil, error, message",
    [
        (lambda X, y: (spoiled(X, np.nan), y), ValueError, "Input X contains NaN"),
        (lambda X, y: (spoiled(X, -np.inf), y), ValueError, "Input X contains infinity"),
        (lambda X, y: (X, spoiled(y, np.nan)), ValueError, "Input y contains NaN"),
        (lambda X, y: (X, spoiled(y, np.inf)), ValueError, "Input y contains infinity"),
        (lambda X, y: (X[:0], y[:0]), ValueError, r"0 sample\(s\)"),
        (lambda X, y: (X[:, :0], y), ValueError, r"0 feature\(s\)"),
        (lambda X, y: (X[:, 0], y), ValueError, "Expected 2D array, got 1D"),
        (lambda X, y: (X[:, :, None], y), ValueError, "dim 3"),
        (lambda X, y: (X, y[:-1]), ValueError, r"inconsistent numbers of samples: \[80, 79\]"),
        (lambda X, y: (X, None), ValueError, "requires y"),
        (lambda X, y: (X, np.zeros((len(X), 2, 2))), ValueError, "y should be a 1d array|dim 3"),
        (lambda X, y: (X.astype(str).astype(object) + "a", y), ValueError, "could not convert"),
        (lambda X, y: (X * 1j, y), ValueError, "Complex data"),
        (lambda X, y: (sp.csr_array(X), y), TypeError, "Sparse data was passed for X"),
    ],
)
def test_bad_data(kind, spoil, error, message, moons):
    with pytest.raises(error, match=message):
        kind().fit(*spoil(*moons))


@pytest.mark.parametrize("y", [np.full(80, 3), np.full(80, "only")], ids=["number", "word"])
def test_one_class(classifier, y, moons):
    with pytest.raises(ValueError, match=r"at least two classes in 'y'.*Got 1 class: \["):
        classifier().fit(moons[0], y)


def test_continuous_labels(classifier, moons):
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        classifier().fit(moons[0], moons[0][:, 0])


@pytest.mark.parametrize(
    "weight, message",
    [
        (np.zeros(80), r"'sample_weight' parameter .* not all zero. Got numbers from 0 to 0"),
        (np.linspace(-2, 3, 80), r"'sample_weight' .* not negative .* Got numbers from -2 to 3"),
        (np.full(80, np.nan), "sample_weight contains NaN"),
        (np.full(80, np.inf), "sample_weight contains infinity"),
        (np.ones(79), r"sample_weight.shape == \(79,\), expected \(80,\)"),
        (np.ones((80, 2)), "must be 1D array or scalar, got 2D"),
    ],
)
def test_bad_weights(kind, weight, message, moons):
    with pytest.raises(ValueError, match=message):
        kind().fit(*moons, sample_weight=weight)


@pytest.mark.parametrize(
    "class_weight, message",
    [
        ({0: 1.0, 1: -2.0}, r"'class_weight' parameter .* not negative. Got \{0: 1.0, 1: -2.0\}"),
        ({0: 1.0, 1: np.nan}, "'class_weight' parameter .* finite"),
        ({0: 1.0, 1: np.inf}, "'class_weight' parameter .* finite"),
        ({0: 1.0, 5: 1.0}, r"The classes, \[1\], are not in class_weight"),
        ({0: 1.0, 1: 0.0}, r"at least two classes in 'y'.*Got 1 class: \[0\]"),
        ({0: 0.0, 1: 0.0}, r"at least two classes in 'y'.*Got 0 class: \[\]"),
        ("heavy", "'class_weight' parameter .* Got 'heavy'"),
    ],
)
def test_bad_class_weights(classifier, class_weight, message, moons):
    with pytest.raises(ValueError, match=message):
        classifier(class_weight=class_weight).fit(*moons)
