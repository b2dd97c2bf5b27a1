"""What the refinement minimises, as the recipe says for a task."""

from __future__ import annotations

import numpy as np

from drumlin.flagship.recipe import Recipe
from drumlin.flagship.start import Start, contrasts
from drumlin.flagship.task import Task
from drumlin.refinement import Objective, Penalties


def objective_of(start: Start, task: Task, recipe: Recipe, max_nodes: int | None) -> Objective:
    """Return the objective for nodes of a start.

    Parameters
    ----------
    start : Start
    task : Task
    recipe : Recipe
    max_nodes : int or None
    """
    informative = start.sample.effective / start.sample.total

    def penalties(n_nodes: int, total: float) -> Penalties:
        return task.penalties(start, n_nodes, informative * total, recipe.penalties)

    return Objective(
        loss=task.loss,
        penalties=penalties,
        price=lambda total: float(recipe.price * np.log(total) / np.sqrt(contrasts(start.sample))),
        max_nodes=max_nodes,
        noise=lambda state, rows: task.noise(state, rows, recipe.judge),
        left_out=lambda state, rows: task.left_out(state, rows, recipe.judge),
        most_variables=task.most_variables(start.sample.codes.shape[1], recipe.judge),
        may_grow=task.may_grow,
    )
