"""Which view of the inputs: as they are, or skewed ones drawn in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.flagship import Budget, Classes, Numbers, Recipe, Tell, fit_behind, fit_flagship
from drumlin.flagship import views as module
from drumlin.flagship.figures import loss_left_out
from tests.helpers import sample_of

RECIPE = Recipe()
NEVER = replace(RECIPE, view=replace(RECIPE.view, skewed=np.inf))


def log_normal(seed, n=300, n_inputs=3):
    """Labels that are smooth in the logarithms of skewed inputs."""
    Z = np.random.default_rng(seed).standard_normal((n, n_inputs))
    noise = np.random.default_rng(seed + 1).standard_normal(n)
    return np.exp(1.5 * Z), (np.sin(2.0 * Z[:, 0]) + Z[:, 1] + 0.3 * noise > 0.0).astype(int)


def fit_of(rows, task, recipe=RECIPE, budget=None, tell=None):
    return fit_flagship(rows, task, recipe, budget or Budget(1), tell or Tell())


def both(rows, task):
    plain = task.view(rows, RECIPE)
    other = task.view_with_powers(plain, rows, RECIPE)
    return [fit_behind(view, rows, task, RECIPE, Budget(1), Tell()) for view in (plain, other)]


def is_same(one, other):
    ours, theirs = one.network, other.network
    return (
        (ours.inputs.powers is None) == (theirs.inputs.powers is None)
        and np.array_equal(ours.nodes.centers, theirs.nodes.centers)
        and np.array_equal(ours.coef, theirs.coef)
    )


@pytest.mark.parametrize("numbers", [False, True])
def test_the_view_of_lower_losses_left_out_is_taken(seed, numbers):
    X, labels = log_normal(seed)
    rows = sample_of(X, (labels - labels.mean()) / labels.std() if numbers else labels)
    task = Numbers() if numbers else Classes(2)
    plain, other = both(rows, task)
    lower = [loss_left_out(fit, RECIPE.judge) for fit in (plain, other)]
    assert is_same(fit_of(rows, task), other if lower[1] < lower[0] else plain)
    assert lower[1] < lower[0]  # this problem is smooth in logarithms


def test_inputs_stay_as_they_are_where_that_is_better(seed):
    """The labels depend on a wave along an input that looks skewed."""
    rng = np.random.default_rng(seed)
    X = rng.exponential(2.0, (400, 1))
    rows = sample_of(X, (np.sin(2.0 * X[:, 0]) > 0.0).astype(int))
    task = Classes(2)
    plain, other = both(rows, task)
    assert loss_left_out(plain, RECIPE.judge) < loss_left_out(other, RECIPE.judge)
    assert is_same(fit_of(rows, task), plain)


def test_where_losses_left_out_are_not_known_inputs_stay_as_they_are(seed):
    X, labels = log_normal(seed)
    unknown = replace(RECIPE, judge=replace(RECIPE.judge, last_variables=0))
    fit = fit_of(sample_of(X, labels), Classes(2), unknown)
    assert fit.network.inputs.powers is None


def test_many_rows_are_judged_by_a_draw(seed, monkeypatch):
    X, labels = log_normal(seed, 600)
    rows, sizes = sample_of(X, labels), []

    def recorded(view, rows, *args):
        sizes.append((rows.n_rows, view.powers is not None))
        return fit_behind(view, rows, *args)

    monkeypatch.setattr(module, "fit_behind", recorded)
    recipe = replace(RECIPE, view=replace(RECIPE.view, judged_rows=200))
    fit = fit_of(rows, Classes(2), recipe)
    assert sizes == [(200, False), (200, True), (600, True)]
    assert fit.network.inputs.powers is not None
    assert fit.rows.n_rows == 600


def test_outliers_do_not_judge(seed):
    X, labels = log_normal(seed)
    fit = fit_of(sample_of(X, labels - labels.mean()), Numbers(robust=True))
    assert fit.network.inputs.powers is None


def test_powers_need_room(seed):
    """A network behind powers has three more numbers for every input."""
    X, labels = log_normal(seed)
    rows = sample_of(X, labels)
    one_plain_node = Budget(1, max_bytes=8 * (1 + 6 + 7))
    fit = fit_of(rows, Classes(2), budget=one_plain_node)
    assert len(fit.network.nodes) == 1
    assert fit.network.inputs.powers is None


@pytest.mark.parametrize("at", [1, 4])
def test_who_says_stop_is_heard(seed, at):
    X, labels = log_normal(seed)
    heard, starts = [], []

    def refined(network):
        heard.append(network())
        return len(heard) >= at

    tell = Tell(lambda: starts.append(1), refined)
    fit = fit_of(sample_of(X, labels), Classes(2), tell=tell)
    assert len(heard) == at
    assert len(starts) == 1
    assert len(fit.network.nodes) > 0


@pytest.mark.parametrize("at", [1, 2])
def test_an_interrupt_keeps_the_network_there_is(seed, at, monkeypatch):
    """In the second fit, and while it is judged."""
    X, labels = log_normal(seed)
    calls, task = [], Classes(2)
    first = both(sample_of(X, labels), task)[0]

    def stopped(fit, rule):
        calls.append(fit)
        raise KeyboardInterrupt

    def interrupted(view, *args):
        fit = fit_behind(view, *args)
        return fit if view.powers is None else replace(fit, interrupted=True)

    if at == 1:
        monkeypatch.setattr(module, "fit_behind", interrupted)
    else:
        monkeypatch.setattr(module, "loss_left_out", stopped)
    fit = fit_of(sample_of(X, labels), task)
    assert fit.interrupted
    assert is_same(fit, first)


def test_an_interrupt_before_there_is_a_network_is_one(seed, monkeypatch):
    X, labels = log_normal(seed, 600)
    recipe = replace(RECIPE, view=replace(RECIPE.view, judged_rows=200))
    monkeypatch.setattr(
        module, "fit_behind", lambda *args: replace(fit_behind(*args), interrupted=True)
    )
    with pytest.raises(KeyboardInterrupt):
        fit_of(sample_of(X, labels), Classes(2), recipe)


def test_estimators_gain_where_answers_are_smooth_in_logarithms(seed):
    X, labels = log_normal(seed, 700)
    X, labels, new, truth = X[:200], labels[:200], X[200:], labels[200:]
    plain = type("Plain", (DrumlinClassifier,), {"_recipe": NEVER})()
    drawn_in = DrumlinClassifier().fit(X, labels)
    assert drawn_in.network_.inputs.powers is not None
    assert drawn_in.score(new, truth) > plain.fit(X, labels).score(new, truth)
    y = np.log(X[:, 0])
    model = DrumlinRegressor().fit(X, y)
    assert model.score(new, np.log(new[:, 0])) > 0.98
    centers = model.centers_
    assert (centers >= X.min(axis=0)).all()
    assert (centers <= X.max(axis=0)).all()
