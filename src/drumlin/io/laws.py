"""What must hold of a model for it to predict: arrays that agree, numbers that mean something.

Shapes are in ``layouts``, steps of scikit-learn in ``step_laws``, whole estimators in
``estimator_laws``; here are the numbers of single parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import InvalidParameterError

from drumlin._kernels import Factor
from drumlin.basis import InputMap, Nodes, Powers, Standardizer
from drumlin.basis.powers import MOST_POWER
from drumlin.estimators.training import Units
from drumlin.flagship.smooth import Smooth
from drumlin.io.errors import ModelFileError, require
from drumlin.io.estimator_laws import check_estimator, check_network
from drumlin.io.layouts import agreed_sizes
from drumlin.io.numbers import arrays_in, finite, positive
from drumlin.io.registry import is_ours
from drumlin.io.step_laws import STEP_LAWS, check_n_features
from drumlin.laplace import Elimination, MeanVariance, QuadraticModel, Uncertainty
from drumlin.laplace.rounding import LEAST_BITS, MOST_BITS, RoundedTriangle, n_entries
from drumlin.laplace.slopes import n_slopes
from drumlin.linear.least_squares import Interpolation
from drumlin.linear.streaming import LeastMeanSquares, RecursiveLeastSquares
from drumlin.losses.predicted import Predicted
from drumlin.network import Network
from drumlin.refinement.state import Refined
from drumlin.refinement.variables import Penalties, Variables
from drumlin.selection.placing import Placed
from drumlin.trust import Calibration, SeenInputs

MOST_COUNTED = 2.0**53
"""Numbers of samples are whole numbers up to here."""


MOST_ROUNDED = 2000
"""Rows of a rounded triangle: as a matrix it takes more memory than its bytes in the file."""


def check_object(value: Any) -> None:
    """Refuse a part, step or estimator that contradicts itself."""
    if isinstance(value, BaseEstimator) and hasattr(value, "_parameter_constraints"):
        try:
            value._validate_params()
        except InvalidParameterError as error:
            raise ModelFileError(str(error)) from error
    check_n_features(value)
    if is_ours(value):
        check_network(value)
        check_estimator(value, agreed_sizes(value))
    else:
        agreed_sizes(value)
    law = _LAWS.get(type(value)) or STEP_LAWS.get(type(value))
    if law is not None:
        law(value)


def _check_nodes(nodes: Nodes) -> None:
    require(finite(nodes.centers), "a center is not finite.")
    require(positive(nodes.widths), "a width is not above zero.")


def _check_network(network: Network) -> None:
    require(finite(network.coef, network.intercept), "a weight of the network is not finite.")
    inputs, shares = network.inputs, network.shares
    require(
        shares is None or (finite(shares, shares.sum()) and positive(shares)),
        "the shares of a normalised network are not one positive number per node.",
    )
    if inputs is not None:
        matrix = inputs.matrix
        n_inputs = len(inputs.scaler.shift) if matrix is None else matrix.shape[1]
        require(
            n_inputs == network.nodes.centers.shape[1],
            "the nodes of a network and its input map differ in the number of features.",
        )


def _check_standardizer(scaler: Standardizer) -> None:
    require(finite(scaler.shift), "a shift of the inputs is not finite.")
    require(positive(scaler.scale), "a scale of the inputs is not above zero.")


def _check_map(inputs: InputMap) -> None:
    clip, matrix = np.asarray(inputs.clip), inputs.matrix
    require(clip.shape in ((), inputs.scaler.shift.shape), "the inputs' clip has not their shape.")
    require(positive(clip), "the inputs' clip is not above zero.")
    require(matrix is None or finite(matrix), "the matrix of the inputs is not finite.")


def _check_powers(powers: Powers) -> None:
    within = bool(((powers.power >= 0.0) & (powers.power <= MOST_POWER)).all())  # NaN is not
    require(within, f"a power of the inputs is not within 0 and {MOST_POWER:g}.")


def _check_elimination(candidates: Elimination) -> None:
    weights, inverse = candidates.weights, candidates.inverse
    require(
        len(inverse) in (1, weights.shape[1]),
        f"there must be 1 inverse Hessian, or one for each of {weights.shape[1]} outputs. "
        f"Got {len(inverse)}.",
    )
    require(finite(weights, inverse), "an inverse Hessian is not finite.")


def _check_quadratic(model: QuadraticModel) -> None:
    factor = model.factor
    require(finite(factor) and positive(np.diag(factor)), "a factor is not of Cholesky's kind.")


def _check_factor(factor: Factor) -> None:
    check_finite(factor)
    # A decomposition may turn the sign of a row; only a zero cannot be divided by.
    require(positive(np.abs(np.diag(factor.A))), "a factor of least squares is singular.")
    for name in ("cost", "penalties", "totals"):
        require((getattr(factor, name) >= 0.0).all(), f"Factor.{name} is negative.")
    n_samples = float(factor.totals[1])
    require(
        n_samples.is_integer() and n_samples <= MOST_COUNTED,
        "the number of samples in a factor of least squares is not whole.",
    )


def _check_recursive(learner: RecursiveLeastSquares) -> None:
    require(
        0.0 < learner.forgetting <= 1.0 and positive(learner.alpha) and finite(learner.alpha),
        "recursive least squares need a positive penalty and a forgetting in the range (0, 1].",
    )


def _check_lms(learner: LeastMeanSquares) -> None:
    check_finite(learner)
    require(
        all(0.0 < rate <= 1.0 for rate in learner.rates)
        and 1 <= learner.annealing <= MOST_COUNTED
        and 0 <= learner.n_seen <= MOST_COUNTED,
        "the rates or the counts of least mean squares are out of range.",
    )


def _check_predicted(predicted: Predicted) -> None:
    check_finite(predicted)
    n_classes = max(predicted.scores.shape[1], 2)
    labels, weight = predicted.labels, predicted.weight
    require(
        ((labels >= 0) & (labels < n_classes)).all() and (weight >= 0.0).all(),
        f"rows to calibrate on need labels from 0 to {n_classes - 1} and weights from 0 on.",
    )


def _check_units(units: Units) -> None:
    check_finite(units)
    require(positive(units.target_scale), "a scale of the targets is not above zero.")


def _check_placed(placed: Placed) -> None:
    check_finite(placed)
    require(positive(placed.widths), "a width is not above zero.")


def _check_variables(variables: Variables) -> None:
    check_finite(variables)
    good = positive(variables.width) and finite(variables.width) and variables.n_outputs > 0
    require(good, "the variables of a network need a width and outputs above zero.")


def _check_refined(refined: Refined) -> None:
    check_finite(refined)
    size = refined.variables.size
    require(refined.vector.shape == (size,), f"a refined network must have {size} variables.")


def _check_smooth(smooth: Smooth) -> None:
    check_finite(smooth)
    require(positive(smooth.noise) and finite(smooth.noise), "a noise is not above zero.")


def check_rounded(bits: int, n: int) -> None:
    """Refuse a rounded triangle of too many or too few bits, or of too many rows."""
    require(
        LEAST_BITS <= bits <= MOST_BITS and n <= MOST_ROUNDED,
        f"a triangle must have {LEAST_BITS} to {MOST_BITS} bits and up to {MOST_ROUNDED} rows. "
        f"Got {bits} and {n}.",
    )


def _check_triangle(triangle: RoundedTriangle) -> None:
    n = len(triangle.sizes)
    check_rounded(triangle.bits, n)
    # Huffman's code has no less; a file may not ask for much more memory than it has bytes.
    least = -(-n_entries(n) // 8)
    given = len(triangle.coded)
    require(given >= least, f"a triangle needs at least {least} bytes. Got {given}.")
    try:
        triangle.entries()
    except ValueError as error:
        raise ModelFileError(str(error)) from error
    require(finite(triangle.sizes), "a size of a triangle is not finite.")


def _check_uncertainty(known: Uncertainty) -> None:
    check_finite(known)
    n = n_slopes(*known.nodes.centers.shape, shared=known.shared)
    factor = known.factor
    shape = (n, n) if isinstance(factor, RoundedTriangle) else factor.shape
    require(
        len(known.scale) == n and len(shape) == 2 and shape[0] == n,
        f"the uncertainty of a network must be that of its {n} variables.",
    )
    require((np.sort(known.order) == np.arange(n)).all(), "an order of variables is none.")


def _check_mean_variance(known: MeanVariance) -> None:
    variance = known.variance
    require(0.0 <= variance < np.inf, f"a variance must be a number >= 0. Got {variance}.")


def _check_seen(seen: SeenInputs) -> None:
    check_finite(seen)
    within = bool(((seen.low <= seen.mean) & (seen.mean <= seen.high)).all())
    require(within, "inputs seen must have means within their range.")
    good = seen.whole.dtype == bool and bool((seen.spread >= 0.0).all())
    require(good, "inputs seen must have spreads from 0 on, and say which were whole.")


def _check_calibration(known: Calibration) -> None:
    check_finite(known)
    ends = known.ends
    ascending = ends.dtype.kind == "i" and bool((np.diff(ends, prepend=0) >= 0).all())
    good = ascending and ends[-1] == len(known.scores)
    require(good, "groups of scores must end one by one.")
    parts = np.split(known.scores, ends[:-1])
    require(all((np.diff(part) >= 0).all() for part in parts), "scores left out must ascend.")
    scales = np.array([known.scale, known.one])
    good = bool((known.mass >= 0.0).all()) and positive(scales)
    require(good, "samples left out must have masses from 0 on, and positive scales.")


def check_finite(part: Any) -> None:
    """Refuse a data class or named tuple with a number that is none."""
    values = part if isinstance(part, tuple) else tuple(vars(part).values())
    require(finite(*arrays_in(values)), f"{type(part).__name__} is not finite.")


_LAWS: dict[type, Callable[[Any], None]] = {
    Calibration: _check_calibration,
    Elimination: _check_elimination,
    Factor: _check_factor,
    InputMap: _check_map,
    Interpolation: check_finite,
    LeastMeanSquares: _check_lms,
    MeanVariance: _check_mean_variance,
    Network: _check_network,
    Nodes: _check_nodes,
    Penalties: check_finite,
    Placed: _check_placed,
    Powers: _check_powers,
    Predicted: _check_predicted,
    QuadraticModel: _check_quadratic,
    RecursiveLeastSquares: _check_recursive,
    Refined: _check_refined,
    RoundedTriangle: _check_triangle,
    SeenInputs: _check_seen,
    Smooth: _check_smooth,
    Standardizer: _check_standardizer,
    Uncertainty: _check_uncertainty,
    Units: _check_units,
    Variables: _check_variables,
}
"""What must hold, by type."""
