"""What is to be learned: classes or numbers. Each says how the recipe's steps look for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from drumlin._kernels import HUBER_DELTA
from drumlin._typing import FloatArray
from drumlin.basis import InputMap
from drumlin.flagship.recipe import JudgeRule, PenaltyRule, Recipe
from drumlin.flagship.skew import with_powers
from drumlin.flagship.smooth import LEAST_NOISE
from drumlin.flagship.start import Start
from drumlin.flagship.view import clip_of_outliers, standardizer
from drumlin.laplace import LocalFit, loo_scores_of_several, network_scores
from drumlin.losses import Huber, Loss, Squared, loss_of_classes
from drumlin.refinement import Penalties, Refined
from drumlin.sample import Rows, Sample, weighted_median

MEDIAN_OF_NORMAL = 0.6745
"""Median size of a normal number of unit variance."""


class Task(ABC):
    """What the targets mean."""

    smooth: bool = False  # whether a smooth network is tried beside the refined one
    may_grow: bool = True  # whether samples left out say if nodes are added

    @abstractmethod
    def loss(self, noise: float) -> Loss:
        """Return the loss of a row at a variance of the noise."""

    @property
    def quadratic_loss(self) -> Loss:
        """The loss whose quadratic model tells samples left out."""
        return self.loss(1.0)

    def view(self, rows: Rows, recipe: Recipe) -> InputMap:
        """Return the first view of the inputs."""
        return self.clipped(InputMap(standardizer(rows, recipe.view), np.inf), rows, recipe)

    def view_with_powers(self, plain: InputMap, rows: Rows, recipe: Recipe) -> InputMap | None:
        """Return the view in which skewed inputs are drawn in; None where none is skewed."""
        view = with_powers(plain.scaler, rows, recipe.view)
        return None if view is None else self.clipped(view, rows, recipe)

    @abstractmethod
    def clipped(self, view: InputMap, rows: Rows, recipe: Recipe) -> InputMap:
        """Return a view with its clip."""

    def constant(self, rows: Rows, recipe: Recipe) -> FloatArray:
        """Return the scores (n_outputs,) of the best constant."""
        loss = self.loss(1.0)
        (sums,) = rows.sum(lambda part: (loss.sums(part.targets, part.weight),))
        return loss.constant(sums / rows.total)

    def for_start(self, sample: Sample, recipe: Recipe) -> Sample:
        """Return a sample as the least squares of the start shall see it."""
        return sample

    def first_noise(self, start: Start) -> float:
        """Return the variance of the noise as the start knows it."""
        return 1.0

    def noise(self, state: Refined, rows: Rows, rule: JudgeRule, *, last: bool = False) -> float:
        """Return the variance of the noise as a refined network knows it.

        Parameters
        ----------
        state : Refined
        rows : Rows
        rule : JudgeRule
        last : bool
            Whether it is for the figures: then more time may be spent.
        """
        return state.noise

    def most_variables(self, n_outputs: int, rule: JudgeRule) -> int:
        """Return for how many variables samples left out may be asked for on the way."""
        return rule.last_variables if n_outputs == 1 else rule.several_variables

    def left_out(
        self, state: Refined, rows: Rows, rule: JudgeRule
    ) -> tuple[Sample, FloatArray] | None:
        """Return some rows and their scores (n_rows, n_outputs) left out, by the quadratic model.

        A row is left out with all its copies, or networks would grow until they know every row
        that comes twice. None where that is too much work.
        """
        n_outputs, loss = state.variables.n_outputs, self.quadratic_loss
        if state.size > self.most_variables(n_outputs, rule):
            return None
        if n_outputs > 1:
            if not rule.affords_several(rows.n_rows, n_outputs, state.size):
                return None
            sample = rows.represented_by(rows.n_rows)  # bends are those of a minimum: of all rows
            known, bent = sample.with_noise(state.noise), loss == self.loss(state.noise)
            return sample, loo_scores_of_several(state, known, loss, bent=bent, whole=True)
        sample = rows.represented_by(rule.rows)
        known = sample.with_noise(state.noise).in_single(state.size > rule.most_variables)
        return sample, LocalFit.of(state, known, loss).loo_scores(whole=True)[:, None]

    @abstractmethod
    def penalties(self, start: Start, n_nodes: int, total: float, rule: PenaltyRule) -> Penalties:
        """Return the penalties for a number of nodes and of samples."""


@dataclass(frozen=True)
class Classes(Task):
    """Labels 0, ..., n_classes - 1.

    Parameters
    ----------
    n_classes : int
    """

    n_classes: int

    def loss(self, noise: float) -> Loss:
        """Logistic or softmax; labels have no noise variance."""
        return loss_of_classes(self.n_classes)

    def most_variables(self, n_outputs: int, rule: JudgeRule) -> int:
        """Labels tell less than numbers: they are asked less often."""
        return rule.class_variables if n_outputs == 1 else rule.several_variables

    def clipped(self, view: InputMap, rows: Rows, recipe: Recipe) -> InputMap:
        """Clip every input."""
        return replace(view, clip=recipe.view.clip)

    def penalties(self, start: Start, n_nodes: int, total: float, rule: PenaltyRule) -> Penalties:
        """More samples and classes: less doubt about single widths."""
        n, deviation = self.n_classes, rule.deviation / (total * self.n_classes)
        if n == 2:
            return Penalties(
                intercept=rule.intercept,
                coef=rule.coef_of_two * start.squared_error,
                shift=rule.shift_of_two,
                scale=rule.scale,
                metric=rule.metric,
                deviation=float(np.clip(deviation, *rule.deviations_of_two)),
            )
        per_class, power = rule.crowding
        crowding = max(1.0, n_nodes / (per_class * n)) ** power
        least, shared = rule.coef_of_many
        return Penalties(
            intercept=rule.intercept,
            coef=max(least, shared / n) * crowding * start.squared_error / start.variance,
            shift=rule.shift_of_many,
            scale=rule.scale,
            metric=rule.metric_of_many,
            deviation=float(np.clip(deviation, *rule.deviations_of_many)),
        )


@dataclass(frozen=True)
class Numbers(Task):
    """Numbers of variance 1 with noise, which all outputs have alike.

    Parameters
    ----------
    robust : bool
        Huber's loss instead of squares: outliers shall not matter.
    n_outputs : int
    """

    robust: bool = False
    n_outputs: int = 1

    @property
    def smooth(self) -> bool:  # type: ignore[override]
        """Squares of one number are also tried with the prior of a Gaussian process."""
        return not self.robust and self.n_outputs == 1

    @property
    def may_grow(self) -> bool:  # type: ignore[override]
        """Not where outliers are told by the noise: rounding would decide which ones nodes see."""
        return not self.robust

    def loss(self, noise: float) -> Loss:
        """Squares, or Huber's loss with a threshold in standard deviations of the noise."""
        return Huber(HUBER_DELTA * float(np.sqrt(noise))) if self.robust else Squared()

    @property
    def quadratic_loss(self) -> Loss:
        """Squares, whose curvature bounds Huber's."""
        return Squared()

    def clipped(self, view: InputMap, rows: Rows, recipe: Recipe) -> InputMap:
        """Clip only the inputs with outliers."""
        clip = clip_of_outliers(rows, view, recipe.view.clip)
        return replace(view, clip=clip if np.isfinite(clip).any() else np.inf)

    def view_with_powers(self, plain: InputMap, rows: Rows, recipe: Recipe) -> InputMap | None:
        """None where outliers shall not matter: they would judge, by their squared errors."""
        return None if self.robust else super().view_with_powers(plain, rows, recipe)

    def constant(self, rows: Rows, recipe: Recipe) -> FloatArray:
        """Means, or medians where outliers shall not matter."""
        if not self.robust:
            return super().constant(rows, recipe)
        return _medians(rows.draw(recipe.view.rows))

    def for_start(self, sample: Sample, recipe: Recipe) -> Sample:
        """Without outliers where they shall not matter: least squares would run after them."""
        if not self.robust:
            return sample
        y, middle = sample.codes, _medians(sample)
        reach = recipe.start.winsor * np.sqrt(robust_variances(y - middle, sample.weight))
        clipped = np.clip(y, middle - reach, middle + reach)
        return sample.with_codes(np.where(reach > 0.0, clipped, y))

    def first_noise(self, start: Start) -> float:
        """Leave-one-out squared error of the start, or of the bulk of its errors."""
        errors = start.sample.codes - start.loo_predictions
        noise = start.squared_error / self.n_outputs
        return self._of_errors(noise, errors, start.sample.weight)

    def noise(self, state: Refined, rows: Rows, rule: JudgeRule, *, last: bool = False) -> float:
        """Residual over the degrees of freedom that are left."""
        most, n_rows, n_judged = rule.most_variables, rule.rows, rule.rows
        if last:  # degrees of freedom need few rows, residuals many
            most, n_rows = rule.last_variables, rule.last_rows(state.size)
            n_judged = rule.truncation_rows
        judged = rows.represented_by(n_judged)
        errors = network_scores(state, judged.X) - judged.codes
        if self.n_outputs == 1 and state.size <= most:
            sample = rows.represented_by(n_rows).in_single(state.size > rule.most_variables)
            used = LocalFit.of(state, sample, Squared()).used
            return self._left(errors, used, judged, rule)
        used = state.size / (rows.total * self.n_outputs)
        # No quadratic model: as if every variable were free, but not more than was known before.
        return min(state.noise, self._left(errors, used, judged, rule))

    def variances(self, errors: FloatArray, weight: FloatArray) -> FloatArray:
        """Variances (n_outputs,) of errors, or of their bulk where outliers shall not matter."""
        squares = np.average(errors**2, axis=0, weights=weight)
        if not self.robust:
            return np.asarray(squares)
        bulk = robust_variances(errors, weight)
        return np.where(bulk > 0.0, np.minimum(bulk, squares), squares)

    def _left(self, errors: FloatArray, used: float, sample: Sample, rule: JudgeRule) -> float:
        free = max(1.0 - used, rule.least_degrees)
        squares = np.average(errors**2, axis=0, weights=sample.weight)
        return self._of_errors(float(squares.mean()) / free, errors / np.sqrt(free), sample.weight)

    def _of_errors(self, noise: float, errors: FloatArray, weight: FloatArray) -> float:
        """Variance of errors, or of their bulk where outliers shall not matter."""
        if self.robust:
            noise = min(noise, float(robust_variances(errors, weight).mean()))
        return max(noise, LEAST_NOISE)

    def penalties(self, start: Start, n_nodes: int, total: float, rule: PenaltyRule) -> Penalties:
        """In units of the noise: they do not depend on the start."""
        deviation = float(np.clip(rule.deviation / (2.0 * total), *rule.deviations_of_two))
        return Penalties(
            intercept=rule.intercept,
            coef=rule.numbers,
            shift=rule.shift_of_numbers,
            scale=rule.stiffness * rule.scale,
            metric=rule.metric,
            deviation=rule.stiffness * deviation,
        )


def _medians(sample: Sample) -> FloatArray:
    """Medians (n_outputs,) of the targets."""
    return np.array([weighted_median(column, sample.weight) for column in sample.codes.T])


def robust_variances(errors: FloatArray, weight: FloatArray) -> FloatArray:
    """Variance of normal errors with the same median size, of every column."""
    medians = [weighted_median(np.abs(column), weight) for column in errors.T]
    return (np.array(medians) / MEDIAN_OF_NORMAL) ** 2
