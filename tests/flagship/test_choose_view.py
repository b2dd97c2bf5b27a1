"""Which view of the inputs: as they are, or skewed ones drawn in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.estimators import refined
from drumlin.flagship import (
    Budget,
    Classes,
    ClassFigures,
    Numbers,
    Recipe,
    Tell,
    figures,
    fit_behind,
    fit_flagship,
)
from drumlin.flagship import choose_view as module
from drumlin.flagship.left_out import losses_left_out
from drumlin.laplace import loo_scores_of_several
from drumlin.losses import Logistic
from tests.helpers import assert_close, sample_of
from tests.powered import plainly_fitted

RECIPE = Recipe()


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


def loss_of(fit):
    """Mean loss of rows left out, each with all its copies."""
    sample, losses = losses_left_out(fit, RECIPE.judge)
    return np.average(losses, weights=sample.weight)


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
    lower = [loss_of(fit) for fit in (plain, other)]
    assert is_same(fit_of(rows, task), other if lower[1] < lower[0] else plain)
    assert lower[1] < lower[0]  # this problem is smooth in logarithms


def test_inputs_stay_as_they_are_where_that_is_better(seed):
    """The labels depend on a wave along an input that looks skewed."""
    rng = np.random.default_rng(seed)
    X = rng.exponential(2.0, (400, 1))
    rows = sample_of(X, (np.sin(2.0 * X[:, 0]) > 0.0).astype(int))
    task = Classes(2)
    plain, other = both(rows, task)
    assert loss_of(plain) < loss_of(other)
    assert is_same(fit_of(rows, task), plain)


def test_rows_are_left_out_with_all_their_copies(seed):
    """Else the view is taken behind which copies are known better by heart."""
    X, labels = log_normal(seed, 120)
    labels = (np.random.default_rng(seed).random(120) < 0.25 + 0.5 * labels).astype(int)
    rows = sample_of(X, labels, np.full(120, 5.0))
    fit = both(rows, Classes(2))[1]
    sample, losses = losses_left_out(fit, RECIPE.judge)
    scores = loo_scores_of_several(fit.solution, fit.rows, Logistic(), whole=True)
    assert_close(losses, Logistic().values(sample.targets, scores))
    one_copy = ClassFigures.of(fit, RECIPE.judge).loo_log_loss
    assert one_copy < 0.95 * np.average(losses, weights=sample.weight)


def test_rows_judge_as_they_are_weighed(seed, monkeypatch):
    """The second view is better on a class that weighs nothing, next to it."""
    X, labels = log_normal(seed)
    rows = sample_of(X, labels, np.where(labels == 1, 1.0, 1e-3))
    plain, other = both(rows, Classes(2))

    def told(fit, rule):
        better = (labels == 0) if fit is other else (labels == 1)
        return rows, np.where(better, 0.1, 0.2)

    monkeypatch.setattr(module, "losses_left_out", told)
    assert not module._is_better(other, plain, RECIPE.judge)
    assert module._is_better(plain, other, RECIPE.judge)


def test_a_second_look_at_noise_must_see_clearly(seed, monkeypatch):
    X, labels = log_normal(seed)
    rows = sample_of(X, labels)
    constant, other = (replace(fit, solution=None) for fit in both(rows, Classes(2)))
    other = replace(other, network=constant.network)
    gains = np.random.default_rng(seed).standard_normal(rows.n_rows)
    gains += 1.0 / np.sqrt(rows.n_rows) - gains.mean()  # one standard error

    def told(fit, rule):
        return rows, np.zeros(rows.n_rows) if fit is constant else -gains

    monkeypatch.setattr(module, "losses_left_out", told)
    assert not module._is_better(other, constant, RECIPE.judge)
    gains += 1.0 / np.sqrt(rows.n_rows)
    assert module._is_better(other, constant, RECIPE.judge)


def test_where_losses_left_out_are_not_known_inputs_stay_as_they_are(seed):
    X, labels = log_normal(seed)
    unknown = replace(RECIPE, judge=replace(RECIPE.judge, last_variables=0))
    fit = fit_of(sample_of(X, labels), Classes(2), unknown)
    assert fit.network.inputs.powers is None


def test_many_rows_are_judged_by_a_draw(seed, monkeypatch):
    X, labels = log_normal(seed, 600)
    rows, sizes = sample_of(X, labels), []

    def recorded(view, rows, task, recipe, *args):
        sizes.append((rows.n_rows, view.powers is not None, bool(recipe.schedule.further)))
        return fit_behind(view, rows, task, recipe, *args)

    monkeypatch.setattr(module, "fit_behind", recorded)
    assert RECIPE.in_short().growth.variables == 0
    recipe = replace(RECIPE, view=replace(RECIPE.view, judged_rows=200))
    fit = fit_of(rows, Classes(2), recipe)
    assert sizes == [(200, False, False), (200, True, False), (600, True, True)]
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
        monkeypatch.setattr(module, "losses_left_out", stopped)
    fit = fit_of(sample_of(X, labels), task)
    assert fit.interrupted
    assert is_same(fit, first)


def test_an_interrupted_trial_is_a_network_of_some_rows(seed, monkeypatch):
    X, labels = log_normal(seed, 600)
    recipe = replace(RECIPE, view=replace(RECIPE.view, judged_rows=200))
    monkeypatch.setattr(
        module, "fit_behind", lambda *args: replace(fit_behind(*args), interrupted=True)
    )
    fit = fit_of(sample_of(X, labels), Classes(2), recipe)
    assert fit.interrupted
    assert fit.rows.n_rows == 200
    assert len(fit.network.nodes) > 0


def test_estimators_gain_where_answers_are_smooth_in_logarithms(seed):
    X, labels = log_normal(seed, 700)
    X, labels, new, truth = X[:200], labels[:200], X[200:], labels[200:]
    plain = plainly_fitted(DrumlinClassifier(), X, labels)
    drawn_in = DrumlinClassifier().fit(X, labels)
    assert drawn_in.network_.inputs.powers is not None
    assert drawn_in.score(new, truth) > plain.score(new, truth)
    y = np.log(X[:, 0])
    model = DrumlinRegressor().fit(X, y)
    assert model.score(new, np.log(new[:, 0])) > 0.98
    centers = model.centers_
    assert (centers >= X.min(axis=0)).all()
    assert (centers <= X.max(axis=0)).all()


def test_figures_are_told_of_networks_with_powers(seed, monkeypatch):
    """Those that are fitted without a part of the rows are powered, if the network is."""
    asked, cross_fit = [], refined.cross_fit

    def recorded(*args, powers, **options):
        asked.append(powers)
        return cross_fit(*args, powers=powers, **options)

    monkeypatch.setattr(refined, "cross_fit", recorded)
    monkeypatch.setattr(figures, "is_affordable", lambda fit, rule: False)
    X, labels = log_normal(seed, 200)
    labels += (X[:, 2] > 1.0) * (labels == 1)
    model = DrumlinClassifier().fit(X, labels)
    assert asked == [model.network_.inputs.powers is not None] == [True]
