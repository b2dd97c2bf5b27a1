"""The width ladder: candidate columns of several widths, one after the other.

Widths run from wide to narrow. Where two sets of columns fit in memory, the activations of a
narrower width come from those of the wider one (for Gaussians by squaring) instead of from new
exponentials; where one fits, it is overwritten in place; where none fits, columns are recomputed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from drumlin._kernels import map_blocks
from drumlin._typing import FloatArray
from drumlin.basis import Nodes, Radial
from drumlin.linear import OrthogonalRegression
from drumlin.selection.candidates import CandidateColumns, InplaceCandidates, Inputs
from drumlin.selection.recomputed import RecomputedCandidates


@dataclass
class WidthLadder:
    """Candidates at given centers, for one isotropic width at a time.

    Parameters
    ----------
    inputs : Inputs
    centers : ndarray of shape (n_candidates, n_features)
    radial : Radial
    memory : float
        Bytes the columns may take.
    n_threads : int
    several : bool
        Whether more than one width will be asked for: only then are activations kept.
    """

    inputs: Inputs
    centers: FloatArray
    radial: Radial
    memory: float
    n_threads: int = 1
    several: bool = False
    _last_width: float | None = field(default=None, init=False)
    _activations: FloatArray | None = field(default=None, init=False)
    _work: FloatArray | None = field(default=None, init=False)

    @property
    def bytes_needed(self) -> float:
        """Bytes of one set of columns."""
        return 8.0 * len(self.inputs) * len(self.centers)

    def candidates(self, width: float, regression: OrthogonalRegression) -> CandidateColumns:
        """Candidates of one width for a model that is about to grow."""
        nodes = Nodes(self.centers, np.full_like(self.centers, width), self.radial)
        if self.bytes_needed > self.memory:
            return RecomputedCandidates(self.inputs, nodes, regression, self.n_threads)
        if self._work is None:
            self._work = np.empty((len(self.centers), len(self.inputs)))
        if self.several and 2.0 * self.bytes_needed <= self.memory:
            np.multiply(self._kept_activations(nodes, width), self.inputs.root, out=self._work)
        else:
            self._activate_(nodes, self.inputs, self._work)
        return InplaceCandidates(self.inputs, nodes, regression, self.n_threads, V=self._work)

    def _kept_activations(self, nodes: Nodes, width: float) -> FloatArray:
        """Unweighted activations of this width, from those of the last one where possible."""
        if self._activations is None:
            self._activations = np.empty((len(nodes), len(self.inputs)))
        factor = 0.0 if self._last_width is None else self._last_width / width
        if not (factor > 1.0 and self.radial.narrow_(self._activations, factor)):
            unweighted = Inputs(self.inputs.columns, np.ones(len(self.inputs)))
            self._activate_(nodes, unweighted, self._activations)
        self._last_width = width
        return self._activations

    def _activate_(self, nodes: Nodes, inputs: Inputs, out: FloatArray) -> None:
        def work(part: slice) -> None:
            inputs.activate_(nodes.take(part), out[part])

        map_blocks(work, len(nodes), n_threads=self.n_threads, cost=len(self.inputs))
