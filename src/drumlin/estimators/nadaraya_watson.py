"""Nadaraya-Watson kernel regression and its classifier (section 5.10 of haykin5)."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from drumlin._typing import FloatArray, IntArray
from drumlin._warnings import warn
from drumlin.basis import Gaussian, Nodes, reference_width
from drumlin.estimators.checks import given_sizes, new_inputs
from drumlin.estimators.class_outputs import CLASS_WEIGHT, ClassOutputs
from drumlin.estimators.docstrings import described_like
from drumlin.estimators.fitting import BaseNetwork
from drumlin.estimators.lazy import blockwise
from drumlin.estimators.number_outputs import NumberOutputs
from drumlin.estimators.progress import Progress
from drumlin.estimators.training import Training
from drumlin.linear.kernel_regression import log_density, loo_predictions
from drumlin.network import Network

COARSE = 2.0 ** np.arange(2, -7, -1.0)
"""Bandwidths tried first, in units of ``reference_width``: 4 to 1/64."""

FINE = 2.0 ** (np.array([3, 2, 1, -1, -2, -3]) / 4.0)
"""Bandwidths tried then, in units of the best of the first."""

MOST_PAIRS = 50_000_000
"""Kernel values per bandwidth: where all pairs of samples are more, some samples are left out."""


class BaseNadarayaWatson(BaseNetwork):
    """Base of ``NadarayaWatsonClassifier`` and ``NadarayaWatsonRegressor``."""

    _parameter_constraints: dict = {
        "bandwidth": [
            StrOptions({"loo"}),
            Interval(Real, 0, None, closed="neither"),
            "array-like",
        ],
        "standardize": ["boolean"],
        "random_state": ["random_state"],
    }

    _merges_rows = True

    @abstractmethod
    def _values(self, training: Training) -> FloatArray:
        """Targets to be averaged (n_samples, n_outputs), of comparable sizes."""

    @abstractmethod
    def _original(self, training: Training) -> FloatArray:
        """Targets to be averaged, in their own units."""

    def _as_scores(self, averages: FloatArray) -> FloatArray:
        """Averages as leave-one-out figures want them."""
        return averages

    def _fit_training(self, training: Training, told: dict) -> None:
        """Choose the bandwidth, keep the samples."""
        progress = Progress.of_fit(self, told, 2 if self._searches() else 0)
        rows = _loo_rows(len(training.X), check_random_state(self.random_state))
        values, one_copy = self._values(training), training.one_copy

        def predict(Z: FloatArray, bandwidths: FloatArray) -> FloatArray:
            return loo_predictions(Z, values, training.weight, one_copy, rows, bandwidths)

        n_features = training.X.shape[1]
        self.__dict__.pop("bandwidth_path_", None)  # of an earlier fit
        if self._searches():
            best = self._search(
                training, values, rows, predict, lambda: progress.begin("bandwidths").end()
            )
            bandwidth = np.full(n_features, best)
        else:
            of = f"{n_features} features"
            bandwidth = given_sizes(self, "bandwidth", "'loo'", of, n_features)
        loo = predict(training.standardized() / bandwidth, np.ones(1))[0]
        some, scores = training.take(rows), self._as_scores(loo)
        for name, value in self._loo_figures(some, scores).items():
            setattr(self, name, value)
        self._calibration = self._calibrated(some, scores)
        self._set_network(training, bandwidth * training.scaler.scale)
        self._remember_training(training)
        progress.end({})

    def _searches(self) -> bool:
        return isinstance(self.bandwidth, str)

    def _search(self, training: Training, values, rows: IntArray, predict, on_step) -> float:
        """Bandwidth of least leave-one-out squared error, in standardised units."""
        Z, weight = training.standardized(), training.weight
        path: dict[float, float] = {}
        best = reference_width(Z, weight, check_random_state(self.random_state))
        try:
            for steps in (COARSE, FINE):
                bandwidths = best * steps
                errors = predict(Z, bandwidths) - values[rows]
                costs = (errors**2).sum(axis=2) @ weight[rows] / weight[rows].sum()
                path |= dict(zip(bandwidths.tolist(), costs.tolist(), strict=True))
                best = min(path, key=lambda bandwidth: (path[bandwidth], -bandwidth))
                if on_step():
                    break
        except KeyboardInterrupt:
            if not path:
                raise
            warn(
                f"{type(self).__name__}.fit was interrupted; the best bandwidth so far is kept and "
                "the model is ready to use.",
                ConvergenceWarning,
            )
        self.bandwidth_path_ = {
            "bandwidth": np.array(sorted(path, reverse=True)),
            "loo_squared_error": np.array([path[key] for key in sorted(path, reverse=True)]),
        }
        return best

    def _set_network(self, training: Training, bandwidth: FloatArray) -> None:
        coef = self._original(training)
        widths = np.tile(bandwidth, (len(training.X), 1))
        nodes = Nodes(np.ascontiguousarray(training.X), widths, Gaussian())
        intercept = np.zeros(coef.shape[1])
        self.network_ = Network(nodes, coef, intercept, shares=training.weight)
        self.bandwidth_ = bandwidth
        self.n_nodes_ = len(nodes)
        self.centers_, self.widths_, self.support_ = nodes.centers, nodes.widths, training.rows

    @blockwise
    def score_samples(self, X: Any) -> FloatArray:
        """Logarithm of the Parzen-Rosenblatt density of the inputs (eq. 5.55).

        The bandwidth is the one that suits the targets. Inputs that were constant are left out.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = new_inputs(self, X)
        assert self.network_.shares is not None
        return log_density(self.network_.nodes, self.network_.shares, X)


