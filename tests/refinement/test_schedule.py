"""How long to refine, on how many rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.flagship.recipe import Recipe
from drumlin.refinement import GrowthRule, StirRule
from drumlin.refinement.schedule import Stir


@pytest.mark.parametrize(
    ("n_rows", "apart", "second", "last"),
    [
        (7501, 750, 6751, 80),
        (40_000, 4000, 36_000, 40),
        (45_000, 4500, 20_000, 40),
        (400_000, 40_000, 20_000, 40),
        (400_001, 40_000, 20_000, 20),
        (10_000_000, 80_000, 20_000, 20),
    ],
)
def test_draws_grow_and_leave_the_rows_that_are_kept_apart(n_rows, apart, second, last):
    rule = GrowthRule()
    assert rule.n_apart(n_rows) == apart
    assert rule.n_second(n_rows) == second
    assert second <= rule.n_left(n_rows) == n_rows - apart
    assert rule.last_iterations(n_rows, 3) == last


def test_the_numbers_are_those_of_the_rule():
    rule = GrowthRule(apart=(0.5, 7), first=3, second=6, most=20, last=((99, 5), (1e9, 6)))
    assert rule.n_apart(10) == 5
    assert rule.n_apart(100) == 7
    assert [rule.n_second(n) for n in (10, 18, 19, 20, 100)] == [5, 11, 12, 6, 6]
    assert [rule.last_iterations(n, 2) for n in (99, 100)] == [5, 6]
    assert [rule.n_last_rounds(n) for n in (19, 20)] == [1, rule.last_rounds]
    one = replace(rule, last_of_one=(50, 9))
    assert [one.last_iterations(n, 1) for n in (50, 51, 100)] == [9, 5, 6]


def test_no_draw_has_more_rows_than_there_is_room_for():
    rule = GrowthRule()
    second = {most: rule.within(most).n_second(10_000_000) for most in (5000, 40_000, 10**6)}
    assert second == {5000: 5000, 40_000: 20_000, 10**6: 20_000}
    assert rule.within(10**6).most == 320_000
    assert rule.within(40_000).n_apart(10_000_000) == 10_000


def test_wide_tables_have_smaller_draws():
    recipe = Recipe()
    assert recipe.for_inputs(200).growth == recipe.growth
    assert recipe.for_inputs(800).growth.most == 80_000
    widest = recipe.for_inputs(10**6)
    assert widest.growth.most == widest.view.rows == widest.judge.truncation_rows == 5000
    assert recipe.within(8000).growth.most_nodes == 100


def test_stirring_is_longer_where_much_was_saved_and_else_colder():
    rule = StirRule(rates=(0.1, 0.4, 1.6), ratio=2.0, rows=10, steps=10, longest=2, worth=0.1)
    first = rule.first(20)
    assert first == Stir(0.4, 10, 20)
    longer = first._replace(n_steps=20)
    assert rule.after(first, saved=0.2) == longer
    assert rule.after(longer, saved=0.2) == Stir(0.2, 20, 20)  # 40 steps are too many
    assert rule.after(longer, saved=0.1) == Stir(0.2, 20, 20)
    assert rule.after(Stir(0.2, 20, 20), saved=-1.0) == Stir(0.1, 20, 20)
    assert rule.after(Stir(0.1, 20, 20), saved=0.2) is None
    assert rule.hotter(first) == Stir(0.8, 10, 20)
    assert rule.hotter(Stir(0.8, 10, 20)) == Stir(1.6, 10, 20)
    assert rule.hotter(Stir(1.6, 10, 20)) is None


def test_more_rows_are_stirred_for_more_steps():
    rule = StirRule(rows=10, steps=10, passes=3, longest=4)
    assert [rule.first(n)[1:] for n in (1, 30, 40, 1000)] == [
        (10, 40), (10, 40), (12, 48), (300, 1200)
    ]  # fmt: skip


def test_steps_grow_and_then_shrink_to_nothing():
    rule, stir = StirRule(warm=0.1), Stir(0.5, 200, 200)
    lengths = [rule.length(stir, step) for step in range(1, 201)]
    peak = int(np.argmax(lengths))
    assert abs(peak - 19) <= 1
    assert 0.45 < lengths[peak] <= 0.5
    assert np.all(np.diff(lengths[: peak + 1]) > 0.0)
    assert np.all(np.diff(lengths[peak:]) < 0.0)
    assert lengths[-1] == pytest.approx(0.0, abs=1e-12)
