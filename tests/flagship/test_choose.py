"""The choice between a refined and a smooth regression."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.flagship import Recipe
from drumlin.flagship.choose import is_beaten
from drumlin.flagship.smooth import smooth_network
from drumlin.laplace import LocalFit, network_scores
from drumlin.losses import Squared
from drumlin.refinement import Penalties, Refined, Unseen, Variables
from tests.helpers import sample_of

SHAPE = np.log([1.5, 2.0, 0.05])
RULE = Recipe().judge


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


def test_the_rival_must_be_better_by_a_standard_error(sample):
    """On noise a constant is as good, unless it is far from the mean."""
    rival = smooth_network(sample, sample.X[:3], SHAPE)
    y = sample.codes[:, 0]
    theirs = LocalFit.of(rival, sample.with_noise(rival.noise), Squared())
    squares = (theirs.loo_scores() - y) ** 2
    answers = []
    for level in np.linspace(0.0, 2.0, 21):
        gain = (y - level) ** 2 - squares
        expected = gain.mean() > gain.std() / np.sqrt(40)
        answers.append(is_beaten(constant(level), rival, sample, RULE))
        assert answers[-1] == expected
    assert not answers[0]
    assert answers[-1]
    assert not is_beaten(constant(2.0), rival, sample, replace(RULE, most_variables=5))


def test_the_margin_is_that_of_the_rule(sample):
    rival = smooth_network(sample, sample.X[:3], SHAPE)
    answers = [
        is_beaten(constant(2.0), rival, sample, replace(RULE, margin=margin))
        for margin in (0.0, 1.0, 1e3)
    ]
    assert answers == [True, True, False]


def test_rows_kept_apart_decide_where_there_are_any(sample):
    """However many variables the refined network has: no quadratic model is needed."""
    rival = smooth_network(sample, sample.X[:3], SHAPE)
    y, few = sample.codes[:, 0], replace(RULE, most_variables=5)
    squares = (network_scores(rival, sample.X)[:, 0] - y) ** 2
    answers = []
    for level in np.linspace(0.0, 2.0, 21):
        judged = Unseen.apart(Squared(), constant(level), sample)
        gain = (y - level) ** 2 - squares
        answers.append(is_beaten(constant(0.0), rival, sample, few, judged))
        assert answers[-1] == (gain.mean() > gain.std() / np.sqrt(40))
    assert answers[0] != answers[-1]
