"""Methods beside each other on one table: cross-validation with the same preparation for all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import balanced_accuracy_score, r2_score, root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold

from drumlin._errors import ParameterError, refuse_of_numbers
from drumlin.evaluation.costs import Decision, mean_cost, refuse_weighted
from drumlin.evaluation.measures import (
    COST,
    error_rate,
    log_loss,
    mean_and_error,
    ranking_measures,
    timed,
)
from drumlin.evaluation.methods import (
    BALANCED,
    CONSTANT,
    MORE,
    USUAL,
    Method,
    Shape,
    fit_balanced,
    ours,
)
from drumlin.tables import CLASSIFICATION, Labelled, TableEncoder, TableWarning

Result = tuple[str, dict[str, float]]
"""A method's name and its measures on one fold."""


def contenders(method: str, task: str) -> list[Method]:
    """Ours, the usual ones, and those of other packages that are installed.

    Parameters
    ----------
    method : str
        A key of ``drumlin.estimators.families.FAMILIES``.
    task : {"classification", "regression"}

    See Also
    --------
    compare

    Examples
    --------
    >>> from drumlin.evaluation import contenders
    >>> [method.name for method in contenders("drumlin", "regression")][:3]
    ['drumlin', 'constant', 'SVR']
    """
    others = [other for other in MORE[task] if other.is_available]
    return [ours(method, task), *USUAL[task], *others]


def compare(
    data: Labelled,
    methods: Sequence[Method] | None = None,
    *,
    folds: int = 5,
    seed: int = 0,
    progress: Callable[..., Iterable[Result]] | None = None,
    finished: Callable[[dict[str, Any]], None] | None = None,
    **asked: Any,
) -> list[dict[str, Any]]:
    """Compare methods on a table by cross-validation.

    Columns are understood and prepared by the training rows of each fold alone; a search sees no
    others either. Probabilities of a method without any are those of a calibrated copy: the
    log-loss, the average precision and what else is asked for come from them.

    Parameters
    ----------
    data : Labelled
        A table with its target, as ``drumlin.tables.read_labelled`` gives it.
    methods : sequence of Method or None, default=None
        None takes ``contenders("drumlin", ...)``: ours and the usual ones.
    folds : int, default=5
    seed : int, default=0
        Of the folds, and of methods that are random.
    progress : callable or None, default=None
        Is given the results as they come and ``total=``, their number, and passes them on, such as
        ``tqdm.tqdm``.
    finished : callable or None, default=None
        Is given the entry of a method as soon as there is one.
    **asked
        Of classes: ``costs``, of a wrong answer for a row of each class (by label, or in the order
        of the classes), adds the cost per row of answers of least expected cost; ``precision``
        adds the recall at this precision; ``class_weight="balanced"`` lets every class count as
        much in all fits but the constant's, and adds the balanced error, the mean of the classes'.

    Returns
    -------
    list of dict
        One per method: means over folds by measure, with standard errors as "± measure"; size
        (nodes or support vectors) and CPU seconds of a fit.

    Raises
    ------
    ParameterError
        Where there are too few rows for so many folds.

    See Also
    --------
    contenders
    judge

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin.evaluation import compare
    >>> from drumlin.evaluation.methods import LOGISTIC, SVC
    >>> from drumlin.tables import read_labelled
    >>> data = read_labelled(load_iris(as_frame=True).frame, "target")
    >>> for row in compare(data, [SVC, LOGISTIC], folds=3):
    ...     print(row["method"], row["error"] < 0.1, row["size"] is not None)
    SVC True True
    logistic True False
    """
    if methods is None:
        methods = contenders("drumlin", data.target.task)
    balanced = _is_balanced(data, asked.pop("class_weight", None), asked.get("costs"))
    decision = Decision.of(data.classes, **asked)
    parts = _folds(data, folds, seed)
    prepared = [_Fold.of(data.take(a), data.take(b), seed, decision) for a, b in parts]
    if balanced:
        prepared = [replace(fold, balanced=True) for fold in prepared]
    results: Iterable[Result] = _results(methods, prepared)
    if progress is not None:
        results = progress(results, total=len(methods) * len(parts))
    rows, runs = [], []
    for name, measures in results:
        runs.append(measures)
        if len(runs) == len(parts):
            rows.append(_summary(name, runs))
            runs = []
            if finished is not None:
                finished(rows[-1])
    return rows


