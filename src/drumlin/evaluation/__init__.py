"""How good a model is: measures, a model judged on data, methods compared on a table."""

from drumlin.evaluation.comparison import compare, contenders
from drumlin.evaluation.judged import Judged, judge
from drumlin.evaluation.methods import Method, Shape

__all__ = ["Judged", "Method", "Shape", "compare", "contenders", "judge"]
