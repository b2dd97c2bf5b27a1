"""Progress, early stopping and Ctrl-C of the sparse logistic regression."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.callback import FitCallback, ProgressBar, ScoringMonitor
from sklearn.exceptions import ConvergenceWarning

from drumlin import SparseKernelLogisticRegression
from drumlin.search import GeneticSearch, GreedySearch
from tests.estimators.witness import Counting, interrupt

SEARCHES = {"greedy": GreedySearch(), "genetic": GeneticSearch(20, 5)}


class Witness(Counting):
    """Counts tasks; what happens at the end of a generation is up to ``at_generation(n)``."""

    def __init__(self, at_generation=lambda n: False, at_search=lambda n: False):
        super().__init__()
        self.at_generation = at_generation
        self.at_search = at_search

    def on_fit_task_end(self, estimator, context, *, X=None, fitted_estimator=None):
        n = self.count(context)
        if fitted_estimator is not None:
            self.seen.append((context.task_name, fitted_estimator.bic_))
        if context.task_name == "generation":
            return self.at_generation(n)
        return context.task_name == "search" and self.at_search(n)


@pytest.fixture(params=sorted(SEARCHES))
def search(request):
    return SEARCHES[request.param]


def watched(witness, search, **settings):
    given = {"width": [2.0, 1.0], "alpha": [0.01], "grid": "full"}
    return SparseKernelLogisticRegression(search=search, **(given | settings)).set_callbacks(
        witness
    )


def test_every_task_begins_and_ends(search, moons):
    X, y = moons
    witness = Witness()
    assert isinstance(witness, FitCallback)
    model = watched(witness, search).fit(X, y)
    assert witness.begun == witness.ended
    assert witness.begun["fit"] == 1
    assert witness.begun["search"] == 2
    assert witness.begun["generation"] >= len(model.search_path_["bic"])
    assert witness.state == ["setup", "teardown"]
    plain = SparseKernelLogisticRegression([2.0, 1.0], alpha=[0.01], grid="full", search=search)
    np.testing.assert_array_equal(model.support_, plain.fit(X, y).support_)


def test_callbacks_receive_models_of_falling_bic(search, moons):
    X, y = moons
    witness, monitor = Witness(), ScoringMonitor(scoring="accuracy")
    model = watched(witness, search, width=1.0)
    model.set_callbacks(witness, monitor).fit(X, y)
    tasks, bics = zip(*witness.seen, strict=True)
    assert tasks == ("generation",) * (len(tasks) - 1) + ("fit",)
    np.testing.assert_allclose(bics[:-1], model.search_path_["bic"], rtol=1e-6)
    assert bics[-1] == model.bic_
    assert max(row["accuracy"] for row in monitor.get_logs().data) > 0.8


def test_a_true_answer_stops_a_search(search, moons):
    witness = Witness(lambda n: n == 2)
    watched(witness, search, width=1.0).fit(*moons)
    assert witness.ended == {"generation": 2, "search": 1, "fit": 1}


def test_a_true_answer_of_a_search_stops_the_fit(search, moons):
    witness = Witness(at_search=lambda n: True)
    model = watched(witness, search).fit(*moons)
    assert witness.ended["search"] == 1
    assert model.width_ == 1.0  # narrow ones come first


def test_interrupt_keeps_the_best_subset(search, moons):
    X, y = moons
    witness = Witness(lambda n: n >= 4 and interrupt())
    model = watched(witness, search)
    with pytest.warns(ConvergenceWarning, match=r"interrupted.*\(\d+ nodes\) is kept") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    assert witness.state == ["setup", "teardown"]
    stopped = watched(Witness(lambda n: n == 4, lambda n: True), search).fit(X, y)
    np.testing.assert_array_equal(model.support_, stopped.support_)
    assert model.bic_ == stopped.bic_
    assert model.score(X, y) > 0.7


def test_interrupt_inside_a_fit_keeps_the_best_subset(search, moons, monkeypatch):
    from drumlin.selection import subset_cost

    X, y = moons
    calls = []
    fit_logistic = subset_cost.fit_logistic

    def limited(*args):
        calls.append(1)
        return interrupt() if len(calls) == 8 else fit_logistic(*args)

    monkeypatch.setattr(subset_cost, "fit_logistic", limited)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        model = watched(Witness(), search).fit(X, y)
    assert np.isfinite(model.bic_)
    assert model.predict(X).shape == y.shape


def test_interrupt_before_the_first_subset_propagates(search, moons, monkeypatch):
    monkeypatch.setattr("drumlin.selection.subset_cost.fit_logistic", interrupt)
    witness = Witness()
    model = watched(witness, search)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*moons)
    assert not hasattr(model, "network_")
    assert witness.state == ["setup", "teardown"]


def test_other_errors_are_not_swallowed(search, moons):
    def fail(n):
        raise RuntimeError("from the callback")

    with pytest.raises(RuntimeError, match="from the callback"):
        watched(Witness(fail), search).fit(*moons)


def test_progress_bar(moons, capsys):
    pytest.importorskip("rich")
    model = SparseKernelLogisticRegression(1.0, alpha=0.01).set_callbacks(ProgressBar())
    model.fit(*moons)
    assert "SparseKernelLogisticRegression" in capsys.readouterr().out
