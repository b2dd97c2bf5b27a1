"""Whether counterfactuals are valid, and nearer than those of a random search with 100 x the time.

``python -m benchmarks.accuracy.whatif [cases] [rivals]`` asks 1000 questions (or so many) on rows
of several tables, checks the answers, and lets a random search with a hundred times the time
try to beat the first of them (20, or so many). It prints a table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.trust import Counterfactual

TIMES = 100.0
"""Time of the random search over ours."""

BATCH = 2000
TABLES = {
    "diabetes": (load_diabetes, DrumlinRegressor, 0.65),
    "iris": (load_iris, DrumlinClassifier, 0.2),
    "wine": (load_wine, DrumlinClassifier, 0.1),
    "breast cancer": (load_breast_cancer, DrumlinClassifier, 0.05),
}
"""Where rows come from, what is fitted, and the part of the cases."""


@dataclass(frozen=True)
class Case:
    """One question and its answer."""

    x: np.ndarray
    target: Any
    told: Counterfactual
    seconds: float


def cases(model: Any, X: np.ndarray, n: int, seed: int) -> Iterator[Case]:
    """Ask for another class, or for a number half a standard deviation higher or lower."""
    rng = np.random.default_rng(seed)
    answers = model.predict(X)
    for i in rng.choice(len(X), n, replace=n > len(X)):
        if hasattr(model, "classes_"):
            target = rng.choice(model.classes_[model.classes_ != answers[i]])
        else:
            step = 0.5 * answers.std()
            target = (
                (answers[i] + step, None)
                if answers[i] < answers.mean()
                else (None, answers[i] - step)
            )
        start = time.process_time()
        told = model.counterfactual(X[i], target)
        yield Case(X[i], target, told, time.process_time() - start)


def is_answer(model: Any, rows: np.ndarray, target: Any) -> np.ndarray:
    """Whether rows have the wanted answer and are not novel."""
    answers = model.predict(rows)
    if hasattr(model, "classes_"):
        good = answers == target
    else:
        low, high = target
        good = np.ones(len(rows), bool) if low is None else answers > low
        good &= np.ones(len(rows), bool) if high is None else answers < high
    return good & ~model._novelty.is_beyond(rows)


def is_valid(model: Any, X: np.ndarray, case: Case) -> bool:
    """Whether an answer keeps what it promises; none is not valid."""
    new = case.told.x
    changed = new != case.x
    inside = ((new >= X.min(axis=0)) & (new <= X.max(axis=0)))[changed].all()
    whole = (np.floor(X) == X).all(axis=0) & changed
    good = inside and (np.floor(new) == new)[whole].all()
    return bool(case.told.found and good and is_answer(model, new[None], case.target)[0])


def random_search(
    model: Any, X: np.ndarray, case: Case, seconds: float, seed: int
) -> tuple[int, float]:
    """Fewest changes and least distance found: random inputs at values uniform in their range.

    A third of the rows start from the best so far and go part of the way back.
    """
    rng, d = np.random.default_rng(seed), len(case.x)
    spread, low, high = X.std(axis=0), X.min(axis=0), X.max(axis=0)
    whole = (np.floor(X) == X).all(axis=0)
    best, best_row, stop = (d + 1, np.inf), None, time.process_time() + seconds
    while time.process_time() < stop:
        most = min(best[0], d)
        size = rng.integers(1, most + 1, BATCH)
        rows = np.tile(case.x, (BATCH, 1))
        chosen = rng.random((BATCH, d)).argsort(axis=1).argsort(axis=1) < size[:, None]
        rows[chosen] = (low + (high - low) * rng.random((BATCH, d)))[chosen]
        if best_row is not None:
            part = slice(0, BATCH // 3)
            back = rng.random((BATCH // 3, d)) ** 0.25
            rows[part] = case.x + back * (best_row - case.x)
        rows = np.where(whole & (rows != case.x), np.round(rows), rows)
        good = rows[is_answer(model, rows, case.target)]
        n_changed = (good != case.x).sum(axis=1)
        distance = np.linalg.norm((good - case.x) / np.where(spread > 0, spread, 1.0), axis=1)
        for k in np.lexsort((distance, n_changed))[:1]:
            if (n_changed[k], distance[k]) < best:
                best, best_row = (int(n_changed[k]), float(distance[k])), good[k]
    return best


def main() -> None:
    """Ask, check, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="?", type=int, default=1000)
    parser.add_argument("rivals", nargs="?", type=int, default=20)
    options = parser.parse_args()
    print("| table | cases | valid | changed | distance | ms | searched | fewer or nearer |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for seed, (name, (load, kind, part)) in enumerate(TABLES.items()):
        n, rivals = round(options.cases * part), round(options.rivals * part)
        X, y = load(return_X_y=True)
        model = kind().fit(X, y)
        asked = list(cases(model, X, n, seed))
        valid = sum(is_valid(model, X, case) for case in asked)
        beaten = 0
        for case in asked[:rivals]:
            told = (len(case.told.changed), case.told.distance * (1.0 - 1e-6))
            beaten += random_search(model, X, case, TIMES * case.seconds, seed) < told
        changed = np.mean([len(case.told.changed) for case in asked])
        distance = np.mean([case.told.distance for case in asked])
        took = 1e3 * np.median([case.seconds for case in asked])
        cells = [name, n, valid, f"{changed:.2f}", f"{distance:.2f}", f"{took:.0f}", rivals, beaten]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
