"""Progress, early stopping and Ctrl-C of the flagship."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.callback import FitCallback, ProgressBar, ScoringMonitor
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.flagship import STOPPED
from tests.estimators.witness import Counting, interrupt


class Witness(Counting):
    """Counts tasks; what happens at the end of a round is up to ``at_round(n)``."""

    def __init__(self, at_round=lambda n: False):
        super().__init__()
        self.at_round = at_round

    def on_fit_task_end(self, estimator, context, *, X=None, fitted_estimator=None):
        n = self.count(context)
        if fitted_estimator is not None:
            self.seen.append((context.task_name, fitted_estimator.predict(X)))
        return context.task_name == "refine" and self.at_round(n)


@pytest.fixture
def many_moons(seed):
    """Enough for several rounds."""
    return make_moons(300, noise=0.25, random_state=seed)


@pytest.mark.parametrize("kind", [DrumlinClassifier, DrumlinRegressor])
def test_every_task_begins_and_ends(kind, many_moons):
    X, y = many_moons
    witness = Witness()
    assert isinstance(witness, FitCallback)
    model = kind().set_callbacks(witness).fit(X, y)
    assert witness.begun == witness.ended
    assert witness.begun["fit"] == witness.begun["start"] == 1
    assert 1 <= witness.begun["refine"] <= 3
    assert witness.state == ["setup", "teardown"]
    plain = kind().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))


def test_noise_has_nothing_to_refine(seed):
    rng = np.random.default_rng(seed)
    witness = Witness()
    DrumlinRegressor().set_callbacks(witness).fit(rng.normal(size=(100, 5)), rng.normal(size=100))
    assert witness.begun == witness.ended == {"fit": 1, "start": 1}


def test_callbacks_receive_models_that_predict(many_moons):
    """Non-regression: they received none, so scikit-learn's own monitor saw nothing."""
    X, y = many_moons
    witness, monitor = Witness(), ScoringMonitor(scoring="accuracy")
    model = DrumlinClassifier().set_callbacks(witness, monitor).fit(X, y)
    tasks = [task for task, _ in witness.seen]
    assert tasks == ["refine"] * (len(tasks) - 1) + ["fit"]
    for _, predicted in witness.seen[-2:]:
        np.testing.assert_array_equal(predicted, model.predict(X))
    log = monitor.get_logs().data
    assert [row["task_name"] for row in log].count("refine") == len(tasks) - 1
    assert all(row["accuracy"] > 0.8 for row in log)


def test_a_true_answer_stops(many_moons):
    X, y = many_moons
    witness = Witness(lambda n: n == 1)
    model = DrumlinClassifier().set_callbacks(witness).fit(X, y)
    assert witness.ended == {"start": 1, "refine": 1, "fit": 1}
    assert model.score(X, y) > 0.85


@pytest.mark.parametrize("kind", [DrumlinClassifier, DrumlinRegressor])
def test_interrupt_keeps_the_last_round(kind, many_moons):
    X, y = many_moons
    witness = Witness(interrupt)
    model = kind().set_callbacks(witness)
    with pytest.warns(ConvergenceWarning, match=r"interrupted.*\(\d+ nodes\) is kept") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    assert witness.state == ["setup", "teardown"]
    stopped = kind().set_callbacks(Witness(lambda n: n == 1)).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), stopped.predict(X))
    assert np.isfinite(model.loo_error_)
    assert model.truncate(1).n_nodes_ == 1
    assert model.novelty(X).max() <= 1.0


def test_interrupt_inside_a_round_keeps_the_best_point(many_moons, monkeypatch):
    refinement = importlib.import_module("drumlin.refinement.rounds")
    X, y = many_moons
    calls = []
    value_and_gradient = refinement.penalized_loss

    def limited(*args):
        calls.append(1)
        return value_and_gradient(*args) if len(calls) < 10 else interrupt()

    monkeypatch.setattr(refinement, "penalized_loss", limited)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = DrumlinClassifier().fit(X, y)
    assert model.score(X, y) > 0.85


@pytest.mark.parametrize(
    ("model", "where"),
    [
        (DrumlinClassifier(), "drumlin.flagship.left_out.loo_scores_of_several"),
        (DrumlinRegressor(), "drumlin.flagship.figures.Uncertainty.of"),
    ],
    ids=["classes", "numbers"],
)
def test_interrupt_while_figures_are_made_keeps_the_network(model, where, many_moons, monkeypatch):
    X, y = many_moons
    whole = clone(model).fit(X, y)
    monkeypatch.setattr(where, lambda *args, **options: interrupt())
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model.fit(X, y)
    assert model.loo_note_ == STOPPED
    assert np.isnan(model.loo_error_)
    np.testing.assert_array_equal(model.predict(X), whole.predict(X))
    with pytest.raises(AttributeError, match="an interrupt came while they were made"):
        (model.predict_set if hasattr(model, "classes_") else model.predict_interval)(X)


def test_interrupt_before_there_is_a_network_propagates(many_moons, monkeypatch):
    monkeypatch.setattr("drumlin.flagship.fit.find_start", interrupt)
    witness = Witness()
    model = DrumlinClassifier().set_callbacks(witness)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*many_moons)
    assert not hasattr(model, "network_")
    assert witness.state == ["setup", "teardown"]


def test_other_errors_are_not_swallowed(many_moons):
    def fail(n):
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        DrumlinClassifier().set_callbacks(Witness(fail)).fit(*many_moons)


def test_progress_bar(many_moons, capsys):
    pytest.importorskip("rich")
    DrumlinClassifier().set_callbacks(ProgressBar()).fit(*many_moons)
    assert "DrumlinClassifier" in capsys.readouterr().out
