"""What both backends of the sample-by-sample solvers agree on."""

from __future__ import annotations

from typing import NamedTuple

from drumlin._typing import FloatArray


class Factor(NamedTuple):
    """Everything that recursive least squares knows. Formulas: ``recursive_reference``."""

    A: FloatArray  # (K, K) upper triangle; what is below the diagonal is not looked at
    g: FloatArray  # (K, m) rotated targets: A w = g
    mean: FloatArray  # (K,) mean activations; zeros without intercept
    target_mean: FloatArray  # (m,)
    cost: FloatArray  # (m,) least penalised sum of squares
    penalties: FloatArray  # (K,) penalty that every weight has now
    totals: FloatArray  # (2,) total weight after forgetting; number of samples
