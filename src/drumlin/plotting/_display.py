"""What all displays have in common: a picture is drawn, and can be drawn again elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

from drumlin.plotting._style import axes_or_new, styled


class Display(ABC):
    """A picture of what it was made of; after ``plot`` it knows its axes and its figure."""

    ax_: Any
    figure_: Any

    @property
    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Inches of a new figure."""

    @abstractmethod
    def _draw(self, ax: Any) -> None:
        """Draw on axes, in the look of all plots."""

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Those to draw on (displays of several panels divide them); a new figure if None.

        Returns
        -------
        display
            Itself.
        """
        with styled():
            ax = axes_or_new(ax, self._size)
            self._draw(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
