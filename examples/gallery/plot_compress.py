"""
A support vector machine, imitated by a few nodes
=================================================

``compress`` makes a small network that says what another model says. No labels are needed: the
teacher labels as many rows as it takes. Here an SVC with many support vectors, and its imitation.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.svm import SVC

from drumlin import compress

X, y = make_moons(800, noise=0.3, random_state=0)
svc = SVC(gamma=1.0, C=10.0).fit(X, y)
small = compress(svc, X, max_nodes=20)

fig, axes = plt.subplots(1, 2, figsize=(9, 3.9), layout="constrained", sharey=True)
titles = (f"SVC, {svc.n_support_.sum()} support vectors", f"{small.n_nodes_} nodes")
for ax, model, title in zip(axes, (svc, small), titles):
    DecisionBoundaryDisplay.from_estimator(
        model, X, response_method="predict", cmap="coolwarm", alpha=0.35, ax=ax
    )
    ax.scatter(*X.T, c=y, cmap="coolwarm", s=7)
    ax.set_title(title, loc="left")
same = (svc.predict(X) == small.predict(X)).mean()
fig.suptitle(f"the same answer for {same:.1%} of the samples")
