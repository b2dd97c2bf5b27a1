"""Inputs near the largest number there is: no overflow, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import is_classifier

import drumlin.estimators
from tests.backends import HERE, running_on
from tests.robustness.small_problems import KINDS, Problem, verdict

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def table(model, scale):
    """Twenty rows of a scale, with signal."""
    X = np.clip(np.random.default_rng(0).standard_normal((20, 2)), -1.0, 1.0)
    score = X[:, 0] + X[:, 1] ** 2
    return X * scale, (score > 0.5).astype(int) if is_classifier(model) else score


@pytest.mark.parametrize("backend", HERE)
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("scale", [1e-300, 1e300, 4e307])
def test_inputs_of_any_size(scale, standardize, name, backend):
    """Warnings are errors here."""
    model = getattr(drumlin.estimators, name)()
    if "standardize" in model.get_params():
        model.set_params(standardize=standardize)
    elif not standardize:
        pytest.skip("always standardises")
    X, y = table(model, scale)
    with running_on(backend):
        kind, text = verdict(model, Problem(X, y, X, None))
    beyond = not standardize and scale > 1e300
    assert kind == ("refused" if beyond else "fine"), text


@pytest.mark.parametrize("name", KINDS)
def test_larger_ones_are_refused(name):
    model = getattr(drumlin.estimators, name)()
    X, y = table(model, 1.7e308)
    with pytest.raises(ValueError, match=rf"'X' of {name}.fit must hold numbers of size at most"):
        model.fit(X, y)
    if not is_classifier(model):
        with pytest.raises(ValueError, match="'y' of"):
            model.fit(X / 1e308, y / np.abs(y).max() * 1.7e308)


@pytest.mark.parametrize("name", KINDS)
def test_answers_far_from_all_samples(name):
    model = getattr(drumlin.estimators, name)()
    X, y = table(model, 1.0)
    far = np.array([[1e300, 1.0], [-1e300, 1e300], [1.7e308, -1.7e308], [1.7e308, 1.7e308]])
    assert verdict(model, Problem(X, y, np.vstack([X, far]), None)) == ("fine", "")