def _is_balanced(data: Labelled, class_weight: Any, costs: Any) -> bool:
    """Whether classes are to count alike, and may."""
    if class_weight is None:
        return False
    if data.classes is None:
        refuse_of_numbers(class_weight=class_weight)
    if class_weight != BALANCED:
        raise ParameterError(
            f"The 'class_weight' parameter must be {BALANCED!r} or None. Got {class_weight!r}."
        )
    refuse_weighted(costs, class_weight)
    return True


def _folds(data: Labelled, n_folds: int, seed: int) -> list[tuple[Any, Any]]:
    """Training and test rows; every class has its share where it has enough rows."""
    if not 2 <= n_folds <= len(data):
        raise ParameterError(
            f"The 'folds' parameter must be between 2 and the number of rows, {len(data)}. "
            f"Got {n_folds}."
        )
    kind: Any = KFold
    if data.target.task == CLASSIFICATION:
        fewest = int(np.unique(data.y, return_counts=True)[1].min())
        if fewest < n_folds:
            raise ParameterError(
                f"The 'folds' parameter must be at most {fewest}, the rows of the rarest class "
                f"(which must have 2). Got {n_folds}."
            )
        kind = StratifiedKFold
    return list(kind(n_folds, shuffle=True, random_state=seed).split(data.frame, data.y))


def _results(methods: Sequence[Method], folds: list[_Fold]) -> Iterator[Result]:
    """Measure every method on every fold, one method after the other."""
    for method in methods:
        for fold in folds:
            yield method.name, fold.measures(method)


@dataclass(frozen=True)
class _Fold:
    """Prepared rows (n, n_inputs) and targets (n,) of one fold."""

    X: Any
    y: Any
    X_test: Any
    y_test: Any
    n_classes: int
    seed: int
    decision: Decision
    balanced: bool = False

    @classmethod
    def of(cls, train: Labelled, test: Labelled, seed: int, decision: Decision) -> _Fold:
        is_class = train.target.task == CLASSIFICATION
        encoder = TableEncoder(target="classes" if is_class else "numbers")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TableWarning)  # once is enough: the caller's
            Z = encoder.fit_transform(train.frame, train.y)
        n_classes = len(np.unique(train.y)) if is_class else 0
        return cls(
            X=Z,
            y=train.y,
            X_test=encoder.transform(test.frame),
            y_test=test.y,
            n_classes=n_classes,
            seed=seed,
            decision=decision,
        )

    def measures(self, method: Method) -> dict[str, float]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # of the rivals, as people run them
            model, seconds = timed(lambda: self._fitted(method))
        measures = {"seconds": seconds}
        if method.size is not None:
            measures["size"] = method.size(model)
        answers = model.predict(self.X_test)
        if not self.n_classes:
            rmse = float(root_mean_squared_error(self.y_test, answers))
            return {"RMSE": rmse, "R²": float(r2_score(self.y_test, answers)), **measures}
        copy = method.with_probabilities(model, self.X, self.y, balanced=self.balanced)
        known = self._of_probabilities(copy)
        errors = {"error": error_rate(answers, self.y_test)}
        if self.balanced:
            errors["balanced error"] = 1.0 - balanced_accuracy_score(self.y_test, answers)
        return {**errors, **known, **measures}

    def _of_probabilities(self, model: Any) -> dict[str, float]:
        """Measures that only probabilities have; none where there are none."""
        if not hasattr(model, "predict_proba"):
            return {}
        p, codes = model.predict_proba(self.X_test), np.searchsorted(model.classes_, self.y_test)
        ranking = ranking_measures(p, codes, self.decision.precision)
        del ranking["area under ROC curve"]  # enough columns
        known = {"log-loss": log_loss(p, model.classes_, self.y_test), **ranking}
        if self.decision.costs is not None:
            known[COST] = mean_cost(self.decision.answers(p), codes, self.decision.costs)
        return known

    def _fitted(self, method: Method) -> Any:
        shape = Shape("", self.X.shape[1], self.n_classes)
        model = method.search(shape) if method.search else method.seeded(shape, self.seed)
        if self.balanced and method is not CONSTANT:
            model = fit_balanced(model, self.X, self.y)
        else:
            model = model.fit(self.X, self.y)
        return model.best_estimator_ if method.search else model


def _summary(name: str, runs: list[dict[str, float]]) -> dict[str, Any]:
    """Means over folds and standard errors of measures."""
    row: dict[str, Any] = {"method": name}
    for measure in (key for key in runs[0] if key not in ("size", "seconds")):
        mean, error = mean_and_error([run[measure] for run in runs])
        row |= {measure: mean, f"± {measure}": error}
    row["size"] = float(np.mean([run["size"] for run in runs])) if "size" in runs[0] else None
    row["seconds"] = float(np.mean([run["seconds"] for run in runs]))
    return row
