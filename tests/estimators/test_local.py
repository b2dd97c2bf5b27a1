"""The choice between a refined and a smooth regression."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drumlin.estimators._local import LocalFit, is_beaten

from drumlin._kernels import SQUARED
from drumlin.estimators import _local
from drumlin.flagship.smooth import smooth_network
from drumlin.refinement.refine import Refined, RefineProblem
from drumlin.refinement.variables import Penalties, Variables
from tests.helpers import assert_close

SHAPE = np.log([1.5, 2.0, 0.05])


@pytest.fixture
def problem(seed):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((40, 2))
    y = Z[:, 0] + 0.3 * rng.standard_normal(40)
    return RefineProblem(Z, (y / y.std())[:, None], np.ones(40), SQUARED)


def constant(problem, level):
    """A network with one node far away: it says ``level`` everywhere."""
    variables = Variables(np.full((1, 2), 100.0), 1.0, 1)
    vector = variables.with_weights(np.zeros((1, 1)), np.array([level]))
    return Refined(variables, vector, Penalties(1e9, 1.0, 1.0, 1.0, 1.0, 1.0), np.arange(1))


def test_errors_left_out_are_those_of_refitting(problem):
    """Exact for squared loss when widths are held; copies are left out one by one."""
    smooth = smooth_network(problem, problem.Z[:3], SHAPE)
    counts = np.random.default_rng(0).integers(1, 4, 40).astype(float)
    weighted = replace(problem, weight=counts)
    smooth = smooth_network(weighted, problem.Z[:3], SHAPE)
    scaled = replace(problem, weight=counts / smooth.noise)

    class Held:
        """The smooth network without its widths among the variables."""

        nodes = staticmethod(smooth.nodes)

        @staticmethod
        def jacobian(Z):
            return smooth.jacobian(Z)[:, :4]

        @staticmethod
        def precision():
            return smooth.precision()[:4, :4]

    found = LocalFit.of(scaled, Held).errors_left_out(smooth.noise)
    J = smooth.jacobian(problem.Z)[:, :4]
    for i in range(40):
        rest = counts - (np.arange(40) == i)
        H = (J * (rest / smooth.noise)[:, None]).T @ J + smooth.precision()[:4, :4]
        fit = np.linalg.solve(H, J.T @ (rest / smooth.noise * problem.targets[:, 0]))
        assert_close(-found[i], problem.targets[i, 0] - J[i] @ fit, 1e-5)  # prior of the intercept


def test_the_rival_must_be_better_by_a_standard_error(problem, monkeypatch, seed):
    """On noise a constant is as good, unless it is far from the mean."""
    noise = np.random.default_rng(seed + 1).standard_normal((40, 1))
    problem = replace(problem, targets=noise - noise.mean())
    rival = smooth_network(problem, problem.Z[:3], SHAPE)
    y = problem.targets[:, 0]
    theirs = LocalFit.of(replace(problem, weight=problem.weight / rival.noise), rival)
    squares = theirs.errors_left_out(rival.noise) ** 2
    answers = []
    for level in np.linspace(0.0, 2.0, 21):
        gain = (y - level) ** 2 - squares
        expected = gain.mean() > gain.std() / np.sqrt(40)
        answers.append(is_beaten(constant(problem, level), problem, rival, 40.0))
        assert answers[-1] == expected
    assert not answers[0]
    assert answers[-1]
    monkeypatch.setattr(_local, "MOST_VARIABLES", 5)
    assert not is_beaten(constant(problem, 2.0), problem, rival, 40.0)
