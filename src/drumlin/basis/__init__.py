"""Basis functions: radial shapes, nodes, and where nodes may be placed. Knows no targets."""

from drumlin.basis.clusters import (
    cluster_means,
    cluster_widths,
    clustering_cost,
    encoder,
    spread_width,
)
from drumlin.basis.maps import InputMap
from drumlin.basis.nodes import Nodes, gaussian_activations
from drumlin.basis.placement import (
    LADDER,
    distinct_rows,
    neighbor_distance,
    reference_width,
    sample_candidates,
)
from drumlin.basis.powers import Powers
from drumlin.basis.radial import (
    RADIALS,
    BSpline,
    Gaussian,
    InverseMultiquadric,
    Multiquadric,
    Radial,
)
from drumlin.basis.scaling import Standardizer

__all__ = [
    "LADDER",
    "RADIALS",
    "BSpline",
    "Gaussian",
    "InputMap",
    "InverseMultiquadric",
    "Multiquadric",
    "Nodes",
    "Powers",
    "Radial",
    "Standardizer",
    "cluster_means",
    "cluster_widths",
    "clustering_cost",
    "distinct_rows",
    "encoder",
    "gaussian_activations",
    "neighbor_distance",
    "reference_width",
    "sample_candidates",
    "spread_width",
]
