"""Make the pictures in docs/img: every plot, and the report on a desk and on a phone.

    python -m docs.make_images            # all of them
    python -m docs.make_images path nodes # some

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
from PIL import Image
from sklearn.datasets import load_breast_cancer, load_iris, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

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
from drumlin.report import write_report
from tests.browser import chromium

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
    X = rng.uniform(-3.0, 3.0, size=(300, 2))
    hill = np.exp(-((X - [1.2, 1.0]) ** 2).sum(axis=1))
    hollow = np.exp(-((X - [-1.0, -0.8]) ** 2).sum(axis=1) / 1.5)
    y = hill - hollow + 0.05 * rng.normal(size=300)
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


def report(folder: Path) -> Path:
    model, (_, X, _, y) = cancer()
    comparison = [
        {
            "model": "this one",
            "error": percent_wrong(model, X, y),
            "size": f"{model.n_nodes_} nodes",
        },
        rival("SVC", SVC()),
        rival("logistic regression", LogisticRegression()),
    ]
    return write_report(
        model,
        X,
        y,
        folder / "report.html",
        title="Breast cancer: is it malignant?",
        costs=(1.0, 10.0),
        comparison=comparison,
        facts={"data": "sklearn.datasets.load_breast_cancer, a quarter held out, seed 0"},
        interactive=True,
    )


def rival(name: str, estimator: Any) -> dict:
    """Return a row of the comparison: a usual model on the same split."""
    X_train, X, y_train, y = cancer()[1]
    model = make_pipeline(StandardScaler(), estimator).fit(X_train, y_train)
    sizes = {"SVC": lambda m: f"{m.n_support_.sum()} support vectors"}
    size = sizes.get(name, lambda m: f"{m.coef_.size} weights")(model[-1])
    return {"model": name, "error": percent_wrong(model, X, y), "size": size}


def percent_wrong(model: Any, X: Any, y: Any) -> str:
    return f"{100.0 * (1.0 - model.score(X, y)):.1f} %"


def save_report(size: tuple[int, int], name: str, *, height: int, scheme: str) -> None:
    """Photograph the upper part of the report."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        page = browser.new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=scheme)
        page.goto(report(Path(folder)).as_uri())
        clip = {"x": 0, "y": 0, "width": size[0], "height": height}
        page.screenshot(path=IMAGES / f"{name}.png", full_page=True, clip=clip)


PAGES = {
    "report_desktop": lambda: save_report(
        (1100, 900), "report_desktop", height=2100, scheme="light"
    ),
    "report_phone": lambda: save_report((390, 844), "report_phone", height=1630, scheme="dark"),
}


def shrink(path: Path) -> None:
    """Store 128 colors: nobody sees the difference, and the repository stays small."""
    with Image.open(path) as image:
        small = image.convert("RGB").quantize(128)
    small.save(path, optimize=True)


def save_plot(name: str) -> None:
    """Draw one plot into its file."""
    display = PLOTS[name]()
    display.figure_.savefig(IMAGES / f"{name}.png", dpi=DPI)


def main(names: list[str]) -> None:
    """Make the pictures that are named, or all."""
    IMAGES.mkdir(exist_ok=True)
    for name in names or [*PLOTS, *PAGES]:
        if name in PAGES:
            PAGES[name]()
        else:
            save_plot(name)
        shrink(IMAGES / f"{name}.png")
        print(IMAGES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
