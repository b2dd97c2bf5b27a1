"""Regressions around their minimum: leave-one-out errors, and which of two is to be preferred."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from drumlin._typing import FloatArray
from drumlin.criteria.paired import is_clear
from drumlin.flagship.smooth import Smooth
from drumlin.laplace.quadratic import QuadraticModel, loo_scores
from drumlin.refinement.activations import activations
from drumlin.refinement.refine import Refined, RefineProblem

MOST_VARIABLES, MOST_ROWS = 600, 2000
"""The quadratic model is formed for networks up to this many variables, on this many rows."""


@dataclass(frozen=True)
class LocalFit:
    """The quadratic model of a regression, and how it does on the rows it was formed on.

    Parameters
    ----------
    weight : ndarray of shape (n_rows,)
        Of the rows, scaled to stand for all, over the variance of the noise.
    model : QuadraticModel
    residual, variance : ndarray of shape (n_rows,)
        Target minus prediction, and the variance of the prediction.
    """

    weight: FloatArray
    model: QuadraticModel
    residual: FloatArray
    variance: FloatArray

    @classmethod
    def of(cls, problem: RefineProblem, solution: Refined | Smooth) -> LocalFit:
        """Form the model on at most ``MOST_ROWS`` rows, evenly spread."""
        part = problem.take(slice(None, None, -(-len(problem.Z) // MOST_ROWS)))
        nodes, J = solution.nodes(), solution.jacobian(part.Z)
        Phi = activations(part.Z, nodes.centers, nodes.inv_widths)
        residual = part.targets[:, 0] - (Phi @ nodes.coef + nodes.intercept)[:, 0]
        model = QuadraticModel.fit(J, part.weight, solution.precision())
        return cls(part.weight, model, residual, model.variances(J))

    def errors_left_out(self, noise: float) -> FloatArray:
        """Errors of samples left out, with weight 1 or with all they have if that is less."""
        left = np.minimum(self.weight * noise, 1.0) / noise
        slope = -self.residual
        return loo_scores(slope, slope, np.ones(len(slope)), self.variance, left)


def is_beaten(refined: Refined, problem: RefineProblem, rival: Smooth, n_samples: float) -> bool:
    """Whether the rival's squared errors left out are lower by more than one standard error.

    Parameters
    ----------
    refined : Refined
    problem : RefineProblem
        What it minimises: weights are those of the samples over the variance of the noise.
    rival : Smooth
    n_samples : float
        Total weight of the samples.
    """
    if refined.size > MOST_VARIABLES:
        return False
    noise = n_samples / problem.weight.sum()
    ours = LocalFit.of(problem, refined)
    theirs = LocalFit.of(replace(problem, weight=problem.weight * (noise / rival.noise)), rival)
    gain = ours.errors_left_out(noise) ** 2 - theirs.errors_left_out(rival.noise) ** 2
    n_used = n_samples * len(gain) / len(problem.Z)
    return is_clear(gain, ours.weight, n_used, margin=1.0)
