r"""Integers for fixed point: every table of a computation in units that cannot overflow.

Inputs are 16-bit numbers: :math:`q = 2^{15} (t - \mathrm{mid})/\mathrm{half}` with t the scaled
input, saturated; its power, where it has one, is taken in double before. The range is 8 standard
deviations of the training rows where the network knows them, and never narrower than what the
nodes tell apart: five widths beyond their centers, where a Gaussian is less than half a unit, so
that saturation changes nothing. Activations have 15 bits behind the point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.basis import gaussian_activations
from drumlin.basis.powers import yeo_johnson
from drumlin.export.computation import (
    GAUSSIAN,
    LOOKUP,
    VALUE,
    Computation,
    NotExportable,
    Scaling,
)

ONE = 32768
REACH = 8.0
"""Standard deviations of an input that are told apart."""

FADED = 5.0
"""Widths at which a Gaussian is less than half a unit, ``sqrt(2 log 65536)`` = 4.7, and a bit."""

STEPS_OF_A_WIDTH = 64
"""Steps of an input in the narrowest width; wider nodes give way where both cannot be had."""

Q12 = 4096
LARGEST_CLIP = 13.0
CANCELLING = 250.0
"""Length of the weights, in units of what the nodes say together on their centers, beyond which
they cancel too much: an activation is right to about 2e-4, and 5 % of the scores would be wrong."""

_FILLED = 65_000
"""Sum of weights that an accumulator of 32 bits holds with activations of 16."""


@dataclass(frozen=True)
class Bend:
    """Powers of raw numbers: of ``gain * x + offset`` within a limit, where a power is not 1.

    Parameters
    ----------
    gain, offset, power : ndarray of shape (n_features,)
    limit : float
    """

    gain: FloatArray
    offset: FloatArray
    power: FloatArray
    limit: float

    def __call__(self, i: int, x: FloatArray) -> FloatArray:
        """Bent numbers of a feature; as they are where its power is 1."""
        if self.power[i] == 1.0:
            return x
        t = np.clip(self.gain[i] * x + self.offset[i], -self.limit, self.limit)
        return yeo_johnson(t, float(self.power[i]))


@dataclass(frozen=True)
class Gauge:
    """All scalings as one: ``gain * x + offset`` per feature, with x bent where there is a bend.

    Parameters
    ----------
    gain, offset : ndarray of shape (n_features,)
    bend : Bend or None
    """

    gain: FloatArray
    offset: FloatArray
    bend: Bend | None = None

    def __call__(self, i: int, x: FloatArray) -> FloatArray:
        """Scaled numbers of a feature."""
        with np.errstate(over="ignore"):
            bent = x if self.bend is None else self.bend(i, x)
            return np.asarray(self.gain[i] * bent + self.offset[i])

    def in_steps(self, mid: FloatArray, units: FloatArray) -> Gauge:
        """Count from other zeros, in other units (n_features,)."""
        return replace(self, gain=self.gain / units, offset=(self.offset - mid) / units)


@dataclass(frozen=True)
class Fixed:
    """Integer tables.

    Parameters
    ----------
    gauge : Gauge
        A number column's q is what it tells, rounded and saturated.
    flags : ndarray of shape (n_features, 2)
        Mapped values of features that are 0 or 1.
    looked_up : dict of int to ndarray
        Mapped numbers of the categories, by feature that looks them up.
    fills : ndarray of shape (n_features,)
        What a missing number becomes.
    clip : float or None
        The one finite clip of number columns.
    clipped : ndarray of shape (n_features,)
        Which of them it is of.
    matrix : ndarray of shape (n_mapped, n_features) or None
        ``z = (matrix @ u) >> 15``.
    centers, inv_widths : ndarray of shape (n_nodes, n_mapped)
    shift : int
        ``(abs(z - center) * inv_width) >> shift`` is a distance in widths with 12 bits.
    weights : ndarray of shape (n_nodes, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    unit : float
        Of the integer scores.
    """

    gauge: Gauge
    flags: IntArray
    looked_up: dict[int, IntArray]
    fills: IntArray
    clip: float | None
    clipped: BoolArray
    matrix: IntArray | None
    centers: IntArray
    inv_widths: IntArray
    shift: int
    weights: IntArray
    intercept: IntArray
    unit: float

    @property
    def farthest(self) -> int:
        """Largest distance of an input from a center, in widths with 12 bits, before any limit."""
        reach = (ONE + np.abs(self.centers)) * self.inv_widths
        return int(reach.max() + 2**self.shift) >> self.shift

    def quantized(self, feature: int, x: FloatArray) -> IntArray:
        """Integers of raw numbers."""
        return _saturated(self.gauge(feature, x))


def quantize(c: Computation) -> Fixed:
    """Choose units and round all tables."""
    _check(c)
    clip, clipped = _clip(c), clipped_numbers(c)
    gauge = _gauge(c)
    states = _states(c, gauge)
    mid, units = _middles_and_units(c, states, clipped)
    gauge = gauge.in_steps(mid, units)
    _check_weights(c)
    matrix, mapped_units = _matrix(c, units)
    centers = _centers(c, mid if matrix is None else np.zeros(c.n_mapped), mapped_units)
    inverse, shift = _inv_widths(c, centers, mapped_units)
    weights, intercept, unit = _weights(c)
    _check_units(c, gauge)
    fills = [gauge(i, np.array(feature.fill or 0.0)) for i, feature in enumerate(c.features)]
    return Fixed(
        gauge=gauge,
        flags=_saturated(np.array([values[:2] for values in states]) / units[:, None]),
        looked_up=_looked_up(c, states, units),
        fills=_saturated(np.array(fills)),
        clip=clip,
        clipped=clipped,
        matrix=matrix,
        centers=centers,
        inv_widths=inverse,
        shift=shift,
        weights=weights,
        intercept=intercept,
        unit=unit,
    )


def _middles_and_units(
    c: Computation, states: list[FloatArray], clipped: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """What an integer of 0, and of 1, is of every scaled feature (n_features,)."""
    is_value = np.array([feature.kind == VALUE for feature in c.features])
    mid, half = _ranges(c, clipped)
    if is_value.all():
        return mid, half / ONE
    largest = np.array([np.abs(values).max() for values in states])
    if c.mapping.matrix is None:
        largest = np.maximum(largest, np.abs(c.nodes.centers).max(axis=0))
    of_states = np.maximum(largest, 1e-30) / (ONE - 1)
    return np.where(is_value, mid, 0.0), np.where(is_value, half / ONE, of_states)


def _centers(c: Computation, mid: FloatArray, units: FloatArray) -> IntArray:
    """Centers in steps from the middles; at the middle of what a node does not look at."""
    seen = np.where(c.nodes.inv_widths > 0.0, c.nodes.centers, mid)
    return np.rint((seen - mid) / units).astype(np.int64)


def _looked_up(c: Computation, states: list[FloatArray], units: FloatArray) -> dict[int, IntArray]:
    """Numbers of the categories, by feature that looks them up."""
    return {
        i: _saturated(states[i] / units[i])
        for i, feature in enumerate(c.features)
        if feature.kind == LOOKUP
    }


def _states(c: Computation, gauge: Gauge) -> list[FloatArray]:
    """Mapped values that features take which are no numbers: of 0 and 1, or of their categories."""
    made = []
    for i, feature in enumerate(c.features):
        values = gauge(i, np.array(feature.values or (0.0, 1.0)))
        if c.mapping.inv_clip is not None:
            values = values / np.sqrt(1.0 + (values * c.mapping.inv_clip[i]) ** 2)
        made.append(values)
    return made


def _check(c: Computation) -> None:
    if not len(c.nodes):
        raise NotExportable(f"Fixed point needs a node at least. Got {c.estimator} without nodes.")
    if c.nodes.radial != GAUSSIAN or c.nodes.shares is not None:
        what = "normalised" if c.nodes.shares is not None else c.nodes.radial
        raise NotExportable(
            f"Fixed point needs Gaussian nodes that are not normalised. Got {len(c.nodes)} {what} "
            f"nodes of {c.estimator}."
        )
    used = [feature.column for feature in c.features if feature.kind == VALUE]
    if len(set(used)) < len(used):
        raise NotExportable("Fixed point needs columns that are used once as a number.")


def _clip(c: Computation) -> float | None:
    """The clip of the number columns that are clipped: one, or None."""
    if c.mapping.inv_clip is None:
        return None
    found = sorted({1.0 / inverse for inverse in c.mapping.inv_clip[clipped_numbers(c)].tolist()})
    if len(found) > 1 or max(found, default=0.0) > LARGEST_CLIP:
        raise NotExportable(
            f"Fixed point needs one clip of at most {LARGEST_CLIP:g} for all inputs. Got {found}."
        )
    return found[0] if found else None


def clipped_numbers(c: Computation) -> BoolArray:
    """Which features (n_features,) are number columns that are clipped."""
    is_value = np.array([feature.kind == VALUE for feature in c.features])
    return is_value & (c.mapping.inv_clip > 0.0 if c.mapping.inv_clip is not None else False)


def _gauge(c: Computation) -> Gauge:
    """All scalings as one; what has no power is one straight line."""
    scalings, n = c.mapping.scalings, len(c.features)
    bending = [i for i, scaling in enumerate(scalings) if scaling.power is not None]
    if not bending:
        return Gauge(*_line(scalings, n))
    (at,) = bending
    power, limit = scalings[at].power, scalings[at].limit
    assert power is not None and limit is not None
    before, behind = _line(scalings[: at + 1], n), _line(scalings[at + 1 :], n)
    gain, offset = _line(scalings, n)
    bent = c.bent
    return Gauge(
        np.where(bent, behind[0], gain),
        np.where(bent, behind[1], offset),
        Bend(*before, power, limit),
    )


def _line(scalings: tuple[Scaling, ...], n_features: int) -> tuple[FloatArray, FloatArray]:
    """Scalings as one without their powers: gain and offset (n_features,)."""
    gain, offset = np.ones(n_features), np.zeros(n_features)
    for scaling in scalings:
        gain, offset = gain / scaling.scale, (offset - scaling.shift) / scaling.scale
    return gain, offset


def _ranges(c: Computation, clipped: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Middle and half of the range of every scaled feature."""
    d = len(c.features)
    if c.mapping.matrix is not None:
        return np.zeros(d), np.full(d, REACH)
    low, high = _seen(c)
    if any(scaling.limit is not None for scaling in c.mapping.scalings):  # units are deviations
        low, high = np.minimum(low, -REACH), np.maximum(high, REACH)
    # The clip is computed with 12 bits behind the point.
    low, high = np.where(clipped, -REACH, low), np.where(clipped, REACH, high)
    return (low + high) / 2.0, np.where(high > low, (high - low) / 2.0, 1.0)


def _seen(c: Computation) -> tuple[FloatArray, FloatArray]:
    """Ends of what nodes tell apart in every feature; 0 and 0 where none looks at it."""
    inverse, centers = c.nodes.inv_widths, c.nodes.centers
    looks = inverse > 0.0
    widths = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=looks)
    first, last = _ends(centers, centers, looks)
    narrowest = np.where(looks, widths, np.inf).min(axis=0)
    finest = narrowest * (ONE / STEPS_OF_A_WIDTH) - (last - first)
    beyond = np.minimum(FADED * widths, np.maximum(FADED * narrowest, finest))
    return _ends(centers - beyond, centers + beyond, looks)


