"""The problems of haykin5's chapter that are examples."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from drumlin.basis import InverseMultiquadric, Multiquadric
from tests.helpers import assert_close

PATH = Path(__file__).parents[2] / "examples" / "haykin_problems.py"


@pytest.fixture(scope="module")
def problems():
    spec = importlib.util.spec_from_file_location("haykin_problems", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("m", [1, 5, 15, 25])
def test_problem_5_1(problems, m):
    """Half at twice the functions, and steeper with more of them."""
    assert_close(problems.separabilities(m, np.array([2.0])), 0.5)
    before, after = problems.separabilities(m, np.array([1.0, 3.0]))
    assert before == 1.0
    assert after <= problems.separabilities(max(m // 2, 1), np.array([3.0]))[0]


@pytest.mark.parametrize(
    "radial, circle", [(Multiquadric(), 2**0.5), (InverseMultiquadric(), 0.5**0.5)]
)
def test_problem_5_3(problems, radial, circle):
    phi, inside = problems.circle_in_the_hidden_space(radial)
    assert_close(phi[inside == 0], circle)
    assert_close(phi[inside == 1], 1.0)


@pytest.mark.parametrize("d", [1.0, -6.0])
def test_problem_5_10(problems, d):
    """Six clusters, far narrower than the common width says."""
    means, variances, common = problems.clusters(d)
    assert means.shape == (6, 2)
    assert (variances > 5.0).all()
    assert (3.0 * variances < common).all()


@pytest.mark.slow
def test_the_perceptron_of_section_5_8(problems):
    """.15 % in print at d = -5, and the network better."""
    errors = problems.moon_errors(-5.0)
    assert errors["network"].mean() < errors["perceptron"].mean() < 0.3
