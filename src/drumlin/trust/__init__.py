"""What a model does not know, and why it answers as it does: calibrated sets and intervals."""

from drumlin.trust.calibration import Calibration
from drumlin.trust.conformity import (
    class_calibration,
    class_conformity,
    interval_of,
    number_calibration,
    sets_of,
)

__all__ = [
    "Calibration",
    "class_calibration",
    "class_conformity",
    "interval_of",
    "number_calibration",
    "sets_of",
]
