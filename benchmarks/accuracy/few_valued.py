"""Few distinct rows (flare, titanic): why others err less there.

``python -m benchmarks.accuracy.few_valued`` prints means over realisations 61-70, which no page
reports: of how many points the training rows are, what the best label of every point in hindsight
would err, and how much of that our network loses where its odds are nearly even.
"""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.accuracy.flagship_problems import benchmark
from drumlin import DrumlinClassifier
from drumlin.evaluation.measures import log_loss
from drumlin.experiments.problems import Problem

REALISATIONS = range(61, 71)
EVEN = 0.05
"""Probabilities this near to one half are nearly even odds."""


def models(n_features: int) -> dict:
    """Ours and others, with settings that are usual for such tables."""
    machine = SVC(C=10.0, gamma=0.25 / n_features)
    return {
        "ours": DrumlinClassifier(),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "SVM": make_pipeline(StandardScaler(), machine),
        "boosting": HistGradientBoostingClassifier(max_iter=40, random_state=0),
    }


def frequencies(own: np.ndarray, y: np.ndarray, n_points: int) -> np.ndarray:
    """Share of the second class at every point, with one more sample of the mean."""
    return (np.bincount(own, y, n_points) + y.mean()) / (np.bincount(own, minlength=n_points) + 1.0)


def measured(problem: Problem) -> dict[str, float]:
    """All figures of one realisation, in percent but for log-losses."""
    classes = np.unique(problem.y)
    y, new = (np.searchsorted(classes, v) for v in (problem.y, problem.y_test))
    points, at = np.unique(np.vstack([problem.X, problem.X_test]), axis=0, return_inverse=True)
    own, other = np.split(at.ravel(), [len(y)])
    ones, rows = np.bincount(other, new, len(points)), np.bincount(other, minlength=len(points))
    least = np.minimum(ones, rows - ones)  # errors of the best label of every point
    by_point = frequencies(own, y, len(points))[other]
    found = {
        "points": float(len(np.unique(own))),
        "best in hindsight": 100.0 * least.sum() / len(new),
        "frequencies of points": 100.0 * float(np.mean((by_point > 0.5) != new)),
    }
    for name, model in models(problem.X.shape[1]).items():
        model.fit(problem.X, y)
        found[name] = 100.0 * float(np.mean(model.predict(problem.X_test) != new))
        if hasattr(model, "predict_proba"):
            P = model.predict_proba(problem.X_test)
            found[f"{name}: log-loss"] = log_loss(P, np.arange(2), new)
        if name == "ours":
            even = np.abs(P[:, 1] - 0.5) < EVEN
            lost = np.sum((P[:, 1] > 0.5)[even] != new[even]) - least[np.unique(other[even])].sum()
            found["rows at even odds"] = 100.0 * float(even.mean())
            found["lost there"] = 100.0 * float(lost) / len(new)
    return found


def main() -> None:
    """Print means."""
    for name in ("titanic", "flare"):
        every = [measured(benchmark(name, number)) for number in REALISATIONS]
        means = {key: np.mean([found[key] for found in every]) for key in every[0]}
        print(name, ", ".join(f"{key} {value:.4g}" for key, value in means.items()), flush=True)


if __name__ == "__main__":
    main()
