"""Networks fitted without a part of the rows each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin import DrumlinClassifier
from drumlin.flagship import (
    Budget,
    Classes,
    ClassFigures,
    NumberFigures,
    Numbers,
    Recipe,
    Tell,
    fit_flagship,
)
from drumlin.flagship.crossing import cross_fit, parts_of
from drumlin.flagship.figures import CROSSED, TOO_LARGE
from drumlin.flagship.fit import fit_behind
from tests.flagship.test_figures import regression, three_blobs
from tests.helpers import assert_close, sample_of

RECIPE = Recipe()
SMALL = replace(RECIPE, judge=replace(RECIPE.judge, last_variables=0, several_work=0.0))


def network_of(rows, powers=False):
    """The network behind the plain view, or that with powers."""
    task = Classes(3)
    view = task.view(rows, RECIPE)
    if powers:
        view = task.view_with_powers(view, rows, RECIPE)
    return fit_behind(view, rows, task, RECIPE, Budget(3), Tell()).network


@pytest.mark.parametrize("powers", [False, True])
def test_every_row_is_judged_by_a_network_that_did_not_see_it(seed, powers):
    X, labels = three_blobs(seed)
    X = np.exp(X / 4.0)
    rows, budget = sample_of(X, labels), Budget(3)
    crossed = cross_fit(rows, Classes(3), RECIPE, budget, powers=powers)
    n_parts = RECIPE.judge.n_parts(rows.n_rows)
    part = parts_of(rows, n_parts)
    for k in range(n_parts):
        rest = rows.take(np.flatnonzero(part != k))
        network = network_of(rest, powers)
        assert (network.inputs.powers is not None) == powers
        assert_close(crossed.scores[part == k], network(X[part == k]))


def test_single_samples_are_left_out_of_their_rows(seed):
    """A row of several copies stays with one less; what is left out is told by its place."""
    X, labels = three_blobs(seed)
    weight = np.ones(len(X))
    weight[5] = 3.0
    rows, budget = sample_of(X, labels, weight), Budget(3)
    apart = np.array([9, 5])
    crossed = cross_fit(rows.take(np.arange(2, len(X))), Classes(3), RECIPE, budget, apart)
    np.testing.assert_array_equal(crossed.sample.index, apart)
    without = [weight.copy(), weight.copy()]
    without[0][9], without[1][5] = 0.0, 2.0
    for i, left, found in zip(apart, without, crossed.scores, strict=True):
        rest = replace(rows, weight=left).take(np.flatnonzero((left > 0) & (rows.index >= 2)))
        assert_close(found, network_of(rest)(X[[i]])[0])


def test_small_tables_are_cut_into_more_parts():
    parts = [RECIPE.judge.n_parts(n) for n in (1, 100, 625, 1000, 1250, 2500)]
    assert parts == [8, 8, 8, 5, 4, 4]


def test_parts_are_alike_and_do_not_depend_on_the_order(seed):
    X, labels = three_blobs(seed)
    rows = sample_of(X, labels)
    part = parts_of(rows, 4)
    counts = [np.bincount(part[labels == k], minlength=4) for k in range(3)]
    assert max(np.ptp(count) for count in counts) <= 1
    order = np.random.default_rng(seed).permutation(len(X))
    np.testing.assert_array_equal(parts_of(rows.take(order), 4), part[order])


def test_figures_where_a_quadratic_model_is_too_much_work(seed):
    X, labels = three_blobs(seed)
    rows = sample_of(X, labels)
    fit = fit_flagship(rows, Classes(3), SMALL, Budget(3), Tell())
    crossed = cross_fit(rows, Classes(3), SMALL, Budget(3))
    figures = ClassFigures.of(fit, SMALL.judge, lambda: crossed)
    assert figures.note == CROSSED
    assert_close(figures.loo_error, np.mean(crossed.scores.argmax(axis=1) != labels))
    assert figures.calibration.n_groups == 3
    numbers = regression(seed)
    fit = fit_flagship(numbers, Numbers(), SMALL, Budget(1), Tell())
    crossed = cross_fit(numbers, Numbers(), SMALL, Budget(1))
    figures = NumberFigures.of(fit, SMALL.judge, lambda: crossed)
    assert figures.note == CROSSED
    assert_close(figures.loo_errors**2, np.mean((crossed.scores - numbers.codes) ** 2, axis=0))


def test_too_many_rows_and_single_ones_are_not_crossed(seed, monkeypatch):
    X, labels = three_blobs(seed)
    few = replace(RECIPE, judge=replace(RECIPE.judge, crossed_rows=len(X) - 1))
    assert cross_fit(sample_of(X, labels), Classes(3), few, Budget(3)) is None
    single = np.append(labels, 3)
    rows = sample_of(np.vstack([X, X[:1] + 9.0]), single)
    assert cross_fit(rows, Classes(4), RECIPE, Budget(4)) is None
    never = replace(SMALL, judge=replace(SMALL.judge, crossed_rows=0))
    monkeypatch.setattr(DrumlinClassifier, "_recipe", never)
    model = DrumlinClassifier().fit(X, labels)
    assert model.loo_note_ == TOO_LARGE
    assert np.isnan([model.loo_error_, model.loo_log_loss_]).all()
    with pytest.raises(AttributeError) as caught:
        model.predict_set(X)
    assert "too much work" in str(caught.value)
    assert "hold rows out of the fit" in str(caught.value)
    assert "'max_nodes'" in str(caught.value)
    assert not hasattr(model, "predict_set")
