"""The quadratic model at an optimum: leave-one-out, variances, elimination of nodes."""

from drumlin.laplace.elimination import Elimination
from drumlin.laplace.quadratic import LocalFit, QuadraticModel, network_scores
from drumlin.laplace.solution import Solution

__all__ = ["Elimination", "LocalFit", "QuadraticModel", "Solution", "network_scores"]
