"""Blocks of rows bound memory and change nothing."""

from __future__ import annotations

import pytest

from drumlin.basis import nodes
from drumlin.laplace import Elimination, network_scores
from drumlin.refinement import GrowthRule, refine
from drumlin.refinement.growth import grown
from tests.helpers import assert_close
from tests.refinement.problems import (
    LOSSES,
    SCHEDULE,
    make_objective,
    make_sample,
    make_variables,
)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_blocks_of_rows_are_all_rows(seed, loss, monkeypatch):
    sample, objective = make_sample(seed, loss, n=90), make_objective(loss)
    state = refine(make_variables(sample, loss, 2), sample, objective, SCHEDULE)

    def found():
        larger = grown(state, sample.take(slice(90)), sample, objective, 3, GrowthRule())
        both = [Elimination.of(state, sample, loss, shared=shared) for shared in (False, True)]
        return [network_scores(state, sample.X), larger.vector, *(e.inverse for e in both)]

    whole = found()
    monkeypatch.setattr(nodes, "AT_ONCE", 14)  # a block of 7 or fewer rows
    for one, other in zip(whole, found(), strict=True):
        assert_close(one, other)
