"""How good a model is: measures, a model judged on data, methods compared on a table."""

from drumlin.evaluation.comparison import compare, contenders
from drumlin.evaluation.costs import Decision, class_costs, least_cost, mean_cost
from drumlin.evaluation.judged import Judged, decision_of, judge
from drumlin.evaluation.methods import Method, Shape

__all__ = [
    "Decision",
    "Judged",
    "Method",
    "Shape",
    "class_costs",
    "compare",
    "contenders",
    "decision_of",
    "judge",
    "least_cost",
    "mean_cost",
]
