"""Fit and predict beside SVC on magic (or, without the data, on a synthetic table)."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_classification
from sklearn.svm import SVC

from benchmarks.speed.measure import best_time, peak_memory, report
from drumlin import ForwardRBFClassifier
from drumlin.datasets import available, load_table


def table() -> tuple[str, np.ndarray, np.ndarray]:
    """Magic where it is available, standardised."""
    if "magic" in available():
        data = load_table("magic")
        name, X, y = "magic", data.X, data.y
    else:
        name = "synthetic"
        X, y = make_classification(
            19_020, 10, n_informative=6, n_clusters_per_class=4, random_state=0
        )
    order = np.random.default_rng(0).permutation(len(X))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return name, X[order], y[order]


def fit_and_predict() -> None:
    """One width, 500 candidates, default criterion."""
    name, X, y = table()
    model = ForwardRBFClassifier(width=2.0, candidates=500)
    model.fit(X[:500], y[:500])
    for n, wanted in ((2000, 1 / 1.2), (15_000, 5.0)):
        ours = best_time(lambda n=n: model.fit(X[:n], y[:n]))
        theirs = best_time(lambda n=n: SVC().fit(X[:n], y[:n]), 2 if n < 10_000 else 1)
        report(f"fit: SVC / ours, {name}, N = {n}, 500 candidates", theirs / ours, wanted)
        print(
            f"{'':4s}ours {ours * 1e3:.0f} ms ({model.n_nodes_} nodes), SVC {theirs * 1e3:.0f} ms"
        )
    model = ForwardRBFClassifier(width=2.0, candidates=500, max_nodes=20).fit(X[:2000], y[:2000])
    svc = SVC().fit(X[:2000], y[:2000])
    new = X[2000:12_000]
    ours = best_time(lambda: model.predict(new), 20)
    theirs = best_time(lambda: svc.predict(new), 2)
    what = f"predict: SVC ({svc.n_support_.sum()} vectors) / ours ({model.n_nodes_} nodes)"
    report(what, theirs / ours, 200.0)
    one_row = new[:1]
    print(
        f"{'':4s}one row: ours {1e6 * best_time(lambda: model.predict(one_row), 200):.0f} us, ",
        end="",
    )
    print(f"SVC {1e6 * best_time(lambda: svc.predict(one_row), 200):.0f} us")


def many_rows() -> None:
    """N = 100000, 1000 candidates, in bounded memory."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 10))
    y = (X[:, 0] ** 2 + X[:, 1] * X[:, 2] + 0.5 * rng.standard_normal(len(X)) > 1.0).astype(int)
    model = ForwardRBFClassifier(
        width=3.0, candidates=1000, max_nodes=10, patience=10, memory_budget=1e8
    )

    def fit() -> None:
        seconds.append(best_time(lambda: model.fit(X, y), 1))

    seconds: list[float] = []
    peak = peak_memory(fit)
    ratio = peak / (8.0 * len(X) * 1000)
    report(
        "memory: peak / 8NL, N = 100000, 1000 candidates, recomputed", ratio, 0.5, at_least=False
    )
    print(f"{'':4s}{seconds[0]:.1f} s for {model.n_nodes_} nodes, {peak / 1e6:.0f} MB at most")
