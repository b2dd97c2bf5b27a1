"""The flagship: from rows to a refined network, step by step."""

from drumlin.flagship.budget import Budget
from drumlin.flagship.choose_view import fit_flagship
from drumlin.flagship.crossing import Crossing, cross_fit
from drumlin.flagship.description import data_range, described_nodes
from drumlin.flagship.figures import STOPPED, TOO_LARGE, ClassFigures, NumberFigures
from drumlin.flagship.fit import Fit, Tell, fit_behind
from drumlin.flagship.recipe import Recipe
from drumlin.flagship.task import Classes, Numbers, Task

__all__ = [
    "STOPPED",
    "TOO_LARGE",
    "Budget",
    "ClassFigures",
    "Classes",
    "Crossing",
    "Fit",
    "NumberFigures",
    "Numbers",
    "Recipe",
    "Task",
    "Tell",
    "cross_fit",
    "data_range",
    "described_nodes",
    "fit_behind",
    "fit_flagship",
]
