"""Telling callbacks how far a fit has come: one task within another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sklearn.callback import CallbackContext
from sklearn.exceptions import ConvergenceWarning

from drumlin._warnings import warn
from drumlin.search import SearchResult
from drumlin.selection import Selection
from drumlin.selection.subset import SubsetRun

Attributes = Mapping | Callable[[], Mapping]
"""What an estimator would have learned if it stopped here, or a function that says so."""


def told_of(X: Any = None, y: Any = None, sample_weight: Any = None) -> dict:
    """What callbacks are told of the training data, as scikit-learn names it."""
    return {"X": X, "y": y, "metadata": {"sample_weight": sample_weight}}


def warn_interrupted(estimator: Any, kept: str) -> None:
    """Say what is left of a fit that the user has broken off."""
    warn(
        f"{type(estimator).__name__}.fit was interrupted; {kept} is kept and ready to use.",
        ConvergenceWarning,
    )


class Progress:
    """A task that callbacks were told the beginning of.

    Parameters
    ----------
    estimator : estimator
    context : CallbackContext
    told : dict
        What callbacks are told of the training data.
    """

    def __init__(self, estimator, context: CallbackContext, told: dict) -> None:
        self._estimator, self._context, self._told = estimator, context, told
        context.call_on_fit_task_begin(estimator=estimator, **told)

    @classmethod
    def of_fit(cls, estimator, told: dict, n_tasks: int | None = None) -> Progress:
        """Begin a whole fit, of so many tasks where that is known."""
        return cls(estimator, estimator._init_callback_context(max_subtasks=n_tasks), told)

    def begin(self, name: str, n_tasks: int | None = 0) -> Progress:
        """Begin a task within this one."""
        context = self._context.subcontext(task_name=name, max_subtasks=n_tasks)
        return Progress(self._estimator, context, self._told)

    def end(self, attributes: Attributes | None = None) -> bool:
        """End the task; True means that a callback wants no further one."""
        known = {} if attributes is None else {"reconstruction_attributes": attributes}
        return self._context.call_on_fit_task_end(estimator=self._estimator, **self._told, **known)


class Growth:
    """Tasks of a network that grows: one per node, one per step of the search for it.

    Parameters
    ----------
    run : Progress
    attributes : callable
        From a selection so far to the attributes of the estimator fitted by it.
    n_steps : int
        Most steps in the search for a node.
    """

    def __init__(
        self, run: Progress, attributes: Callable[[Selection], dict], n_steps: int
    ) -> None:
        self._run, self._attributes, self._n_steps = run, attributes, n_steps
        self._node: Progress | None = None  # of the node that is being searched for

    def on_step(self, result: SearchResult) -> bool:
        """Tell of a step in the search for a node; True ends that search."""
        return self._begun_node().begin("step").end()

    def on_stage(self, selection: Selection) -> bool:
        """Tell of a node that has joined; True ends the growth."""
        node, self._node = self._begun_node(), None
        return node.end(lambda: self._attributes(selection))

    def _begun_node(self) -> Progress:
        if self._node is None:
            self._node = self._run.begin("node", self._n_steps)
        return self._node


class Searches:
    """Tasks of a selection of subsets: one per search, one per generation of it.

    Parameters
    ----------
    fit : Progress
    attributes : callable
        From a search so far to the attributes of the estimator fitted by it.
    """

    def __init__(self, fit: Progress, attributes: Callable[[SubsetRun], dict]) -> None:
        self._fit, self._attributes = fit, attributes
        self._begun: dict[int, Progress] = {}

    def on_iteration(self, run: SubsetRun) -> bool:
        """Tell of a generation; True ends the search."""
        if run.number not in self._begun:
            self._begun[run.number] = self._fit.begin("search", None)
        return self._begun[run.number].begin("generation").end(lambda: self._attributes(run))

    def on_run(self, run: SubsetRun) -> bool:
        """Tell of a finished search; True ends the selection."""
        return self._begun[run.number].end()
