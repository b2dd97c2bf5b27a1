"""Published settings by citation key."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from drumlin.criteria import LOOMisclassification, LOOMutualInformation
from drumlin.estimators import ForwardRBFClassifier, SparseKernelLogisticRegression

_LITERAL: dict[str, Any] = {
    "alpha": 1e-6,
    "patience": 1,
    "ties": "first",
    "fit_intercept": False,
}
"""What the forward-selection papers share: stop at the first failure, lowest index, no constant."""

_HONG2014_SETS: dict[str, dict[str, Any]] = {
    "synth": {"width": math.sqrt(0.06 / 2.0), "standardize": False},  # tau = 2 width^2 = .06
    "banana": {"min_nodes": 40},
    "waveform": {"min_nodes": 50},
    "thyroid": {"min_nodes": 100},
}
"""Settings that the paper gives for single data sets (section 6)."""


def _hong2008(**settings: Any) -> ForwardRBFClassifier:
    criterion = LOOMisclassification(zero_is_wrong=False)
    return ForwardRBFClassifier(
        criterion=criterion, regularizer="evidence", **(_LITERAL | settings)
    )


def _hong2014(**settings: Any) -> ForwardRBFClassifier:
    criterion = LOOMutualInformation(signed=False)
    return ForwardRBFClassifier(
        criterion=criterion, regularizer="stage_evidence", **(_LITERAL | settings)
    )


_ANDO2004_SETS: dict[str, dict[str, Any]] = {
    name: {"standardize": False} for name in ("synth", "waveform", "vowel")
}
"""Eq. (4) has one width for all inputs: right where they share a unit, as in these sets."""


def _ando2004(**settings: Any) -> SparseKernelLogisticRegression:
    return SparseKernelLogisticRegression(search="genetic", grid="full", **settings)


_PRESETS: dict[str, tuple[Callable[..., Any], dict[str, dict[str, Any]]]] = {
    "ando2004": (_ando2004, _ANDO2004_SETS),
    "hong2008": (_hong2008, {}),
    "hong2014": (_hong2014, _HONG2014_SETS),
}


def presets(citation: str, *, dataset: str | None = None) -> Any:
    """Return an unfitted estimator with the settings of a paper.

    Parameters
    ----------
    citation : {"ando2004", "hong2008", "hong2014"}
    dataset : str or None, default=None
        A data set the paper treats specially (hong2014: "synth", "banana", "waveform",
        "thyroid"; ando2004: "synth", "waveform", "vowel"). Others, and None, choose the width on
        the training data (hong2008 and hong2014 by leave-one-out squared error, ando2004 by its
        criterion), since the papers do not print it.

    Returns
    -------
    estimator

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
    return build(**special.get(dataset or "", {}))
