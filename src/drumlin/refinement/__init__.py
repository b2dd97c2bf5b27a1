"""Joint refinement: weights, centers and widths minimise one penalised loss together."""

from drumlin.refinement.descent import descend
from drumlin.refinement.large import LargeRefinement
from drumlin.refinement.objective import penalized_loss
from drumlin.refinement.refine import description_length, refine
from drumlin.refinement.round_variables import RoundVariables
from drumlin.refinement.schedule import GrowthRule, Schedule, StirRule
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.unseen import Unseen
from drumlin.refinement.variables import Penalties, Variables

__all__ = [
    "GrowthRule",
    "LargeRefinement",
    "Objective",
    "Penalties",
    "Refined",
    "RoundVariables",
    "Schedule",
    "StirRule",
    "Unseen",
    "Variables",
    "descend",
    "description_length",
    "penalized_loss",
    "refine",
]
