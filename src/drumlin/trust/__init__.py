"""What a model does not know, why it answers as it does, and what would change its answer."""

from drumlin.trust.calibration import Calibration
from drumlin.trust.choices import Choice, counterfactual_of_choices
from drumlin.trust.conformity import (
    class_calibration,
    class_conformity,
    interval_of,
    number_calibration,
    sets_of,
)
from drumlin.trust.counterfactual import Counterfactual, counterfactual
from drumlin.trust.dependence import partial_dependence
from drumlin.trust.seen import SeenInputs
from drumlin.trust.shapley import Explanation, explain
from drumlin.trust.wanted import Question, Region, Wanted

__all__ = [
    "Calibration",
    "Choice",
    "Counterfactual",
    "Explanation",
    "Question",
    "Region",
    "SeenInputs",
    "Wanted",
    "class_calibration",
    "class_conformity",
    "counterfactual",
    "counterfactual_of_choices",
    "explain",
    "interval_of",
    "number_calibration",
    "partial_dependence",
    "sets_of",
]
