r"""The network: a weighted sum of nodes. THE prediction formula lives here and nowhere else.

.. math:: f_k(x) = b_k + \sum_{j=1}^{M} W_{jk} \,
          \varphi\!\left(\sum_i \frac{(z_i - c_{ji})^2}{s_{ji}^2}\right), \qquad z = \mathrm{map}(x)

In a normalised network (eqs. 5.63-5.70 of haykin5) the activations are divided by their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from drumlin._kernels.threads import map_blocks, usable_threads
from drumlin._text import counted
from drumlin._typing import FloatArray
from drumlin.basis import InputMap, Nodes

CHUNK = 65_536
"""Activations computed at once: they stay in cache and memory stays bounded."""

FARTHEST = 1e100
"""Distances in widths beyond which slopes are not told apart: products must not overflow."""

BYTES = 8
"""Bytes of a stored number."""

LEAST_ROWS = 256
"""Samples handled at once however many nodes there are: short rows would be slow."""

LEAST_SLOPES = 32
"""The same for slopes, which take several times the memory."""


@dataclass(frozen=True, repr=False)
class Network:
    """Nodes with output weights.

    Parameters
    ----------
    nodes : Nodes
        In the space that ``inputs`` maps to.
    coef : ndarray of shape (n_nodes, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    inputs : InputMap or None
        Applied to raw inputs first; None where nodes are in the units of the raw inputs.
    shares : ndarray of shape (n_nodes,) or None
        Positive factors of the nodes in a normalised network; None where it is not normalised.

    See Also
    --------
    drumlin.basis.Nodes

    Examples
    --------
    The scores, rebuilt from what is stored (see docs/reading-a-model.md):

    >>> import numpy as np
    >>> from drumlin import DrumlinRegressor
    >>> X = np.linspace(-3.0, 3.0, 50)[:, None]
    >>> model = DrumlinRegressor(max_nodes=4).fit(X, np.sin(X[:, 0]))
    >>> network, inputs = model.network_, model.network_.inputs
    >>> t = (X - inputs.scaler.shift) / inputs.scaler.scale
    >>> t = t if inputs.powers is None else inputs.powers(t)
    >>> z = t / np.sqrt(1.0 + (t / inputs.clip) ** 2)
    >>> z = z if inputs.matrix is None else z @ inputs.matrix
    >>> distance = (z[:, None, :] - network.nodes.centers) / network.nodes.widths
    >>> scores = np.exp(-0.5 * (distance**2).sum(axis=2)) @ network.coef + network.intercept
    >>> np.allclose(scores[:, 0], model.predict(X))
    True
    """

    nodes: Nodes
    coef: FloatArray
    intercept: FloatArray
    inputs: InputMap | None = None
    shares: FloatArray | None = None

    def __repr__(self) -> str:
        kind = type(self.nodes.radial).__name__
        kind = kind if self.shares is None else f"normalised {kind}"
        nodes = counted(len(self.nodes), f"{kind} node")
        inputs, outputs = counted(self.n_features, "input"), len(self.intercept)
        return f"Network({nodes}, {inputs}, {counted(outputs, 'output')})"

    @property
    def n_features(self) -> int:
        """Number of raw inputs."""
        shape = self.nodes.centers if self.inputs is None else self.inputs.scaler.shift
        return shape.shape[-1]

    @property
    def size(self) -> int:
        """Numbers that are stored."""
        arrays = (self.nodes.centers, self.nodes.widths, self.coef, self.intercept, self.shares)
        stored = sum(array.size for array in arrays if array is not None)
        return stored + (0 if self.inputs is None else self.inputs.size)

    def __call__(self, X: FloatArray) -> FloatArray:
        """Scores of shape (n_samples, n_outputs)."""
        scores = np.empty((len(X), len(self.intercept)))
        scores[...] = self.intercept

        def add(rows: slice) -> None:
            scores[rows] += self.activations(X[rows]).T @ self.coef

        self.over_rows(add, len(X))
        return scores

    def over_rows(self, work: Callable[[slice], None], n_samples: int) -> None:
        """Call ``work`` on slices of samples; on several threads where there are many samples."""
        chunks = list(self._chunks(n_samples, 1))
        if len(chunks) > 1:
            cost, block = self.nodes.centers.size, chunks[0].stop
            map_blocks(work, n_samples, n_threads=usable_threads(), cost=cost, block=block)
        elif chunks:
            work(chunks[0])

    def mapped(self, X: FloatArray) -> FloatArray:
        """Inputs in the space of the nodes."""
        return X if self.inputs is None else self.inputs(X)

    def activations(self, X: FloatArray) -> FloatArray:
        """Activations of shape (n_nodes, n_samples), normalised where the network is."""
        return self._activate(self.mapped(X))

    def _activate(self, Z: FloatArray) -> FloatArray:
        if self.shares is None:
            return self.nodes.activate(Z)
        return self.nodes.radial.normalize_(self.nodes.squared_distances(Z), self.shares)

    def receptive_field(self, level: float) -> FloatArray:
        r"""Radii of the regions in which each node's activation is at least a level (5.50).

        For a Gaussian, :math:`s_{ji} \sqrt{2 \log(1/a)}`, before any normalisation.

        Parameters
        ----------
        level : float
            The level a, above 0 and at most 1.

        Returns
        -------
        ndarray of shape (n_nodes, n_features)
            Half-axes of the ellipsoids, in the space of the nodes.
        """
        if not 0.0 < level <= 1.0:
            raise ValueError(
                f"The 'level' parameter of receptive_field must be in the range (0, 1]. "
                f"Got {level!r}."
            )
        return self.nodes.widths * self.nodes.radial.reach(level)

    def contributions(self, X: FloatArray) -> FloatArray:
        """What every node, and last the intercept, adds to every score.

        Returns
        -------
        ndarray of shape (n_samples, n_nodes + 1, n_outputs)
            Sums to the scores over the second axis.
        """
        parts = np.empty((len(X), len(self.nodes) + 1, len(self.intercept)))
        parts[:, :-1] = self.activations(X).T[:, :, None] * self.coef
        parts[:, -1] = self.intercept
        return parts

    def gradient(self, X: FloatArray) -> FloatArray:
        """Exact derivatives of the scores with respect to the raw inputs.

        Returns
        -------
        ndarray of shape (n_samples, n_outputs, n_features)
            Infinite where units are such that no number can hold the derivative.
        """
        with np.errstate(over="ignore"):
            slopes = self.slopes(self.mapped(X)) / self.nodes.unit
        return slopes if self.inputs is None else self.inputs.pull_back(X, slopes)

    def slopes(self, Z: FloatArray) -> FloatArray:
        r"""Derivatives of the scores with respect to mapped inputs, times ``nodes.unit``.

        .. math:: \partial f_k / \partial z_i
                  = 2 \sum_j W_{jk} \varphi'(r_j^2) (z_i - c_{ji}) / s_{ji}^2

        In a normalised network :math:`W_{jk} - \sum_l W_{lk} \psi_l` takes the place of the weight
        and :math:`\psi_j \, (\log \varphi)'` that of the slope. Units are the nodes' own so that
        those of the inputs cannot make a square overflow.

        Returns
        -------
        ndarray of shape (n_samples, n_outputs, n_mapped)
        """
        nodes, unit = self.nodes, self.nodes.unit
        inv2 = (nodes.widths / unit) ** -2.0
        result = np.zeros((len(Z), len(self.intercept), Z.shape[1]))
        if not len(nodes):
            return result
        centers = self._in_units(nodes.centers)
        for rows in self._chunks(len(Z), len(self.intercept), LEAST_SLOPES):
            weighted = self._weighted_slopes(Z[rows])  # (n, M, K)
            push = np.einsum("nmk,md->nkd", weighted, inv2) * self._in_units(Z[rows])[:, None, :]
            pull = np.einsum("nmk,md->nkd", weighted, centers * inv2)
            result[rows] = 2.0 * (push - pull)
        return result

    def _in_units(self, Z: FloatArray) -> FloatArray:
        """Where points are in the nodes' units, seen from the least of their centers.

        Differences of such places lose the digits of the origin: a node far away must not be it.
        """
        centers = self.nodes.centers
        origin = np.take_along_axis(centers, np.abs(centers).argmin(axis=0)[None], axis=0)
        with np.errstate(over="ignore"):
            T = (Z - origin) / self.nodes.unit
        return np.clip(T, -FARTHEST, FARTHEST)

    def _weighted_slopes(self, Z: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_nodes, n_outputs) of the scores in the squared distances."""
        radial, r2 = self.nodes.radial, self.nodes.squared_distances(Z)
        if self.shares is None:
            return radial.slope(radial.activate_(r2)).T[:, :, None] * self.coef
        Psi = radial.normalize_(r2.copy(), self.shares).T
        relative = Psi * radial.relative_slope(radial.activate_(r2)).T
        return relative[:, :, None] * (self.coef - (Psi @ self.coef)[:, None, :])

    def _chunks(self, n_samples: int, n_outputs: int, least: int = LEAST_ROWS) -> Iterator[slice]:
        """Slices of samples whose activations stay in cache (none where there are no nodes)."""
        if not len(self.nodes):
            return
        step = max(least, CHUNK // (len(self.nodes) * n_outputs))
        for start in range(0, n_samples, step):
            yield slice(start, start + step)
