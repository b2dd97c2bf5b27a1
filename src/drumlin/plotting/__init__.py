"""Plots. matplotlib is imported when something is drawn, not before."""

from drumlin.plotting.comparison import plot_critical_difference, plot_error_against_size

__all__ = ["plot_critical_difference", "plot_error_against_size"]
