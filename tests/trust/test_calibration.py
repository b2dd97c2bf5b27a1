"""Scores of samples left out: ranks, thinning, and what sets and intervals make of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from drumlin.trust import (
    Calibration,
    class_calibration,
    class_conformity,
    interval_of,
    number_calibration,
    sets_of,
)
from drumlin.trust.calibration import ALL_UP_TO, STEP
from tests.helpers import IDENTITY, assert_close

HALF = 1e-3  # numbers of half precision, rounded up


def of(scores, weight=None, groups=None, n_groups=1):
    weight = np.ones(len(scores)) if weight is None else weight
    groups = np.zeros(len(scores), np.int64) if groups is None else groups
    return Calibration.of(np.asarray(scores, float), weight, groups, n_groups)


@pytest.mark.parametrize("n", [1, 9, 19, 99, 128])
@pytest.mark.parametrize("confidence", [0.05, 0.5, 0.9, 0.95])
def test_the_threshold_is_the_rank_of_one_more(n, confidence, seed):
    scores = np.random.default_rng(seed).standard_normal(n)
    rank = math.ceil((n + 1) * confidence * (1 - 1e-9))
    found = of(scores).threshold(confidence)
    if rank > n:
        assert found == np.inf
    else:
        assert_close(found, np.sort(scores)[rank - 1], HALF)
        assert found >= np.sort(scores)[rank - 1]


def test_many_scores_are_thinned_and_never_lower(seed):
    scores = np.random.default_rng(seed).standard_cauchy(20_000)
    known = of(scores)
    assert ALL_UP_TO < len(known.scores) < 500
    assert_close(known.mass.sum(dtype=float), 20_000, HALF)
    for confidence in (0.1, 0.5, 0.9, 0.99, 0.999):
        found = known.threshold(confidence)
        part = np.mean(scores <= found)
        assert confidence <= part <= confidence + STEP * (1.0 - confidence) + 2e-4
    assert known.threshold(0.99999) == np.inf


def test_weights_are_copies_and_their_unit_does_not_matter_below_one(seed):
    rng = np.random.default_rng(seed)
    scores, counts = rng.standard_normal(40), rng.integers(1, 4, 40)
    weighted, copied = of(scores, counts.astype(float)), of(np.repeat(scores, counts))
    relative = of(scores, 1e-3 * counts)
    plain = of(scores, counts / counts.mean())
    for confidence in (0.3, 0.8, 0.95):
        assert weighted.threshold(confidence) == copied.threshold(confidence)
        assert relative.threshold(confidence) == plain.threshold(confidence)


def test_groups_have_thresholds_of_their_own(seed):
    rng = np.random.default_rng(seed)
    scores, groups = rng.standard_normal(90), rng.integers(0, 3, 90)
    scores[groups == 1] += 5.0
    known = of(scores, None, groups, 3)
    alone = [of(scores[groups == g]).threshold(0.9) for g in range(3)]
    assert_close(known.thresholds(0.9), alone, HALF)
    assert_close(known.threshold(0.9), of(scores).threshold(0.9), HALF)
    assert of([1.0], None, np.array([0]), 2).thresholds(0.4).tolist() == [1.0, np.inf]


def test_of_two_classes_the_score_is_the_log_odds_against(seed):
    odds = 5.0 * np.random.default_rng(seed).standard_normal(50)
    p = 1.0 / (1.0 + np.exp(-odds))
    assert_close(class_conformity(np.column_stack([1.0 - p, p])), np.column_stack([odds, -odds]))


def test_sets_take_classes_until_their_probabilities_reach_a_level(seed):
    """By brute force: the sets of APS without randomisation."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(5, 0.5), 200)
    labels = np.array([rng.choice(5, p=row) for row in p])
    ahead = np.array([[row[row > q].sum() for q in row] for row in p])
    own = np.sort(ahead[np.arange(200), labels])
    known = class_calibration(p, labels, np.ones(200))
    for confidence in (0.7, 0.9, 0.95):
        level = own[math.ceil(201 * confidence) - 1]
        expected = ahead <= level
        found = sets_of(known, p, confidence, by_class=False, empty=False)
        # Thinned scores are rounded up: some sets may be larger, none smaller.
        assert (found >= expected).all()
        assert (found != expected).sum() <= 0.05 * STEP * 200 * 5 + 8


def test_sets_without_opinion_are_full_and_certain_ones_single():
    p = np.array([[0.25] * 4, [1.0, 0.0, 0.0, 0.0]])
    assert np.isfinite(class_conformity(p)).all()
    known = class_calibration(np.tile(p, (30, 1)), np.tile([2, 0], 30), np.ones(60))
    found = sets_of(known, p, 0.9, by_class=False, empty=True)
    assert found.tolist() == [[True] * 4, [True, False, False, False]]


def test_only_sets_that_may_be_empty_are(seed):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(3, 0.1), 100)
    known = class_calibration(p, p.argmax(axis=1), np.ones(100))  # always right
    assert sets_of(known, p, 0.9, by_class=False, empty=False).sum() == 100
    assert 88 <= sets_of(known, p, 0.9, by_class=False, empty=True).sum() <= 93


def test_intervals_are_multiples_of_scales(seed):
    rng = np.random.default_rng(seed)
    errors = rng.standard_normal((99, 2)) * [1.0, 10.0]
    known = number_calibration(errors, np.ones(99))
    mean, scale = rng.standard_normal((4, 2)), rng.uniform(0.5, 2.0, (4, 2))
    reach = np.sort(np.abs(errors), axis=0)[89] * scale
    found = interval_of(known, mean, scale, 0.9)
    assert_close(found, np.stack([mean - reach, mean + reach], axis=2), 10 * HALF)
    assert_close(found.mean(axis=2), mean, IDENTITY)
    assert np.isinf(interval_of(known, mean, 0.0 * scale, 0.999)).all()


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 1.0, 1e300])
def test_any_unit(scale, seed):
    scores = np.abs(np.random.default_rng(seed).standard_normal(50)) * scale
    assert_close(of(scores).threshold(0.9) / scale, of(scores / scale).threshold(0.9), HALF)
    assert of(np.zeros(30)).threshold(0.9) == 0.0


def test_millions_of_scores():
    """Non-regression: no score stood for more than 60000 samples."""
    n = 4_000_000
    known = Calibration.of(np.linspace(0.0, 1.0, n), np.ones(n), np.zeros(n, dtype=np.int64), 1)
    for confidence in (0.1, 0.5, 0.9):
        assert confidence <= known.threshold(confidence) <= 1.0 - 0.96 * (1.0 - confidence)
