"""
Haykin's double moon
====================

The book's own problem (section 5.8): two half-moons that overlap by six units. K-means places
twenty nodes without looking at the classes; recursive least squares learns their weights in one
pass over the samples.
"""

from drumlin import RBFNetworkClassifier
from drumlin.datasets import make_double_moon
from drumlin.plotting import BoundaryDisplay, LearningDisplay

X, y = make_double_moon(1000, d=-6.0, random_state=0)
model = RBFNetworkClassifier(20, random_state=0).fit(X, y)

display = BoundaryDisplay.from_estimator(model, X, y)
display.ax_.set_title(f"{1 - model.score(X, y):.1%} of the samples are on the wrong side")

# %%
# The error falls as samples come in:

LearningDisplay.from_estimator(model)
