"""Transformed targets in files: pairs of known functions and steps, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

import drumlin
from drumlin import ForwardRBFRegressor
from drumlin.io import ModelFileError
from drumlin.io.targets import TARGET_STEPS
from drumlin.tables.transformed import PAIRS
from tests.io.edits import Draft
from tests.io.models import assert_same_answers, logarithm_of_table, scaled_target

X = np.random.default_rng(0).uniform(0.5, 2.0, (40, 2))
Y = X[:, 0] + X[:, 1] ** 2
WAYS = {
    **{name: {"func": getattr(np, name), "inverse_func": getattr(np, PAIRS[name])}
       for name in PAIRS},
    **{type(step).__name__: {"transformer": step} for step in (
        MinMaxScaler(), PowerTransformer(), QuantileTransformer(n_quantiles=9), RobustScaler(),
        StandardScaler(),
    )},
    "nothing": {},
}  # fmt: skip


def target(y=Y, **ways):
    return TransformedTargetRegressor(ForwardRBFRegressor(1.0, max_nodes=3), **ways).fit(X, y)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("y", [Y, np.column_stack([Y, Y**2])], ids=["one", "two"])
def test_round_trip(way, y, tmp_path):
    model = target(y, **WAYS[way])
    drumlin.save(model, tmp_path / "m")
    again = drumlin.load(tmp_path / "m")
    assert_same_answers(again, model, X)
    assert repr(again) == repr(model)
    assert_same_answers(clone(again).fit(X, y), model, X)


def test_all_steps_of_targets_are_tried():
    tried = {type(way.get("transformer")).__name__ for way in WAYS.values()}
    assert {cls.__name__ for cls in TARGET_STEPS} - tried == {"FunctionTransformer"}


@pytest.mark.parametrize("make", [logarithm_of_table, scaled_target])
def test_around_pipelines_and_at_their_end(make, tmp_path):
    model, rows = make()
    drumlin.save(model, tmp_path / "m")
    assert_same_answers(drumlin.load(tmp_path / "m"), model, rows)
    steps = drumlin.io.describe(tmp_path / "m")["facts"]["steps"]
    assert steps[-1] == "ForwardRBFRegressor" and "TransformedTargetRegressor" in steps


@pytest.mark.parametrize(("ways", "error", "match"), [
    ({"func": np.tanh, "inverse_func": np.arctanh}, TypeError, "func.*ufunc"),
    ({"func": np.log, "inverse_func": np.sinh, "check_inverse": False}, ValueError, "a pair of"),
    ({"func": np.exp, "inverse_func": np.log}, ValueError, "a pair of NumPy's"),
    ({"transformer": MaxAbsScaler()}, TypeError, "MaxAbsScaler"),
])  # fmt: skip
def test_what_is_not_allowed_is_not_saved(ways, error, match, tmp_path):
    with pytest.raises(error, match=match):
        drumlin.save(target(np.tanh(Y / 9.0), **ways), tmp_path / "m")


def test_what_is_not_ours_or_not_fitted_is_not_saved(tmp_path):
    with pytest.raises(TypeError, match="LinearRegression"):
        drumlin.save(TransformedTargetRegressor(LinearRegression()).fit(X, Y), tmp_path / "m")
    with pytest.raises(Exception, match="not fitted"):
        drumlin.save(TransformedTargetRegressor(ForwardRBFRegressor()), tmp_path / "m")


@pytest.mark.parametrize(("name", "value", "match"), [
    ("transformer_.func", {"function": "sqrt"}, "two pairs"),
    ("inverse_func", None, "two pairs"),
    ("func", {"function": "os.system"}, "is none of the functions"),
    ("_training_dim", 2, "another shape"),
    ("_training_dim", "1", "another shape"),
    ("transformer_", None, "may be transformed by"),
    ("regressor_", None, "no network|cannot be understood"),
    ("transformer_.n_features_in_", 3, "must have 1 outputs"),
])  # fmt: skip
def test_contradictions_are_refused(name, value, match, tmp_path):
    path = tmp_path / "m"
    drumlin.save(target(**WAYS["log"]), path)
    draft = Draft(path.read_bytes()).set(name, value)
    path.write_bytes(draft.content())
    with pytest.raises(ModelFileError, match=match):
        drumlin.load(path)


def test_a_file_cannot_bring_another_regressor(tmp_path):
    path = tmp_path / "m"
    drumlin.save(target(**WAYS["log"]), path)
    draft = Draft(path.read_bytes())
    draft.tree["state"]["regressor"] = draft.tree["state"]["regressor_"]
    path.write_bytes(draft.content())
    with pytest.raises(ModelFileError, match="two regressors"):
        drumlin.load(path)
