"""What is compared, as one noun: how a method is built, tuned, seeded and judged."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.class_weight import compute_sample_weight

from drumlin.estimators.families import build
from drumlin.evaluation import rivals
from drumlin.evaluation.measures import log_loss

BALANCED = "balanced"
"""Class weights: those with which every class counts as much."""


@dataclass(frozen=True)
class Shape:
    """What may be known of a problem before its rows are seen.

    Parameters
    ----------
    dataset : str
        Its name; "" where it has none.
    n_features : int
    n_classes : int
        Zero where targets are numbers.

    See Also
    --------
    Method

    Examples
    --------
    >>> from drumlin.evaluation import Shape
    >>> Shape("iris", n_features=4, n_classes=3)
    Shape(dataset='iris', n_features=4, n_classes=3)
    """

    dataset: str
    n_features: int
    n_classes: int


@dataclass(frozen=True)
class Method:
    """One row of a comparison.

    Parameters
    ----------
    name, about : str
        Key, and one line for the legend.
    kind : {"preset", "default", "rival"}
    build : callable
        From the shape of a problem to an unfitted estimator.
    size : callable or None
        Nodes, support vectors or columns of a fitted one; None where that means nothing.
    search : callable or None
        From the shape to the search that tunes it on training rows.
    calibrated : bool
        Whether its log-loss needs Platt's calibration, because it has no probabilities.
    needs : str or None
        A package that drumlin does not bring along.

    See Also
    --------
    compare : Methods on the folds of a table.
    contenders

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from drumlin.evaluation import Method, Shape
    >>> method = Method("bayes", "naive Bayes", "rival", lambda shape: GaussianNB())
    >>> method.is_available, method.build(Shape("", 4, 3))
    (True, GaussianNB())
    """

    name: str
    about: str
    kind: str
    build: Callable[[Shape], Any]
    size: Callable[[Any], int] | None = None
    search: Callable[[Shape], GridSearchCV] | None = None
    calibrated: bool = False
    needs: str | None = None

    @property
    def is_available(self) -> bool:
        """Whether it can run here."""
        return self.needs is None or find_spec(self.needs) is not None

    def seeded(self, shape: Shape, seed: int) -> Any:
        """Return an unfitted estimator whose random numbers come from a seed."""
        estimator = self.build(shape)
        names = [name for name in estimator.get_params() if name.endswith("random_state")]
        return estimator.set_params(**dict.fromkeys(names, seed))

    def with_probabilities(self, fitted: Any, X: Any, y: Any, *, balanced: bool = False) -> Any:
        """Return the fitted estimator, or a calibrated copy where it has no probabilities.

        Parameters
        ----------
        fitted : estimator
        X, y : array-like
            The rows that it was fitted to.
        balanced : bool, default=False
            Whether it was fitted by ``fit_balanced``: so is the calibration.
        """
        if not self.calibrated:
            return fitted
        model = clone(fitted)
        if balanced and _class_weights(model):
            model = make_pipeline(model)  # weights of rows are for the calibration alone
        copy = CalibratedClassifierCV(model, ensemble=False, cv=rivals.FOLDS)
        if not balanced:
            return copy.fit(X, y)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*does not appear to accept sample_weight")
            return copy.fit(X, y, sample_weight=compute_sample_weight(BALANCED, y))

    def log_loss(self, fitted: Any, X: Any, y: Any, X_test: Any, y_test: Any) -> float | None:
        """Log-loss on test rows; None where there are no probabilities.

        Parameters
        ----------
        fitted : estimator
        X, y : array-like
            The rows that it was fitted to.
        X_test, y_test : array-like
        """
        model = self.with_probabilities(fitted, X, y)
        if not hasattr(model, "predict_proba"):
            return None
        return log_loss(model.predict_proba(X_test), model.classes_, y_test)


def fit_balanced(estimator: Any, X: Any, y: Any) -> Any:
    """Fit with classes that count alike: by its parameter, else by weights of the rows.

    Parameters
    ----------
    estimator : estimator
        Also a pipeline or a search; it is changed.
    X, y : array-like
    """
    names = _class_weights(estimator)
    if names:
        return estimator.set_params(**dict.fromkeys(names, BALANCED)).fit(X, y)
    return estimator.fit(X, y, sample_weight=compute_sample_weight(BALANCED, y))


def _class_weights(estimator: Any) -> list[str]:
    """Names of the parameters that are class weights."""
    return [n for n in estimator.get_params() if n.rpartition("__")[2] == "class_weight"]


def n_nodes(fitted: Any) -> int:
    """Nodes of an estimator of ours."""
    return int(fitted.n_nodes_)


def ours(method: str, task: str) -> Method:
    """Return a family of ours with its defaults; see ``drumlin.estimators.families``."""
    estimator = build(method, task)
    about = f"`{type(estimator).__name__}()`"
    return Method(method, about, "default", lambda shape: build(method, task), n_nodes)


def rival(name: str, about: str, build: Callable[[], Any], **options: Any) -> Method:
    """Return a rival that is built whatever the shape of the problem."""
    return Method(name, about, "rival", lambda shape: build(), **options)


SVC = rival("SVC", "SVC with its defaults", rivals.svc, size=rivals.n_support, calibrated=True)
TUNED_SVC = rival(
    "SVC tuned",
    "SVC, C and gamma by a 6 x 6 grid and 5 folds",
    rivals.svc,
    size=rivals.n_support,
    search=lambda shape: rivals.svm_search(shape.n_features),
    calibrated=True,
)
LOGISTIC = rival("logistic", "linear LogisticRegression with its defaults", rivals.logistic)
BOOSTING = rival("boosting", "HistGradientBoostingClassifier with its defaults", rivals.boosting)
SVR = rival("SVR", "SVR with its defaults", rivals.svr, size=rivals.n_support_of_numbers)
TUNED_SVR = rival(
    "SVR tuned",
    "SVR, C and gamma by a 6 x 6 grid and 5 folds",
    rivals.svr,
    size=rivals.n_support_of_numbers,
    search=lambda shape: rivals.svr_search(shape.n_features),
)
RIDGE = rival("ridge", "linear Ridge with its defaults", rivals.ridge)
BOOSTING_OF_NUMBERS = rival(
    "boosting", "HistGradientBoostingRegressor with its defaults", rivals.boosting_of_numbers
)

CONSTANT = rival("constant", "the shares of the classes: the baseline", rivals.constant)
CONSTANT_NUMBER = rival("constant", "the mean: the baseline", rivals.constant_number)

USUAL = {
    "classification": (CONSTANT, SVC, TUNED_SVC, LOGISTIC, BOOSTING),
    "regression": (CONSTANT_NUMBER, SVR, TUNED_SVR, RIDGE, BOOSTING_OF_NUMBERS),
}
"""The usual methods beside ours, by task."""

MORE = {
    "classification": (
        rival("CatBoost", "CatBoost with its defaults", rivals.catboost, needs="catboost"),
        rival("LightGBM", "LightGBM with its defaults", rivals.lightgbm, needs="lightgbm"),
        rival("EBM", "interpret's defaults", rivals.explainable_boosting, needs="interpret"),
    ),
    "regression": (
        rival("CatBoost", "CatBoost's defaults", rivals.catboost_of_numbers, needs="catboost"),
        rival("LightGBM", "LightGBM's defaults", rivals.lightgbm_of_numbers, needs="lightgbm"),
        rival(
            "EBM",
            "interpret's defaults",
            rivals.explainable_boosting_of_numbers,
            needs="interpret",
        ),
    ),
}
"""Methods of packages that drumlin does not bring along, by task."""
