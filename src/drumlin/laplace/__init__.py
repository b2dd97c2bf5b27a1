"""The quadratic model at an optimum: leave-one-out, variances, elimination of nodes."""

from drumlin.laplace.elimination import Elimination
from drumlin.laplace.quadratic import LocalFit, QuadraticModel, network_scores
from drumlin.laplace.several import loo_scores_of_several
from drumlin.laplace.slopes import Slopes
from drumlin.laplace.solution import Solution
from drumlin.laplace.uncertainty import MeanVariance, Uncertainty

__all__ = [
    "Elimination",
    "LocalFit",
    "MeanVariance",
    "QuadraticModel",
    "Slopes",
    "Solution",
    "Uncertainty",
    "loo_scores_of_several",
    "network_scores",
]
