"""Progress, early stopping and Ctrl-C."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.callback import FitCallback, ProgressBar, ScoringMonitor
from sklearn.exceptions import ConvergenceWarning

from drumlin import ForwardRBFClassifier, ForwardRBFRegressor
from tests.estimators.witness import Counting, interrupt


class Witness(Counting):
    """Counts tasks; what happens at the end of a node is up to ``at_node(n, context)``."""

    def __init__(self, at_node=lambda n, context: False, at_width=lambda n: False):
        super().__init__()
        self.at_node = at_node
        self.at_width = at_width

    def on_fit_task_end(
        self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None
    ):
        n = self.count(context)
        if fitted_estimator is not None:
            self.seen.append((context.task_name, fitted_estimator, fitted_estimator.predict(X)))
        if context.task_name == "node":
            return self.at_node(n, context)
        return context.task_name == "grow" and self.at_width(n)


def watched(witness, **settings):
    return ForwardRBFClassifier(**({"width": 0.5} | settings)).set_callbacks(witness)


def test_one_task_per_node(moons):
    witness = Witness()
    assert isinstance(witness, FitCallback)
    model = watched(witness, width=[1.0, 0.5, 0.2], patience=2).fit(*moons)
    assert witness.begun == witness.ended
    assert witness.begun["fit"] == 1
    assert witness.begun["grow"] == 3
    assert witness.begun["node"] == model.width_path_["n_nodes"].sum() + 3 * 2  # patience
    assert witness.state == ["setup", "teardown"]


def test_callbacks_change_nothing(moons):
    X, y = moons
    plain = ForwardRBFClassifier(0.5).fit(X, y)
    model = watched(Witness()).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))


@pytest.mark.parametrize("regularizer", ["fixed", "evidence"])
def test_callbacks_receive_models_that_predict(regularizer, moons):
    X, y = moons
    witness = Witness()
    model = watched(witness, min_nodes=4, max_nodes=4, regularizer=regularizer).fit(X, y)
    *on_the_way, (task, last, predicted) = witness.seen
    assert task == "fit"
    np.testing.assert_array_equal(predicted, model.predict(X))
    np.testing.assert_array_equal(last.coef_, model.coef_)
    assert [stage.n_nodes_ for _, stage, _ in on_the_way] == [1, 2, 3, 4]
    if regularizer == "fixed":
        np.testing.assert_array_equal(on_the_way[1][2], model.truncate(2).predict(X))


def test_regressor_tells_too(wave):
    witness = Witness()
    ForwardRBFRegressor(1.0, max_nodes=3).set_callbacks(witness).fit(*wave)
    assert witness.ended == {"node": 3, "grow": 1, "fit": 1}
    assert len(witness.seen) == 4


def test_a_true_answer_stops_growth(moons):
    X, y = moons
    model = watched(Witness(lambda n, context: n >= 3)).fit(X, y)
    assert len(model.path_["cost"]) == 3
    free = ForwardRBFClassifier(0.5, max_nodes=3).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), free.decision_function(X))


def test_a_true_answer_stops_the_ladder(moons):
    """Non-regression: the answer at the end of a width used to be ignored."""
    model = watched(Witness(at_width=lambda n: n == 2), width=[4.0, 2.0, 1.0, 0.5]).fit(*moons)
    np.testing.assert_array_equal(model.width_path_["width"], [4.0, 2.0])


def test_scoring_monitor(moons):
    monitor = ScoringMonitor(scoring="accuracy")
    model = watched(monitor, min_nodes=3, max_nodes=3).fit(*moons)
    log = monitor.get_logs().data
    assert [row["task_name"] for row in log].count("node") == 3
    assert max(row["accuracy"] for row in log) >= model.score(*moons)


def test_progress_bar(moons, capsys):
    pytest.importorskip("rich")
    watched(ProgressBar(), width=[1.0, 0.5]).fit(*moons)
    assert "ForwardRBFClassifier" in capsys.readouterr().out


# ------------------------------------------------------------------ Ctrl-C
def test_interrupt_keeps_the_best_prefix(moons):
    X, y = moons
    witness = Witness(lambda n, context: interrupt() if n == 3 else False)
    model = watched(witness, min_nodes=9)
    with pytest.warns(ConvergenceWarning, match=r"interrupted.*\(3 nodes\)") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    same = ForwardRBFClassifier(0.5, min_nodes=3, max_nodes=3).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))
    assert witness.state == ["setup", "teardown"]


def test_interrupt_before_the_first_node_propagates(moons, monkeypatch):
    monkeypatch.setattr("drumlin.selection.proposals.SamplePool.best", interrupt)
    witness = Witness()
    model = watched(witness)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*moons)
    assert not hasattr(model, "network_")
    assert witness.state == ["setup", "teardown"]


@pytest.mark.parametrize("nodes", [0, 1, 3])
def test_interrupt_in_a_later_width_keeps_the_earlier_ones(nodes, moons, monkeypatch):
    from drumlin.selection.proposals import SamplePool

    X, y = moons
    first = ForwardRBFClassifier(1.0).fit(X, y)
    budget = [len(first.path_["cost"]) + nodes]
    best = SamplePool.best

    def limited(self, *args):
        if not budget[0]:
            raise KeyboardInterrupt
        budget[0] -= 1
        return best(self, *args)

    monkeypatch.setattr(SamplePool, "best", limited)
    model = ForwardRBFClassifier([1.0, 0.5])
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, y)
    assert len(model.width_path_["width"]) == (2 if nodes else 1)
    assert model.width_path_["n_nodes"][0] == first.n_nodes_
    if model.width_ == 1.0:
        np.testing.assert_array_equal(model.decision_function(X), first.decision_function(X))
    assert model.score(X, y) > 0.7


def test_other_errors_are_not_swallowed(moons):
    def fail(n, context):
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        watched(Witness(fail)).fit(*moons)
