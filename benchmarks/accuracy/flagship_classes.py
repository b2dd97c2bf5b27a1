"""Few samples of several classes: the flagship beside itself with constant penalties, and an SVM.

    DRUMLIN_DATA=... python -m benchmarks.accuracy.flagship_classes [first draw]

The penalties of the classifier depend on the number of classes and samples (docs/flagship.md); the
constant ones are those of before, found on tables of 2000 rows. The rule was found on draws 0-7;
the default, from draw 50 on, is fresh.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine, make_classification
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from drumlin import DrumlinClassifier
from drumlin.datasets import load_table, load_vowel, make_waveform
from drumlin.experiments.problems import Problem

# Table, training rows and draws; those of scikit-learn, then those of the data folder.
TABLES = {
    "iris": (100, 8), "wine": (100, 8), "digits": (300, 2), "vowel": (500, 3), "segment": (300, 4),
    "covtype": (500, 4), "letter": (1500, 1),
}  # fmt: skip
# Classes, inputs, informative ones and share of wrong labels of scikit-learn's artificial problems.
ARTIFICIAL = [(3, 10, 5, 0.0), (4, 20, 8, 0.05), (5, 8, 6, 0.02), (3, 30, 10, 0.0), (3, 5, 4, 0.1)]
MOST_TEST = 3000


def loaded(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and labels of a whole table."""
    own = {"iris": load_iris, "wine": load_wine, "digits": load_digits}
    if name in own:
        return own[name](return_X_y=True)
    data = load_vowel() if name == "vowel" else load_table(name)
    return data.X, data.y


def problems(first: int) -> Iterator[Problem]:
    """Draws of waveforms, of tables and of artificial problems."""
    for draw in range(first, first + 8):
        yield _cut("waveform 300", draw, *make_waveform(1300, random_state=5000 + draw), 300)
    for name, (n, draws) in TABLES.items():
        X, y = loaded(name)
        for draw in range(first, first + draws):
            rows = np.random.default_rng([draw, n]).permutation(len(X))[: n + MOST_TEST]
            yield _cut(f"{name} {n}", draw, X[rows], y[rows], n)
    for i, (k, d, informative, wrong) in enumerate(ARTIFICIAL):
        for draw in range(first, first + 4):
            X, y = make_classification(
                1500, d, n_informative=informative, n_redundant=min(2, d - informative),
                n_classes=k, flip_y=wrong, random_state=1000 * i + draw,
            )  # fmt: skip
            yield _cut(f"artificial {i + 1}", draw, X, y, 300)


def _cut(name: str, draw: int, X: np.ndarray, y: np.ndarray, n: int) -> Problem:
    return Problem(name, draw, X[:n], y[:n], X[n:], y[n:])


def measured(model, problem: Problem) -> tuple[float, float, float]:
    """Error in percent, log-loss and nodes."""
    model.fit(problem.X, problem.y)
    error = 100.0 * np.mean(model.predict(problem.X_test) != problem.y_test)
    if not isinstance(model, DrumlinClassifier):
        return error, np.nan, np.nan
    p = model.predict_proba(problem.X_test)
    return error, log_loss(problem.y_test, p, labels=model.classes_), model.n_nodes_


def constant_penalties(problem: Problem) -> tuple[float, float, float]:
    """The same with the penalties of before."""
    own = DrumlinClassifier._penalties

    def before(self, training, start, n_nodes):
        coef = own(self, training, start, n_nodes).coef * 0.1 / max(0.1, 1.2 / len(self.classes_))
        return replace(own(self, training, start, n_nodes), coef=coef, deviation=3.0)

    with patch.object(DrumlinClassifier, "_penalties", before):
        return measured(DrumlinClassifier(), problem)


def table(first: int) -> None:
    """Print the means of every problem."""
    found: dict[str, list[np.ndarray]] = {}
    for problem in problems(first):
        svm = make_pipeline(StandardScaler(), SVC())
        results = [measured(DrumlinClassifier(), problem), constant_penalties(problem)]
        found.setdefault(problem.name, []).append(np.array([*results, measured(svm, problem)]))
    means = {name: np.mean(values, axis=0) for name, values in found.items()}
    means["**mean**"] = np.mean(list(means.values()), axis=0)
    print("| | error % | log-loss | nodes | constant: error % | log-loss | nodes | SVC() error % |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (ours, before, svm) in means.items():
        cells = [f"{e:.2f} | {loss:.3f} | {nodes:.1f}" for e, loss, nodes in (ours, before)]
        print(f"| {name} | {' | '.join(cells)} | {svm[0]:.2f} |")


if __name__ == "__main__":
    table(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
