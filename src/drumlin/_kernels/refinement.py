r"""What both backends of the joint refinement agree on: arrays, losses and formulas.

The model has M nodes and K outputs; z is one row of d inputs, f its K scores:

.. math::

    f_k(z) = b_k + \sum_j W_{jk} \varphi_j(z), \qquad
    \varphi_j(z) = \exp(-\tfrac12 \sum_i t_{ji}^2), \qquad t_{ji} = (z_i - c_{ji}) / s_{ji}

``value_and_gradient(columns, targets, weight, nodes, loss, *, delta)`` returns the weighted
**sum** of the losses over the rows, and its gradient. With the residuals
:math:`r_k = \text{weight} \cdot \partial \text{loss} / \partial f_k` and
:math:`g_j = \varphi_j \sum_k W_{jk} r_k`, all sums running over the rows,

.. math::

    \frac{\partial}{\partial b_k} = \sum r_k, \qquad
    \frac{\partial}{\partial W_{jk}} = \sum r_k \varphi_j, \qquad
    \frac{\partial}{\partial c_{ji}} = \frac{1}{s_{ji}} \sum g_j t_{ji}, \qquad
    \frac{\partial}{\partial \log s_{ji}} = \sum g_j t_{ji}^2 .

Inputs are *feature-major*: ``columns (d, n)``, C-contiguous, in float64 or float32. The dtype of
``columns`` is the dtype of the arithmetic; whatever it is, parameters come and gradients leave in
float64 and sums over many rows are kept in float64. ``weight`` is float64 of shape (n,).
``targets`` are int64 labels of shape (n,) for the first two losses below and float64 values of
shape (n, K) for the others. All arrays are C-contiguous and writable (other layouts would be
compiled anew), and :math:`t` is finite. Shapes and labels are checked at the ``door``, the rest is
not.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from drumlin._kernels.contract import EXPONENT_FLOOR
from drumlin._typing import FloatArray, IntArray

Columns: TypeAlias = NDArray[np.float64] | NDArray[np.float32]
Targets: TypeAlias = FloatArray | IntArray

LOGISTIC = 0
"""Loss ``log(1 + exp(-y f))``, K = 1: y = +1 where the label is 1, -1 where it is 0."""

SOFTMAX = 1
"""Loss ``log(sum_k exp(f_k)) - f_label``, K > 1, labels 0 to K - 1."""

SQUARED = 2
"""Loss ``1/2 sum_k u_k^2`` with the error ``u_k = f_k - target_k``."""

HUBER = 3
"""Loss ``sum_k q_k (u_k - q_k / 2)`` with the error clipped to ``q_k``, ``|q_k| <= delta``."""

HUBER_DELTA = 1.35
"""Threshold of the Huber loss: 95 % as efficient as squares for normal errors of unit variance."""

SINGLE_EXPONENT_FLOOR = -80.0
"""``EXPONENT_FLOOR`` of float32 columns. Activations below the floor count as zero."""


class NodeParameters(NamedTuple):
    """What the refinement moves. An ``inv_widths`` of zero makes a node ignore that input."""

    centers: FloatArray  # (M, d)
    inv_widths: FloatArray  # (M, d) 1 / s
    coef: FloatArray  # (M, K)
    intercept: FloatArray  # (K,)


class Gradient(NamedTuple):
    """Derivatives of the value, field by field; those of the widths are with respect to log s."""

    centers: FloatArray  # (M, d)
    log_widths: FloatArray  # (M, d)
    coef: FloatArray  # (M, K)
    intercept: FloatArray  # (K,)

    @classmethod
    def zeros(cls, nodes: NodeParameters) -> Gradient:
        """Return a gradient of the right shapes to add to."""
        return cls(*[np.zeros(field.shape) for field in nodes])


def exponent_floor(columns: Columns) -> float:
    """Return the exponent below which an activation is zero, for the dtype of the columns."""
    return EXPONENT_FLOOR if columns.dtype == np.float64 else SINGLE_EXPONENT_FLOOR
