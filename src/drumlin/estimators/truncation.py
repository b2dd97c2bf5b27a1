"""Smaller models from fitted ones, without data."""

from __future__ import annotations

import copy
from abc import ABCMeta, abstractmethod
from typing import Self

from drumlin.estimators.checks import check_n_nodes
from drumlin.estimators.typed import available_if


class TruncatedNetwork(metaclass=ABCMeta):
    """A network that can lose nodes."""

    def _can_lose_nodes(self) -> bool:
        """Whether it is known what a node is worth; raises an AttributeError that says why not."""
        return True

    @abstractmethod
    def _truncated(self, n_nodes: int) -> Self:
        """Return a fitted copy with fewer nodes."""

    @available_if(lambda model: model._can_lose_nodes())
    def truncate(self, n_nodes: int) -> Self:
        """Return a smaller fitted model; no data are needed and nothing is searched for.

        Networks that grew node by node keep their first nodes, whose orthogonal weights do not
        depend on the later ones. Others lose nodes one by one, the one whose loss costs least
        first, and the weights that stay move to the minimum without it: exactly where they are
        those of least squares, else by the quadratic model of the training loss that ``fit`` kept.
        Leave-one-out figures are those of the smaller network where they are known for every size,
        rise by that model's loss (``DrumlinClassifier``, ``DrumlinRegressor``), or are not known
        any more. ``novelty`` and ``relevance_`` stay those of the whole model.

        Parameters
        ----------
        n_nodes : int
            Between 1 and ``n_nodes_``.

        Returns
        -------
        estimator
            A fitted copy; this one is unchanged.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from drumlin import DrumlinClassifier
        >>> model = DrumlinClassifier().fit(*load_iris(return_X_y=True))
        >>> model.truncate(2).n_nodes_
        2
        """
        check_n_nodes(self, n_nodes)
        whole = n_nodes == self.n_nodes_  # type: ignore[attr-defined]
        return copy.copy(self) if whole else self._truncated(int(n_nodes))
