"""Haykin's radial-basis-function networks: K-means, then least squares, batch or streaming."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted

from drumlin._typing import FloatArray, IntArray
from drumlin.estimators.calibrated import CalibratedNumbers
from drumlin.estimators.class_outputs import CLASS_WEIGHT, ClassOutputs
from drumlin.estimators.docstrings import described_like
from drumlin.estimators.number_outputs import UncertainNumbers
from drumlin.estimators.placed import LOO_ROWS, BaseRBFNetwork
from drumlin.estimators.solvers import STREAMING
from drumlin.estimators.training import Training
from drumlin.estimators.typed import available_if, fit_context
from drumlin.estimators.whole_or_not import whole_or_not
from drumlin.losses.predicted import Predicted
from drumlin.trust import Calibration


def _streams(estimator) -> bool:
    if estimator.solver not in STREAMING:
        raise AttributeError(
            f"partial_fit of {type(estimator).__name__} needs a 'solver' that learns from batches, "
            f"one of {STREAMING}. Got {estimator.solver!r}."
        )
    return True


@described_like()
class RBFNetworkClassifier(ClassOutputs, BaseRBFNetwork):
    r"""Radial-basis-function network: K-means for the nodes, recursive least squares for the rest.

    The hybrid procedure of [1]_, section 5.7: centers are placed without looking at the targets,
    then the weights of the linear output layer are learned. ``partial_fit`` learns from a stream.
    More than two classes share one set of nodes.

    Parameters
    ----------
    n_nodes : int, default=20
        Number of nodes; fewer where there are fewer distinct samples.
    centers : {"kmeans", "sample", "all"} or array of (n_nodes, n_features), default="kmeans"
        Means of K-means clusters, a random sample of the training samples, all of them (then
        ``n_nodes`` is ignored), or the centers themselves in the units of X.
    width : {"auto", "spread", "cluster"}, float or array-like of shape (n_nodes,), default="auto"
        "spread" is the largest distance between centers over :math:`\sqrt{2K}` for all (eq. 5.49),
        too narrow with many inputs; "cluster" for each node the root-mean-square distance of the
        samples nearest to it (eq. 5.27), too narrow with few inputs; "auto" the larger of both.
        Or widths in standardised units (raw units with ``standardize=False`` or given centers).
    radial : {"gaussian", "multiquadric", "inverse_multiquadric"} or Radial, default="gaussian"
        Shape of the nodes.
    normalized : bool, default=False
        Whether activations are divided by their sum (eqs. 5.63-5.70). Far from all nodes the
        nearest one decides.
    solver : {"rls", "lms", "plain-lms", "ridge", "exact", "gradient"}, default="rls"
        How weights are learned: recursive least squares, sample by sample (section 5.6); normalised
        least-mean-square (Problem 5.11); the same with the book's plain steps, which run away where
        rates are too large; the same least squares as "rls" in one step per batch;
        exact interpolation (eqs. 5.10-5.19), which needs ``centers="all"``; or joint descent on
        weights, centers and widths from there (Problem 5.8), with squared loss.
    alpha : float, default=1e-3
        Penalty of the squared weights; "rls" starts from P(0) = I / alpha.
    forgetting : float, default=1.0
        Factor, for "rls" only, by which old samples count less with every new one. Below 1 the
        network tracks targets that drift, and ``fit`` takes the order of the rows as time.
    learning_rate : float or pair of float, default=(0.6, 0.01)
        First and last rate of "lms": part of a sample's error that its own step removes; of
        "plain-lms": factor between error times activations and the step.
    annealing : int or None, default=None
        Samples over which the rate falls linearly. None means all that ``fit`` presents, and for
        a stream ``max_iter`` times the first batch.
    max_iter : int or None, default=None
        Epochs of "lms" and "plain-lms" (None means 20) and "rls" (None means 1; it is done after
        one, more count every sample as so many: the penalty weighs less and variances shrink), or
        iterations of "gradient" (None means 100).
    common_width : bool, default=False
        Whether "gradient" gives all nodes one width, as Problem 5.8 is printed; else each its own.
    n_init : int, default=10
        Starts of K-means.
    fit_intercept : bool, default=True
        Whether to add a constant. Least squares do not penalise it, in a stream neither.
    standardize : bool, default=True
        Whether to give every input mean 0 and variance 1 before distances are taken; in a stream
        those of the first batch. Constant inputs are ignored. Not applied to given centers: then
        distances are in the units of X.
    max_nodes : int or None, default=None
        Most nodes, as in the other estimators: where it is less than ``n_nodes``, it takes its
        place.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply the sample weights. A stream cannot be balanced.
    random_state : int, RandomState instance or None, default=0
        For K-means, sampled centers, and the order in which ``fit`` presents samples.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_nodes_, centers_, widths_, coef_, intercept_
    coef_cov_ : ndarray of shape (n_outputs, n_nodes_, n_nodes_)
        Covariance of the weights, noise times P(n) (eq. 5.46); not with "lms" and "exact".
    support_ : ndarray of shape (n_nodes_,)
        Training rows of the centers, with ``centers="sample"`` or "all", unless "gradient" moved
        them.
    mse_path_ : ndarray
        Learning curve. "rls" and "lms": mean squared prior error (eq. 5.38) of every 50 samples as
        they were presented (fewer in shorter batches). "gradient": mean squared error at the start
        and after every iteration.
    loo_error_, loo_score_, loo_log_loss_ : float
        Leave-one-out error (accuracy) and log-loss after ``fit``, the nodes as they are; not with
        "lms", forgetting, or in a stream.
    relevance_ : ndarray of shape (n_features_in_,)
        Share of every input in the slopes of the scores; see ``DrumlinClassifier``. In a stream,
        at the samples of the last batch.
    n_bytes_
    temperature_ : float
        Factor between scores and log-odds, fitted to predictions that did not know their samples:
        leave-one-out after ``fit``, prior predictions of the last 2000 samples in a stream.
    n_samples_seen_, n_iter_ : int
        Presentations learned since the start; epochs or iterations of ``fit``.
    network_ : Network
        The function itself; ``network_.receptive_field(level)`` are the radii of eq. (5.50).

    See Also
    --------
    RBFNetworkRegressor : The same for numbers.
    DrumlinClassifier : Nothing to choose.

    Notes
    -----
    "rls" after any number of batches equals "ridge" on all their samples, whatever the batches, to
    rounding: it keeps a triangular factor of the correlation matrix, not its inverse. The first
    call of ``partial_fit`` places nodes and fixes units (classes must be given); given ``centers``
    and ``width``, nothing depends on how the stream is cut. With forgetting, samples are forgotten
    but the penalty is not, so nodes that are no longer excited go back to zero instead of winding
    up. Integer sample weights equal repeated rows, except for "lms" (which sees them in order) and
    with forgetting (a row is one step, whatever its weight).

    References
    ----------
    .. [1] S. Haykin, "Neural Networks and Learning Machines", chapter 5, 2009.

    Examples
    --------
    >>> from drumlin import RBFNetworkClassifier
    >>> from drumlin.datasets import make_double_moon
    >>> X, y = make_double_moon(1000, d=-5, random_state=0)
    >>> model = RBFNetworkClassifier(20).fit(X, y)
    >>> model.score(*make_double_moon(2000, d=-5, random_state=1)) > 0.995
    True
    """

    _parameter_constraints: dict = BaseRBFNetwork._parameter_constraints | CLASS_WEIGHT

    def __init__(
        self,
        n_nodes: int = 20,
        *,
        centers: Any = "kmeans",
        width: Any = "auto",
        radial: Any = "gaussian",
        normalized: bool = False,
        solver: str = "rls",
        alpha: Any = 1e-3,
        forgetting: float = 1.0,
        learning_rate: Any = (0.6, 0.01),
        annealing: int | None = None,
        max_iter: int | None = None,
        common_width: bool = False,
        n_init: int = 10,
        fit_intercept: bool = True,
        standardize: bool = True,
        max_nodes: int | None = None,
        class_weight: Any = None,
        random_state: Any = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.centers = centers
        self.width = width
        self.radial = radial
        self.normalized = normalized
        self.solver = solver
        self.alpha = alpha
        self.forgetting = forgetting
        self.learning_rate = learning_rate
        self.annealing = annealing
        self.max_iter = max_iter
        self.common_width = common_width
        self.n_init = n_init
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.max_nodes = max_nodes
        self.class_weight = class_weight
        self.random_state = random_state

    @available_if(_streams)
    @whole_or_not
    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn one more batch; the first call (or ``fit``) places the nodes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,) or None, default=None
            All classes that may ever come; needed in the first call.
        sample_weight : array-like of shape (n_samples,) or None, default=None

        Returns
        -------
        self : RBFNetworkClassifier
        """
        if self.class_weight == "balanced":
            raise ValueError(
                f"The 'class_weight' parameter of {type(self).__name__} must be a dict or None "
                "where batches come one by one (partial_fit). Got 'balanced'."
            )
        self._learn_batch(X, y, sample_weight, classes=self._known_classes(classes))
        return self

    def _known_classes(self, classes):
        """All classes that may come."""
        first = self._is_first_batch()
        if classes is None:
            if first:
                raise ValueError(
                    f"The 'classes' parameter of {type(self).__name__}.partial_fit must be given "
                    "in the first call. Got None."
                )
            return self.classes_
        classes = unique_labels(classes)
        if not first and not np.array_equal(classes, self.classes_):
            raise ValueError(
                f"The 'classes' parameter of {type(self).__name__}.partial_fit must be those of "
                f"the first call, {self.classes_.tolist()}. Got {classes.tolist()}."
            )
        return classes

    # ------------------------------------------------------------------ probabilities
    def _begin(self, training: Training, rng: np.random.RandomState) -> Training:
        self._predicted = Predicted.none(training.codes.shape[1])
        return super()._begin(training, rng)

    def _keep_predictions(self, labels: IntArray, predictions: FloatArray, weight: FloatArray):
        new = Predicted(predictions, labels, weight)
        self._predicted = self._predicted.followed_by(new, LOO_ROWS)

    def _loo_predictions(self, training: Training, rows: IntArray) -> FloatArray | None:
        """Calibrate probabilities on them instead of on prior ones, where they are known."""
        predictions = super()._loo_predictions(training, rows)
        if predictions is not None:
            some = training.take(rows)
            self._predicted = Predicted(predictions, some.labels, some.weight)
        return predictions

    def _loo_figures(self, training: Training, predictions: FloatArray, temperature=None) -> dict:
        return super()._loo_figures(training, predictions, self.temperature_)

    def _loo_calibration(self, training: Training, predictions: FloatArray) -> Calibration:
        return self._calibrated(training, predictions, self.temperature_)

    @property
    def temperature_(self) -> float:
        """Factor between scores and log-odds."""
        check_is_fitted(self)
        return self._predicted.temperature


