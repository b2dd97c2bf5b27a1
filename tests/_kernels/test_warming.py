"""The kernel that is compiled first is the one that passes over all rows run."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin._kernels import NodeParameters, backend_name
from drumlin._kernels.warming import warm_up
from drumlin.losses import Logistic, Squared
from drumlin.refinement.objective import loss_of_part
from tests.helpers import sample_of


@pytest.mark.skipif(backend_name() != "numba", reason="nothing is compiled")
def test_nothing_is_compiled_after_it(seed):
    from drumlin._kernels.refinement_compiled import _fused

    warm_up()
    known, rng = list(_fused.signatures), np.random.default_rng(seed)
    nodes = NodeParameters(*[rng.random(shape) for shape in [(2, 3), (2, 3), (2, 1), (1,)]])
    for targets, loss in [(rng.integers(0, 2, 50), Logistic()), (rng.random(50), Squared())]:
        loss_of_part(sample_of(rng.random((50, 3)), targets).in_single(True), nodes, loss)
    assert _fused.signatures == known