def _ends(low: FloatArray, high: FloatArray, looks: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Least and greatest over the nodes that look at a feature."""
    least, most = np.where(looks, low, np.inf), np.where(looks, high, -np.inf)
    seen = looks.any(axis=0)
    return np.where(seen, least.min(axis=0), 0.0), np.where(seen, most.max(axis=0), 0.0)


def _check_units(c: Computation, gauge: Gauge) -> None:
    lines = [gauge.gain, gauge.offset]
    lines += [] if gauge.bend is None else [gauge.bend.gain, gauge.bend.offset]
    for feature, numbers in zip(c.features, np.transpose(lines), strict=True):
        if not np.isfinite(numbers).all():
            raise NotExportable(
                f"Fixed point needs inputs whose units are numbers. Got those of "
                f"{c.columns[feature.column].name!r}."
            )


def _check_weights(c: Computation) -> None:
    """Refuse weights that cancel to more digits than activations have."""
    centers, coef = c.nodes.centers, c.weights.coef
    said = gaussian_activations(centers, centers, c.nodes.inv_widths) @ coef
    length, together = np.linalg.norm(coef, axis=0), np.sqrt(np.mean(said**2, axis=0))
    cancelling = float((length / np.maximum(together, np.finfo(float).tiny)).max())
    if cancelling > CANCELLING:
        raise NotExportable(
            f"Fixed point needs weights that do not cancel each other. Those of {c.estimator} are "
            f"{cancelling:.3g} times what its {len(coef)} nodes say together, and may be at most "
            f"{CANCELLING:g}. Imitate it by a network with smaller ones (drumlin.compress), or "
            "export it with number='float'."
        )


def _matrix(c: Computation, units: FloatArray) -> tuple[IntArray | None, FloatArray]:
    """The matrix, rows of bounded sum, and the units of what it makes."""
    if c.mapping.matrix is None:
        return None, units
    real = (c.mapping.matrix * units[:, None]).T  # (n_mapped, n_features)
    reach = np.abs(real).sum(axis=1)
    mapped = np.maximum(reach * ONE / (ONE - len(units)), 1e-300)
    farthest = np.abs(c.nodes.centers).max(axis=0) / (ONE - 1)
    mapped = np.maximum(mapped, farthest)
    return np.rint(real / mapped[:, None] * ONE).astype(np.int64), mapped


def _inv_widths(c: Computation, centers: IntArray, units: FloatArray) -> tuple[IntArray, int]:
    """Inverse widths of at most 16 bits whose products with differences have at most 32."""
    real = c.nodes.inv_widths * units * Q12
    farthest = np.abs(centers).max() + ONE
    bits = [
        h
        for h in range(28, -1, -1)
        if np.rint(real.max() * 2.0**h) <= 65535
        and (np.rint(real * 2.0**h) * farthest).max() < 2.0**32 - 2.0**h
    ]
    if not bits:
        raise NotExportable(
            "Fixed point needs nodes that are wider than one step of the inputs. "
            f"Got a width of {1.0 / c.nodes.inv_widths.max():g}."
        )
    return np.rint(real * 2.0 ** bits[0]).astype(np.int64), bits[0]


def _weights(c: Computation) -> tuple[IntArray, IntArray, float]:
    coef, intercept = c.weights.coef, c.weights.intercept
    total = (np.abs(coef).sum(axis=0) + np.abs(intercept)).max()
    unit = max(total / (_FILLED - len(coef)), np.abs(coef).max() / (ONE - 1), 1e-300)
    bias = np.rint(intercept / unit * ONE).astype(np.int64)
    return np.rint(coef / unit).astype(np.int64), bias, float(unit / ONE)


def _saturated(values: FloatArray) -> IntArray:
    """Rounded to 16 bits; the least number is kept for missing values."""
    return np.clip(np.rint(values), 1 - ONE, ONE - 1).astype(np.int64)