@described_like()
class NadarayaWatsonClassifier(ClassOutputs, BaseNadarayaWatson):
    """Classifier by local averages: the share of each class near a point.

    The normalised network (5.65) of [1]_ with a node on every sample: nothing is fitted but the
    bandwidth of the Gaussian kernel, by exact leave-one-out. All samples are kept.

    Parameters
    ----------
    bandwidth : "loo", float or array-like of shape (n_features,), default="loo"
        Standard deviation of the kernel in standardised units (raw units with
        ``standardize=False``). "loo" takes, for all inputs, the one of least leave-one-out squared
        error (Brier score) of 15, from 4 to 1/64 times the median distance between samples over
        sqrt(2) and then around the best.
    random_state : int, RandomState instance or None, default=0
        Used only above 1000 samples, to estimate the median distance, and above 7000, where only
        some samples are left out.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
    bandwidth_ : ndarray of shape (n_features_in_,)
        Bandwidths in the units of X; infinite for inputs that are ignored.
    bandwidth_path_ : dict of ndarray
        ``bandwidth`` in standardised units and ``loo_squared_error``, where they were tried.
    loo_error_, loo_score_, loo_log_loss_ : float
        Leave-one-out error (accuracy) and log-loss.
    relevance_, n_bytes_
    n_nodes_ : int
        Number of distinct samples.
    centers_, widths_ : ndarray of shape (n_nodes_, n_features_in_)
        The samples, and the bandwidths.
    coef_ : ndarray of shape (n_classes, n_nodes_)
        1 for the class of the sample.
    intercept_ : ndarray of shape (n_classes,)
        Zeros.
    support_ : ndarray of shape (n_nodes_,)
        Training rows of the samples.
    network_

    See Also
    --------
    NadarayaWatsonRegressor : The same for numbers.
    RBFNetworkClassifier : ``normalized=True`` with few nodes.

    Notes
    -----
    Evaluation is blocked: memory beside the samples is at most 64 rows of kernel values. Where all
    kernels vanish the nearest sample decides, which is the limit of the formula. Leave-one-out
    leaves out one unit of sample weight (all of a smaller one), so integer weights equal repeated
    rows.

    References
    ----------
    .. [1] S. Haykin, "Neural Networks and Learning Machines", section 5.10, 2009.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import NadarayaWatsonClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NadarayaWatsonClassifier().fit(X, y)
    >>> model.loo_score_ > 0.93
    True
    """

    _parameter_constraints: dict = BaseNadarayaWatson._parameter_constraints | CLASS_WEIGHT

    def __init__(
        self,
        bandwidth: Any = "loo",
        *,
        standardize: bool = True,
        class_weight: Any = None,
        random_state: Any = 0,
    ) -> None:
        self.bandwidth = bandwidth
        self.standardize = standardize
        self.class_weight = class_weight
        self.random_state = random_state

    def _one_number(self, scores: FloatArray) -> FloatArray:
        return scores[:, 1] - scores[:, 0]

    def _probabilities(self, scores: FloatArray) -> FloatArray:
        return scores

    def _as_scores(self, averages: FloatArray) -> FloatArray:
        """Logarithms of the shares, none of which is certain."""
        return np.log(np.maximum(averages, np.finfo(np.float64).eps))

    def _values(self, training: Training) -> FloatArray:
        return np.eye(self._n_classes)[training.labels]

    def _original(self, training: Training) -> FloatArray:
        return self._values(training)


@described_like(NadarayaWatsonClassifier)
class NadarayaWatsonRegressor(NumberOutputs, BaseNadarayaWatson):
    """Regression by local averages, with the bandwidth by exact leave-one-out.

    Several outputs share one bandwidth.

    Attributes
    ----------
    n_features_in_, feature_names_in_, bandwidth_, n_nodes_, centers_, widths_, support_, network_
    relevance_, n_bytes_
    bandwidth_path_ : dict of ndarray
        Errors are in units of the targets' variance, summed over outputs.
    loo_error_, loo_score_ : float
        Leave-one-out root mean squared error, and R2.
    coef_ : ndarray of shape (n_nodes_,) or (n_outputs, n_nodes_)
        The targets.
    intercept_ : float or ndarray of shape (n_outputs,)
        Zero.

    See Also
    --------
    NadarayaWatsonClassifier : The same for classes; notes are there.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin import NadarayaWatsonRegressor
    >>> X = np.linspace(-3, 3, 100)[:, None]
    >>> model = NadarayaWatsonRegressor().fit(X, np.sin(X[:, 0]))
    >>> model.loo_score_ > 0.99
    True
    """

    def __init__(
        self, bandwidth: Any = "loo", *, standardize: bool = True, random_state: Any = 0
    ) -> None:
        self.bandwidth = bandwidth
        self.standardize = standardize
        self.random_state = random_state

    def _values(self, training: Training) -> FloatArray:
        return training.codes

    def _original(self, training: Training) -> FloatArray:
        return training.codes * training.target_scale + training.target_shift


def _loo_rows(n_samples: int, rng: np.random.RandomState) -> IntArray:
    """Samples to be left out: all, or as many as ``MOST_PAIRS`` allows."""
    most = max(MOST_PAIRS // n_samples, 100)
    if n_samples <= most:
        return np.arange(n_samples)
    return np.sort(rng.choice(n_samples, most, replace=False)).astype(np.int64)
