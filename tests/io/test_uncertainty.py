"""Files of regressions: small, with standard deviations that are right, or without them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification, make_friedman1
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import drumlin
from drumlin import DrumlinRegressor, ForwardRBFRegressor
from drumlin.io import ModelFileError
from tests.io.edits import Draft

GOLDEN = Path(__file__).parent / "golden"


def saved(model, path, **options):
    drumlin.save(model, path, **options)
    return path.stat().st_size


@pytest.fixture(scope="module")
def model():
    """A regression with five nodes that have centers and widths of their own, and its data."""
    X, y = make_friedman1(500, 10, noise=1.0, random_state=0)
    model = DrumlinRegressor(max_nodes=5).fit(X, y)
    assert model.n_nodes_ == 5
    assert not model._uncertainty.shared
    return model, X


def test_five_nodes_of_ten_inputs_fit_in_10_kilobytes(model, tmp_path):
    assert saved(model[0], tmp_path / "model") <= 10_000


def test_another_five_nodes_of_ten_inputs_fit_in_10_kilobytes(tmp_path):
    X, y = make_classification(200, 10, n_informative=5, random_state=0)
    model = DrumlinRegressor(max_nodes=5).fit(X, y)
    assert model._uncertainty is not None
    assert saved(model, tmp_path / "model") <= 10_000


def test_thirteen_nodes_of_thirty_inputs_fit_in_60_kilobytes(tmp_path):
    X, y = make_friedman1(500, 30, noise=1.0, random_state=0)
    model = DrumlinRegressor(max_nodes=13).fit(X, y)
    assert model.n_nodes_ > 10
    assert saved(model, tmp_path / "model") <= 60_000


def test_uncertainty_can_be_left_out(model, tmp_path):
    model, X = model
    path = tmp_path / "model"
    assert saved(model, path, uncertainty=False) <= 4000
    loaded = drumlin.load(path)
    for name in ("predict", "novelty", "contributions", "gradient"):
        np.testing.assert_array_equal(getattr(loaded, name)(X), getattr(model, name)(X))
    for n_nodes in range(1, 6):
        expected = model.truncate(n_nodes).predict(X)
        np.testing.assert_array_equal(loaded.truncate(n_nodes).predict(X), expected)
    with pytest.raises(ValueError, match=r"save\(\.\.\., uncertainty=False\).*Fit the model again"):
        loaded.predict(X, return_std=True)
    with pytest.raises(AttributeError, match="'predict_interval'") as refused:
        loaded.predict_interval(X)
    assert "saved by an older version or with uncertainty=False" in str(refused.value)
    assert model.predict(X, return_std=True)[1].shape == (len(X),)  # the saved one is unchanged
    again = tmp_path / "again"
    saved(loaded, again)
    assert again.read_bytes() == path.read_bytes()


def test_uncertainty_of_a_pipeline_can_be_left_out(regressor, tmp_path):
    _, X = regressor
    model = make_pipeline(StandardScaler(), DrumlinRegressor(max_nodes=2)).fit(X, X[:, 0] ** 2)
    saved(model, tmp_path / "model", uncertainty=False)
    loaded = drumlin.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert not hasattr(loaded[-1], "_uncertainty")
    assert hasattr(model[-1], "_uncertainty")


def test_leaving_out_uncertainty_changes_nothing_elsewhere(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 2))
    model = ForwardRBFRegressor(max_nodes=3).fit(X, X[:, 0])
    saved(model, tmp_path / "a")
    saved(model, tmp_path / "b", uncertainty=False)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


# ------------------------------------------------------------------ what is refused
def _order(draft):
    order = draft.array("uncertainty.order").copy()
    order[0] = order[1]
    return draft.set("uncertainty.order", order)


def _scale(draft):
    scale = draft.array("uncertainty.scale").copy()
    scale[0] = np.nan
    return draft.set("uncertainty.scale", scale)


def _cut(draft):
    coded = draft.array("uncertainty.factor.coded")
    return draft.set("uncertainty.factor.coded", coded[:-9].copy())


BROKEN = {
    "bits": (lambda d: d.set("uncertainty.factor.bits", 17), "4 to 16 bits"),
    "fewer bits": (lambda d: d.set("uncertainty.factor.bits", 4), "a triangle needs"),
    "coded": (lambda d: d.set("uncertainty.factor.coded", np.zeros(7, np.uint8)), "needs"),
    "other code": (lambda d: d.set("uncertainty.factor.coded", np.ones(900, np.uint8)), "damaged"),
    "cut code": (_cut, "a triangle needs 5671 entries from 0 to 126"),
    "sizes": (lambda d: d.set("uncertainty.factor.sizes", np.ones(3, np.float16)), "triangle"),
    "kind of size": (lambda d: d.set("uncertainty.factor.sizes", np.ones(3)), "sizes is not"),
    "factor": (lambda d: d.set("uncertainty.factor", np.ones((3, 3))), "uncertainty of a network"),
    "flat factor": (lambda d: d.set("uncertainty.factor", np.ones(106)), "of a network"),
    "shared": (lambda d: d.set("uncertainty.shared", True), "uncertainty of a network"),
    "order": (_order, "order of variables"),
    "scale": (_scale, "Uncertainty is not finite"),
    "coef": (lambda d: d.set("uncertainty.coef", np.ones((4, 1))), "coef"),
    "range": (lambda d: d.set("data_range.0", np.full(10, 9.0)), "_data_range must ascend"),
    "no range": (lambda d: d.set("data_range", None), "_data_range"),
    "other type": (lambda d: d.set("uncertainty", 1.0), "must have an Uncertainty"),
    "two names": (lambda d: d.tree["state"].update(_noise=1.0) or d, "by two names"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_does_not_fit_is_refused(name, model, tmp_path):
    spoil, reason = BROKEN[name]
    path = tmp_path / "model"
    saved(model[0], path)
    path.write_bytes(spoil(Draft(path.read_bytes())).content())
    with pytest.raises(ModelFileError, match=reason):
        drumlin.load(path)


@pytest.mark.parametrize(("name", "value", "reason"), [
    ("packed", np.zeros(7, np.uint8), "needs 434 bytes"),
    ("packed", np.zeros((2, 5), np.uint8), "needs 434 bytes"),
    ("packed", np.zeros(7), "and bytes"),
    ("bits", 17, "4 to 16 bits"),
    ("bits", 4, "needs 248 bytes"),
    ("sizes", np.ones(3), "sizes is not"),
])  # fmt: skip
def test_triangles_of_equal_bits_are_not_believed_either(name, value, reason, tmp_path):
    draft = Draft((GOLDEN / "v2-DrumlinRegressor.drumlin").read_bytes())
    path = tmp_path / "model"
    path.write_bytes(draft.set(f"uncertainty.factor.{name}", value).content())
    with pytest.raises(ModelFileError, match=reason):
        drumlin.load(path)


@pytest.mark.parametrize(("name", "reason"), [
    ("_quadratic_model.factor", "variables of its solution"),
    ("_solution.vector", "must have"),
    ("_solution", "variables of its solution"),
])  # fmt: skip
def test_files_of_version_1_are_not_believed_either(name, reason, tmp_path):
    draft = Draft((GOLDEN / "v1-DrumlinRegressor.drumlin").read_bytes())
    value = draft.array(name)
    if value is None:
        draft.set(name, None)
    else:
        draft.set(name, value[tuple(slice(n - 1) for n in value.shape)].copy())
    path = tmp_path / "model"
    path.write_bytes(draft.content())
    with pytest.raises(ModelFileError, match=reason):
        drumlin.load(path)
