"""
What a criterion looks at
=========================

Forward selection adds the node that a leave-one-out criterion likes best, and stops where none
improves it. On two moons of which one is rare, three criteria find about the same boundary, at
different prices: errors and information come in whole samples and soon stop to improve, the
squared error falls a little with nearly every node.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.metrics import balanced_accuracy_score

from drumlin import ForwardRBFClassifier
from drumlin.plotting import BoundaryDisplay


def draw(seed, n=330):
    X, moon = make_moons((n - n // 11, n // 11), noise=0.25, random_state=seed)
    return X, np.array(["usual", "rare"])[moon]


X, y = draw(0)
X_test, y_test = draw(1, 11_000)
fig, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
for ax, criterion in zip(axes, ["misclassification", "mutual_information", "squared_error"]):
    model = ForwardRBFClassifier(criterion=criterion).fit(X, y)
    BoundaryDisplay.from_estimator(model, X, y, ax=ax)
    ax.get_legend().remove()
    balanced = balanced_accuracy_score(y_test, model.predict(X_test))
    ax.set_title(f"{criterion.replace('_', ' ')}\n{model.n_nodes_} nodes, balanced {balanced:.2f}")
