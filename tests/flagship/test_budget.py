"""How large a network may become."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import InputMap, Standardizer
from drumlin.flagship import Budget


def view_of(n_features=3, n_mapped=None, clip=3.0):
    matrix = None if n_mapped is None else np.ones((n_features, n_mapped))
    return InputMap(Standardizer.identity(n_features), clip, matrix)


def bytes_of(view, n_nodes, n_outputs):
    """Centers, widths and weights of every node, the intercept, and the view itself."""
    return 8 * (n_nodes * (2 * view.n_mapped + n_outputs) + n_outputs + view.size)


VIEWS = {
    "plain": view_of(),
    "own clips": view_of(clip=np.full(3, 3.0)),
    "whitened": view_of(n_mapped=3),
    "projected": view_of(40, n_mapped=1),
}


def test_without_limits_there_is_none():
    assert Budget(1).most_nodes(view_of()) is None
    Budget(1).check(view_of())


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("n_outputs", [1, 4])
def test_bytes_are_nodes(view, n_outputs):
    """Exactly as many as fit: one byte less is one node less."""
    for n_nodes in (1, 2, 9):
        just = bytes_of(view, n_nodes, n_outputs)
        assert Budget(n_outputs, max_bytes=just).most_nodes(view) == n_nodes
        assert Budget(n_outputs, max_bytes=just - 1).most_nodes(view) == n_nodes - 1


@pytest.mark.parametrize(("max_nodes", "expected"), [(2, 2), (5, 5), (50, 9)])
def test_the_lower_limit_counts(max_nodes, expected):
    view = view_of()
    budget = Budget(1, max_nodes=max_nodes, max_bytes=bytes_of(view, 9, 1))
    assert budget.most_nodes(view) == expected
    assert Budget(1, max_nodes=max_nodes).most_nodes(view) == max_nodes


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_less_than_a_node_is_refused_with_what_would_be_enough(view):
    least, n = bytes_of(view, 1, 1), len(view.scaler.shift)
    Budget(1, max_bytes=least).check(view)
    with pytest.raises(
        ValueError,
        match=rf"'max_bytes' parameter of Me must be at least {least}, .* {n} features. Got 7\.",
    ):
        Budget(1, max_bytes=7, owner="Me").check(view)
    assert Budget(1, max_bytes=7).most_nodes(view) == 0  # not negative
