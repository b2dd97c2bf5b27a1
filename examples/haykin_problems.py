"""Problems 5.1, 5.3 and 5.10 of Haykin's chapter 5, and its comparison with a perceptron.

    python examples/haykin_problems.py [figure.png]     # docs/papers/haykin5.png by default

Prints what the problems ask for and draws six panels: Cover's probabilities, the circle that two
radial functions map to a line, the widths of six clusters as the double moon closes, the error of
networks and perceptrons, and the boundaries of figs. 5.5b and 5.6b.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin import RBFNetworkClassifier, cover, presets
from drumlin.basis import InverseMultiquadric, Multiquadric, Nodes, Radial
from drumlin.datasets import make_double_moon
from drumlin.plotting import BoundaryDisplay

SEPARATIONS = np.arange(1, -7, -1)


def separabilities(n_functions: int, ratios: np.ndarray) -> np.ndarray:
    """Problem 5.1: P(lambda m, m) at the ratios that give a whole number of patterns."""
    counts = np.maximum(1, np.round(ratios * n_functions)).astype(int)
    return np.array([cover.separability(int(n), n_functions) for n in counts])


def circle_in_the_hidden_space(radial: Radial) -> tuple[np.ndarray, np.ndarray]:
    """Problem 5.3: four points on the unit circle and its center, through a node on the center."""
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [0.0, 0.0]])
    node = Nodes(np.zeros((1, 2)), np.ones((1, 2)), radial)
    return node.activate(X)[0], np.array([0, 0, 0, 0, 1])


def clusters(d: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray, float]:
    """Problem 5.10: means and variances of six clusters, and sigma² by (5.49)."""
    X, y = make_double_moon(1000, d=d, random_state=seed)
    settings = {"standardize": False, "random_state": seed}
    own = RBFNetworkClassifier(6, width="cluster", **settings).fit(X, y)
    spread = RBFNetworkClassifier(6, width="spread", **settings).fit(X, y)
    order = np.argsort(own.centers_[:, 0])
    return own.centers_[order], own.widths_[order, 0] ** 2, float(spread.widths_[0, 0] ** 2)


def moon_errors(d: float, n_draws: int = 10) -> dict[str, np.ndarray]:
    """Section 5.8: errors in % of the network and of a perceptron with as many hidden units."""
    found: dict[str, list[float]] = {"network": [], "perceptron": []}
    for seed in range(n_draws):
        X, y = make_double_moon(3000, d=d, random_state=seed)
        perceptron = MLPClassifier(
            (20,),
            activation="tanh",
            learning_rate_init=0.01,
            max_iter=500,
            n_iter_no_change=50,
            random_state=seed,
        )
        models = {
            "network": presets("haykin5"),
            "perceptron": make_pipeline(StandardScaler(), perceptron),
        }
        for name, model in models.items():
            model.fit(X[:1000], y[:1000])
            found[name].append(100.0 * float((model.predict(X[1000:]) != y[1000:]).mean()))
    return {name: np.array(errors) for name, errors in found.items()}


def draw_problems(axes: Any) -> None:
    """Panels of the three problems; prints their numbers."""
    ratios = np.linspace(0.0, 4.0, 200)
    for m in (1, 5, 15, 25):
        axes[0].plot(ratios, separabilities(m, ratios), label=f"m = {m}")
    axes[0].set(xlabel="patterns / functions", ylabel="P separable", title="Problem 5.1")
    axes[0].legend()
    for height, radial in enumerate((Multiquadric(), InverseMultiquadric())):
        phi, inside = circle_in_the_hidden_space(radial)
        axes[1].scatter(phi, np.full(5, height), c=inside, cmap="coolwarm")
        print(f"5.3 {type(radial).__name__}: circle {phi[0]:.4f}, center {phi[4]:.4f}")
    axes[1].set(yticks=[0, 1], yticklabels=["multiquadric", "inverse"], title="Problem 5.3")
    found = [clusters(float(d)) for d in SEPARATIONS]
    axes[2].plot(SEPARATIONS, [variances for _, variances, _ in found], "o-")
    axes[2].plot(SEPARATIONS, [common for _, _, common in found], "k--", label="by (5.49)")
    axes[2].set(xlabel="separation d", ylabel="variance of a cluster", title="Problem 5.10")
    axes[2].legend()
    for d, (means, variances, common) in zip(SEPARATIONS, found, strict=True):
        numbers = ", ".join(f"{v:.1f}" for v in variances)
        print(f"5.10 d = {d}: variances {numbers}; (5.49) {common:.1f}; mean 1 {means[0].round(1)}")


def draw_experiment(axes: Any) -> None:
    """Panels of section 5.8; prints the errors."""
    errors = {d: moon_errors(d) for d in (-5.0, -6.0)}
    labels = [f"{name}\nd = {d:.0f}" for d, by_name in errors.items() for name in by_name]
    values = [errors for by_name in errors.values() for errors in by_name.values()]
    axes[0].boxplot(values, tick_labels=labels)
    axes[0].set(ylabel="test error in %", title="Section 5.8, ten draws")
    for label, some in zip(labels, values, strict=True):
        print(f"5.8 {label!r}: {some.mean():.2f} ± {some.std(ddof=1) / np.sqrt(len(some)):.2f} %")
    for ax, d, figure in ((axes[1], -5.0, "5.5b"), (axes[2], -6.0, "5.6b")):
        X, y = make_double_moon(1000, d=d, random_state=0)
        BoundaryDisplay.from_estimator(presets("haykin5").fit(X, y), X, y, ax=ax)
        ax.set_title(f"Fig. {figure}, d = {d:.0f}")


def main(path: Path) -> None:
    """Print and draw everything."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(13.0, 7.5), layout="constrained")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        draw_problems(axes[0])
        draw_experiment(axes[1])
    figure.savefig(path, dpi=80)


if __name__ == "__main__":
    default = Path(__file__).parents[1] / "docs" / "papers" / "haykin5.png"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
