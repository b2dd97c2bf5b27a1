"""The choice between a refined regression and smooth ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.flagship import Recipe
from drumlin.flagship.choose import Rival, _knows_by_heart, _local, best_rival
from drumlin.flagship.smooth import smooth_network
from drumlin.laplace import LocalFit, network_scores
from drumlin.losses import Squared
from drumlin.refinement import Penalties, Refined, Unseen, Variables
from tests.helpers import sample_of

SHAPE = np.log([1.5, 2.0, 0.05])
RULE = Recipe().judge
LEVELS = np.linspace(0.0, 2.0, 21)


@pytest.fixture
def sample(seed):
    """Noise, which no network explains."""
    rng = np.random.default_rng(seed)
    noise = np.random.default_rng(seed + 1).standard_normal((40, 1))
    return sample_of(rng.standard_normal((40, 2)), noise - noise.mean())


def constant(level):
    """A network with one node far away: it says ``level`` everywhere."""
    variables = Variables(np.full((1, 2), 100.0), 1.0, 1, np.arange(1))
    vector = variables.with_weights(np.zeros((1, 1)), np.array([level]))
    return Refined(variables, vector, Penalties(1e9, 1.0, 1.0, 1.0, 1.0, 1.0))


def rival_on(sample, size=3, shape=SHAPE, margin=2.0):
    """A smooth network on the first rows."""
    return Rival(smooth_network(sample, sample.X[:size], shape, 1e-8), np.arange(size), margin)


def is_clear(gain, margin):
    return gain.mean() > margin * gain.std() / np.sqrt(len(gain))


def test_the_rival_must_be_better_by_so_many_standard_errors(sample):
    """On noise a constant is as good, unless it is far from the mean."""
    smooth, y = rival_on(sample).smooth, sample.codes[:, 0]
    theirs = LocalFit.of(smooth, sample.with_noise(smooth.noise), Squared())
    squares = (theirs.loo_scores(whole=True) - y) ** 2
    for margin in (0.0, 1.0, 2.0):
        rival, taken = rival_on(sample, margin=margin), []
        for level in LEVELS:
            best = best_rival(constant(level), [rival], sample, RULE)
            assert (best is rival) == is_clear((y - level) ** 2 - squares, margin)
            taken.append(best is not None)
        assert taken[-1]
        assert not taken[0] or margin == 0.0


def test_later_rivals_must_beat_those_before_them(sample):
    """The larger ones come later: they are not taken for being as good."""
    rival, far = rival_on(sample), constant(3.0)
    same = rival._replace(support=np.arange(3, 6))
    assert best_rival(far, [rival, same], sample, RULE) is rival
    better = rival._replace(smooth=replace(rival.smooth, intercept=rival.smooth.intercept + 1.5))
    assert best_rival(far, [better], sample, RULE) is better
    assert best_rival(far, [better, rival], sample, RULE) is rival
    assert best_rival(far, [], sample, RULE) is None


def test_a_row_is_left_out_with_all_its_copies(sample):
    """Else a network that knows rows that come five times by heart would win."""
    often = replace(sample, weight=np.full(40, 5.0))
    narrow = rival_on(often, 40, np.log([0.1, 0.1, 0.5]))
    local = LocalFit.of(narrow.smooth, often.with_noise(narrow.smooth.noise), Squared())
    y = often.codes[:, 0]
    assert is_clear(y**2 - (local.loo_scores() - y) ** 2, 1.0)  # four of five copies tell
    assert best_rival(constant(0.0), [narrow], often, RULE) is None


def test_a_refined_network_that_knows_its_rows_by_heart_is_as_good_as_a_constant(sample):
    """Its leave-one-out is no evidence: where it is cut off, it still looks perfect."""
    smooth = replace(rival_on(sample).smooth, coef=np.array([[2.0], [-1.0], [-1.0]]), noise=1e-2)
    truth = network_scores(smooth, sample.X)
    table = sample.with_codes(truth + 0.1 * sample.codes)
    variables = Variables(sample.X, 0.05, 1, np.arange(40))
    vector = variables.with_weights(table.codes, np.zeros(1))
    free = Penalties(1e-6, 1e-6, 6.0, 6.0, 30.0, 4.0)
    by_heart = Refined(variables, vector, free, noise=1e-4)
    rival = Rival(smooth, np.arange(3), 1.0)
    assert best_rival(by_heart, [rival], table, RULE) is rival
    knows = [_knows_by_heart(_local(r, table, RULE), RULE) for r in (by_heart, constant(0.0))]
    assert knows == [True, False]


def test_copies_make_nothing_clearer(sample):
    """A row that comes five times is left out as one, and is one look."""
    rival, levels = rival_on(sample), np.linspace(0.3, 1.2, 30)
    often = replace(sample, weight=np.full(40, 5.0))
    same = Rival(replace(rival.smooth, noise=5.0 * rival.smooth.noise), rival.support, 2.0)

    def taken(level, rows, one):
        far = constant(level)
        return best_rival(replace(far, noise=5.0) if one is same else far, [one], rows, RULE)

    once = [taken(level, sample, rival) is rival for level in levels]
    five = [taken(level, often, same) is same for level in levels]
    assert once == five
    assert any(once)
    assert not all(once)


def test_networks_too_large_for_a_quadratic_model_have_no_rivals(sample):
    """None is looked for, which takes time."""

    def unwanted():
        yield pytest.fail("A rival was looked for.")

    rule = replace(RULE, last_variables=5)
    assert best_rival(constant(2.0), unwanted(), sample, rule) is None


def test_large_networks_are_judged_in_single_precision(sample):
    rival, rule = rival_on(sample), replace(RULE, most_variables=2)
    for level in LEVELS:
        answers = [best_rival(constant(level), [rival], sample, r) for r in (RULE, rule)]
        assert answers[0] is answers[1]


def test_rows_kept_apart_decide_where_there_are_any(sample):
    """However many variables the refined network has: no quadratic model is needed.

    These rows have chosen the refined network, so a rival that errs less on them is better, however
    little; another one must be clearly better than that.
    """
    rival = rival_on(sample)
    said, few = network_scores(rival.smooth, sample.X), replace(RULE, last_variables=5)
    apart, answers = replace(sample, codes=-said), []
    for level in LEVELS:
        judged = Unseen.apart(Squared(), constant(level), apart)
        best = best_rival(constant(0.0), [rival], sample, few, judged)
        answers.append(best is rival)
        assert answers[-1] == is_clear((said + level) ** 2 - 4.0 * said**2, 0.0)
    assert answers[0] != answers[-1]
    same = rival._replace(support=rival.support[::-1])
    assert best_rival(constant(0.0), [rival, same], sample, few, judged) is rival
