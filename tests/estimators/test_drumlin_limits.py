"""``max_nodes`` and ``max_bytes`` limit the model that comes out, whatever the table's shape."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.flagship import fit as flagship_fit
from tests.estimators.test_drumlin_wide import shifted


def random_table(rng):
    """A problem with signal: few or many inputs, two or more classes, or numbers."""
    n, d = int(rng.integers(20, 120)), int(rng.choice([1, 2, 5, 20, 60]))
    X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-3, 3, d)
    U = X / X.std(axis=0)
    score = U.sum(axis=1) / np.sqrt(d) + np.sin(2.0 * U[:, 0]) + 0.2 * rng.standard_normal(n)
    n_classes = int(rng.choice([0, 2, 3, 5]))
    if not n_classes:
        return DrumlinRegressor(), X, score
    cuts = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    return DrumlinClassifier(), X, np.searchsorted(cuts, score)


def least_bytes(model, X, y) -> int:
    """What a network with one node and no matrix stores."""
    d = X.shape[1]
    outputs = len(np.unique(y)) if isinstance(model, DrumlinClassifier) else 1
    k = 1 if outputs == 2 else outputs
    return 8 * (2 * k + (4 if isinstance(model, DrumlinClassifier) else 5) * d)


@pytest.mark.parametrize("case", range(25))
def test_limits_hold_for_all_shapes(case, seed):
    rng = np.random.default_rng([case, seed])
    model, X, y = random_table(rng)
    least = least_bytes(model, X, y)
    for _ in range(2):
        max_nodes = int(rng.integers(1, 9))
        max_bytes = least + int(rng.integers(0, 2 * least))
        model.set_params(max_nodes=max_nodes, max_bytes=max_bytes).fit(X, y)
        assert model.n_nodes_ <= max_nodes
        assert model.n_bytes_ <= max_bytes
        arrays = (model.network_.nodes.centers, model.network_.nodes.widths, model.network_.coef)
        stored = sum(a.size for a in arrays) + model.network_.intercept.size
        assert model.n_bytes_ == 8 * (stored + model.network_.inputs.size)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_projected_node_is_small(n_classes):
    """A budget below that of two plain nodes (two classes: of one) is enough for a projection."""
    X, y, X_new, y_new = shifted(0, n_classes)
    free = DrumlinClassifier().fit(X, y)
    assert free.network_.inputs.matrix is not None
    assert (free.n_bytes_ < least_bytes(free, X, y)) == (n_classes == 2)
    model = DrumlinClassifier(max_bytes=free.n_bytes_).fit(X, y)
    assert model.network_.inputs.matrix.shape == free.network_.inputs.matrix.shape
    assert model.n_nodes_ > 0
    assert model.n_bytes_ <= free.n_bytes_
    assert model.score(X_new, y_new) > free.score(X_new, y_new) - 0.02


def test_a_projection_that_does_not_fit_is_not_taken():
    """Five classes need four directions, 4 d numbers: a plain node with 2 d is smaller."""
    X, y, *_ = shifted(0, 5)
    least = least_bytes(DrumlinClassifier(), X, y)
    model = DrumlinClassifier(max_bytes=least).fit(X, y)
    assert model.network_.inputs.matrix is None
    assert model.n_bytes_ <= least


def test_spare_nodes_are_tried_and_the_better_network_is_kept(monkeypatch):
    X, y = make_moons(300, noise=0.25, random_state=0)
    refined = []

    def remember(variables, rows, objective, *args):
        refined.append(actual(variables, rows, objective, *args))
        lengths.append(flagship_fit.description_length(refined[-1], rows, objective))
        return refined[-1]

    actual, lengths = flagship_fit.refine, []
    monkeypatch.setattr(flagship_fit, "refine", remember)
    model = DrumlinClassifier(3).fit(X, y)
    assert [state.n_nodes for state in refined] == [3, 3]
    best = refined[int(np.argmin(lengths))].nodes()
    np.testing.assert_array_equal(model.network_.coef, best.coef)
    DrumlinClassifier().fit(X, y)
    assert len(refined) == 3  # without a limit there is nothing spare
