"""Readout: from activations or scores to weights and probabilities, given the nodes."""

from drumlin.readout.calibration import (
    class_probabilities,
    fit_temperature,
    log_loss,
    smoothed_targets,
)

__all__ = ["class_probabilities", "fit_temperature", "log_loss", "smoothed_targets"]
