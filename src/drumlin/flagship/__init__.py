"""The flagship: from rows to a refined network, step by step."""

from drumlin.flagship.budget import Budget
from drumlin.flagship.description import data_range, described_nodes
from drumlin.flagship.figures import ClassFigures, NumberFigures
from drumlin.flagship.fit import Fit, Tell, fit_flagship
from drumlin.flagship.recipe import Recipe
from drumlin.flagship.task import Classes, Numbers, Task

__all__ = [
    "Budget",
    "ClassFigures",
    "Classes",
    "Fit",
    "NumberFigures",
    "Numbers",
    "Recipe",
    "Task",
    "Tell",
    "data_range",
    "described_nodes",
    "fit_flagship",
]
