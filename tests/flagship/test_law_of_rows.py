"""The law of rows: a fit sums over parts of all rows, and looks at draws of bounded size."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from drumlin.flagship import (
    Budget,
    Classes,
    ClassFigures,
    NumberFigures,
    Numbers,
    Recipe,
    Tell,
    fit_flagship,
)
from drumlin.sample import Rows, Sample
from tests.helpers import sample_of

SCALE = 10
N_ROWS = 50_000 // SCALE
MOST_DRAWN = 20_000 // SCALE


def fewer(rule, *names):
    """The rule with a tenth of the rows that it names."""
    return replace(rule, **{name: getattr(rule, name) // SCALE for name in names})


def smaller(recipe):
    """Fewer nodes and iterations, and a tenth of all rows that the recipe names, to save time."""
    start = fewer(recipe.start, "scan_rows", "final_rows", "candidates")
    growth = fewer(recipe.growth, "first", "second", "most", "rows")
    share, apart = growth.apart
    return replace(
        recipe,
        view=fewer(recipe.view, "rows"),
        start=replace(start, cap=0.15, nodes_per_class=(8.0, 0.05)),
        schedule=fewer(recipe.schedule, "large", "price_rows", "curvature_rows"),
        growth=replace(
            growth, apart=(share, apart // SCALE), first_rounds=(5, 5), iterations=5,
            last=((float("inf"), 10),),
            last_of_one=(0, 0), most=MOST_DRAWN,
        ),
        stirring=replace(fewer(recipe.stirring, "rows"), steps=60, passes=1),
        smooth=replace(fewer(recipe.smooth, "rows"), iterations=5),
        judge=fewer(recipe.judge, "rows", "truncation_rows"),
    )  # fmt: skip


RECIPE = smaller(Recipe())


@dataclass
class Seen:
    """What was done with all rows: passes by kind, and rows of every draw."""

    passes: Counter = field(default_factory=Counter)
    draws: list[tuple[int, int]] = field(default_factory=list)


class Guarded(Rows):
    """Rows behind the abstract interface only: whatever else is asked for is refused."""

    def __init__(self, sample: Sample, seen: Seen):
        self.__sample, self.__seen = sample, seen
        self.n_classes = sample.n_classes

    def __getattr__(self, name):
        raise AssertionError(f"{name!r} was asked of all rows, which Rows does not allow.")

    @property
    def n_rows(self):
        return self.__sample.n_rows

    @property
    def n_features(self):
        return self.__sample.n_features

    @property
    def total(self):
        return self.__sample.total

    def sum(self, f, *, cost=1):
        self.__seen.passes["sum"] += 1
        return self.__sample.sum(f, cost=cost)

    def largest(self, f):
        self.__seen.passes["largest"] += 1
        return self.__sample.largest(f)

    def draw(self, size):
        return self.__drawn(size, self.__sample.draw(size))

    def represented_by(self, size):
        return self.__drawn(size, self.__sample.represented_by(size))

    def apart(self, size):
        return self.__drawn(size, self.__sample.apart(size))

    def __drawn(self, size, drawn):
        self.__seen.draws.append((size, drawn.n_rows))
        return drawn

    def through(self, view):
        return Guarded(self.__sample.through(view), self.__seen)

    def with_noise(self, noise):
        return Guarded(self.__sample.with_noise(noise), self.__seen)

    def in_single(self, single):
        return Guarded(self.__sample.in_single(single), self.__seen)


TASKS = {"two": Classes(2), "three": Classes(3), "numbers": Numbers(), "robust": Numbers(True)}


def make_rows(task, n=N_ROWS):
    """Three inputs, the last of them noise; a column with outliers, weights that differ."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3)) * [1.0, 10.0, 1.0]
    X[::1000, 2] = 50.0
    y = np.sin(1.5 * X[:, 0]) + 0.1 * X[:, 1] + 0.3 * rng.standard_normal(n)
    weight = rng.integers(1, 3, n).astype(float)
    if isinstance(task, Classes):
        cuts = np.quantile(y, np.arange(1, task.n_classes) / task.n_classes)
        return sample_of(X, np.digitize(y, cuts), weight)
    mean = np.average(y, weights=weight)
    spread = np.sqrt(np.average((y - mean) ** 2, weights=weight))
    return sample_of(X, (y - mean) / spread, weight)


def fit_of(rows, task):
    n_outputs = task.n_classes if task == Classes(3) else 1
    return fit_flagship(rows, task, RECIPE, Budget(n_outputs), Tell())


def figures_of(fit, task):
    figures = ClassFigures if isinstance(task, Classes) else NumberFigures
    return figures.of(fit, RECIPE.judge)


def test_the_guard_knows_nothing_but_the_interface():
    """Or the law would not be tested."""
    guarded = Guarded(make_rows(Numbers(), 10), Seen())
    for name in ("X", "codes", "labels", "weight", "hashes", "index", "parts", "take", "targets"):
        assert hasattr(Sample, name) or name in Sample.__dataclass_fields__
        with pytest.raises(AssertionError, match=name):
            getattr(guarded, name)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_fit_keeps_the_law_of_rows(task):
    rows, seen = make_rows(task), Seen()
    fit = fit_of(Guarded(rows, seen), task)
    figures = figures_of(fit, task)
    assert len(fit.support) > 2  # something was learned
    assert max(drawn for _, drawn in seen.draws) <= MOST_DRAWN
    assert max(size for size, _ in seen.draws) <= MOST_DRAWN == RECIPE.judge.truncation_rows
    # Passes over all rows: one maximum and two sums for the view, other maxima to see outliers of a
    # regression, as they are and behind powers; the others evaluate the loss in the last stage, ten
    # iterations (or half of them, where rows kept apart no longer gained) of hardly ever more than
    # two evaluations, and two more to see whether that was worth another round.
    outliers = 0 if isinstance(task, Classes) else 1 if task.robust else 2
    assert seen.passes["largest"] == 1 + outliers
    assert 2 + 5 <= seen.passes["sum"] < 2 + RECIPE.growth.last_rounds * (2 * 10 + 2)

    plain = fit_of(rows, task)
    error = "loo_error" if isinstance(task, Classes) else "loo_errors"
    assert getattr(figures_of(plain, task), error) == getattr(figures, error)
    assert plain.noise == fit.noise
    np.testing.assert_array_equal(plain.support, fit.support)
    ours, theirs = fit.network, plain.network
    for one, other in [
        (ours.nodes.centers, theirs.nodes.centers),
        (ours.nodes.widths, theirs.nodes.widths),
        (ours.coef, theirs.coef),
        (ours.intercept, theirs.intercept),
        (ours(rows.X[:100]), theirs(rows.X[:100])),
    ]:
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_inputs_that_do_not_vary_are_no_exception(task):
    seen = Seen()
    rows = make_rows(task).through(np.ones_like)
    fit = fit_of(Guarded(rows, seen), task)
    figures_of(fit, task)
    assert fit.start is None
    assert not len(fit.support)
    assert max(drawn for _, drawn in seen.draws) <= MOST_DRAWN
    median = isinstance(task, Numbers) and task.robust  # of a draw
    assert seen.passes["sum"] == 3 - median  # mean, variance, and the best constant
