"""Estimators by the names of their families."""

from __future__ import annotations

import pytest
from sklearn.base import is_classifier

import drumlin
from drumlin._errors import ParameterError
from drumlin.estimators.families import FAMILIES, build, build_preset
from drumlin.estimators.presets import CITATIONS


@pytest.mark.parametrize(
    ("method", "task"), [(method, task) for method in FAMILIES for task in FAMILIES[method]]
)
def test_build(method, task):
    if method == "nadaraya-watson":
        with pytest.raises(ParameterError, match=r"'max_nodes' .* no meaning .* Got 4"):
            build(method, task, max_nodes=4)
        limit = None
    else:
        limit = 4
    model = build(method, task, seed=5, max_nodes=limit)
    assert getattr(drumlin, type(model).__name__) is type(model)
    assert is_classifier(model) == (task == "classification")
    parameters = model.get_params()
    assert parameters["random_state"] == 5
    assert limit in (parameters.get("max_nodes"), parameters.get("n_nodes"))


@pytest.mark.parametrize("citation", CITATIONS)
def test_build_preset(citation):
    model = build_preset(citation, "classification", seed=5, max_nodes=4)
    wanted = drumlin.presets(citation)
    assert type(model) is type(wanted)
    changed = {
        name
        for name, value in wanted.get_params(deep=False).items()
        if repr(value) != repr(model.get_params(deep=False)[name])
    }
    assert changed in ({"random_state", "max_nodes"}, {"random_state", "n_nodes"})
    with pytest.raises(ParameterError, match=r"'preset' .* must be None for regression.* Got"):
        build_preset(citation, "regression")


def test_errors_name_the_parameter():
    with pytest.raises(ParameterError, match=r"'method' parameter must be one of .* Got 'magic'"):
        build("magic", "classification")
    with pytest.raises(ParameterError, match=r"'method' parameter must be one of .* for regr"):
        build("logistic", "regression")
    with pytest.raises(ParameterError, match=r"'preset' parameter must be one of .* Got 'hong99'"):
        build_preset("hong99", "classification")
