"""The rivals: what people use instead, as ready estimators and searches.

All inputs are standardised on the training rows. A search is scikit-learn's own, with its default
folds; what it is run on is decided by the protocol.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils.validation import check_is_fitted, validate_data

from drumlin._typing import FloatArray

FOLDS = 5
C = np.logspace(-1.0, 3.0, 6)
GAMMA_TIMES_INPUTS = 4.0 ** np.arange(-3, 3)
COLUMNS_C = np.logspace(-1.0, 2.0, 4)  # up to 10 only, half of the searches end on the edge
COLUMNS_GAMMA_TIMES_INPUTS = 4.0 ** np.arange(-2, 2)


def svc() -> Pipeline:
    """RBF-kernel SVM with scikit-learn's defaults."""
    return make_pipeline(StandardScaler(), SVC())


def svm_search(n_features: int) -> GridSearchCV:
    """Search over 36 points: C from .1 to 1000, gamma times the number of inputs 1/64 to 16."""
    grid = {"svc__C": C, "svc__gamma": GAMMA_TIMES_INPUTS / n_features}
    return GridSearchCV(svc(), grid, cv=FOLDS)


def svr() -> TransformedTargetRegressor:
    """RBF-kernel support vector regression with scikit-learn's defaults, targets standardised."""
    return TransformedTargetRegressor(
        make_pipeline(StandardScaler(), SVR()), transformer=StandardScaler()
    )


def svr_search(n_features: int) -> GridSearchCV:
    """Search over the points of ``svm_search``."""
    grid = {"regressor__svr__C": C, "regressor__svr__gamma": GAMMA_TIMES_INPUTS / n_features}
    return GridSearchCV(svr(), grid, cv=FOLDS)


class KernelColumns(TransformerMixin, BaseEstimator):
    """Gaussian kernel columns, one per training sample.

    Parameters
    ----------
    gamma : float, default=1.0
        Factor of the squared distance.
    """

    def __init__(self, gamma: float = 1.0) -> None:
        self.gamma = gamma

    def fit(self, X: Any, y: Any = None) -> KernelColumns:
        """Keep the samples."""
        self.centers_ = validate_data(self, X, dtype=np.float64)
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return the kernel between X and the samples, of shape (n_samples, n_centers)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return rbf_kernel(X, self.centers_, gamma=self.gamma)


def l1_on_columns(n_classes: int) -> Pipeline:
    """Logistic regression with an L1 penalty on kernel columns, one against the rest."""
    logistic = LogisticRegression(l1_ratio=1, solver="liblinear", max_iter=1000)
    last = logistic if n_classes == 2 else OneVsRestClassifier(logistic)
    return Pipeline([("scale", StandardScaler()), ("columns", KernelColumns()), ("logistic", last)])


def l1_search(n_features: int, n_classes: int) -> GridSearchCV:
    """Search over 16 points: C from .1 to 100, gamma times the number of inputs 1/16 to 4."""
    C_name = "logistic__C" if n_classes == 2 else "logistic__estimator__C"
    grid = {C_name: COLUMNS_C, "columns__gamma": COLUMNS_GAMMA_TIMES_INPUTS / n_features}
    return GridSearchCV(l1_on_columns(n_classes), grid, cv=FOLDS)


def logistic() -> Pipeline:
    """Linear logistic regression with scikit-learn's defaults."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def ridge() -> Pipeline:
    """Linear ridge regression with scikit-learn's defaults."""
    return make_pipeline(StandardScaler(), Ridge())


def boosting() -> Any:
    """Gradient boosting of trees with scikit-learn's defaults."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # takes long to import

    return HistGradientBoostingClassifier()


def boosting_of_numbers() -> Any:
    """Gradient boosting of trees for numbers with scikit-learn's defaults."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor()


def constant() -> Any:
    """The shares of the classes, whatever the inputs: what any model must beat."""
    from sklearn.dummy import DummyClassifier

    return DummyClassifier()


def constant_number() -> Any:
    """The mean of the targets, whatever the inputs."""
    from sklearn.dummy import DummyRegressor

    return DummyRegressor()


_QUIET = {"verbose": False, "allow_writing_files": False, "thread_count": 1}


def catboost() -> Any:
    """CatBoost with its defaults."""
    from catboost import CatBoostClassifier

    return CatBoostClassifier(random_state=None, **_QUIET)


def catboost_of_numbers() -> Any:
    """CatBoost for numbers with its defaults."""
    from catboost import CatBoostRegressor

    return CatBoostRegressor(random_state=None, **_QUIET)


def lightgbm() -> Any:
    """LightGBM with its defaults."""
    from lightgbm import LGBMClassifier

    return LGBMClassifier(verbose=-1, n_jobs=1)


def lightgbm_of_numbers() -> Any:
    """LightGBM for numbers with its defaults."""
    from lightgbm import LGBMRegressor

    return LGBMRegressor(verbose=-1, n_jobs=1)


def explainable_boosting() -> Any:
    """Explainable boosting machine of the package interpret, with its defaults."""
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=1)


def explainable_boosting_of_numbers() -> Any:
    """Explainable boosting machine for numbers, with its defaults."""
    from interpret.glassbox import ExplainableBoostingRegressor

    return ExplainableBoostingRegressor(n_jobs=1)


def relevance_vectors() -> Pipeline:
    """Relevance vector machine of the package fastrvm, with its defaults."""
    from fastrvm import RVC

    return make_pipeline(StandardScaler(), RVC())


def n_support(fitted: Pipeline) -> int:
    """Support vectors of an SVM."""
    return int(fitted[-1].n_support_.sum())


def n_support_of_numbers(fitted: TransformedTargetRegressor) -> int:
    """Support vectors of a regression."""
    return int(fitted.regressor_[-1].n_support_.sum())


def n_columns(fitted: Pipeline) -> int:
    """Kernel columns with a weight other than zero for any class."""
    last: Any = fitted[-1]
    models = last.estimators_ if isinstance(last, OneVsRestClassifier) else [last]
    return int(np.any([model.coef_[0] != 0.0 for model in models], axis=0).sum())


def n_relevance(fitted: Pipeline) -> int:
    """Relevance vectors, those of several classes counted once."""
    return len(fitted[-1].relevance_)
