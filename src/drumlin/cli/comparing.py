"""What ``drumlin compare`` does: methods by cross-validation, with the same preparation."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score, root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold

from drumlin.cli.console import UsageError
from drumlin.cli.data import Labelled
from drumlin.cli.methods import build
from drumlin.experiments import rivals
from drumlin.experiments.measures import error_rate, log_loss, timed
from drumlin.tables import CLASSIFICATION, prepare


@dataclass(frozen=True)
class Contender:
    """One line of the comparison.

    Parameters
    ----------
    name : str
    make : callable
        From the number of inputs to an unfitted estimator.
    size : callable or None
        Nodes or support vectors of a fitted one.
    calibrated : bool
        Whether its log-loss needs Platt's calibration, because it has no probabilities.
    """

    name: str
    make: Callable[[int], Any]
    size: Callable[[Any], int] | None = None
    calibrated: bool = False


def contenders(method: str, task: str, seed: int) -> list[Contender]:
    """Ours and the usual ones."""
    ours = Contender(method, lambda d: build(method, task, seed=seed), lambda m: int(m.n_nodes_))
    if task == CLASSIFICATION:
        return [
            ours,
            Contender("SVC", lambda d: rivals.svc(), rivals.n_support, calibrated=True),
            Contender("SVC tuned", rivals.svm_search, rivals.n_support, calibrated=True),
            Contender("logistic", lambda d: rivals.logistic()),
            Contender("boosting", lambda d: HistGradientBoostingClassifier(random_state=seed)),
        ]
    return [
        ours,
        Contender("SVR", lambda d: rivals.svr(), rivals.n_support_of_numbers),
        Contender("SVR tuned", rivals.svr_search, rivals.n_support_of_numbers),
        Contender("ridge", lambda d: rivals.ridge()),
        Contender("boosting", lambda d: HistGradientBoostingRegressor(random_state=seed)),
    ]


def folds_of(data: Labelled, n_folds: int, seed: int) -> list[tuple[Any, Any]]:
    """Training and test rows; every class has its share where it has enough rows."""
    if not 2 <= n_folds <= len(data):
        raise UsageError(
            f"The option '--folds' must be between 2 and the number of rows, {len(data)}. "
            f"Got {n_folds}."
        )
    kind: Any = KFold
    if data.target.task == CLASSIFICATION:
        fewest = int(np.unique(data.y, return_counts=True)[1].min())
        if fewest < n_folds:
            raise UsageError(
                f"The option '--folds' must be at most {fewest}, the rows of the rarest class "
                f"(which must have 2). Got {n_folds}."
            )
        kind = StratifiedKFold
    return list(kind(n_folds, shuffle=True, random_state=seed).split(data.frame, data.y))


def compare(
    data: Labelled, chosen: list[Contender], folds: list[tuple[Any, Any]]
) -> Iterator[tuple[str, dict[str, float]]]:
    """Measure every method on every fold; columns are understood by the training rows alone.

    Yields
    ------
    name : str
    measures : dict
    """
    for train_rows, test_rows in folds:
        train, test = data.take(train_rows), data.take(test_rows)
        schema, X, _ = train.inputs()
        preparation = prepare(schema)
        Z, Z_test = preparation.fit_transform(X), preparation.transform(schema.inputs(test.frame))
        for contender in chosen:
            yield contender.name, _measures(contender, Z, train.y, Z_test, test)


def _measures(contender: Contender, Z: Any, y: Any, Z_test: Any, test: Labelled) -> dict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of the rivals, as people run them
        model, seconds = timed(lambda: contender.make(Z.shape[1]).fit(Z, y))
    best = getattr(model, "best_estimator_", model)
    measures = {"seconds": seconds}
    if contender.size is not None:
        measures["size"] = contender.size(best)
    answers = best.predict(Z_test)
    if test.target.task != CLASSIFICATION:
        rmse = float(root_mean_squared_error(test.y, answers))
        return {"RMSE": rmse, "R²": float(r2_score(test.y, answers)), **measures}
    if contender.calibrated:
        best = CalibratedClassifierCV(clone(best), ensemble=False, cv=rivals.FOLDS).fit(Z, y)
    loss = log_loss(best.predict_proba(Z_test), best.classes_, test.y)
    return {"error": error_rate(answers, test.y) / 100.0, "log-loss": loss, **measures}


def summarize(results: list[tuple[str, dict[str, float]]]) -> list[dict[str, Any]]:
    """Means over folds, and standard errors of the first two measures, in the order of methods."""
    rows = []
    for name in dict.fromkeys(name for name, _ in results):
        runs = [measures for other, measures in results if other == name]
        row: dict[str, Any] = {"method": name}
        for i, measure in enumerate(key for key in runs[0] if key not in ("size", "seconds")):
            values = np.array([run[measure] for run in runs])
            row[measure] = float(values.mean())
            if i < 2:
                row[f"± {measure}"] = float(values.std(ddof=1) / np.sqrt(len(values)))
        row["size"] = float(np.mean([run["size"] for run in runs])) if "size" in runs[0] else None
        row["seconds"] = float(np.mean([run["seconds"] for run in runs]))
        rows.append(row)
    return rows
