"""Powers of skewed inputs: which, and how far."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import gamma, skew, yeojohnson_normmax

from drumlin.basis import Standardizer
from drumlin.flagship.recipe import ViewRule
from drumlin.flagship.skew import likeliest_power, with_powers
from tests.helpers import EXACT, assert_close, sample_of

RULE = ViewRule()


def rows_of(X, weight=None):
    return sample_of(X, np.zeros(len(X)), weight)


def map_of(X, weight=None):
    rows = rows_of(X, weight)
    return with_powers(Standardizer.fit(X, rows.weight), rows, RULE)


def columns(seed, n=400):
    """A normal, a log-normal and a mirrored log-normal input, one of two values, a constant."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, 3))
    rare = (rng.random(n) < 0.1).astype(float)
    return np.c_[Z[:, 0], np.exp(Z[:, 1]), -np.exp(Z[:, 2]), rare, np.full(n, 3.0)]


def test_the_likeliest_powers_are_those_of_scipy(seed):
    T = columns(seed)[:, :3]
    share = np.full(len(T), 1.0 / len(T))
    for t in T.T:
        assert_close(likeliest_power(t, share), yeojohnson_normmax(t), 2e-3)


def test_skewed_inputs_are_drawn_in_and_no_others(seed):
    X = columns(seed)
    inputs = map_of(X)
    power = inputs.powers.power
    assert power[[0, 3, 4]].tolist() == [1.0, 1.0, 1.0]
    assert 0.0 <= power[1] < 1.0 < power[2] <= 2.0
    Z = inputs(X)
    assert (np.abs(skew(Z[:, 1:3], axis=0)) < 0.5 * np.abs(skew(X[:, 1:3], axis=0))).all()
    plain = Standardizer.fit(X, np.ones(len(X)))
    assert_close(Z[:, [0, 3, 4]], plain.transform(X)[:, [0, 3, 4]], EXACT)
    assert_close(Z[:, 1:3].mean(axis=0), 0.0, 1e-9)
    assert_close(Z[:, 1:3].std(axis=0), 1.0, 1e-9)


def test_powers_are_half_way_to_the_likeliest_around_the_median(seed):
    X = columns(seed)[:, [1]]
    low, middle, high = np.quantile(X, [0.25, 0.5, 0.75], axis=0, method="inverted_cdf")
    spread = (high - low) / 1.349
    likeliest = yeojohnson_normmax(((X - middle) / spread)[:, 0])
    inputs = map_of(X)
    assert inputs.powers.power.item() == np.round(1.0 + 0.5 * (likeliest - 1.0), 2)
    assert_close(inputs.scaler.shift, middle)
    assert_close(inputs.scaler.scale, spread)


def test_where_most_entries_are_one_value_the_unit_is_the_deviation(seed):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((300, 1)) < 0.8, 0.0, rng.exponential(1.0, (300, 1)))
    inputs = map_of(X)
    assert_close(inputs.scaler.scale, X.std())
    assert inputs.powers.power < 1.0


@pytest.mark.parametrize(("skewness", "taken"), [(0.4, False), (0.6, True)])
def test_inputs_are_skewed_from_a_half_on(skewness, taken):
    """Quantiles of a gamma distribution with this skewness."""
    X = gamma.ppf((np.arange(2000) + 0.5) / 2000, 4.0 / skewness**2)[:, None]
    assert (map_of(X) is not None) == taken


def test_nothing_skewed_nothing_changed(seed):
    assert map_of(np.random.default_rng(seed).standard_normal((300, 3))) is None
    assert map_of(np.ones((20, 2))) is None


@pytest.mark.parametrize("scale", [1e-290, 1e-3, 1e290])
def test_units_do_not_matter(seed, scale):
    X = columns(seed)
    ours, theirs = map_of(X * scale), map_of(X)
    assert_close(ours.powers.power, theirs.powers.power, 0.02)
    assert_close(ours(X * scale), theirs(X), 0.1)


def test_weights_are_copies(seed):
    X = columns(seed, 100)
    counts = np.random.default_rng(seed).integers(1, 4, len(X))
    weighted, repeated = map_of(X, counts.astype(float)), map_of(np.repeat(X, counts, axis=0))
    assert weighted.powers.power.tolist() == repeated.powers.power.tolist()
    assert_close(weighted(X), repeated(X))


def test_one_wild_entry_does_not_push_the_others_together(seed):
    """It looks like a tail, and is drawn in: the others have more room than they had."""
    X = np.random.default_rng(seed).standard_normal((400, 1))
    X[7] = 1e12
    inputs = with_powers(Standardizer.fit(np.clip(X, -9, 9), np.ones(400)), rows_of(X), RULE)
    Z = X if inputs is None else inputs(X)
    usual = np.arange(400) != 7
    assert np.ptp(Z[usual]) > 3.0
