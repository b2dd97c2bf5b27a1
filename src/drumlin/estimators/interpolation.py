"""Exact interpolation as an estimator wants it: conditions checked, trouble diagnosed."""

from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgWarning

from drumlin._typing import FloatArray
from drumlin._warnings import warn
from drumlin.basis import distinct_rows
from drumlin.estimators.training import Training
from drumlin.linear.least_squares import Interpolation, closest_pair, interpolate

LEAST_RECIPROCAL_CONDITION = 1e-13
"""Below this there is a warning: fewer than three digits of the weights are left."""


def exact_weights(
    estimator, training: Training, Phi: FloatArray, widths: FloatArray
) -> Interpolation:
    """Weights of the function through all samples, eqs. (5.10)-(5.16) of haykin5.

    Parameters
    ----------
    estimator : estimator
        With ``fit_intercept``.
    training : Training
    Phi : ndarray of shape (n_samples, n_samples)
        Activations of a node on every sample.
    widths : ndarray of shape (n_samples,)
        Of the nodes, in standardised units.
    """
    Z = training.standardized()
    _check_distinct(estimator, training, Z)
    try:
        result = interpolate(Phi, training.codes, fit_intercept=estimator.fit_intercept)
    except np.linalg.LinAlgError as error:
        raise ValueError(_diagnosis(training, Z, widths, "is singular to rounding")) from error
    if result.reciprocal_condition < LEAST_RECIPROCAL_CONDITION:
        condition = 1.0 / result.reciprocal_condition
        what = f"has a condition number of {condition:.1g}, so few digits are right"
        warn(_diagnosis(training, Z, widths, what), LinAlgWarning)
    return result


def _check_distinct(estimator, training: Training, Z: FloatArray) -> None:
    """Micchelli's condition."""
    kept = distinct_rows(Z)
    if len(kept) == len(Z):
        return
    copy = int(np.setdiff1d(np.arange(len(Z)), kept)[0])
    first = int(np.flatnonzero((Z[copy] == Z).all(axis=1))[0])
    raise ValueError(
        f"solver='exact' of {type(estimator).__name__} needs distinct samples (Micchelli's "
        f"theorem). Got equal inputs in rows {training.rows[first]} and {training.rows[copy]}, and "
        f"{len(Z) - len(kept)} repeated rows in all; remove them or take solver='ridge'."
    )


def _diagnosis(training: Training, Z: FloatArray, widths: FloatArray, what: str) -> str:
    """Say what is wrong with the interpolation matrix, where, and what helps."""
    if len(Z) == 1:
        return f"The interpolation matrix {what}."
    first, second, distance = closest_pair(Z / widths.mean())
    return (
        f"The interpolation matrix {what}: rows {training.rows[first]} and "
        f"{training.rows[second]} are {distance:.2g} widths apart. A smaller 'width' (mean now "
        f"{widths.mean():.3g}) or solver='ridge' helps."
    )
