"""Where smooth networks put their nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.datasets import make_friedman1

from drumlin.flagship import Recipe
from drumlin.flagship.recipe import SmoothKind
from drumlin.flagship.smooth import smooth_network
from drumlin.flagship.spreading import Spreading, spread
from drumlin.flagship.start import node_caps
from drumlin.sample import Sample
from tests.helpers import assert_close, sample_of

RECIPE = Recipe()
FEW = RECIPE.smooth.tried[0]


def conditional_variance(Z, rows):
    """What a Gaussian process that knows some rows does not know about the others."""
    K = np.exp(-0.5 * ((Z[:, None] - Z) ** 2).sum(axis=2))
    known = K[:, rows] @ np.linalg.solve(K[np.ix_(rows, rows)], K[rows])
    return np.diag(K) - np.diag(known)


def make_table(seed, n=300):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, 3))
    y = Z @ [1.0, 0.5, 0.0] + 0.3 * Z[:, 0] * Z[:, 1] + 0.3 * rng.standard_normal(n)
    return sample_of(Z, (y - y.mean()) / y.std())


def test_the_least_known_sample_is_next(seed):
    Z = np.random.default_rng(seed).uniform(-1.0, 1.0, (50, 2))
    rows = spread(Z * [3.0, 5.0], np.array([3.0, 5.0]), 8)
    assert rows[0] == (Z**2).sum(axis=1).argmin()
    for m in range(1, 8):
        variance = conditional_variance(Z, rows[:m])
        assert_close(variance[rows[m]], variance.max())


def test_copies_are_not_chosen_twice(seed):
    Z = np.repeat(np.random.default_rng(seed).standard_normal((5, 2)), 4, axis=0)
    rows = spread(Z, np.ones(2), 10)
    assert len(rows) == len(np.unique(Z[rows], axis=0)) == 5


def test_nodes_stand_on_samples_and_are_worth_their_price(seed):
    table = make_table(seed)
    sizes = []
    for price in (0.0, 0.6, 500.0):
        smooth, rows = Spreading(table, RECIPE, price).find(FEW)
        np.testing.assert_array_equal(smooth.centers, table.X[rows])
        sizes.append(len(rows))
    assert sizes[0] == node_caps(table.total, table.n_rows, 1, RECIPE.start)[0]
    assert sizes[0] > sizes[1] > sizes[2] >= 1


def test_a_limit_is_kept(seed):
    for kind in RECIPE.smooth.tried:
        assert len(Spreading(make_table(seed), RECIPE, 0.0, 3).find(kind)[1]) == 3


def test_more_nodes_are_spread_where_more_are_wanted(seed):
    """Fewer where all other rows are as good as known: the surface is smooth."""
    table = make_table(seed)
    cap = node_caps(table.total, table.n_rows, 1, RECIPE.start)[0]
    kinds = [SmoothKind(size, 1e-6, 2.0) for size in (1.0, 2.0, 8.0)]
    sizes = [len(Spreading(table, RECIPE, 0.0).find(kind)[1]) for kind in kinds]
    assert sizes[:2] == [cap, 2 * cap]
    assert sizes[1] < sizes[2] <= 8 * cap


def test_many_nodes_tell_which_inputs_matter(seed):
    """Friedman's first function: a few nodes in ten dimensions are far from everything."""
    X, y = make_friedman1(250, noise=1.0, random_state=seed)
    table = sample_of(2.0 * X - 1.0, (y - y.mean()) / y.std())
    few, many = (Spreading(table, RECIPE, 0.6).find(kind)[0] for kind in RECIPE.smooth.tried[::2])
    assert many.noise < 0.5 * few.noise
    widths = np.exp(many.shape[:-1])
    assert widths[5:].min() > 1.5 * widths[:5].max()


def test_copies_of_rows_tell_widths_nothing_new(seed):
    """Five equal rows are no five looks at a noisy surface: they would all be believed."""
    table = make_table(seed)
    often = replace(table, weight=np.full(table.n_rows, 5.0))
    shapes = [Spreading(rows, RECIPE, 0.6).find(FEW)[0].shape for rows in (table, often)]
    assert_close(*shapes)


def test_large_tables_are_looked_at_in_part(seed):
    """The shape comes from a sample, the weights from all rows."""
    table = make_table(seed, 2000)
    less = replace(RECIPE, smooth=replace(RECIPE.smooth, rows=800))
    smooth, rows = Spreading(table, less, 0.6).find(FEW)
    assert rows.max() > 800
    residual = table.codes[:, 0] - smooth.jacobian(table.X)[:, : len(rows) + 1] @ np.append(
        smooth.intercept, smooth.coef
    )
    assert abs(residual.mean()) < 1e-9  # the intercept fits all rows
    assert_close(np.mean(residual**2), smooth.noise, 0.02)


def test_rows_kept_apart_are_not_seen(seed):
    """They judge this network too: neither its widths nor its weights know them."""
    table = make_table(seed, 400)
    apart = table.apart(40)
    blank = apart.with_codes(np.full_like(apart.codes, np.nan))
    others = table.take(~np.isin(table.index, apart.index))
    spoiled = Sample.joined([others, blank])
    found = [Spreading(rows, RECIPE, 0.6, unseen=40).find(FEW) for rows in (table, spoiled)]
    assert not set(found[0][1]) & set(apart.index)
    assert_close(found[0][0].coef, found[1][0].coef)
    more = table.represented_by(360)
    again = smooth_network(more, found[0][0].centers, found[0][0].shape, found[0][0].nugget)
    assert_close(found[0][0].coef, again.coef)


def test_the_last_network_goes_on_from_the_one_before(seed):
    """Known nearly, widths need one round, and end where the bound is lower."""
    search = Spreading(make_table(seed), RECIPE, 0.6)
    *_, second, third = RECIPE.smooth.tried
    like = search.find(second)[0]
    rounds = []
    again = replace(RECIPE, smooth=replace(RECIPE.smooth, rounds=7))  # of those that start anew
    for recipe in (RECIPE, again):
        rounds.append(Spreading(search.rows, recipe, 0.6).find(third, like)[0])
    assert_close(rounds[0].shape, rounds[1].shape)
    anew = search.find(third)[0]
    assert np.abs(anew.shape - rounds[0].shape).max() > 1e-3


def test_every_kind_is_yielded_with_its_margin(seed):
    rivals = list(Spreading(make_table(seed), RECIPE, 0.6).rivals())
    assert [rival.margin for rival in rivals] == [kind.margin for kind in RECIPE.smooth.tried]
    assert [r.smooth.nugget for r in rivals] == [kind.nugget for kind in RECIPE.smooth.tried]
