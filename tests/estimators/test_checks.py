"""scikit-learn's own checks for every criterion and regulariser, on both backends."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from drumlin import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    TunableRBFClassifier,
    TunableRBFRegressor,
    presets,
)
from drumlin.search import DifferentialEvolution, PolishedSearch, SwarmSearch

QUICK = {"width": [2.0, 5.0], "max_nodes": 9}

ESTIMATORS = [
    DrumlinClassifier(),
    DrumlinRegressor(),
    DrumlinRegressor(3, loss="huber"),
    ForwardRBFClassifier(),  # misclassification, fixed
    ForwardRBFClassifier(criterion="mutual_information", regularizer="evidence", **QUICK),
    ForwardRBFClassifier(criterion="squared_error", regularizer="stage_evidence", **QUICK),
    ForwardRBFRegressor(),
    ForwardRBFRegressor(regularizer="evidence", **QUICK),
    TunableRBFClassifier(PolishedSearch(SwarmSearch(10, 10), n_polish=5), max_nodes=5),
    TunableRBFRegressor(DifferentialEvolution(10, 10), isotropic=False, max_nodes=9),
    presets("hong2008").set_params(**QUICK),  # misclassification, evidence
    presets("hong2014").set_params(**QUICK),  # mutual information, evidence at every stage
    presets("chen2010"),
]

# The flagship leaves out a weight of one, so these are failures of the others only.
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": (
        "Leave-one-out leaves out a row with its whole weight; of repeated rows it leaves out one "
        "copy and still sees the others. No criterion of leave-one-out predictions can be equal "
        "in both, so neither are the selected nodes. What does hold is in test_weights.py."
    )
}


def expected_failures(estimator):
    return {} if type(estimator).__name__.startswith("Drumlin") else EXPECTED_FAILURES


@pytest.fixture(params=["numpy", "numba"], autouse=True)
def backend(request, monkeypatch):
    if request.param == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", request.param)


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures, xfail_strict=True)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
