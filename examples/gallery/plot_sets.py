"""
Sets of classes, with a promise
===============================

``predict_set(X, 0.95)`` answers with as many classes as it takes to be right in 95 % of the cases.
Near a boundary a set has two classes, where all overlap three. It is calibrated by leave-one-out:
no sample is held out.
"""

import matplotlib.pyplot as plt
import numpy as np

from drumlin import DrumlinClassifier

rng = np.random.default_rng(0)
means = np.array([[0.0, 1.0], [-0.9, -0.5], [0.9, -0.5]])


def draw(n):
    y = rng.integers(3, size=n)
    return means[y] + 0.6 * rng.normal(size=(n, 2)), y


X, y = draw(300)
model = DrumlinClassifier().fit(X, y)
X_test, y_test = draw(20_000)
covered = model.predict_set(X_test, 0.95)[np.arange(len(y_test)), y_test].mean()

u, v = np.meshgrid(np.linspace(-2.8, 2.8, 180), np.linspace(-2.4, 2.8, 160))
sizes = model.predict_set(np.column_stack([u.ravel(), v.ravel()]), 0.95).sum(axis=1)

fig, ax = plt.subplots(figsize=(6.2, 4.6), layout="constrained")
shown = ax.contourf(u, v, sizes.reshape(u.shape), [0.5, 1.5, 2.5, 3.5], cmap="Blues")
fig.colorbar(shown, ax=ax, ticks=[1, 2, 3], label="classes in the set")
for label, color in enumerate(("#009e73", "#d55e00", "#222222")):
    ax.scatter(*X[y == label].T, s=9, color=color)
ax.set_title(f"wanted 95 %, covered {covered:.1%} of 20000 new samples", loc="left")
