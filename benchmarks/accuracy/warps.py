"""Would a map of skewed inputs help more than a second start? Half-way Yeo-Johnson, and a control.

``python -m benchmarks.accuracy.warps [table ...]`` fits every open table three times: as it is;
with columns of absolute skewness above 1 mapped half-way by Yeo-Johnson around the median; and, as
a control, as it is from other starting widths. *Judged* takes the second network where its losses
left out are lower (not where they are not known). Rows are drawn alike behind every view. Splits
are not those that the benchmark pages report.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import skew

from benchmarks.accuracy.flagship_problems import benchmark, table
from drumlin import DrumlinClassifier
from drumlin._kernels.blas import one_blas_thread
from drumlin.experiments.problems import NINE, Problem
from drumlin.flagship.budget import Budget
from drumlin.flagship.fit import Fit, Tell, fit_flagship
from drumlin.flagship.recipe import JudgeRule, Recipe
from drumlin.laplace import loo_scores_of_several
from drumlin.losses import class_probabilities, loss_of_classes

REALISATIONS = range(81, 101)
TABLES = {"phoneme": 2000, "magic": 2000, "segment": 1000, "letter": 1500, "covtype": 2000}
SPLITS = range(400, 404)
SKEWED, SHARE = 1.0, 0.5
OTHER_WIDTHS = 0.85
NORMAL_IQR = 1.349
"""Standard deviations between the quartiles of normal numbers."""


@dataclass(frozen=True)
class Warp:
    """Yeo-Johnson of powers (n_features,) around a middle, in units of a spread."""

    middle: np.ndarray
    spread: np.ndarray
    power: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Map inputs; columns of power 1 are as they were."""
        mapped = self.middle + self.spread * yeo_johnson(
            (X - self.middle) / self.spread, self.power
        )
        return np.where(self.power == 1.0, X, mapped)


def yeo_johnson(t: np.ndarray, power: np.ndarray | float) -> np.ndarray:
    """The power transform; its slope at zero is 1."""
    log, exponent = np.log1p(np.abs(t)), np.where(t >= 0.0, power, 2.0 - power)
    flat = np.abs(exponent) < 1e-8
    size = np.where(flat, log, np.expm1(exponent * log) / np.where(flat, 1.0, exponent))
    return np.where(t >= 0.0, size, -size)


def likeliest_power(t: np.ndarray) -> float:
    """Power of greatest likelihood."""
    jacobian = np.sum(np.sign(t) * np.log1p(np.abs(t)))

    def loss(power: float) -> float:
        variance = yeo_johnson(t, power).var() + 1e-300
        return 0.5 * len(t) * np.log(variance) - (power - 1.0) * jacobian

    return float(minimize_scalar(loss, bounds=(-2.0, 4.0), method="bounded").x)


def half_way(X: np.ndarray) -> Warp:
    """Skewed columns half-way to the power of greatest likelihood."""
    low, high = np.quantile(X, [0.25, 0.75], axis=0)
    middle, spread, deviation = np.median(X, axis=0), (high - low) / NORMAL_IQR, X.std(axis=0)
    spread = np.where(spread > 0.05 * deviation, spread, np.where(deviation > 0.0, deviation, 1.0))
    power = np.ones(X.shape[1])
    varied = np.flatnonzero(deviation > 1e-12 * np.abs(X).max(axis=0))
    for i in varied[np.abs(skew(X[:, varied], axis=0)) > SKEWED]:
        power[i] += SHARE * (likeliest_power((X[:, i] - middle[i]) / spread[i]) - 1.0)
    return Warp(middle, spread, power)


def other_start() -> Recipe:
    """The control: the recipe with other starting widths, and no map."""
    start = Recipe().start
    widths = tuple(OTHER_WIDTHS * width for width in start.widths)
    return replace(Recipe(), start=replace(start, widths=widths))


