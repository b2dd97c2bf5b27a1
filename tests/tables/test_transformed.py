"""Targets learned as logarithms: answers and intervals in their own units, all else refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.preprocessing import StandardScaler

import drumlin
from drumlin import DrumlinRegressor, ForwardRBFRegressor, export, make_table_model
from drumlin._errors import ParameterError
from drumlin.deploy import Deployed, check, train
from drumlin.estimators.fitted import FittedNetwork
from drumlin.export import NotExportable
from drumlin.tables import TableError, read_labelled
from drumlin.tables.transformed import PAIRS, InTargetUnits
from tests.deploy.conftest import visits
from tests.helpers import EXACT, assert_close

LOG = {"func": np.log, "inverse_func": np.exp}


@pytest.fixture(scope="module")
def frame():
    return visits(100).drop(columns="buys")


@pytest.fixture(scope="module")
def model(frame):
    target = TransformedTargetRegressor(DrumlinRegressor(random_state=0), **LOG)
    return make_table_model(target).fit(frame.drop(columns="spent"), frame["spent"].to_numpy())


@pytest.fixture(scope="module")
def trained(frame):
    return train(frame, "spent", log_target=True)


def test_python_and_the_tool_make_the_same_model(model, trained, frame):
    answers = trained.deployed.predict(frame, confidence=0.8)
    np.testing.assert_array_equal(answers["prediction"], model.predict(frame))
    np.testing.assert_array_equal(answers[["lower", "upper"]], model.predict_interval(frame, 0.8))
    np.testing.assert_array_equal(
        answers["novel"], trained.deployed.is_novel(model[:-1].transform(frame))
    )
    assert "std" not in answers


def test_intervals_are_those_of_logarithms(model, frame):
    inner = model[-1].regressor_.predict_interval(model[:-1].transform(frame), [0.5, 0.9])
    assert_close(model.predict_interval(frame, [0.5, 0.9]), np.exp(inner), EXACT)


def test_intervals_of_roots_do_not_turn_round():
    """A root cannot be negative: the square of such an end would be above zero again."""
    X, y = np.linspace(0.0, 1.0, 40)[:, None], np.linspace(0.0, 1.0, 40) ** 4
    ways = {"func": np.sqrt, "inverse_func": np.square}
    step = TransformedTargetRegressor(ForwardRBFRegressor(0.3, max_nodes=2), **ways).fit(X, y)
    inner = step.regressor_.predict_interval(X, 0.9)
    assert (inner[:, 0] < 0.0).any()
    ends = InTargetUnits(step).predict_interval(X, 0.9)
    assert_close(ends, np.maximum(inner, 0.0) ** 2, EXACT)


@pytest.mark.parametrize("way", PAIRS)
def test_order_and_coverage_survive(way):
    X = np.random.default_rng(0).uniform(0.0, 1.0, (60, 2))
    y = 1.0 + X[:, 0] + 0.3 * np.random.default_rng(1).random(60)
    ways = {"func": getattr(np, way), "inverse_func": getattr(np, PAIRS[way])}
    step = TransformedTargetRegressor(ForwardRBFRegressor(1.0, max_nodes=3), **ways).fit(X, y)
    ends = FittedNetwork.of(step).asked.predict_interval(X, 0.8)
    inner = step.regressor_.predict_interval(X, 0.8)
    learned = ways["func"](y)
    inside = (learned >= inner[:, 0]) & (learned <= inner[:, 1])
    np.testing.assert_array_equal((y >= ends[:, 0]) & (y <= ends[:, 1]), inside)
    assert (ends[:, 0] <= step.predict(X)).all() and (step.predict(X) <= ends[:, 1]).all()


def test_several_outputs_and_several_confidences():
    X = np.random.default_rng(0).uniform(0.0, 1.0, (60, 2))
    step = TransformedTargetRegressor(
        ForwardRBFRegressor(1.0, max_nodes=3), transformer=StandardScaler()
    ).fit(X, X * [10.0, 1000.0] + 5.0)
    ends = InTargetUnits(step).predict_interval(X, [0.5, 0.9])
    inner = step.regressor_.predict_interval(X, [0.5, 0.9])
    scaler = step.transformer_
    assert ends.shape == (60, 2, 2, 2)
    assert_close(ends, inner * scaler.scale_[:, None, None] + scaler.mean_[:, None, None], EXACT)


@pytest.mark.parametrize(("way", "least"), [
    ("arcsinh", -np.inf), ("log", 0.0), ("log1p", -1.0), ("log2", 0.0), ("sqrt", 0.0),
    (None, -np.inf),
])  # fmt: skip
def test_infinite_ends_are_those_of_targets(way, least):
    """A number with a logarithm is above zero, however little is known of it."""
    X = np.linspace(0.0, 1.0, 8)[:, None]
    ways = {"func": getattr(np, way), "inverse_func": getattr(np, PAIRS[way])} if way else {}
    step = TransformedTargetRegressor(ForwardRBFRegressor(1.0, max_nodes=1), **ways)
    ends = InTargetUnits(step.fit(X, np.exp(X[:, 0]))).predict_interval(X, 0.99)
    assert (ends[:, 0] == least).all() and (ends[:, 1] == np.inf).all()


@pytest.mark.parametrize("name", ["explain", "contributions", "counterfactual"])
def test_what_speaks_of_logarithms_says_so(name, model, frame):
    with pytest.raises(AttributeError, match=rf"'{name}' speaks of the transformed target \(log\)"):
        getattr(model, name)(frame[:1], *([(1.0, 2.0)] if name == "counterfactual" else []))
    with pytest.raises(ValueError, match="'return_std' parameter must be False"):
        model.predict(frame, return_std=True)


def test_what_is_about_inputs_is_handed_on(model, frame):
    network = model[-1].regressor_
    np.testing.assert_array_equal(
        model.novelty(frame), network.novelty(model[:-1].transform(frame))
    )
    assert model.relevance_.sum() == pytest.approx(1.0)
    assert model.n_nodes_ == network.n_nodes_
    smaller = model.truncate(2)
    assert smaller.n_nodes_ == 2 and model.n_nodes_ > 2
    assert (smaller.predict(frame) > 0.0).all()


def test_figures_say_their_units(trained, frame):
    y = frame["spent"].to_numpy()
    assert list(trained.loo) == ["R² (log)", "root mean squared error (log)", "typical factor"]
    assert trained.loo["typical factor"] == np.exp(trained.loo["root mean squared error (log)"])
    assert trained.baseline["root mean squared error"] == pytest.approx(y.std())
    assert trained.baseline["root mean squared error (log)"] == pytest.approx(np.log(y).std())
    judged = train(frame, "spent", log_target=True, holdout=0.3).judged
    errors = frame.loc[judged.X.index, "spent"] - judged.answers
    assert judged.measures["root mean squared error"] == pytest.approx(np.sqrt((errors**2).mean()))
    ratios = np.log(judged.answers / frame.loc[judged.X.index, "spent"])
    told = judged.measures["root mean squared error (log)"]
    assert told == pytest.approx(np.sqrt((ratios**2).mean()))
    assert set(trained.loo) < set(judged.measures) & set(judged.baseline) & set(trained.baseline)
    assert judged.baseline["R² (log)"] == pytest.approx(0.0, abs=1e-12)


def test_targets_without_a_logarithm_are_judged_in_their_units(trained, frame):
    odd = frame.assign(spent=frame["spent"].where(frame.index > 0, -1.0))
    judged = trained.deployed.judge(read_labelled(odd, "spent", known=trained.train.target))
    assert list(judged.measures)[:2] == ["R²", "root mean squared error"]
    assert not any("log" in name for name in [*judged.measures, *judged.baseline])


def test_files_of_the_tool(trained, frame, tmp_path):
    trained.deployed.save(tmp_path / "m.drumlin")
    again = Deployed.load(tmp_path / "m.drumlin")
    np.testing.assert_array_equal(again.predict(frame), trained.deployed.predict(frame))
    assert not check(again, frame).has_drifted
    assert check(again, frame.assign(spent=frame["spent"] * 3.0)).has_drifted
    with pytest.raises(TableError, match=r"one that 'log' is known of, as in training. Got -1"):
        check(again, frame.assign(spent=-1.0))
    with pytest.raises(NotExportable, match=r"A transformed target \(log\) cannot be exported"):
        export.to_python(drumlin.load(tmp_path / "m.drumlin"))


@pytest.mark.parametrize(("value", "options", "error", "match"), [
    (0.0, {}, TableError, r"needs a target above zero. Got 0 in 'spent' \(1 row of 100"),
    (-2.5, {}, TableError, "Got -2.5"),
    ("no", {}, TableError, "'log_target' parameter needs numbers: The target 'spent'.*Got 'no'"),
    (1.0, {"task": "classification"}, ParameterError, "must be False where classes"),
    (1.0, {"memory": "1GB"}, ParameterError, "must name files"),
])  # fmt: skip
def test_targets_without_a_logarithm_are_refused(value, options, error, match, frame):
    bad = frame.astype({"spent": object})
    bad.loc[3, "spent"] = value
    with pytest.raises(error, match=match):
        train(bad, "spent", log_target=True, **options)


def test_few_whole_numbers_are_numbers(frame):
    few = frame.assign(spent=np.arange(100) % 3 + 1)
    assert train(few, "spent", method="forward", log_target=True).train.target.task == "regression"
