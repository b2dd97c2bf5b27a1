"""How long to refine, on how many rows."""

from __future__ import annotations

import pytest

from drumlin.refinement import Schedule
from drumlin.refinement.schedule import Stage


@pytest.mark.parametrize("n_rows", [1, 5000, 7500])
def test_small_tables_are_refined_at_once(n_rows):
    assert Schedule().stages(n_rows) == [Stage(None, (20, 40, 60))]


@pytest.mark.parametrize(
    ("n_rows", "draws", "last"),
    [
        (7501, [5000], 80),
        (30_000, [5000], 80),
        (40_000, [5000], 40),
        (40_001, [5000, 20_000], 40),
        (120_000, [5000, 20_000], 40),
        (120_001, [5000, 20_000], 20),
        (160_001, [5000, 20_000, 80_000], 20),
        (10_000_000, [5000, 20_000, 80_000, 320_000, 1_280_000], 20),
    ],
)
def test_large_tables_are_refined_on_growing_draws_then_on_all_rows(n_rows, draws, last):
    *stages, end = Schedule().stages(n_rows)
    assert [stage.size for stage in stages] == draws
    rounds = [stage.rounds for stage in stages]
    assert rounds[:2] == [(20, 40, 60), (40,) * 8][: len(rounds)]
    assert rounds[2:] == [(40,)] * (len(rounds) - 2)
    assert end == Stage(None, (last,))


@pytest.mark.parametrize("n_rows", [7501, 10**5, 10**6, 10**7])
def test_every_draw_is_at_most_half_of_the_table_but_the_first(n_rows):
    *stages, _ = Schedule().stages(n_rows)
    assert all(2 * stage.size < n_rows for stage in stages[1:])


def test_the_numbers_are_those_of_the_schedule():
    schedule = Schedule((1, 2), large=10, first=3, second=(4,), later=(5,), last=((1e9, 6),))
    assert schedule.stages(10) == [Stage(None, (1, 2))]
    assert schedule.stages(100) == [
        Stage(3, (1, 2)),
        Stage(12, (4,)),
        Stage(48, (5,)),
        Stage(None, (6,)),
    ]
