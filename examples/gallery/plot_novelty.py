"""
Knowing what was never seen
===========================

Far from all samples a classifier still has a favorite class. ``novelty`` says how far away an input
is: the part of the training samples that are nearer to a node. At 1 it is farther than everything
seen, and ``predict(X, reject=...)`` answers None.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier

X, y = make_moons(300, noise=0.15, random_state=0)
model = DrumlinClassifier().fit(X, y)

u, v = np.meshgrid(np.linspace(-2.5, 3.5, 180), np.linspace(-2.0, 2.5, 140))
grid = np.column_stack([u.ravel(), v.ravel()])
novelty = model.novelty(grid).reshape(u.shape)

fig, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
filled = ax.contourf(u, v, novelty, levels=np.linspace(0, 1, 11), cmap="Purples")
ax.contour(u, v, model.decision_function(grid).reshape(u.shape), [0.0], colors="#222222")
for label, color in enumerate(("#0072b2", "#d55e00")):
    ax.scatter(*X[y == label].T, s=9, color=color)
fig.colorbar(filled, ax=ax, label="novelty: part of the training samples that are nearer")
ax.set(xlabel="x0", ylabel="x1")
