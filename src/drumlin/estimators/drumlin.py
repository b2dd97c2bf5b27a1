"""The flagship: no hyperparameters, a handful of refined nodes, honest probabilities."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real

import numpy as np
from scipy.special import expit
from sklearn.base import _fit_context
from sklearn.utils._param_validation import StrOptions

from drumlin._kernels import HUBER, HUBER_DELTA, LOGISTIC, SOFTMAX, SQUARED
from drumlin._typing import FloatArray, IntArray
from drumlin.basis import InputMap
from drumlin.basis.maps import clip_of_outliers
from drumlin.estimators._atomic import whole_or_not
from drumlin.estimators._local import MOST_ROWS, MOST_VARIABLES, LocalFit
from drumlin.estimators._outputs import ClassOutputs, NumberOutputs, winners
from drumlin.estimators._refined import (
    INTERCEPT,
    METRIC,
    SCALE,
    BaseRefinedNetwork,
    Fitted,
)
from drumlin.estimators._training import Training
from drumlin.readout import fit_temperature, log_loss, smoothed_targets
from drumlin.readout.laplace import QuadraticModel, loo_scores
from drumlin.readout.refine import Refined, RefineProblem
from drumlin.readout.smooth import LEAST_NOISE, Smooth
from drumlin.readout.variables import Penalties
from drumlin.selection.smooth import find_smooth
from drumlin.selection.start import Start, StartProblem, systematic_sample, weighted_median

METRIC_OF_MANY = 3.0
"""Penalty of the shared metric for more than two classes: every contrast informs it."""

WINSOR = 3.0
"""Targets of the start are cut here with the Huber loss, in robust standard deviations."""


class DrumlinClassifier(ClassOutputs, BaseRefinedNetwork):
    """Small Gaussian network with the accuracy of a tuned SVM; nothing to tune.

    A forward path of least squares, judged by exact leave-one-out errors, chooses a metric, a
    width, a few training samples as nodes and their number; then weights, centers and per-input
    widths are refined together by penalised maximum likelihood, and nodes that are not worth their
    price are dropped. Inputs are standardised and smoothly clipped inside; with many inputs for few
    samples, nodes stand on the scores of a ridge regression where that is clearly better. Nothing
    is random.

    Parameters
    ----------
    max_nodes : int or None, default=None
        Most nodes.
    max_bytes : int or None, default=None
        Most bytes of stored parameters (8 per number).
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply the sample weights.
    random_state : int, RandomState instance or None, default=None
        Has no effect: nothing is random. Accepted so that tools can set it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string names.
    n_nodes_ : int
        Number of nodes; 0 where the data show no signal.
    n_bytes_ : int
        Bytes of stored parameters.
    centers_, widths_ : ndarray of shape (n_nodes_, n_features_in_)
        Nodes in the units of X (widths are local ones: inputs are clipped smoothly). An infinite
        width means the input is ignored.
    relevance_ : ndarray of shape (n_features_in_,)
        Share of every input in the slopes of the scores at the training samples, in units of the
        input's spread; sums to 1 (0 without nodes).
    support_ : ndarray of shape (n_nodes_,)
        Training rows the nodes started on.
    path_ : dict of ndarray
        Leave-one-out squared error of the starting path for 0, 1, 2, ... nodes.
    loo_error_, loo_log_loss_ : float
        Leave-one-out error and log-loss: for two classes and up to 600 variables of the refined
        network, by one Newton step per sample; else of the least-squares start, which is usually
        somewhat worse than the refined network.
    network_ : Network
        The function itself.

    See Also
    --------
    DrumlinRegressor : The same for numbers.
    ForwardRBFClassifier : Forward selection with every part exposed.

    Notes
    -----
    The recipe, its constants and what was tried are in docs/flagship.md. Integer sample weights
    equal repeated rows; weights that sum to less than the number of samples are relative.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from drumlin import DrumlinClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = DrumlinClassifier().fit(X[::2], y[::2])
    >>> model.n_nodes_ < 10
    True
    >>> model.score(X[1::2], y[1::2]) > 0.95
    True
    """

    _parameter_constraints: dict = {
        **BaseRefinedNetwork._parameter_constraints,
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    temperature_ = 1.0  # scores are log-odds already

    def __init__(self, max_nodes=None, *, max_bytes=None, class_weight=None, random_state=None):
        self.max_nodes = max_nodes
        self.max_bytes = max_bytes
        self.class_weight = class_weight
        self.random_state = random_state

    @whole_or_not
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Find and refine the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Rows of weight zero are ignored.

        Returns
        -------
        self : DrumlinClassifier
        """
        self._fit_table(*self._prepare(X, y, sample_weight))
        return self

    def predict(self, X, *, reject=None):
        """Predict the class of every sample, or that it is not known.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        reject : float or None, default=None
            Answer None (in an array of objects) where the probability of the class is below this,
            or where the sample is farther from all nodes than every training sample.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        labels = super().predict(X)
        if reject is None:
            return labels
        if not isinstance(reject, Real) or not 0.0 <= float(reject) <= 1.0:
            raise ValueError(
                f"The 'reject' parameter of {type(self).__name__}.predict must be a number in the "
                f"range [0, 1]. Got {reject!r}."
            )
        unsure = self.predict_proba(X).max(axis=1) < reject
        answers = labels.astype(object)
        answers[unsure | self._is_beyond(X)] = None
        return answers

    # ------------------------------------------------------------------ the recipe
    def _input_map(self, training: Training) -> InputMap:
        return InputMap(training.scaler)

    def _start_targets(self, training: Training) -> FloatArray:
        return training.codes

    def _rival(self, table: StartProblem, start: Start, price: float, limit: int | None) -> None:
        return None

    def _refine_problem(self, training: Training, Z: FloatArray, start: Start) -> RefineProblem:
        loss = LOGISTIC if len(self.classes_) == 2 else SOFTMAX
        return RefineProblem(Z, training.labels, training.weight, loss)

    def _penalties(self, training: Training, start: Start, n_nodes: int) -> Penalties:
        n_classes = len(self.classes_)
        deviation = 10_000.0 / (training.weight.sum() * n_classes)  # more samples: less doubt
        if n_classes == 2:
            coef, deviation = 0.4 * start.squared_error, float(np.clip(deviation, 2.0, 30.0))
            return Penalties(INTERCEPT, coef, 3.0, SCALE, METRIC, deviation)
        crowding = max(1.0, n_nodes / (3.0 * n_classes)) ** 0.7
        coef = max(0.1, 1.2 / n_classes) * crowding * start.squared_error / start.variance
        deviation = float(np.clip(deviation, 3.0, 30.0))
        return Penalties(INTERCEPT, coef, 1.0, SCALE, METRIC_OF_MANY, deviation)

    def _null_intercept(self, training: Training) -> FloatArray:
        log_rates = np.log(np.bincount(training.labels, training.weight) / training.weight.sum())
        if len(log_rates) == 2:
            return np.array([log_rates[1] - log_rates[0]])
        return log_rates - log_rates.mean()

    def _finish(self, training: Training, fitted: Fitted) -> None:
        """Leave-one-out error and log-loss."""
        rows, scores, temperature = self._loo(training, fitted)
        labels, weight = training.labels[rows], training.weight[rows]
        self.loo_error_ = 1.0 - float(weight @ (winners(scores) == labels) / weight.sum())
        self.loo_log_loss_ = log_loss(scores, labels, weight, temperature)

    def _add_loss(self, loss: float) -> None:
        if loss > 0.0:
            self.loo_log_loss_ += loss
            self.loo_error_ = float("nan")  # not known without data

    def _loo(self, training: Training, fitted: Fitted):
        """Rows, their leave-one-out scores, and the factor that makes log-odds of them."""
        solution, start, problem = fitted.solution, fitted.start, fitted.problem
        if start is None or solution is None or problem is None:
            scores = np.tile(self.network_.intercept, (len(training.X), 1))
            return slice(None), scores, 1.0
        if len(self.classes_) == 2 and solution.size <= MOST_VARIABLES:
            rows = systematic_sample(problem.Z, training.labels, MOST_ROWS)
            part = problem.take(rows)
            J = solution.jacobian(part.Z)
            scores = replace(self.network_, inputs=None)(part.Z)[:, 0]
            p = expit(scores)
            curvature = np.maximum(p * (1.0 - p), 1e-9)
            model = QuadraticModel.fit(J, part.weight * curvature, solution.precision())
            left = np.minimum(training.weight[rows], 1.0)
            slope = p - training.labels[rows]
            loo = loo_scores(scores, slope, curvature, model.variances(J), left)
            return rows, loo[:, None], 1.0
        rows, scores = start.used, start.loo_predictions
        labels, weight = training.labels[rows], training.weight[rows]
        smoothed = smoothed_targets(labels, weight, len(self.classes_))
        return rows, scores, fit_temperature(scores, smoothed, weight)


class DrumlinRegressor(NumberOutputs, BaseRefinedNetwork):
    """Small Gaussian network for regression with predictive uncertainty; nothing to tune.

    The recipe of ``DrumlinClassifier`` with squared (or Huber) loss. The noise is learned. Only
    inputs with outliers are clipped. With squared loss, a smooth network is fitted besides: nodes
    share their widths and weights have the prior of a Gaussian process. It is taken if its squared
    errors left out are lower by more than a standard error.

    Parameters
    ----------
    max_nodes : int or None, default=None
        Most nodes.
    max_bytes : int or None, default=None
        Most bytes of stored parameters.
    loss : {"squared_error", "huber"}, default="squared_error"
        "huber" limits the influence of residuals beyond 1.35 standard deviations of the bulk of
        the noise, and ``noise_std_`` is that of the bulk.
    random_state : int, RandomState instance or None, default=None
        Has no effect: nothing is random. Accepted so that tools can set it.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_nodes_, n_bytes_, centers_, widths_, relevance_, support_
        As in ``DrumlinClassifier``.
    noise_std_ : float
        Standard deviation of the noise.
    loo_error_ : float
        Leave-one-out root mean squared error.
    path_ : dict of ndarray
        Leave-one-out squared error of the path that the refined network starts from, in units of
        the targets' variance.
    network_ : Network
        The function itself.

    See Also
    --------
    DrumlinClassifier : The same for classes.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin import DrumlinRegressor
    >>> X = np.linspace(-3, 3, 200)[:, None]
    >>> model = DrumlinRegressor().fit(X, np.sin(X[:, 0]))
    >>> model.score(X, np.sin(X[:, 0])) > 0.99
    True
    """

    _multi_output = False

    _parameter_constraints: dict = {
        **BaseRefinedNetwork._parameter_constraints,
        "loss": [StrOptions({"squared_error", "huber"})],
    }

    def __init__(self, max_nodes=None, *, max_bytes=None, loss="squared_error", random_state=None):
        self.max_nodes = max_nodes
        self.max_bytes = max_bytes
        self.loss = loss
        self.random_state = random_state

    @whole_or_not
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Find and refine the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Rows of weight zero are ignored.

        Returns
        -------
        self : DrumlinRegressor
        """
        self._fit_table(*self._prepare(X, y, sample_weight))
        return self

    def predict(self, X, return_std=False):
        """Predict the target of every sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        return_std : bool, default=False
            Whether to return standard deviations, noise included, too.

        Returns
        -------
        ndarray of shape (n_samples,), or two of them
        """
        X = self._validated(X)
        mean = self.network_(X)[:, 0]
        return (mean, self._std(X)) if return_std else mean

    # ------------------------------------------------------------------ the recipe
    def _input_map(self, training: Training) -> InputMap:
        clip = clip_of_outliers(training.scaler, training.X, training.weight.sum())
        return InputMap(training.scaler, clip)

    def _start_targets(self, training: Training) -> FloatArray:
        """Without outliers where they shall not matter: least squares would run after them."""
        if self.loss == "squared_error":
            return training.codes
        y, weight = training.codes, training.weight
        middle = weighted_median(y[:, 0], weight)
        reach = WINSOR * np.sqrt(_robust_variance(y[:, 0] - middle, weight))
        return np.clip(y, middle - reach, middle + reach) if reach > 0.0 else y

    def _rival(
        self, table: StartProblem, start: Start, price: float, limit: int | None
    ) -> tuple[Smooth, IntArray] | None:
        """Return a smooth network: a refined one overfits what a few wide nodes could say."""
        m, d = start.centers.shape
        if self.loss == "huber" or m * (2 * d + 2) + d + 1 > MOST_VARIABLES:
            return None
        return find_smooth(table, price, limit)

    def _refine_problem(self, training: Training, Z: FloatArray, start: Start) -> RefineProblem:
        noise = start.squared_error
        loss = SQUARED
        if self.loss == "huber":
            loss = HUBER
            errors = training.codes[start.used] - start.loo_predictions
            noise = min(noise, _robust_variance(errors[:, 0], training.weight[start.used]))
        noise = max(noise, LEAST_NOISE)
        delta = HUBER_DELTA * float(np.sqrt(noise))
        return RefineProblem(Z, training.codes, training.weight / noise, loss, delta)

    def _penalties(self, training: Training, start: Start, n_nodes: int) -> Penalties:
        # A weight of one standard deviation of the target costs what one sample's noise does.
        deviation = 2.0 * float(np.clip(5000.0 / training.weight.sum(), 2.0, 30.0))
        return Penalties(INTERCEPT, 1.0, 6.0, 2.0 * SCALE, METRIC, deviation)

    def _null_intercept(self, training: Training) -> FloatArray:
        return training.target_shift

    def _reweight(self, problem: RefineProblem, refined: Refined) -> float:
        """Old noise over new noise: residual over the degrees of freedom that are left."""
        if refined.size > MOST_VARIABLES:
            return 1.0
        local = LocalFit.of(problem, refined)
        n_samples = self._n_samples
        old = n_samples / problem.weight.sum()
        free = max(1.0 - float(local.weight @ local.variance) / n_samples, 0.1)
        new = float(np.average(local.residual**2, weights=local.weight)) / free
        if self.loss == "huber":
            new = min(new, _robust_variance(local.residual, local.weight) / free)
        return old / max(new, LEAST_NOISE)

    def _finish(self, training: Training, fitted: Fitted) -> None:
        """Noise, leave-one-out error, and what standard deviations need."""
        self._quadratic_model: QuadraticModel | None = None
        solution = fitted.solution
        if solution is None or fitted.problem is None or fitted.start is None:
            weight, squares = training.weight, training.codes[:, 0] ** 2
            left = np.minimum(weight, 1.0) / weight.sum()
            self._noise = float(weight @ squares / weight.sum())
            loo = squares / np.maximum(1.0 - left, left) ** 2
            error = float(np.sqrt(np.average(loo, weights=weight)))
        elif solution.size > MOST_VARIABLES:
            error = float(np.sqrt(fitted.start.squared_error))
            self._noise = fitted.start.squared_error
        else:
            self._noise = training.weight.sum() / fitted.problem.weight.sum()
            local = LocalFit.of(fitted.problem, solution)
            self._quadratic_model, self._solution = local.model, solution
            loo = local.errors_left_out(self._noise)
            error = float(np.sqrt(np.average(loo**2, weights=local.weight)))
        self.loo_error_ = error * float(training.target_scale[0])
        self.noise_std_ = float(np.sqrt(self._noise) * training.target_scale[0])

    def _std(self, X: FloatArray) -> FloatArray:
        """Standard deviations of new targets: noise and what the network does not know."""
        variance = np.full(len(X), self._noise)
        if self._quadratic_model is not None:
            Z = self.network_.mapped(X)
            step = max(1, 2_000_000 // (self._solution.nodes().centers.size * 4))
            for start in range(0, len(Z), step):
                rows = slice(start, start + step)
                J = self._solution.jacobian(Z[rows])
                variance[rows] += self._quadratic_model.variances(J)
        return np.sqrt(variance) * self._units[1][0]

    def _add_loss(self, loss: float) -> None:
        variance = 2.0 * loss * self._noise  # the loss is half a square in units of the noise
        scale = float(self._units[1][0])
        self._noise += variance
        self.noise_std_ = scale * float(np.sqrt(self._noise))
        self.loo_error_ = scale * float(np.hypot(self.loo_error_ / scale, np.sqrt(variance)))


def _robust_variance(errors: FloatArray, weight: FloatArray) -> float:
    """Variance of normal errors with the same median size."""
    return (weighted_median(np.abs(errors), weight) / 0.6745) ** 2
