"""Criteria: turn leave-one-out predictions into one number, lower is better."""

from drumlin.criteria.base import Criterion, StatisticCriterion
from drumlin.criteria.loo import (
    CRITERIA,
    LOOMisclassification,
    LOOMutualInformation,
    LOOSquaredError,
)

__all__ = [
    "CRITERIA",
    "Criterion",
    "LOOMisclassification",
    "LOOMutualInformation",
    "LOOSquaredError",
    "StatisticCriterion",
]
