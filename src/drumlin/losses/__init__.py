"""Losses: what a wrong answer costs, and from scores to probabilities."""

from drumlin.losses.calibration import (
    class_probabilities,
    fit_temperature,
    log_loss,
    smoothed_targets,
)

__all__ = ["class_probabilities", "fit_temperature", "log_loss", "smoothed_targets"]
