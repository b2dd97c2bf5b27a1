"""From a fitted estimator, alone or at the end of a pipeline, to its computation.

The only place of this room that knows estimators; they differ in ``network_``, ``classes_``,
``temperature_`` and in whether they know novelty.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from drumlin._typing import BoolArray
from drumlin.basis import RADIALS, InputMap, Powers
from drumlin.basis.maps import FARTHEST
from drumlin.estimators.fitted import FittedNetwork
from drumlin.export.computation import (
    B_SPLINE,
    SCORES,
    SHARES,
    SOFTMAX,
    ZERO,
    Computation,
    Feature,
    Label,
    Mapping,
    NodeTable,
    NotExportable,
    NoveltyTable,
    Outcome,
    Scaling,
    Weights,
)
from drumlin.export.preparing import Preparation
from drumlin.export.tables import check_fits
from drumlin.network import Network
from drumlin.novelty import Novelty
from drumlin.tables.transformed import name_of_target

MOST_NODES = 2000
"""Larger networks are not written out as text."""

_RADIAL_NAMES = {cls: name for name, cls in RADIALS.items()}


def describe(model: Any) -> Computation:
    """Describe what a fitted model computes.

    Parameters
    ----------
    model : estimator
        A fitted estimator of drumlin, a Pipeline that ends with one (as ``drumlin fit`` saves
        it), or a search over either.

    Raises
    ------
    NotExportable
        Where something in it has no counterpart outside of Python; the text names it.

    See Also
    --------
    to_c
    to_onnx
    to_sql
    to_javascript
    to_python

    Examples
    --------
    >>> from drumlin import DrumlinRegressor
    >>> from drumlin.export import describe
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> describe(DrumlinRegressor().fit(X, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])).estimator
    'DrumlinRegressor'
    """
    if isinstance(model, Computation):
        return model
    fitted = _fitted(model)
    if fitted.target is not None:
        raise NotExportable(
            f"A transformed target ({name_of_target(fitted.target)}) cannot be exported: write the "
            "network without it, and map its answers back where they are used."
        )
    network = fitted.network
    if len(network.nodes) > MOST_NODES:
        raise NotExportable(
            f"{type(fitted.model).__name__} must have at most {MOST_NODES} nodes to be exported. "
            f"Got {len(network.nodes)}."
        )
    preparation = Preparation(_column_names(fitted))
    preparation.through(fitted.before)
    columns, codings, features, scalings = preparation.result()
    mapping, features = _mapping(network.inputs, scalings, features)
    made = Computation(
        type(fitted.model).__name__,
        columns,
        codings,
        features,
        mapping,
        _node_table(network),
        Weights(network.coef, network.intercept),
        _outcome(fitted.model),
        _novelty(fitted.model),
    )
    check_fits(made, "double")
    return made


def _fitted(model: Any) -> FittedNetwork:
    if isinstance(model, type) or not hasattr(model, "fit"):
        given = f"the class {model.__name__}" if isinstance(model, type) else repr(model)[:80]
        raise TypeError(
            "The 'model' parameter must be a fitted model of drumlin, or a pipeline that ends "
            f"with one. Got {given}."
        )
    try:
        return FittedNetwork.of(model)
    except TypeError as error:  # which speaks of an 'estimator'
        raise TypeError(str(error).replace("'estimator'", "'model'")) from error


def _column_names(fitted: FittedNetwork) -> list[str]:
    """Raw columns, as the first step that knows them (not "passthrough") has seen them."""
    whole = fitted.whole
    steps = [whole] if fitted.before is None else [step for _, step in whole.steps]
    first = next(step for step in steps if hasattr(step, "n_features_in_"))
    names = getattr(first, "feature_names_in_", None)
    numbered = [f"x{i}" for i in range(first.n_features_in_)]
    return numbered if names is None else [str(name) for name in names]


def _mapping(
    inputs: InputMap | None, scalings: tuple[Scaling, ...], features: tuple[Feature, ...]
) -> tuple[Mapping, tuple[Feature, ...]]:
    """Mapping with the network's own scalings last; features that they switch off become zero."""
    if inputs is None:
        return Mapping(scalings, None, None), features
    shift, scale = inputs.scaler.shift, inputs.scaler.scale
    off = _are_off(inputs)
    features = tuple(
        replace(feature, kind=ZERO, fill=None) if dead else feature
        for feature, dead in zip(features, off, strict=True)
    )
    before = [
        Scaling(np.where(off, 0.0, layer.shift), np.where(off, 1.0, layer.scale))
        for layer in scalings
    ]
    own = [Scaling(np.where(off, 0.0, shift), np.where(off, 1.0, scale), FARTHEST)]
    if inputs.powers is not None:
        own = _powered(own[0], inputs.powers, off)
    clip = np.broadcast_to(np.asarray(inputs.clip, dtype=np.float64), shift.shape)
    inv_clip = None if np.isinf(clip).all() else 1.0 / clip
    return Mapping((*before, *own), inv_clip, inputs.matrix), features


def _are_off(inputs: InputMap) -> BoolArray:
    """Features that are the same whatever the input is."""
    scales = [inputs.scaler.scale]
    scales += [] if inputs.powers is None else [inputs.powers.scaler.scale]
    return np.asarray(np.isinf(scales).any(axis=0))


def _powered(own: Scaling, powers: Powers, off: BoolArray) -> list[Scaling]:
    """The first scaling with powers behind it, and that of the powers; what is off stays at 0."""
    power = np.where(off, 1.0, powers.power)
    shift, scale = powers.scaler.shift, powers.scaler.scale
    gone = np.isinf(scale)
    return [
        replace(own, power=power if (power != 1.0).any() else None),
        Scaling(np.where(gone, 0.0, shift), np.where(gone, 1.0, scale), FARTHEST),
    ]


def _node_table(network: Network) -> NodeTable:
    nodes = network.nodes
    if type(nodes.radial) not in _RADIAL_NAMES:
        raise NotExportable(
            f"The radial function {type(nodes.radial).__name__} cannot be exported. "
            f"Those that can: {', '.join(RADIALS)}."
        )
    radial = _RADIAL_NAMES[type(nodes.radial)]
    if radial == B_SPLINE and network.shares is not None:
        raise NotExportable(
            "A normalised network of B-splines cannot be exported: beyond all nodes the nearest "
            "one decides, which is not written in other languages."
        )
    with np.errstate(over="ignore"):  # what is no number is refused by name
        inverse = 1.0 / nodes.widths
    return NodeTable(nodes.centers, inverse, radial, network.shares)


def _outcome(model: Any) -> Outcome:
    if not is_classifier(model):
        return Outcome(SCORES)
    classes = tuple(_label(label) for label in model.classes_)
    log_odds = getattr(model, "_scores_are_log_odds", False)
    temperature = 1.0 if log_odds else getattr(model, "temperature_", None)
    if temperature is None:  # local averages of classes are probabilities
        return Outcome(SHARES, 1.0, classes)
    return Outcome(SOFTMAX, float(temperature), classes)


def _label(label: Any) -> Label:
    plain = label.item() if isinstance(label, np.generic) else label
    if not isinstance(plain, (str, int, float, bool)):
        raise NotExportable(
            f"Classes must be texts, numbers or truth values to be exported. Got {label!r}."
        )
    return plain


def _novelty(model: Any) -> NoveltyTable | None:
    known = getattr(model, "_novelty", None)
    if not isinstance(known, Novelty) or not len(known.network.nodes):
        return None
    places = replace(known.network, shares=None)  # distances know no shares
    return NoveltyTable(_node_table(places), known.quantiles.astype(np.float64))