def left_out(fit: Fit, rule: JudgeRule) -> float:
    """Mean loss of samples left out of a refined network; NaN where not known."""
    if fit.solution is None or fit.judged is not None:
        return float("nan")
    size, n_classes, rows = fit.solution.size, fit.rows.n_classes, fit.rows
    if n_classes == 2:
        known, drawn = size <= rule.last_variables, rule.last_rows(size)
    else:
        known, drawn = rule.affords_several(rows.n_rows, n_classes, size), rows.n_rows
    if not known:
        return float("nan")
    single = size > rule.most_variables
    sample, loss = rows.represented_by(drawn).in_single(single), loss_of_classes(n_classes)
    bent = n_classes > 2 or size <= rule.most_variables
    scores = loo_scores_of_several(fit.solution, sample, loss, bent=bent)
    return float(np.average(loss.values(sample.targets, scores), weights=sample.copies))


def figures(problem: Problem, view: Callable, recipe: Recipe) -> tuple[float, float, float]:
    """Test error, test log-loss, and log-loss left out."""
    model = DrumlinClassifier()
    rows, model._units, _ = model._prepared(problem.X, problem.y, None)
    recipe = recipe.for_inputs(rows.n_features)
    budget = Budget(rows.codes.shape[1])
    with one_blas_thread():
        fit = fit_flagship(rows.through(view), model._task(), recipe, budget, Tell())
        P = class_probabilities(fit.network(view(problem.X_test)), 1.0)
    own = P[np.arange(len(P)), np.searchsorted(model.classes_, problem.y_test)]
    wrong = model.classes_[P.argmax(axis=1)] != problem.y_test
    loss = -float(np.log(np.maximum(own, 1e-15)).mean())
    return 100.0 * float(wrong.mean()), loss, left_out(fit, recipe.judge)


def judged(plain: tuple, other: tuple) -> tuple:
    """The network whose losses left out are lower; the first where that is not known."""
    return other if other[2] < plain[2] else plain


def measured(some: list[Problem]) -> np.ndarray:
    """Error and log-loss (n_splits, 5, 2): as is, map always and judged, control and judged."""
    found = []
    for problem in some:
        plain = figures(problem, np.asarray, Recipe())
        mapped = figures(problem, half_way(problem.X), Recipe())
        control = figures(problem, np.asarray, other_start())
        rules = (plain, mapped, judged(plain, mapped), control, judged(plain, control))
        found.append([rule[:2] for rule in rules])
    return np.array(found)


def problems(wanted: list[str]) -> Iterator[tuple[str, list[Problem]]]:
    """Splits that no page reports."""
    for name in (*NINE, *TABLES):
        if wanted and name not in wanted:
            continue
        if name in NINE:
            yield name, [benchmark(name, number) for number in REALISATIONS]
        else:
            yield name, [table(name, TABLES[name], split) for split in SPLITS]


def main() -> None:
    """Print the table: ratios of log-loss with paired standard errors, changes of error."""
    names = ("map", "map, judged", "other start", "other start, judged")
    print(f"| table | as is: error, log-loss | {' | '.join(names)} |\n|---|---|---|---|---|---|")
    every = []
    for name, some in problems(sys.argv[1:]):
        found = measured(some)
        error, loss = found.mean(axis=0).T
        change = (found[:, 1:, 1] - found[:, :1, 1]) / loss[0]
        doubt = change.std(axis=0, ddof=1) / np.sqrt(len(found))
        ratio, worse = loss[1:] / loss[0], error[1:] - error[0]
        every.append([np.log(ratio), worse])
        lines = zip(ratio, doubt, worse, strict=True)
        cells = [f"x {q:.3f} ± {s:.3f}, {e:+.2f}" for q, s, e in lines]
        print(f"| {name} | {error[0]:.2f}, {loss[0]:.4f} | {' | '.join(cells)} |", flush=True)
    logs, errors = np.mean(every, axis=0)
    cells = [f"x {np.exp(q):.4f}, {e:+.2f}" for q, e in zip(logs, errors, strict=True)]
    print(f"| **mean** | | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
