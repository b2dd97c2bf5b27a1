"""The law of rows: what may be done with all rows of a table.

Everything that a fit does with *all* rows is a sum over parts of them, and everything else works on
a draw of bounded size. So rows in memory, rows on disk and rows on a cluster are three classes
behind one interface, and whoever fits does not know which it has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from drumlin._typing import FloatArray

if TYPE_CHECKING:
    from drumlin.sample.memory import Sample

Sums = TypeVar("Sums", bound=tuple[Any, ...])


class Rows(ABC):
    """Rows with targets and weights.

    Attributes
    ----------
    n_classes : int
        1 where targets are numbers.

    See Also
    --------
    Sample
    Scattered

    Examples
    --------
    >>> from drumlin.sample import Rows, Sample, Scattered
    >>> issubclass(Sample, Rows), issubclass(Scattered, Rows)
    (True, True)
    """

    n_classes: int

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows."""

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of inputs."""

    @property
    @abstractmethod
    def total(self) -> float:
        """Sum of the weights: the number of samples that the rows are."""

    @abstractmethod
    def sum(self, f: Callable[[Sample], Sums], *, cost: int = 1) -> Sums:
        """Add up ``f(part)`` over parts of the rows.

        Parts depend on the rows alone and are added in their order: the result depends neither on
        the number of threads or workers nor on which of them did what.

        Parameters
        ----------
        f : callable
            From a part of the rows to a tuple of numbers and arrays.
        cost : int
            Numbers that ``f`` looks at for every row: little work is not spread over threads.
        """

    @abstractmethod
    def largest(self, f: Callable[[Sample], FloatArray]) -> FloatArray:
        """Entrywise maximum of ``f(part)`` over parts of the rows."""

    @abstractmethod
    def draw(self, size: int) -> Sample:
        """Return about so many rows that represent all; all of them where there are no more.

        A class has at least one row, so there may be more by the number of very rare classes.
        """

    @abstractmethod
    def apart(self, size: int) -> Sample:
        """Return about so many other rows than ``draw``, if both together are no more than all."""

    @abstractmethod
    def represented_by(self, size: int) -> Sample:
        """Return a draw that counts in losses as much as all rows."""

    @abstractmethod
    def through(self, view: Callable[[FloatArray], FloatArray]) -> Rows:
        """Return the rows with other inputs: those that a map makes of each of them."""

    @abstractmethod
    def with_noise(self, noise: float) -> Rows:
        """Return the rows with another variance of the noise of their targets."""

    @abstractmethod
    def in_single(self, single: bool) -> Rows:
        """Return the rows with columns in single (or double) precision."""
