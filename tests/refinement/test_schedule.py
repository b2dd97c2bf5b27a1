"""How long to refine, on how many rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drumlin.flagship.recipe import Recipe
from drumlin.refinement import GrowthRule


@pytest.mark.parametrize(
    ("n_rows", "apart", "draws", "last"),
    [
        (7501, 750, [6751], 80),
        (40_000, 4000, [36_000], 40),
        (45_000, 4500, [20_000], 40),
        (180_000, 18_000, [20_000, 80_000], 40),
        (400_000, 40_000, [20_000, 80_000], 40),
        (400_001, 40_000, [20_000, 80_000], 20),
        (720_000, 72_000, [20_000, 80_000, 320_000], 20),
        (10_000_000, 80_000, [20_000, 80_000, 320_000], 20),
    ],
)
def test_draws_grow_and_leave_the_rows_that_are_kept_apart(n_rows, apart, draws, last):
    rule = GrowthRule()
    assert rule.n_apart(n_rows) == apart
    assert rule.draws(n_rows) == draws
    assert max(draws) + apart <= n_rows
    assert rule.last_iterations(n_rows, 3, gaining=True) == last
    assert rule.last_iterations(n_rows, 3, gaining=False) == last // 2


def test_the_numbers_are_those_of_the_rule():
    rule = GrowthRule(apart=(0.5, 7), first=3, factor=2, most=20, last=((99, 5), (1e9, 6)))
    assert rule.n_apart(10) == 5
    assert rule.n_apart(100) == 7
    assert rule.draws(100) == [6, 12]
    assert replace(rule, most=24).draws(100) == [6, 12, 24]
    assert replace(rule, most=26).draws(100) == [6, 12, 24]
    assert [rule.last_iterations(n, 2, gaining=True) for n in (99, 100)] == [5, 6]
    one = replace(rule, last_of_one=(50, 9))
    assert [one.last_iterations(n, 1, gaining=True) for n in (50, 51, 100)] == [9, 5, 6]
    assert [rule.within(most).draws(100) for most in (9, 12, 200)] == [[6], [6, 12], [6, 12]]


def test_draws_end_with_the_largest_there_is_room_for():
    rule = GrowthRule()
    draws = {most: rule.within(most).draws(10_000_000) for most in (5000, 40_000, 160_000, 10**6)}
    assert draws == {
        5000: [5000],
        40_000: [20_000, 40_000],
        160_000: [20_000, 80_000, 160_000],
        10**6: [20_000, 80_000, 320_000],
    }
    assert rule.within(40_000).n_apart(10_000_000) == 10_000


def test_wide_tables_have_smaller_draws():
    recipe = Recipe()
    assert recipe.for_inputs(200).growth == recipe.growth
    assert recipe.for_inputs(800).growth.most == 80_000
    widest = recipe.for_inputs(10**6)
    assert widest.growth.most == widest.view.rows == widest.judge.truncation_rows == 5000
    assert recipe.within(8000).growth.most_nodes == 100
