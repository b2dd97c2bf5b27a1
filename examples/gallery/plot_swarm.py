"""
Watching a swarm
================

chen2010 looks for every node anywhere in space: twenty particles, each a center and its widths,
are drawn to the best they and all others have seen. Every trace is the search for one node; a new
node begins where the last one ended, and the search ends when none improves the criterion.
"""

from sklearn.datasets import make_moons

from drumlin import TunableRBFClassifier
from drumlin.plotting import BoundaryDisplay, SearchDisplay

X, y = make_moons(200, noise=0.25, random_state=0)
model = TunableRBFClassifier(search="swarm", random_state=0).fit(X, y)

SearchDisplay.from_estimator(model)

# %%
# The nodes it found stand where they are useful, not where samples are:

BoundaryDisplay.from_estimator(model, X, y)
