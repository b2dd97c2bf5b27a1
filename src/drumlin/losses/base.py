r"""Losses of a row's scores: value, slope, curvature, link, and the best constant.

A loss is :math:`\ell(t, f)` of the target t of a row and its K scores f; what is minimised is the
sum over rows, each times its weight. Kernels know a loss by an integer code; everyone else by one
of these objects.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit, log_softmax, softmax

from drumlin._kernels import HUBER, HUBER_DELTA, LOGISTIC, SOFTMAX, SQUARED
from drumlin._kernels.refinement import Targets
from drumlin._typing import FloatArray


class Loss(ABC):
    """What a wrong score costs.

    Attributes
    ----------
    code : int
        Its name in ``_kernels``.

    See Also
    --------
    Logistic
    Softmax
    Squared
    Huber

    Examples
    --------
    >>> from drumlin.losses import Loss, Squared
    >>> isinstance(Squared(), Loss)
    True
    """

    code: ClassVar[int]

    @property
    def threshold(self) -> float:
        """Where the slope stops to grow; infinity where it does not stop."""
        return float("inf")

    @abstractmethod
    def values(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """Losses (n_rows,)."""

    @abstractmethod
    def slopes(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """First derivatives (n_rows, n_outputs) in the scores."""

    @abstractmethod
    def curvatures(self, scores: FloatArray) -> FloatArray:
        """Second derivatives (n_rows, n_outputs) in every single score."""

    def curvatures_along(self, scores: FloatArray, directions: FloatArray) -> FloatArray:
        """Second derivatives (n_rows, n_directions) along given moves of all scores together.

        Parameters
        ----------
        scores : ndarray of shape (n_rows, n_outputs)
        directions : ndarray of shape (n_directions, n_outputs)
        """
        return np.asarray(self.curvatures(scores) @ (directions * directions).T)

    def curvature_roots(self, scores: FloatArray) -> FloatArray:
        """Matrices R (n_rows, n_outputs, n_outputs) with ``R R'`` the second derivatives."""
        roots = np.sqrt(self.curvatures(scores))
        return np.asarray(np.eye(scores.shape[1]) * roots[:, None, :])

    @abstractmethod
    def link(self, scores: FloatArray) -> FloatArray:
        """What is expected of the targets: probabilities, or the scores themselves."""

    @abstractmethod
    def sums(self, targets: Targets, weight: FloatArray) -> FloatArray:
        """Sums over rows that tell the best constant: of classes, or of numbers."""

    @abstractmethod
    def constant(self, means: FloatArray) -> FloatArray:
        """Scores (n_outputs,) of the best constant, from those sums over the total weight."""


