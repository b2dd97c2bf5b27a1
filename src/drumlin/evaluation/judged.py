"""A model and the data it is judged on: answers computed once, and the numbers that follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import confusion_matrix

from drumlin._typing import FloatArray, IntArray
from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation.costs import Decision, refuse_weighted
from drumlin.evaluation.measures import best_constant, class_measures
from drumlin.evaluation.numbers import RMSE, as_learned, measures_of_constant, measures_of_numbers


@dataclass(frozen=True)
class Judged:
    """A fitted model, data, and whether the model has seen them; made by ``judge``.

    Parameters
    ----------
    fitted : FittedNetwork
    X : {DataFrame, ndarray} of shape (n_samples, n_features)
    codes : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Targets; classes by their index.
    seen : bool
        Whether these are the data of ``fit``.
    decision : Decision
        What is asked of classes beside the most probable one.

    See Also
    --------
    judge

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.evaluation import judge
    >>> X, y = load_iris(return_X_y=True)
    >>> judged = judge(DrumlinClassifier(max_nodes=3).fit(X, y), X, y, seen=True)
    >>> judged.data_name, judged.confusion.shape
    ('training data', (3, 3))
    """

    fitted: FittedNetwork
    X: Any
    codes: Any
    seen: bool
    decision: Decision = field(default_factory=Decision)

    @property
    def is_classifier(self) -> bool:
        """Whether targets are classes."""
        return is_classifier(self.fitted.model)

    @property
    def classes(self) -> list[str]:
        """Class labels as text."""
        return [str(label) for label in self.fitted.model.classes_]

    @property
    def data_name(self) -> str:
        """What to call the data."""
        return "training data" if self.seen else "test data"

    @cached_property
    def probabilities(self) -> FloatArray:
        """Probabilities of shape (n_samples, n_classes)."""
        return np.asarray(self.fitted.whole.predict_proba(self.X))

    @cached_property
    def answers(self) -> Any:
        """Predicted classes by their index (of least cost, where costs are given), or numbers."""
        if self.decision.costs is not None:
            return self.decision.answers(self.probabilities)
        answers = np.asarray(self.fitted.whole.predict(self.X))
        return self.fitted.codes(answers, len(answers)) if self.is_classifier else answers

    @cached_property
    def measures(self) -> dict[str, float]:
        """Error measures on the data, by name."""
        if self.is_classifier:
            return class_measures(self.probabilities, self.answers, self.codes, self.decision)
        return measures_of_numbers(self.fitted, self.answers, self.codes)

    @cached_property
    def baseline(self) -> dict[str, float]:
        """The same measures of the best constant answer on the data, by name."""
        if self.is_classifier:
            return best_constant(self.codes, len(self.classes), self.decision)
        return measures_of_constant(self.fitted, self.codes)

    @cached_property
    def loo(self) -> dict[str, float]:
        """Leave-one-out measures of the training data that the model knows, by name."""
        return loo_measures(self.fitted)

    @cached_property
    def confusion(self) -> IntArray:
        """Counts of shape (n_classes, n_classes): rows are true classes, columns predicted ones."""
        labels = np.arange(len(self.classes))
        return confusion_matrix(self.codes, self.answers, labels=labels)

    @cached_property
    def distances(self) -> FloatArray | None:
        """How many of its standard deviations a prediction is off; None where it has none."""
        if not self.fitted.has_std:
            return None
        rows = self.fitted.model_rows(self.X)
        mean, std = self.fitted.model.predict(rows, return_std=True)
        return np.abs(self.codes - mean) / std


def judge(
    model: Any, X: Any, y: Any, *, seen: bool = False, costs: Any = None, precision: Any = None
) -> Judged:
    """Judge a fitted model on data.

    Parameters
    ----------
    model : estimator
        One of this package, a pipeline that ends with one, or a search over either.
    X : {DataFrame, array-like} of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
    seen : bool, default=False
        Whether these are the data of ``fit``.
    costs : mapping or sequence of float, or None, default=None
        Of a wrong answer for a row of each class, by label or in the order of ``classes_``: then
        answers are those of least expected cost, and measures tell the cost per row.
    precision : float or None, default=None
        Where given, measures tell the recall at this precision.

    Returns
    -------
    Judged

    See Also
    --------
    compare
    drumlin.report.write_report

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.evaluation import judge
    >>> X, y = load_iris(return_X_y=True)
    >>> judged = judge(DrumlinClassifier().fit(X[::2], y[::2]), X[1::2], y[1::2])
    >>> judged.measures["error"] < 0.1
    True
    >>> judged.confusion.sum(axis=1)
    array([25, 25, 25])
    """
    fitted = FittedNetwork.of(model)
    X = X if hasattr(X, "iloc") else np.asarray(X)
    if X.ndim != 2 or not len(X):
        raise ValueError(f"The 'X' parameter must be a table with rows. Got shape {X.shape}.")
    fitted.inputs(X)  # first: wrong columns and missing values are told before anything else
    decision = decision_of(fitted, costs, precision)
    return Judged(fitted, X, fitted.codes(y, len(X)), seen, decision)


def decision_of(fitted: FittedNetwork, costs: Any = None, precision: Any = None) -> Decision:
    """Check what is asked of the classes of a fitted model; see ``judge``.

    Raises
    ------
    ParameterError
        Where the model predicts numbers, or its probabilities are not those of rows as they come.

    See Also
    --------
    Decision
    judge

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.estimators.fitted import FittedNetwork
    >>> from drumlin.evaluation import decision_of
    >>> model = DrumlinClassifier(max_nodes=3).fit(*load_iris(return_X_y=True))
    >>> decision_of(FittedNetwork.of(model), costs=[1.0, 1.0, 5.0]).costs
    array([1., 1., 5.])
    """
    refuse_weighted(costs, getattr(fitted.model, "class_weight", None))
    return Decision.of(getattr(fitted.model, "classes_", None), costs, precision)


def loo_measures(fitted: FittedNetwork) -> dict[str, float]:
    """Leave-one-out measures that a fitted network knows, by name.

    Where targets are transformed, they are those of what the network has learned, and their names
    say so: "R² (log)". Of several outputs, there is the mean of their errors, and that of each.
    """
    model = fitted.model
    score, error = getattr(model, "loo_score_", None), getattr(model, "loo_error_", None)
    known: dict[str, float | None]
    if is_classifier(model):
        if error is None and score is not None:
            error = 1.0 - score
        known = {"error": error, "log-loss": getattr(model, "loo_log_loss_", None)}
    else:
        errors = getattr(model, "loo_errors_", ())
        each = zip(fitted.outputs, errors, strict=True) if len(errors) else ()
        known = {"R²": score, RMSE: error} | {f"{RMSE} of {name}": e for name, e in each}
    told = {name: float(value) for name, value in known.items() if value is not None}
    told = {name: value for name, value in told.items() if value == value}  # NaN: not known
    return told if fitted.target is None else as_learned(fitted, told)
