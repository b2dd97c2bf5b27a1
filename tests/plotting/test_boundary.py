"""Boundaries and receptive fields say what the model does."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from drumlin import DrumlinClassifier, DrumlinRegressor, ForwardRBFClassifier, ForwardRBFRegressor
from drumlin.plotting import BoundaryDisplay
from tests.helpers import IDENTITY, assert_close


def grid_rows(display):
    return np.column_stack([display.surface.xx0.ravel(), display.surface.xx1.ravel()])


def outlines(display):
    """Vertices of the receptive fields that were drawn, one array per node."""
    contours = [c for c in display.ax_.collections if hasattr(c, "levels") and not c.filled]
    fields = [c for c in contours if list(c.levels) == [display.level]]
    return [np.concatenate([path.vertices for path in c.get_paths()]) for c in fields]


def test_surface_is_the_probability(flagship, moons):
    display = BoundaryDisplay.from_estimator(flagship, *moons, grid_resolution=20)
    expected = flagship.predict_proba(grid_rows(display))[:, 1].reshape(20, 20)
    assert_close(display.surface.response, expected)
    assert display.ax_ is display.figure_.axes[0]


def test_fields_of_a_plain_gaussian_are_ellipses_at_half_height(moons):
    X, y = moons
    X = X * [1.0, 50.0]  # units matter
    model = ForwardRBFClassifier(max_nodes=3).fit(X, y)
    display = BoundaryDisplay.from_estimator(model, X, y, grid_resolution=200)
    half_height = 2.0 * np.log(2.0)  # exp(-r2 / 2) = 1/2
    fields = [display.activations[j] for j in range(model.n_nodes_)]
    for j, field in enumerate(fields):
        r2 = (((grid_rows(display) - model.centers_[j]) / model.widths_[j]) ** 2).sum(axis=1)
        np.testing.assert_array_equal(field.ravel() >= 0.5, r2 <= half_height)


def test_drawn_outlines_follow_one_node_each_where_space_is_bent(flagship, moons):
    display = BoundaryDisplay.from_estimator(flagship, *moons, level=0.4)
    assert flagship.network_.inputs is not None
    drawn = outlines(display)
    assert len(drawn) >= flagship.n_nodes_ - 2  # some may lie outside the picture
    for vertices in drawn:
        distance = np.abs(flagship.network_.activations(vertices) - 0.4).max(axis=1)
        assert distance.min() < 0.01  # contours are straight between points of the grid


def test_plane_of_two_features_holds_the_others_at_their_medians(iris_model, iris):
    X, y = iris
    pair = ["petal width (cm)", "sepal length (cm)"]
    display = BoundaryDisplay.from_estimator(iris_model, X, y, features=pair, grid_resolution=10)
    rows = pd.DataFrame(np.tile(X.median(), (100, 1)), columns=X.columns)
    rows[pair] = grid_rows(display)
    assert_close(display.surface.response.reshape(100, 3), iris_model.predict_proba(rows))
    assert display.ax_.get_xlabel() == pair[0]
    np.testing.assert_array_equal(display.points, X[pair].to_numpy())
    by_number = BoundaryDisplay.from_estimator(
        iris_model, X, y, features=(3, 0), grid_resolution=10
    )
    assert_close(by_number.surface.response, display.surface.response)


def test_fields_on_a_plane_are_relative_to_their_peak_there(iris_model, iris):
    display = BoundaryDisplay.from_estimator(iris_model, *iris, features=(0, 1))
    assert_close(display.activations.max(axis=(1, 2)), np.ones(iris_model.n_nodes_))


def test_principal_components_are_the_default_of_many_inputs(iris_model, iris):
    display = BoundaryDisplay.from_estimator(iris_model, *iris, grid_resolution=10)
    assert display.ax_.get_xlabel().startswith("component 1 (7")  # 73 % of iris
    assert_close(display.points.mean(axis=0), np.zeros(2), IDENTITY)


def test_numbers_are_drawn_too(moons):
    X, _ = moons
    y = X[:, 0] ** 2 + X[:, 1]
    model = DrumlinRegressor().fit(X, y)
    display = BoundaryDisplay.from_estimator(model, X, y, grid_resolution=15)
    assert_close(display.surface.response.ravel(), model.predict(grid_rows(display)))
    assert len(display.figure_.axes) == 2  # the colors are explained


def test_a_pipeline_is_drawn_in_raw_units(moons):
    X, y = moons
    X = 1000.0 * X
    model = make_pipeline(StandardScaler(), ForwardRBFClassifier(max_nodes=4)).fit(X, y)
    display = BoundaryDisplay.from_estimator(model, X, y, grid_resolution=20)
    assert np.ptp(display.surface.xx0) > 1000.0
    expected = model[-1].network_.activations(model[0].transform(grid_rows(display)))
    assert_close(display.activations.reshape(len(expected), -1), expected)


def test_mixed_tables_are_drawn_on_two_numeric_columns(moons):
    X, y = moons
    table = pd.DataFrame({"a": X[:, 0], "word": np.where(X[:, 1] > 0, "up", "down"), "b": X[:, 1]})
    before = make_column_transformer((OneHotEncoder(), ["word"]), remainder="passthrough")
    model = make_pipeline(before, DrumlinClassifier()).fit(table, y)
    display = BoundaryDisplay.from_estimator(model, table, y, features=("a", "b"))
    assert display.ax_.get_ylabel() == "b"
    with pytest.raises(ValueError, match=r"principal components need numbers"):
        BoundaryDisplay.from_estimator(model, table, y)
    with pytest.raises(ValueError, match=r"inputs that are numbers. Got 'word'"):
        BoundaryDisplay.from_estimator(model, table, y, features=("a", "word"))


def test_functions_that_grow_outwards_have_no_receptive_field(moons):
    model = ForwardRBFClassifier(radial="multiquadric", max_nodes=3).fit(*moons)
    assert not len(BoundaryDisplay.from_estimator(model, *moons).activations)


def test_of_many_nodes_the_heaviest_are_drawn(moons):
    model = ForwardRBFClassifier(width=0.3, min_nodes=60).fit(*moons)
    display = BoundaryDisplay.from_estimator(model, *moons, grid_resolution=30)
    weights = np.abs(model.coef_[0])
    assert len(display.activations) == len(display.numbers) == 40
    assert weights[display.numbers - 1].min() >= np.sort(weights)[-40]
    assert not display.ax_.texts  # so many numbers would hide the picture


def test_without_targets_and_nodes(flagship, moons):
    display = BoundaryDisplay.from_estimator(flagship, moons[0], draw_nodes=False)
    assert display.codes is None
    assert not len(display.activations)


@pytest.mark.parametrize("features", ["x", 3, (0, 0), (0, 2), (0,), ("a", "b"), (0.5, 1)])
def test_wrong_planes_are_refused(flagship, moons, features):
    with pytest.raises(ValueError, match=r"'features' parameter must be 'pca' or a pair"):
        BoundaryDisplay.from_estimator(flagship, *moons, features=features)


def test_bad_input_is_refused(flagship, moons):
    X, y = moons
    with pytest.raises(NotFittedError):
        BoundaryDisplay.from_estimator(DrumlinClassifier(), X)
    with pytest.raises(TypeError, match=r"fitted model of drumlin.*Got LogisticRegression"):
        BoundaryDisplay.from_estimator(LogisticRegression().fit(X, y), X)
    with pytest.raises(ValueError, match=r"'level' parameter must be in the range"):
        BoundaryDisplay.from_estimator(flagship, X, level=1.0)
    with pytest.raises(ValueError, match=r"'grid_resolution' parameter must be at least 2"):
        BoundaryDisplay.from_estimator(flagship, X, grid_resolution=1)
    with pytest.raises(ValueError, match=r"'y' parameter must have one entry per row of X, 120"):
        BoundaryDisplay.from_estimator(flagship, X, y[:5])
    with pytest.raises(ValueError, match=r"must hold classes of the model, \[0, 1\]. Got \[7\]"):
        BoundaryDisplay.from_estimator(flagship, X, np.full(len(X), 7))
    with pytest.raises(ValueError, match=r"at least two inputs. Got 1"):
        BoundaryDisplay.from_estimator(DrumlinClassifier().fit(X[:, :1], y), X[:, :1])
    two = ForwardRBFRegressor(max_nodes=3).fit(X, X)
    with pytest.raises(ValueError, match=r"models of one output"):
        BoundaryDisplay.from_estimator(two, X)
