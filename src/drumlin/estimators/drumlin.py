"""The flagship: no hyperparameters, a handful of refined nodes, honest probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils._param_validation import StrOptions

from drumlin._typing import FloatArray
from drumlin.estimators.class_outputs import CLASS_WEIGHT, ClassOutputs
from drumlin.estimators.docstrings import described_like
from drumlin.estimators.number_outputs import UncertainNumbers
from drumlin.estimators.refined import BaseRefinedNetwork
from drumlin.estimators.surface import Remembered
from drumlin.flagship import Classes, ClassFigures, Crossing, Fit, NumberFigures, Numbers, Task
from drumlin.flagship.figures import TRUNCATED


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
        Weights of the classes; they multiply the sample weights: samples get heavier, not more.
    random_state : int, RandomState instance or None, default=None
        Has no effect: the same rows give the same network. Accepted so that tools can set it.

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
        A description of the nodes in the units of X, to be read, not to be computed with: centers
        are put within the range of the training data, and widths are those near the center (long
        tails may be drawn in, inputs are clipped smoothly and may be mixed). An infinite width
        means that the input is ignored: along it a node falls by less than 0.5 % over the range of
        the training data.
    relevance_ : ndarray of shape (n_features_in_,)
        Share of every input in the slopes of the scores at the training samples, in units of the
        input's spread; sums to 1 (0 without nodes).
    support_ : ndarray of shape (n_nodes_,)
        Training rows the nodes started on.
    path_ : dict of ndarray
        Leave-one-out squared error of the starting path for 0, 1, 2, ... nodes.
    loo_error_, loo_log_loss_ : float
        Leave-one-out error and log-loss of the samples as they came, whatever their classes weigh;
        ``loo_note_`` says of what.
    loo_note_ : str
        What they are of: the refined network, by one Newton step per sample (two classes and up to
        2000 variables; more classes where that is quick); above 2500 rows where it is not, and
        above 7500 rows, rows kept apart until the last refinement; of fewer rows, four to eight
        networks fitted without a part of them each; else nothing: they are NaN.
    network_ : Network
        The function itself, exactly: nodes in the space that ``network_.inputs`` maps to.

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

    _parameter_constraints: dict = BaseRefinedNetwork._parameter_constraints | CLASS_WEIGHT

    _scores_are_log_odds = True

    def __init__(
        self,
        max_nodes: int | None = None,
        *,
        max_bytes: int | None = None,
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.max_nodes = max_nodes
        self.max_bytes = max_bytes
        self.class_weight = class_weight
        self.random_state = random_state

    @property
    def loo_score_(self) -> float:
        """Leave-one-out accuracy."""
        return 1.0 - self.loo_error_

    # ------------------------------------------------------------------ the recipe
    def _task(self) -> Task:
        return Classes(self._n_classes)

    def _set_figures(self, fit: Fit, crossing: Crossing) -> None:
        figures = ClassFigures.of(fit, self._recipe.judge, crossing)
        self.loo_error_, self.loo_log_loss_ = figures.loo_error, figures.loo_log_loss
        self.loo_note_, self._calibration = figures.note, figures.calibration

    def _add_loss(self, loss: float) -> None:
        if loss > 0.0:
            self.loo_log_loss_ += loss
            self.loo_note_ = TRUNCATED
            self.loo_error_ = float("nan")  # not known without data


@described_like(DrumlinClassifier)
class DrumlinRegressor(UncertainNumbers, BaseRefinedNetwork):
    """Small Gaussian network for regression with predictive uncertainty; nothing to tune.

    The recipe of ``DrumlinClassifier`` with squared (or Huber) loss. The noise is learned. Only
    inputs with outliers are clipped. With squared loss, smooth networks are fitted besides: nodes
    share their widths and weights have the prior of a Gaussian process. One is taken if its squared
    errors left out are clearly lower.

    Several outputs share their nodes; each has a noise of its own. There are no smooth networks
    then, and standard deviations are those of the noise alone.

    Parameters
    ----------
    loss : {"squared_error", "huber"}, default="squared_error"
        "huber" limits the influence of residuals beyond 1.35 standard deviations of the bulk of
        the noise, and ``noise_std_`` is that of the bulk.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_nodes_, n_bytes_, centers_, widths_, relevance_, support_
    noise_std_ : float or ndarray of shape (n_outputs,)
        Standard deviation of the noise.
    loo_error_ : float
        Leave-one-out root mean squared error; of several outputs the mean of theirs.
    loo_errors_ : ndarray of shape (n_outputs,)
        That of each; only of several outputs.
    loo_note_ : str
        What that is of: the refined network, rows kept apart, or others like it; or why it is NaN.
    path_ : dict of ndarray
        Leave-one-out squared error of the path that the refined network starts from, in units of
        the targets' variance.
    network_

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

    loo_errors_: FloatArray = Remembered(  # type: ignore[assignment]
        "it is of several outputs, and older files have 'loo_error_' alone."
    )

    _parameter_constraints: dict = {
        **BaseRefinedNetwork._parameter_constraints,
        "loss": [StrOptions({"squared_error", "huber"})],
    }

    def __init__(
        self,
        max_nodes: int | None = None,
        *,
        max_bytes: int | None = None,
        loss: str = "squared_error",
        random_state: Any = None,
    ) -> None:
        self.max_nodes = max_nodes
        self.max_bytes = max_bytes
        self.loss = loss
        self.random_state = random_state

    @property
    def loo_score_(self) -> float:
        """Leave-one-out R2 of a single output."""
        error, scales = self.loo_error_, self._units[1]
        if len(scales) > 1:
            raise AttributeError("DrumlinRegressor with several outputs knows 'loo_error_' only.")
        return 1.0 - (error / float(scales[0])) ** 2  # targets have variance 1 in these units

    # ------------------------------------------------------------------ the recipe
    def _task(self) -> Task:
        return Numbers(robust=self.loss == "huber", n_outputs=len(self._units[0]))

    def _set_figures(self, fit: Fit, crossing: Crossing) -> None:
        figures, scale = NumberFigures.of(fit, self._recipe.judge, crossing), self._units[1]
        self._noise, self._uncertainty = figures.noise, figures.uncertainty
        self._set_loo_errors(figures.loo_errors * scale)
        self.loo_note_, self._calibration = figures.note, figures.calibration
        self._set_noise_std(figures.noises)

    def _set_loo_errors(self, errors: FloatArray) -> None:
        """Keep errors (n_outputs,) left out, in the units of the targets."""
        self.loo_error_ = float(errors.mean())
        self.__dict__.pop("loo_errors_", None)  # of an earlier fit
        if len(errors) > 1:
            self.loo_errors_ = errors

    def _set_noise_std(self, noises: FloatArray) -> None:
        std = self._in_units(noises)
        self.noise_std_ = float(std[0]) if len(std) == 1 else std

    def _in_units(self, variance: FloatArray | float) -> FloatArray:
        """Standard deviations in the units of the targets: the largest number beyond it."""
        with np.errstate(over="ignore"):
            return np.minimum(np.sqrt(variance) * self._units[1], np.finfo(np.float64).max)

    def _std(self, X: FloatArray) -> FloatArray:
        """Standard deviations (n_samples, n_outputs) of new targets: noise and the network's."""
        if len(self._units[0]) > 1:
            return np.tile(self.noise_std_, (len(X), 1))
        if not hasattr(self, "_uncertainty"):
            raise ValueError(
                f"This {type(self).__name__} knows no standard deviations: its file was written by "
                "drumlin.save(..., uncertainty=False). Fit the model again, or save the fitted one "
                "with uncertainty=True and load that file."
            )
        variance = np.full(len(X), self._noise)
        if self._uncertainty is not None:
            variance += self._uncertainty.variances(self.network_.mapped(X))
        return self._in_units(variance[:, None])  # of the one output

    def _add_loss(self, loss: float) -> None:
        scales = self._units[1]
        # The loss is half a square of every output in units of the noise.
        variance = 2.0 * loss * self._noise / len(scales)
        scale = float(scales.mean())
        self._noise += variance
        several = (self.noise_std_ / scales) ** 2 + variance
        self._set_noise_std(several if len(scales) > 1 else np.array([self._noise]))
        if hasattr(self, "loo_errors_"):
            self._set_loo_errors(np.hypot(self.loo_errors_, scales * np.sqrt(variance)))
        else:
            self.loo_error_ = scale * float(np.hypot(self.loo_error_ / scale, np.sqrt(variance)))
        self.loo_note_ = TRUNCATED if loss > 0.0 else self.loo_note_
