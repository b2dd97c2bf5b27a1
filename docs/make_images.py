"""Make the pictures in docs/img: every plot, and the report on a desk and on a phone.

    python docs/make_images.py            # all of them
    python docs/make_images.py path nodes # some

The pictures of the report need Chromium (Debian's ``chromium``) and playwright.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, make_moons
from sklearn.model_selection import train_test_split

import drumlin
from drumlin.plotting import (
    BoundaryDisplay,
    CalibrationDisplay,
    ExplanationDisplay,
    LearningDisplay,
    NodesDisplay,
    PathDisplay,
    SearchDisplay,
)

IMAGES = Path(__file__).parent / "img"
DPI = 110


def cancer() -> tuple[Any, list]:
    """Return a model of the breast cancer data, and the split."""
    data = load_breast_cancer(as_frame=True)
    names = data.target_names[data.target]
    split = train_test_split(data.data, names, random_state=0)
    return drumlin.DrumlinClassifier().fit(split[0], split[2]), split


def boundary() -> Any:
    X, y = make_moons(400, noise=0.25, random_state=0)
    return BoundaryDisplay.from_estimator(drumlin.DrumlinClassifier().fit(X, y), X, y)


def boundary_classes() -> Any:
    data = load_iris(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    model = drumlin.DrumlinClassifier().fit(X, y)
    features = ("petal length (cm)", "petal width (cm)")
    return BoundaryDisplay.from_estimator(model, X, y, features=features)


def boundary_regression() -> Any:
    rng = np.random.default_rng(0)
    X = rng.uniform(-2.0, 2.0, size=(300, 2))
    y = np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] ** 2 + 0.1 * rng.normal(size=300)
    return BoundaryDisplay.from_estimator(drumlin.DrumlinRegressor().fit(X, y), X, y)


def boundary_components() -> Any:
    model, (X, _, y, _) = cancer()
    return BoundaryDisplay.from_estimator(model, X, y)


def path() -> Any:
    _, (X, _, y, _) = cancer()
    model = drumlin.ForwardRBFClassifier(criterion="mutual_information").fit(X, y)
    return PathDisplay.from_estimator(model)


def calibration() -> Any:
    X, y = make_moons(4000, noise=0.4, random_state=0)
    model = drumlin.DrumlinClassifier().fit(X[:400], y[:400])
    return CalibrationDisplay.from_estimator(model, X[400:], y[400:])


def nodes() -> Any:
    model, (X, *_) = cancer()
    return NodesDisplay.from_estimator(model, X)


def nodes_classes() -> Any:
    data = load_iris(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    return NodesDisplay.from_estimator(drumlin.DrumlinClassifier().fit(X, y), X)


def explanation() -> Any:
    model, (_, X, _, _) = cancer()
    return ExplanationDisplay.from_estimator(model, X.iloc[:1])


def search() -> Any:
    X, y = make_moons(300, noise=0.25, random_state=0)
    return SearchDisplay.from_estimator(drumlin.TunableRBFClassifier(search="swarm").fit(X, y))


def generations() -> Any:
    X, y = make_moons(150, noise=0.25, random_state=0)
    model = drumlin.SparseKernelLogisticRegression(search="genetic")
    return SearchDisplay.from_estimator(model.fit(X, y))


def learning() -> Any:
    X, y = make_moons(2000, noise=0.25, random_state=0)
    return LearningDisplay.from_estimator(drumlin.RBFNetworkClassifier(20).fit(X, y))


PLOTS = {
    make.__name__: make
    for make in (
        boundary,
        boundary_classes,
        boundary_regression,
        boundary_components,
        path,
        calibration,
        nodes,
        nodes_classes,
        explanation,
        search,
        generations,
        learning,
    )
}


def save_plot(name: str) -> None:
    """Draw one plot into its file."""
    display = PLOTS[name]()
    display.figure_.savefig(IMAGES / f"{name}.png", dpi=DPI)


def main(names: list[str]) -> None:
    """Make the pictures that are named, or all."""
    IMAGES.mkdir(exist_ok=True)
    for name in names or [*PLOTS]:
        save_plot(name)
        print(IMAGES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
