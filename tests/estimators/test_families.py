"""Estimators by the names of their families."""

from __future__ import annotations

import pytest
from sklearn.base import is_classifier

import drumlin
from drumlin._errors import ParameterError
from drumlin.estimators.families import FAMILIES, build


@pytest.mark.parametrize(
    ("method", "task"), [(method, task) for method in FAMILIES for task in FAMILIES[method]]
)
def test_build(method, task):
    model = build(method, task, seed=5, max_nodes=4)
    assert getattr(drumlin, type(model).__name__) is type(model)
    assert is_classifier(model) == (task == "classification")
    parameters = model.get_params()
    assert parameters["random_state"] == 5
    assert 4 in (parameters.get("max_nodes"), parameters.get("n_nodes"))


def test_errors_name_the_parameter():
    with pytest.raises(ParameterError, match=r"'method' parameter must be one of .* Got 'magic'"):
        build("magic", "classification")
    with pytest.raises(ParameterError, match=r"'method' parameter must be one of .* for regr"):
        build("logistic", "regression")