@dataclass(frozen=True)
class Logistic(Loss):
    """``log(1 + exp(-y f))`` of labels 0 and 1, y = -1 and +1: one score, the log-odds.

    See Also
    --------
    Softmax : More than two classes.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import Logistic
    >>> Logistic().values(np.array([1, 0]), np.zeros((2, 1))).round(4)
    array([0.6931, 0.6931])
    """

    code = LOGISTIC

    def values(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """Losses (n_rows,)."""
        return np.logaddexp(0.0, np.where(targets == 1, -1.0, 1.0) * scores[:, 0])

    def slopes(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """``p - y`` (n_rows, 1)."""
        return np.asarray(expit(scores) - (targets == 1)[:, None])

    def curvatures(self, scores: FloatArray) -> FloatArray:
        """``p (1 - p)`` (n_rows, 1)."""
        p = expit(scores)
        return np.asarray(p * (1.0 - p))

    def link(self, scores: FloatArray) -> FloatArray:
        """Probability (n_rows, 1) of the second class."""
        return np.asarray(expit(scores))

    def sums(self, targets: Targets, weight: FloatArray) -> FloatArray:
        """Weights (2,) of the classes."""
        return np.asarray(np.bincount(targets, weight, minlength=2), dtype=np.float64)

    def constant(self, means: FloatArray) -> FloatArray:
        """Log-odds (1,) of the class frequencies."""
        log_rates = np.log(means)
        return np.array([log_rates[1] - log_rates[0]])


@dataclass(frozen=True)
class Softmax(Loss):
    """``log(sum_k exp(f_k)) - f_label``: one score per class, meant up to a common shift.

    See Also
    --------
    Logistic : Two classes.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import Softmax
    >>> Softmax(3).link(np.zeros((1, 3))).round(4)
    array([[0.3333, 0.3333, 0.3333]])
    """

    n_classes: int
    code = SOFTMAX

    def values(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """Losses (n_rows,)."""
        return np.asarray(-log_softmax(scores, axis=1)[np.arange(len(scores)), targets])

    def slopes(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """``p_k - y_k`` (n_rows, n_classes)."""
        slopes = self.link(scores)
        slopes[np.arange(len(scores)), targets] -= 1.0
        return slopes

    def curvatures(self, scores: FloatArray) -> FloatArray:
        """``p_k (1 - p_k)`` (n_rows, n_classes)."""
        p = self.link(scores)
        return np.asarray(p * (1.0 - p))

    def curvatures_along(self, scores: FloatArray, directions: FloatArray) -> FloatArray:
        """Variance of the move under the probabilities: scores pull at each other."""
        p = self.link(scores)
        return np.asarray(p @ (directions * directions).T - (p @ directions.T) ** 2)

    def curvature_roots(self, scores: FloatArray) -> FloatArray:
        """Return R with ``R R' = diag p - p p'``, where p sums to 1."""
        p = self.link(scores)
        root = np.sqrt(p)[:, None, :]
        return np.asarray((np.eye(p.shape[1]) - p[:, :, None]) * root)

    def link(self, scores: FloatArray) -> FloatArray:
        """Probabilities (n_rows, n_classes)."""
        return np.asarray(softmax(scores, axis=1))

    def sums(self, targets: Targets, weight: FloatArray) -> FloatArray:
        """Weights (n_classes,) of the classes."""
        sums = np.bincount(targets, weight, minlength=self.n_classes)
        return np.asarray(sums, dtype=np.float64)

    def constant(self, means: FloatArray) -> FloatArray:
        """Logarithms (n_classes,) of the class frequencies, of mean zero."""
        log_rates = np.log(means)
        return np.asarray(log_rates - log_rates.mean())


class _OfErrors(Loss):
    """Losses of errors ``u = f - t`` whose curvature counts as 1."""

    def curvatures(self, scores: FloatArray) -> FloatArray:
        """Ones (n_rows, n_outputs)."""
        return np.ones_like(scores)

    def link(self, scores: FloatArray) -> FloatArray:
        """Return the scores."""
        return scores

    def sums(self, targets: Targets, weight: FloatArray) -> FloatArray:
        """Weighted sums (n_outputs,) of the targets."""
        return np.asarray(weight @ targets)

    def constant(self, means: FloatArray) -> FloatArray:
        """Means (n_outputs,) of the targets."""
        return means


@dataclass(frozen=True)
class Squared(_OfErrors):
    """``1/2 sum_k u_k^2``.

    See Also
    --------
    Huber

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import Squared
    >>> Squared().values(np.zeros((2, 1)), np.array([[1.0], [3.0]]))
    array([0.5, 4.5])
    """

    code = SQUARED

    def values(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """Losses (n_rows,)."""
        return np.asarray(0.5 * ((scores - targets) ** 2).sum(axis=1))

    def slopes(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """Errors (n_rows, n_outputs)."""
        return np.asarray(scores - targets)


@dataclass(frozen=True)
class Huber(_OfErrors):
    """``sum_k q_k (u_k - q_k/2)``, errors clipped to q at a threshold: squares, then linear.

    The curvature of the squares bounds its own from above.

    Parameters
    ----------
    delta : float
        The threshold, in units of the targets.

    See Also
    --------
    Squared

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import Huber
    >>> Huber(1.0).values(np.zeros((2, 1)), np.array([[1.0], [3.0]]))
    array([0.5, 2.5])
    """

    delta: float = HUBER_DELTA
    code = HUBER

    @property
    def threshold(self) -> float:
        """Where the loss turns linear."""
        return self.delta

    def values(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """Losses (n_rows,)."""
        clipped = self.slopes(targets, scores)
        return np.asarray((clipped * ((scores - targets) - 0.5 * clipped)).sum(axis=1))

    def slopes(self, targets: Targets, scores: FloatArray) -> FloatArray:
        """Clipped errors (n_rows, n_outputs)."""
        return np.clip(scores - targets, -self.delta, self.delta)


def loss_of_classes(n_classes: int) -> Loss:
    """Return the loss of labels: one score for two classes, else one for each.

    See Also
    --------
    Logistic
    Softmax

    Examples
    --------
    >>> from drumlin.losses import loss_of_classes
    >>> [type(loss_of_classes(k)).__name__ for k in (2, 3)]
    ['Logistic', 'Softmax']
    """
    return Logistic() if n_classes == 2 else Softmax(n_classes)
