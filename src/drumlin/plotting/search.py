"""The course of searches and of online learning."""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin.estimators.fitted import FittedNetwork
from drumlin.plotting._display import Display
from drumlin.plotting._style import BLUE, GRAY, ORANGE, stacked


class SearchDisplay(Display):
    """Best cost after every iteration (swarm: per node) or generation (genetic).

    Parameters
    ----------
    traces : list of ndarray
        Best cost after each iteration: one trace for every node that a swarm looked for.
    sizes : ndarray or None
        Size of the best subset after each generation, of genetic searches.
    chosen : int or None
        How many of several traces led to a node that was kept.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    axes_ : list of matplotlib Axes
        The panels.

    See Also
    --------
    PathDisplay
    LearningDisplay

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import TunableRBFClassifier
    >>> from drumlin.plotting import SearchDisplay
    >>> model = TunableRBFClassifier().fit(*load_iris(return_X_y=True))
    >>> display = SearchDisplay.from_estimator(model)
    >>> len(display.traces) >= model.n_nodes_
    True
    """

    _size = (6.0, 3.8)

    def __init__(self, traces, sizes=None, chosen=None):
        self.traces = traces
        self.sizes = sizes
        self.chosen = chosen

    @classmethod
    def from_estimator(cls, estimator, *, ax=None):
        """Draw the search of a fitted model.

        Parameters
        ----------
        estimator : estimator
            A fitted model that has ``search_path_``, or a pipeline that ends with one.
        ax : matplotlib Axes, default=None
            A new figure if None.

        Returns
        -------
        SearchDisplay
        """
        model = FittedNetwork.of(estimator).model
        path = getattr(model, "search_path_", None)
        if path is None:
            raise AttributeError(
                f"{type(model).__name__} has no search trace 'search_path_'; models whose nodes "
                "are searched for do."
            )
        if not len(path):
            raise ValueError(f"The search of this {type(model).__name__} is empty.")
        if isinstance(path, dict):
            return cls([np.asarray(path["bic"])], np.asarray(path["n_nodes"])).plot(ax=ax)
        return cls([np.asarray(trace) for trace in path], chosen=model.n_nodes_).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        if self.sizes is None:
            self.axes_ = [ax]
            self._draw_swarms(ax)
        else:
            self.axes_ = stacked(ax, [2.0, 1.0])
            self._draw_generations()

    def _draw_swarms(self, ax: Any) -> None:
        """One trace after the other; nodes that were given up are gray."""
        start = 0
        ticks = []
        for j, trace in enumerate(self.traces):
            kept = self.chosen is None or j < self.chosen
            steps = start + np.arange(len(trace))
            ax.plot(steps, trace, color=BLUE if kept else GRAY, alpha=1.0 if kept else 0.5)
            ax.plot(steps[-1], trace[-1], "o", color=ORANGE if kept else GRAY, markersize=5)
            ticks.append(start + 0.5 * (len(trace) - 1))
            start += len(trace)
            if j + 1 < len(self.traces):
                ax.axvline(start - 0.5, color=GRAY, lw=0.5, alpha=0.4, zorder=0)
        every = -(-len(ticks) // 20)  # at most 20 labels
        ax.set_xticks(ticks[::every], [str(j + 1) for j in range(0, len(ticks), every)])
        ax.tick_params(bottom=False)
        ax.set_xlabel(f"node searched for, {len(self.traces[0])} iterations each")
        ax.set_ylabel("best cost so far")
        if self.chosen is not None and self.chosen < len(self.traces):
            ax.set_title(f"{self.chosen} nodes kept, later ones (gray) given up", fontsize=9)

    def _draw_generations(self) -> None:
        above, below = self.axes_
        generations = np.arange(len(self.sizes))
        above.plot(generations, self.traces[0], color=BLUE)
        above.set_ylabel("best BIC so far")
        below.step(generations, self.sizes, where="post", color=ORANGE)
        below.set_ylabel("nodes")
        below.set_ylim(0.0, 1.15 * max(self.sizes.max(), 1))
        below.yaxis.get_major_locator().set_params(integer=True)
        below.set_xlabel("generation")
        below.xaxis.get_major_locator().set_params(integer=True)


class LearningDisplay(Display):
    """Mean squared error as samples (or iterations) go by, on a logarithmic axis.

    Parameters
    ----------
    errors : ndarray of shape (n_steps,)
    xlabel, ylabel : str

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure

    See Also
    --------
    SearchDisplay : Costs of a search, node by node.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.plotting import LearningDisplay
    >>> display = LearningDisplay(np.array([1.0, 0.3, 0.1]), xlabel="sample").plot()
    >>> display.ax_.get_yscale()
    'log'
    """

    _size = (6.0, 3.6)

    def __init__(self, errors, xlabel="step", ylabel="mean squared error"):
        self.errors = errors
        self.xlabel = xlabel
        self.ylabel = ylabel

    @classmethod
    def from_estimator(cls, estimator, *, ax=None):
        """Draw the learning curve of a fitted model.

        Parameters
        ----------
        estimator : estimator
            A fitted model that has ``mse_path_``, or a pipeline that ends with one.
        ax : matplotlib Axes, default=None
            A new figure if None.

        Returns
        -------
        LearningDisplay
        """
        model = FittedNetwork.of(estimator).model
        errors = getattr(model, "mse_path_", None)
        if errors is None:
            raise AttributeError(
                f"{type(model).__name__} has no learning curve 'mse_path_'; networks that learn "
                "sample by sample do."
            )
        if getattr(model, "solver", None) == "gradient":
            return cls(np.asarray(errors), "iteration").plot(ax=ax)
        labels = "batches of samples presented", "mean squared error\nbefore learning a sample"
        return cls(np.asarray(errors), *labels).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        marker = "o-" if len(self.errors) <= 40 else "-"
        ax.plot(1 + np.arange(len(self.errors)), self.errors, marker, color=BLUE, markersize=4)
        if (self.errors > 0.0).all():
            _log_scale(ax)
        ax.grid(axis="y", color=GRAY, alpha=0.2, lw=0.6)
        ax.set_xlabel(self.xlabel)
        ax.set_ylabel(self.ylabel)


def _log_scale(ax: Any) -> None:
    """Logarithmic, with plain numbers."""
    from matplotlib.ticker import LogLocator, NullFormatter

    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_formatter(NullFormatter())
