"""
Two moons and their nodes
=========================

A flagship network is a sum of a few Gaussian bumps. An outline is drawn where a bump has half its
peak: dashed ones speak for the first class, solid ones for the second. The thick line, where the
two classes are equally probable, is all they say together.
"""

from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier
from drumlin.plotting import BoundaryDisplay

X, y = make_moons(400, noise=0.25, random_state=0)
model = DrumlinClassifier().fit(X, y)

display = BoundaryDisplay.from_estimator(model, X, y)
display.ax_.set_title(f"{model.n_nodes_} nodes, {model.loo_error_:.1%} wrong when left out")

# %%
# A support vector machine of the same accuracy keeps many more samples:

from sklearn.svm import SVC

print(f"{SVC().fit(X, y).n_support_.sum()} support vectors, {model.n_nodes_} nodes")
