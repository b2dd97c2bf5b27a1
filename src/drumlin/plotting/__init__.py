"""Plots. matplotlib is imported when something is drawn, not before."""

from drumlin.plotting.boundary import BoundaryDisplay
from drumlin.plotting.calibration import CalibrationDisplay
from drumlin.plotting.comparison import plot_critical_difference, plot_error_against_size
from drumlin.plotting.nodes import ExplanationDisplay, NodesDisplay
from drumlin.plotting.path import PathDisplay
from drumlin.plotting.search import LearningDisplay, SearchDisplay

__all__ = [
    "BoundaryDisplay",
    "CalibrationDisplay",
    "ExplanationDisplay",
    "LearningDisplay",
    "NodesDisplay",
    "PathDisplay",
    "SearchDisplay",
    "plot_critical_difference",
    "plot_error_against_size",
]
