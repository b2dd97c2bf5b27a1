"""Published settings by citation key."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

from drumlin.criteria import LOOMisclassification, LOOMutualInformation
from drumlin.estimators.forward import ForwardRBFClassifier
from drumlin.estimators.rbf_network import RBFNetworkClassifier
from drumlin.estimators.sparse_logistic import SparseKernelLogisticRegression
from drumlin.estimators.tunable import TunableRBFClassifier
from drumlin.search import SwarmSearch

_LITERAL: dict[str, Any] = {
    "alpha": 1e-6,
    "patience": 1,
    "fit_intercept": False,
}
"""What the forward-selection papers share: stop at the first failure, no constant."""

_HONG2014_SETS: dict[str, dict[str, Any]] = {
    "synth": {"width": math.sqrt(0.06 / 2.0), "standardize": False},  # tau = 2 width^2 = .06
    "banana": {"min_nodes": 40},
    "waveform": {"min_nodes": 50},
    "thyroid": {"min_nodes": 100},
}
"""Settings that the paper gives for single data sets (section 6)."""


_CHEN2010_SETS: dict[str, dict[str, Any]] = {
    "thyroid": {"search": SwarmSearch(n_particles=20, n_iterations=20, straight=True)},
}
"""Swarm sizes of single data sets (section IV)."""


def _hong2008(**settings: Any) -> ForwardRBFClassifier:
    criterion = LOOMisclassification(zero_is_wrong=False)
    return ForwardRBFClassifier(
        criterion=criterion,
        first="criterion",
        regularizer="evidence",
        ties="first",
        **(_LITERAL | settings),
    )


def _hong2014(**settings: Any) -> ForwardRBFClassifier:
    criterion = LOOMutualInformation(signed=False, zero_is_wrong=True)
    return ForwardRBFClassifier(
        criterion=criterion, regularizer="stage_evidence", ties="first", **(_LITERAL | settings)
    )


def _chen2010(**settings: Any) -> TunableRBFClassifier:
    """Settings of section IV; the paper prints no widths: variances from 1 to 100 work best."""
    literal: dict[str, Any] = {
        "search": SwarmSearch(n_particles=10, n_iterations=20, straight=True),
        "criterion": LOOMisclassification(zero_is_wrong=True),
        "first": "criterion",
        "width_range": (1.0, 10.0),
        "width_scale": "variance",
        "isotropic": False,
        "start": "box",
        "penalize_size": False,
    }
    return TunableRBFClassifier(**(_LITERAL | literal | settings))


def _haykin5(**settings: Any) -> RBFNetworkClassifier:
    """Section 5.8: 20 nodes, common width (5.49), no constant (5.21), inputs as they are."""
    book: dict[str, Any] = {"width": "spread", "fit_intercept": False, "standardize": False}
    return RBFNetworkClassifier(20, **(book | settings))


_ANDO2004_SETS: dict[str, dict[str, Any]] = {
    name: {"standardize": False} for name in ("synth", "breiman-waveform", "vowel")
}
"""Eq. (4) has one width for all inputs: right where they share a unit, as in these sets."""


def _ando2004(**settings: Any) -> SparseKernelLogisticRegression:
    """Section 4: equal prior probabilities, contrasts with the last class."""
    return SparseKernelLogisticRegression(
        search="genetic", grid="full", model_prior="equal", reference=-1, **settings
    )


_PRESETS: dict[str, tuple[Callable[..., Any], dict[str, dict[str, Any]]]] = {
    "hong2008": (_hong2008, {}),
    "hong2014": (_hong2014, _HONG2014_SETS),
    "chen2010": (_chen2010, _CHEN2010_SETS),
    "haykin5": (_haykin5, {}),
    "ando2004": (_ando2004, _ANDO2004_SETS),
}

CITATIONS = tuple(_PRESETS)
"""Papers with settings."""


def presets(citation: str, *, dataset: str | None = None) -> Any:
    """Return an unfitted estimator with the settings of a paper.

    Parameters
    ----------
    citation : {"hong2008", "hong2014", "chen2010", "ando2004", "haykin5"}
    dataset : str or None, default=None
        A data set the paper treats specially (hong2014: "synth", "banana", "waveform",
        "thyroid"; chen2010: "thyroid"; ando2004: "synth", "breiman-waveform", "vowel"), by its
        name in ``drumlin reproduce``. For others, and None, hong2008 and hong2014 choose the width
        by leave-one-out squared error on the training data and ando2004 by its criterion, since
        the papers do not print it.

    Returns
    -------
    estimator

    See Also
    --------
    ForwardRBFClassifier
    TunableRBFClassifier
    SparseKernelLogisticRegression
    RBFNetworkClassifier

    Examples
    --------
    >>> from drumlin import presets
    >>> presets("hong2014", dataset="banana").min_nodes
    40
    """
    if citation not in _PRESETS:
        raise ValueError(
            f"The 'citation' parameter of presets must be one of {sorted(_PRESETS)}. "
            f"Got {citation!r}."
        )
    build, special = _PRESETS[citation]
    return build(**copy.deepcopy(special.get(dataset or "", {})))
