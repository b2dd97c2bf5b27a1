"""Joint refinement: weights, centers and widths minimise one penalised loss together."""

from drumlin.refinement.refine import Objective, Refined, description_length, refine
from drumlin.refinement.schedule import Schedule
from drumlin.refinement.variables import Penalties, Variables

__all__ = [
    "Objective",
    "Penalties",
    "Refined",
    "Schedule",
    "Variables",
    "description_length",
    "refine",
]
