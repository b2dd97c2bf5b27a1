"""The width ladder: the same candidates whatever memory allows."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import RADIALS
from drumlin.linear import OrthogonalRegression
from drumlin.selection import InplaceCandidates, Inputs, RecomputedCandidates, WidthLadder
from tests.helpers import EXACT, assert_close

WIDTHS = [4.0, 2.0 * np.sqrt(2.0), 2.0, 1.1, 0.55]  # the fourth has no shortcut


@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("weighted", [False, True])
def test_memory_changes_nothing(radial, weighted, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 2))
    weight = rng.uniform(0.5, 2.0, 30) if weighted else np.ones(30)
    inputs = Inputs(np.ascontiguousarray(X.T), np.sqrt(weight))
    needed = 8 * 30 * 30
    ladders = {
        memory: WidthLadder(inputs, X, RADIALS[radial](), memory=memory, several=True)
        for memory in (2 * needed, needed, needed - 1)
    }
    for width in WIDTHS:
        stores = []
        for ladder in ladders.values():
            regression = OrthogonalRegression(np.ones((30, 1)), weight, fit_intercept=False)
            stores.append(ladder.candidates(width, regression))
        kept, overwritten, recomputed = stores
        assert isinstance(kept, InplaceCandidates)
        assert isinstance(recomputed, RecomputedCandidates)
        assert_close(kept.V, overwritten.V, EXACT)
        assert_close(kept.known.norms2, recomputed.known.norms2, EXACT)
        assert_close(kept.known.dots, recomputed.known.dots, EXACT)
        for j in (0, 29):
            assert_close(kept.column(j), kept.V[j], EXACT)


def test_one_width_needs_one_set_of_columns(seed):
    X = np.random.default_rng(seed).standard_normal((20, 2))
    inputs = Inputs(np.ascontiguousarray(X.T), np.ones(20))
    ladder = WidthLadder(inputs, X, RADIALS["gaussian"](), memory=1e9)
    ladder.candidates(1.0, OrthogonalRegression(np.ones((20, 1)), np.ones(20), fit_intercept=False))
    assert ladder._activations is None
