"""Telling callbacks how far a network has grown: one task per node, one per step of its search."""

from __future__ import annotations

from collections.abc import Callable

from sklearn.callback import CallbackContext

from drumlin.search import SearchResult
from drumlin.selection import Selection


class Progress:
    """Tasks of one run.

    Parameters
    ----------
    estimator : estimator
    context : CallbackContext
        Of the run.
    callback_data : dict
        What callbacks are told of the training data.
    attributes : callable
        From a selection so far to the attributes of the estimator fitted by it.
    n_steps : int
        Most steps in the search for a node.
    """

    def __init__(
        self,
        estimator,
        context: CallbackContext,
        callback_data: dict,
        attributes: Callable[[Selection], dict],
        n_steps: int,
    ) -> None:
        self.estimator = estimator
        self.context = context
        self.callback_data = callback_data
        self.attributes = attributes
        self.n_steps = n_steps
        self._node: CallbackContext | None = None  # of the node that is being searched for

    def on_step(self, result: SearchResult) -> bool:
        """Tell of a step in the search for a node; True ends that search."""
        step = self._begun_node().subcontext(task_name="step")
        step.call_on_fit_task_begin(estimator=self.estimator, **self.callback_data)
        return step.call_on_fit_task_end(estimator=self.estimator, **self.callback_data)

    def on_stage(self, selection: Selection) -> bool:
        """Tell of a node that has joined; True ends the growth."""
        node, self._node = self._begun_node(), None
        return node.call_on_fit_task_end(
            estimator=self.estimator,
            **self.callback_data,
            reconstruction_attributes=lambda: self.attributes(selection),
        )

    def _begun_node(self) -> CallbackContext:
        if self._node is None:
            self._node = self.context.subcontext(task_name="node", max_subtasks=self.n_steps)
            self._node.call_on_fit_task_begin(estimator=self.estimator, **self.callback_data)
        return self._node
