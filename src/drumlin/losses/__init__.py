"""Losses: what a wrong score costs, and from scores to probabilities."""

from drumlin.losses.base import Huber, Logistic, Loss, Softmax, Squared, loss_of_classes
from drumlin.losses.calibration import (
    accuracy,
    class_probabilities,
    fit_temperature,
    log_loss,
    smoothed_targets,
    winners,
)

__all__ = [
    "Huber",
    "Logistic",
    "Loss",
    "Softmax",
    "Squared",
    "accuracy",
    "class_probabilities",
    "fit_temperature",
    "log_loss",
    "loss_of_classes",
    "smoothed_targets",
    "winners",
]
