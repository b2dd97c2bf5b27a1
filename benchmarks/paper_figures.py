"""Fig. 1 of hong2014 and figs. 1-3 of ando2004, drawn anew (docs/papers/*.png).

    DRUMLIN_DATA=... python -m benchmarks.paper_figures      # six CPU minutes, most of them fig. 2

What the pictures show in numbers, and the widths of section 5.8 of haykin5, go to
docs/papers/figures.json, for benchmarks.verdicts.
(Figs. 5.5b and 5.6b of haykin5: ``python examples/haykin_problems.py``.)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import spearmanr
from sklearn.svm import SVC

from drumlin import presets
from drumlin.datasets import load_pima, load_ripley, load_vowel, make_double_moon
from drumlin.evaluation.rivals import svm_search
from drumlin.experiments.printed import MOON_WIDTHS

FOLDER = Path(__file__).parents[1] / "docs" / "papers"
MEANS = {-1: [(-0.7, 0.3), (0.3, 0.3)], 1: [(-0.3, 0.7), (0.4, 0.7)]}
VARIANCE = 0.03
"""Ripley's mixture, section 4.1 of ando2004."""

VOWEL_WIDTH, VOWEL_PENALTY = 2.2, 0.1
"""One point of the automatic grid: the second width, the middle penalty times n."""

SEEDS = range(3)


def bayes_lead(X: np.ndarray) -> np.ndarray:
    """Log ratio (n,) of the two mixtures: zero on the best boundary."""
    logs = {
        sign: np.log(
            sum(np.exp(-((X - np.array(m)) ** 2).sum(axis=1) / (2.0 * VARIANCE)) for m in means)
        )
        for sign, means in MEANS.items()
    }
    return np.asarray(logs[1] - logs[-1])


def draw_boundary(ax: Any, model: Any, X: np.ndarray, y: np.ndarray, centers: np.ndarray) -> None:
    """Boundary of a model and the best one (dashed), samples, centers in circles."""
    side = [np.linspace(X[:, j].min() - 0.1, X[:, j].max() + 0.1, 200) for j in (0, 1)]
    grid = np.stack(np.meshgrid(*side), axis=-1)
    rows = grid.reshape(-1, 2)
    for values, style in ((model.decision_function(rows), "-"), (bayes_lead(rows), "--")):
        ax.contour(*side, values.reshape(200, 200), levels=[0.0], colors="k", linestyles=style)
    for label, marker, color in zip(np.unique(y), "o^", ("#0b6fb8", "#d9601a"), strict=True):
        ax.scatter(*X[y == label].T, s=12, marker=marker, c=color, linewidths=0)
    ax.scatter(*centers.T, s=90, facecolors="none", edgecolors="k")


def hong2014() -> dict[str, Any]:
    """Fig. 1: the four nodes on Ripley's sample."""
    data = load_ripley()
    X, y = data.X[data.train], data.y[data.train]
    model = presets("hong2014", dataset="synth").fit(X, y)
    figure = Figure((4.6, 4.0), layout="constrained")
    ax = figure.add_subplot()
    draw_boundary(ax, model, X, y, model.centers_)
    wrong = int((model.predict(data.X[data.test]) != data.y[data.test]).sum())
    ax.set_title(f"hong2014, fig. 1: {model.n_nodes_} nodes, {wrong} of 1000 wrong")
    figure.savefig(FOLDER / "hong2014.png", dpi=110)
    return {"nodes": int(model.n_nodes_), "wrong": wrong}


