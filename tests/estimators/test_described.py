"""What is exact of a flagship model (``network_``), and what describes it (``centers_`` ...)."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.flagship.description import FLAT
from tests.helpers import assert_close

PAGE = Path(__file__).parents[2] / "docs" / "reading-a-model.md"


def blocks():
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)


@pytest.fixture(scope="module")
def scores():
    """The function of the page that rebuilds scores."""
    names: dict = {}
    exec(blocks()[0], names)
    return names["scores"]


def outliers():
    """Prices of houses, nearly: inputs with long tails, one of which nobody needs."""
    rng = np.random.default_rng(0)
    area, age, noise = np.exp(7.0 + 0.4 * rng.normal(size=(3, 300)))
    area[:3] *= 8.0
    X = np.column_stack([area, age, noise])
    return X, np.log(area) - 0.1 * np.log(age) + 0.05 * rng.normal(size=300)


CASES = {
    "breast cancer": (DrumlinClassifier, lambda: load_breast_cancer(return_X_y=True)),
    "iris": (DrumlinClassifier, lambda: load_iris(return_X_y=True)),
    "outliers": (DrumlinRegressor, outliers),
    "classes of outliers": (DrumlinClassifier, lambda: (outliers()[0], outliers()[1] > 6.3)),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    cls, data = CASES[request.param]
    X, y = data()
    return cls().fit(X, y), X


def test_the_page_runs():
    names: dict = {}
    for block in blocks():
        exec(block, names)
    assert len(blocks()) == 3


def test_scores_are_rebuilt_from_the_network(case, scores):
    model, X = case
    far = X.mean(axis=0) + 20.0 * X.std(axis=0)
    rows = np.vstack([X, far])
    assert_close(scores(model.network_, rows), model.network_(rows), 1e-9)


def test_centers_are_within_the_training_data(case):
    model, X = case
    low, high = X.min(axis=0), X.max(axis=0)
    assert model.n_nodes_ > 0
    for m in (model, model.truncate(1)):
        assert m.centers_.shape == (m.n_nodes_, X.shape[1])
        assert ((m.centers_ >= low) & (m.centers_ <= high)).all()


def test_widths_are_some_ranges_of_the_training_data_or_infinite(case):
    model, X = case
    finite = np.isfinite(model.widths_)
    assert (model.widths_ > 0.0).all()
    assert (model.widths_ <= FLAT * np.ptp(X, axis=0))[finite].all()
    assert finite.any()


def test_a_center_beyond_the_clip_is_shown_at_the_edge_of_the_data(case):
    """What was printed as 1.1e6 +- 1e12."""
    model, X = case
    model.network_.nodes.centers[0] += 100.0
    try:
        centers, widths = model.centers_[0], model.widths_[0]
    finally:
        model.network_.nodes.centers[0] -= 100.0
    assert ((centers >= X.min(axis=0)) & (centers <= X.max(axis=0))).all()
    assert (np.isinf(widths) | (widths <= FLAT * np.ptp(X, axis=0))).all()


def test_infinite_widths_mean_that_an_input_is_ignored():
    """Along an input of infinite width, over the data's range, a node hardly changes."""
    X, y = outliers()
    model = DrumlinRegressor(max_nodes=2).fit(X, y)
    assert np.isfinite(model.widths_[:, 0]).all()  # of outliers, on which the target depends
    edges = np.tile(X.mean(axis=0), (2, 1))
    edges[:, 2] = X[:, 2].min(), X[:, 2].max()
    first, last = model.network_.mapped(edges)[:, 2]
    for factor, ignored in ((9.9, False), (10.1, True)):
        model.network_.nodes.widths[:, 2] = factor * (last - first)
        model.network_.nodes.centers[:, 2] = first
        assert np.isinf(model.widths_[:, 2]).all() == ignored
        activations = model.network_.activations(edges)
        assert (activations[:, 1] / activations[:, 0] > 0.995).all() == ignored


def test_unfitted_models_have_no_nodes():
    assert not hasattr(DrumlinClassifier(), "centers_")
    assert not hasattr(DrumlinRegressor(), "widths_")
