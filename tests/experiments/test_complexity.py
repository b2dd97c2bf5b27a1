"""Complexity as chen2010 prints it, and as it is."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_moons

from drumlin import presets
from drumlin.experiments.complexity import fixed_evaluations, tunable_evaluations
from drumlin.search import SwarmSearch


@pytest.mark.parametrize(
    "nodes, particles, printed", [(2.8, 10, 760), (3.5, 10, 900), (3.5, 20, 1800)]
)
def test_tables_1_to_3_of_the_swarm(nodes, particles, printed):
    """Breast, diabetes, thyroid: eq. (38) with 20 iterations."""
    assert tunable_evaluations(nodes, 20, particles) == pytest.approx(printed)


@pytest.mark.parametrize(
    "nodes, samples, printed", [(6.0, 200, 1400), (6.0, 468, 3276), (4.6, 140, 784)]
)
def test_tables_1_to_3_of_fixed_nodes(nodes, samples, printed):
    """Eq. (39)."""
    assert fixed_evaluations(nodes, samples) == pytest.approx(printed)


def test_what_the_preset_evaluates(seed):
    """Eq. (38) and the first swarm of every stage, the failed one included."""
    evaluated = []

    class Counted(SwarmSearch):
        def minimize(self, cost, space, rng, *, start=None, on_iteration=None):
            result = super().minimize(cost, space, rng, start=start, on_iteration=on_iteration)
            evaluated.append(result.n_evaluations)
            return result

    X, y = make_moons(100, noise=0.3, random_state=seed)
    model = presets("chen2010").set_params(search=Counted(10, 20, straight=True)).fit(X, y)
    assert sum(evaluated) == tunable_evaluations(model.n_nodes_, 21, 10)
    assert np.all(np.array(evaluated) == 10 * 21)
