"""Orthogonal least squares: columns, weights, leave-one-out state. Knows no criterion."""

from drumlin.orthogonal.basis import DEPENDENT, OrthogonalBasis
from drumlin.orthogonal.regression import OrthogonalRegression, solve_coefficients
from drumlin.orthogonal.regularizers import (
    REGULARIZERS,
    EvidenceRegularizer,
    FixedRegularizer,
    LocalRegularizer,
    StageEvidenceRegularizer,
)

__all__ = [
    "DEPENDENT",
    "REGULARIZERS",
    "EvidenceRegularizer",
    "FixedRegularizer",
    "LocalRegularizer",
    "OrthogonalBasis",
    "OrthogonalRegression",
    "StageEvidenceRegularizer",
    "solve_coefficients",
]