@described_like(RBFNetworkClassifier)
class RBFNetworkRegressor(UncertainNumbers, BaseRBFNetwork):
    r"""Radial-basis-function network for regression, batch or streaming; exact interpolation.

    Several outputs share one set of nodes.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_nodes_, centers_, widths_, support_, relevance_, n_bytes_
    n_samples_seen_, n_iter_, network_
    coef_ : ndarray of shape (n_nodes_,) or (n_outputs, n_nodes_)
    intercept_ : float or ndarray of shape (n_outputs,)
    coef_cov_ : ndarray of shape (n_nodes_, n_nodes_) or (n_outputs, n_nodes_, n_nodes_)
    loo_error_, loo_score_ : float
        Leave-one-out root mean squared error and R2 after ``fit``, where they are known.
    mse_path_ : ndarray
        In squared units of the targets, averaged over outputs.

    See Also
    --------
    RBFNetworkClassifier : The same for classes; parameters and notes are there.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin import RBFNetworkRegressor
    >>> X = np.linspace(-3, 3, 40)[:, None]
    >>> y = np.sin(X[:, 0])
    >>> model = RBFNetworkRegressor(centers="all", solver="exact", width=0.2).fit(X, y)
    >>> bool(abs(model.predict(X) - y).max() < 1e-8)
    True
    """

    def __init__(
        self,
        n_nodes: int = 20,
        *,
        centers: Any = "kmeans",
        width: Any = "auto",
        radial: Any = "gaussian",
        normalized: bool = False,
        solver: str = "rls",
        alpha: Any = 1e-3,
        forgetting: float = 1.0,
        learning_rate: Any = (0.6, 0.01),
        annealing: int | None = None,
        max_iter: int | None = None,
        common_width: bool = False,
        n_init: int = 10,
        fit_intercept: bool = True,
        standardize: bool = True,
        max_nodes: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.n_nodes = n_nodes
        self.centers = centers
        self.width = width
        self.radial = radial
        self.normalized = normalized
        self.solver = solver
        self.alpha = alpha
        self.forgetting = forgetting
        self.learning_rate = learning_rate
        self.annealing = annealing
        self.max_iter = max_iter
        self.common_width = common_width
        self.n_init = n_init
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.max_nodes = max_nodes
        self.random_state = random_state

    @available_if(_streams)
    @whole_or_not
    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn one more batch; the first call (or ``fit``) places the nodes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,) or None, default=None

        Returns
        -------
        self : RBFNetworkRegressor
        """
        self._learn_batch(X, y, sample_weight)
        return self

    def _loo_calibration(self, training: Training, predictions: FloatArray) -> Calibration:
        posterior = self._learner.posterior
        if posterior is None:
            return super()._loo_calibration(training, predictions)
        Phi = self._empty_network.activations(training.X).T
        std = posterior.loo_std(Phi, training.left_out, self._copies())
        return self._calibrated(training, predictions, std)

    def _interval_scale(self, X: FloatArray) -> FloatArray:
        if self._learner.posterior is None:
            return CalibratedNumbers._interval_scale(self, X)
        return super()._interval_scale(X)

    def _std(self, X: FloatArray) -> FloatArray:
        posterior = self._posterior("standard deviations")
        variances = np.concatenate(
            [
                posterior.variances(self.network_.activations(X[rows]).T)
                for rows in self._batches(np.arange(len(X)))
            ]
        )
        return np.sqrt(np.outer(1.0 + variances, posterior.noise)) * self._units.target_scale
