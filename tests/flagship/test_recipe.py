"""Every constant of the flagship is of a kind, says what it means, and has an effect."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache

import numpy as np
import pytest

from drumlin.flagship import Budget, Classes, Numbers, Recipe, Tell, fit_flagship
from drumlin.flagship.recipe import (
    JudgeRule,
    PenaltyRule,
    ProjectionRule,
    SmoothKind,
    SmoothRule,
    StartRule,
    ViewRule,
)
from drumlin.flagship.table import documented
from drumlin.refinement import GrowthRule, Schedule, StirRule
from tests.helpers import sample_of
from tests.selection.problems import two_moons

RULES = [
    ViewRule,
    StartRule,
    ProjectionRule,
    PenaltyRule,
    Schedule,
    GrowthRule,
    StirRule,
    SmoothRule,
    JudgeRule,
]


def parts_of(recipe):
    return [getattr(recipe, field.name) for field in fields(recipe)]


def test_a_recipe_is_made_of_the_rules_and_a_price():
    rules = [part for part in parts_of(Recipe()) if is_dataclass(part)]
    assert rules == [rule() for rule in RULES]
    assert [part for part in parts_of(Recipe()) if not is_dataclass(part)] == [Recipe().price]


@pytest.mark.parametrize("rule", [*RULES, Recipe], ids=lambda rule: rule.__name__)
def test_every_constant_is_of_a_kind_and_documented(rule):
    meanings = documented(rule)
    assert set(meanings) == {field.name for field in fields(rule)}
    for field in fields(rule):
        assert meanings[field.name].endswith("."), field.name
        if not is_dataclass(getattr(rule(), field.name)):
            assert field.metadata["kind"] in ("statistical", "budget"), field.name


@pytest.mark.parametrize("rule", [*RULES, Recipe], ids=lambda rule: rule.__name__)
def test_constants_cannot_be_changed_in_place(rule):
    recipe = rule()
    with pytest.raises(AttributeError):
        setattr(recipe, fields(rule)[0].name, 0)
    assert hash(recipe) == hash(rule())


# ------------------------------------------------------------------ ablations
def rows_of(task):
    X, labels = two_moons(0, 200)
    if task == Classes(2):
        return sample_of(X, labels)
    y = np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.3 * np.random.default_rng(0).standard_normal(200)
    return sample_of(X, (y - y.mean()) / y.std())


@cache
def network_of(recipe, task):
    return fit_flagship(rows_of(task), task, recipe, Budget(1), Tell()).network


def with_rule(recipe, rule, **change):
    return replace(recipe, **{rule: replace(getattr(recipe, rule), **change)})


def assert_differ(recipe, other, task):
    one, two = (network_of(r, task)(rows_of(task).X) for r in (recipe, other))
    assert np.abs(one - two).max() > 1e-3


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("view", {"clip": 1.0}),
        ("start", {"cap": 0.1}),
        ("start", {"widths": (8.0, 4.0)}),
        ("start", {"alpha": 10.0}),
        ("penalties", {"coef_of_two": 4.0}),
        ("schedule", {"rounds": (1,)}),
    ],
    ids=str,
)
def test_another_constant_gives_another_classifier(rule, change):
    assert_differ(Recipe(), with_rule(Recipe(), rule, **change), Classes(2))


def test_another_constant_gives_another_regression():
    recipe = Recipe()
    refined = with_rule(recipe, "smooth", tried=())
    assert_differ(refined, with_rule(refined, "penalties", shift_of_numbers=0.6), Numbers())
    taken = (SmoothKind(1.0, 1e-6, -1e9),)  # whatever the errors are
    smooth = with_rule(recipe, "smooth", tried=taken)
    assert_differ(refined, smooth, Numbers())
    assert_differ(smooth, with_rule(smooth, "smooth", width=0.01, iterations=0), Numbers())


def test_a_higher_price_and_a_lower_cap_give_fewer_nodes():
    size = len(network_of(Recipe(), Classes(2)).nodes)
    for recipe in (replace(Recipe(), price=10.0), with_rule(Recipe(), "start", cap=0.1)):
        assert 0 < len(network_of(recipe, Classes(2)).nodes) < size
