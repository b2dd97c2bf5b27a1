"""Linear algebra of given columns: orthogonal bases, ridge, logistic weights, streams."""

from drumlin.linear.orthogonal import DEPENDENT, OrthogonalBasis
from drumlin.linear.regression import OrthogonalRegression, orthogonal_variances, solve_coefficients
from drumlin.linear.regularizers import (
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
    "orthogonal_variances",
    "solve_coefficients",
]
