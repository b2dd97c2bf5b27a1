"""Basis functions: radial shapes, nodes, and where nodes may be placed. Knows no targets."""

from drumlin.basis.nodes import Nodes
from drumlin.basis.placement import LADDER, reference_width, sample_candidates
from drumlin.basis.radial import RADIALS, Gaussian, InverseMultiquadric, Multiquadric, Radial

__all__ = [
    "LADDER",
    "RADIALS",
    "Gaussian",
    "InverseMultiquadric",
    "Multiquadric",
    "Nodes",
    "Radial",
    "reference_width",
    "sample_candidates",
]
