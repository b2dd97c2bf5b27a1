"""The other displays: what they draw is what the model says."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin import DrumlinClassifier, DrumlinRegressor, ForwardRBFRegressor, TunableRBFClassifier
from drumlin.plotting import (
    BoundaryDisplay,
    CalibrationDisplay,
    ExplanationDisplay,
    LearningDisplay,
    NodesDisplay,
    PathDisplay,
    SearchDisplay,
)
from drumlin.plotting._style import plain
from tests.helpers import assert_close

ALL = [
    BoundaryDisplay,
    CalibrationDisplay,
    ExplanationDisplay,
    LearningDisplay,
    NodesDisplay,
    PathDisplay,
    SearchDisplay,
]
DATA = {BoundaryDisplay: 1, CalibrationDisplay: 2, ExplanationDisplay: 1, NodesDisplay: 1}


@pytest.mark.parametrize("display", ALL)
def test_unfitted_models_are_refused(display, moons):
    with pytest.raises(NotFittedError):
        display.from_estimator(DrumlinClassifier(), *moons[: DATA.get(display, 0)])


@pytest.mark.parametrize("display", [PathDisplay, NodesDisplay, BoundaryDisplay])
def test_given_axes_are_used(display, forward, moons):
    _, ax = plt.subplots()
    drawn = display.from_estimator(forward, *moons[: DATA.get(display, 0)], ax=ax)
    assert drawn.ax_ is ax
    assert drawn.figure_ is ax.figure
    assert drawn.plot().ax_ is not ax


# ------------------------------------------------------------------------------------------- path
def test_path_shows_criterion_errors_and_the_chosen_size(forward):
    display = PathDisplay.from_estimator(forward)
    criterion, squared, wrong = display.curves.values()
    np.testing.assert_array_equal(criterion, forward.path_["cost"])
    np.testing.assert_array_equal(squared, forward.path_["loo_squared_error"])
    assert_close(wrong, 100.0 * (1.0 - forward.path_["loo_score"]))
    assert len(display.axes_) == 3
    assert f"{forward.n_nodes_} nodes chosen" in [t.get_text() for t in display.axes_[0].texts]
    assert wrong[display.sizes == forward.n_nodes_] == pytest.approx(
        100.0 * (1.0 - forward.loo_score_)
    )


def test_path_does_not_repeat_a_criterion_that_is_an_error(moons):
    X, _ = moons
    display = PathDisplay.from_estimator(ForwardRBFRegressor(max_nodes=4).fit(X, X[:, 0] ** 2))
    assert list(display.curves) == ["leave-one-out\nsquared error", "leave-one-out\nR²"]


def test_path_of_the_flagship_begins_without_nodes(flagship):
    display = PathDisplay.from_estimator(flagship)
    assert display.sizes[0] == 0
    assert display.chosen == flagship.n_nodes_


# ------------------------------------------------------------------------------------ calibration
def test_calibration_is_the_reliability_curve(flagship, moons):
    X, y = moons
    display = CalibrationDisplay.from_estimator(flagship, X, y, n_bins=5)
    observed, predicted = calibration_curve(
        y, flagship.predict_proba(X)[:, 1], n_bins=5, strategy="quantile"
    )
    x, height = display.curve.line_.get_data()
    assert_close(x, predicted)
    assert_close(height, observed)


def test_calibration_of_many_classes(iris_model, iris):
    X, y = iris
    top = CalibrationDisplay.from_estimator(iris_model, X, y)
    assert_close(top.curve.y_prob, iris_model.predict_proba(X).max(axis=1))
    one = CalibrationDisplay.from_estimator(iris_model, X, y, class_of_interest="setosa")
    assert_close(one.curve.y_prob, iris_model.predict_proba(X)[:, 0])
    with pytest.raises(ValueError, match=r"'class_of_interest' parameter must be one of"):
        CalibrationDisplay.from_estimator(iris_model, X, y, class_of_interest="rose")


def test_calibration_needs_a_classifier(moons):
    X, _ = moons
    with pytest.raises(TypeError, match=r"Calibration is of classifiers. Got DrumlinRegressor"):
        CalibrationDisplay.from_estimator(DrumlinRegressor().fit(X, X[:, 0]), X, X[:, 0])


# ------------------------------------------------------------------------------------------ nodes
def test_bars_are_mean_weight_times_activation(forward, moons):
    X, _ = moons
    display = NodesDisplay.from_estimator(forward, X)
    network = forward.network_
    expected = network.activations(X).mean(axis=1) * network.coef[:, 0]
    assert_close(display.means[:, 0], expected[display.numbers - 1])
    assert (np.diff(np.abs(display.means[:, 0])) <= 0.0).all()
    assert_close(sorted(bar.get_width() for bar in display.ax_.patches), sorted(expected))


def test_bars_of_many_classes_are_differences(iris_model, iris):
    display = NodesDisplay.from_estimator(iris_model, iris[0])
    assert_close(display.means.sum(axis=1), np.zeros(len(display.means)))
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["setosa", "versicolor", "virginica"]


def test_bars_are_cut_to_the_largest(forward, moons):
    display = NodesDisplay.from_estimator(forward, moons[0], max_shown=2)
    assert len(display.means) == 2
    assert f"2 largest of {forward.n_nodes_}" in display.ax_.get_title(loc="left")
    with pytest.raises(ValueError, match=r"'max_shown' parameter must be an int >= 1. Got 0"):
        NodesDisplay.from_estimator(forward, moons[0], max_shown=0)


def test_a_model_without_nodes_cannot_be_drawn(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 2)), rng.permutation(np.repeat([0, 1], 30))
    model = DrumlinClassifier().fit(X, y)
    if model.n_nodes_:
        pytest.skip("these random labels gave a node")
    with pytest.raises(ValueError, match=r"has no nodes"):
        NodesDisplay.from_estimator(model, X)


# ------------------------------------------------------------------------------------ explanation
@pytest.mark.parametrize("max_shown", [1, 2, 50])
def test_explanation_adds_up_to_the_score(flagship, moons, max_shown):
    X, _ = moons
    display = ExplanationDisplay.from_estimator(flagship, X[3:4], max_shown=max_shown)
    assert_close(display.parts.sum(), flagship.decision_function(X[3:4])[0])
    assert display.labels[0] == "intercept"
    assert_close(display.parts[0], flagship.network_.intercept[0])
    bars = display.ax_.patches
    assert_close(bars[-1].get_x() + bars[-1].get_width(), display.parts.sum())


def test_an_explanation_by_inputs(iris_model, iris):
    X = iris[0][:1]
    display = ExplanationDisplay.from_estimator(iris_model, X, by="inputs", max_shown=2)
    score = iris_model.decision_function(X)[0].max()
    assert_close(display.parts.sum(), score)
    assert display.labels[0] == "mean row"
    assert len(display.labels) == 4
    assert display.labels[3] == "2 other inputs"
    assert " = " in display.labels[1]
    with pytest.raises(ValueError, match=r"'by' parameter must be 'nodes' or 'inputs'. Got 'rows'"):
        ExplanationDisplay.from_estimator(iris_model, X, by="rows")


def test_explanation_is_of_the_predicted_class_or_any(iris_model, iris):
    row = iris[0].iloc[[70]]
    predicted = list(iris_model.classes_).index(iris_model.predict(row)[0])
    scores = iris_model.decision_function(row)[0]
    assert_close(ExplanationDisplay.from_estimator(iris_model, row).parts.sum(), scores[predicted])
    setosa = ExplanationDisplay.from_estimator(iris_model, row, class_of_interest="setosa")
    assert_close(setosa.parts.sum(), scores[0])
    with pytest.raises(ValueError, match=r"'class_of_interest' parameter must be one of"):
        ExplanationDisplay.from_estimator(iris_model, row, class_of_interest="rose")


def test_explanation_of_numbers(moons):
    X, _ = moons
    model = ForwardRBFRegressor(max_nodes=4).fit(X, X**2)
    display = ExplanationDisplay.from_estimator(model, X[:1], class_of_interest=1)
    assert_close(display.parts.sum(), model.predict(X[:1])[0, 1])


def test_explanation_is_of_one_row(flagship, moons):
    with pytest.raises(ValueError, match=r"must have one row. Got 120"):
        ExplanationDisplay.from_estimator(flagship, moons[0])
    with pytest.raises(ValueError, match=r"only the second has a score.*must be 1. Got 0"):
        ExplanationDisplay.from_estimator(flagship, moons[0][:1], class_of_interest=0)


# --------------------------------------------------------------------------- search and learning
def test_search_shows_one_trace_per_stage(moons):
    model = TunableRBFClassifier(max_nodes=3).fit(*moons)
    display = SearchDisplay.from_estimator(model)
    assert len(display.traces) == len(model.search_path_)
    for drawn, trace in zip(display.ax_.get_lines()[::3], model.search_path_, strict=True):
        np.testing.assert_array_equal(drawn.get_ydata(), trace)


def test_search_shows_generations(forward):
    path = {"bic": np.array([9.0, 5.0, 4.0]), "n_nodes": np.array([7, 4, 3])}
    searched = with_attribute(forward, "search_path_", path)
    display = SearchDisplay.from_estimator(searched)
    above, below = display.axes_
    np.testing.assert_array_equal(above.get_lines()[0].get_ydata(), path["bic"])
    np.testing.assert_array_equal(below.get_lines()[0].get_ydata(), path["n_nodes"])


def test_learning_curve(forward):
    errors = np.geomspace(1.0, 0.01, 60)
    display = LearningDisplay.from_estimator(with_attribute(forward, "mse_path_", errors))
    np.testing.assert_array_equal(display.ax_.get_lines()[0].get_ydata(), errors)
    assert display.ax_.get_yscale() == "log"


@pytest.mark.parametrize(
    ("display", "name"), [(SearchDisplay, "search_path_"), (LearningDisplay, "mse_path_")]
)
def test_missing_attributes_are_named(display, name, flagship):
    with pytest.raises(AttributeError, match=f"DrumlinClassifier has no .*'{name}'"):
        display.from_estimator(flagship)


def with_attribute(model, name, value):
    """Return a copy that has what other estimators have."""
    changed = model.truncate(model.n_nodes_)
    setattr(changed, name, value)
    return changed


# ---------------------------------------------------------------------------- all kinds of models
def test_searches_over_pipelines_are_taken_apart(moons):
    X, y = moons
    pipeline = make_pipeline(StandardScaler(), DrumlinClassifier())
    search = GridSearchCV(pipeline, {"drumlinclassifier__max_nodes": [2, 3]}, cv=3).fit(X, y)
    display = ExplanationDisplay.from_estimator(search, X[:1])
    assert_close(display.parts.sum(), search.decision_function(X[:1])[0])


@pytest.mark.parametrize("name", ["$x^2$", r"\$a", "cost in $ or $", r"$\nonsense$", "a\nb"])
def test_names_are_never_formulas(name, moons):
    _, ax = plt.subplots()
    ax.set_xlabel(plain(name))
    ax.figure.canvas.draw()  # a bad formula would raise
    assert not ax.xaxis.label._preprocess_math(ax.xaxis.label.get_text())[1]


def test_long_names_are_cut():
    assert len(plain("x" * 100)) == 32