def draw_machines(axes: Any) -> dict[str, Any]:
    """Fig. 1 of ando2004: the adaptive learning machine and the SVM on Ripley's sample."""
    data = load_ripley()
    X, y = data.X[data.train], data.y[data.train]
    ours = presets("ando2004", dataset="synth").set_params(random_state=1).fit(X, y)
    search = svm_search(2).fit(X, y)
    svm = search.best_estimator_
    vectors = X[svm[-1].support_]
    found = {}
    for ax, name, model, centers in (
        (axes[0], "machine", ours, ours.centers_),
        (axes[1], "svm", svm, vectors),
    ):
        draw_boundary(ax, model, X, y, centers)
        error = 100.0 * float((model.predict(data.X[data.test]) != data.y[data.test]).mean())
        ax.set_title(f"fig. 1: {name}, {len(centers)} kernels, {error:.1f} %")
        found[name] = {"kernels": len(centers), "error": error}
    assert isinstance(svm[-1], SVC)
    return found


def draw_generations(ax: Any) -> dict[str, Any]:
    """Fig. 2: BIC and size of the best subset over the generations, on the vowels."""
    data = load_vowel()
    X, y = data.X[data.train], data.y[data.train]
    model = presets("ando2004", dataset="vowel").set_params(
        width=VOWEL_WIDTH, alpha=VOWEL_PENALTY / len(X), random_state=1
    )
    path = model.fit(X, y).search_path_
    ax.plot(path["bic"], color="#0b6fb8")
    ax.set(title="fig. 2: vowels", xlabel="generation", ylabel="BIC (blue)")
    beside = ax.twinx()
    beside.plot(path["n_nodes"], color="#d9601a")
    beside.set_ylabel("kernels (orange)")
    bic, nodes = path["bic"], path["n_nodes"]
    return {
        "first": float(bic[0]), "last": float(bic[-1]), "falls": bool((np.diff(bic) <= 0).all()),
        "first_nodes": int(nodes[0]), "last_nodes": int(nodes[-1]),
    }  # fmt: skip


def draw_bic_against_error(ax: Any) -> dict[str, Any]:
    """Fig. 3: models of the whole grid on Pima, several seeds."""
    data = load_pima()
    X, y = data.X[data.train], data.y[data.train]
    whole = presets("ando2004", dataset="pima").fit(X, y).grid_path_
    found = []
    for width, alpha in zip(whole["width"], whole["alpha"], strict=True):
        for seed in SEEDS:
            settings = {"width": float(width), "alpha": float(alpha), "random_state": seed}
            model = presets("ando2004", dataset="pima").set_params(**settings).fit(X, y)
            error = (model.predict(data.X[data.test]) != data.y[data.test]).mean()
            found.append((model.bic_, 100.0 * float(error)))
    bic, error = np.array(found).T
    near = bic <= bic.min() + 5.0
    ax.scatter(bic, error, s=14, c="#0b6fb8")
    rank = float(spearmanr(bic, error).statistic)
    ax.set(
        title=f"fig. 3: Pima, rank correlation {rank:.2f}", xlabel="BIC", ylabel="test error in %"
    )
    return {
        "models": len(bic), "rank_correlation": rank, "best": float(error[bic.argmin()]),
        "near_best": [float(error[near].min()), float(error[near].max())],
    }  # fmt: skip


def ando2004() -> dict[str, Any]:
    """Figs. 1-3."""
    figure = Figure((9.5, 8.0), layout="constrained")
    axes = figure.subplots(2, 2)
    found = {
        "fig1": draw_machines(axes[0]),
        "fig3": draw_bic_against_error(axes[1, 1]),
        "fig2": draw_generations(axes[1, 0]),
    }
    figure.savefig(FOLDER / "ando2004.png", dpi=110)
    return found


def haykin5() -> dict[str, float]:
    """Widths by (5.49) on the double moons of figs. 5.5 and 5.6."""
    found = {}
    for name, d in zip(MOON_WIDTHS, (-5.0, -6.0), strict=True):
        X, y = make_double_moon(1000, d=d, random_state=0)
        found[name] = float(presets("haykin5").fit(X, y).widths_[0, 0])
    return found


if __name__ == "__main__":
    found = {"hong2014": hong2014(), "haykin5": haykin5(), "ando2004": ando2004()}
    (FOLDER / "figures.json").write_text(json.dumps(found, indent=1) + "\n")
