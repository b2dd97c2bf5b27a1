"""
More inputs than samples
========================

72 rows of 1000 inputs, 50 of which differ a little between the classes: no node can be placed in
such a space. The flagship notices that a ridge regression predicts left-out rows much better than
any node, and places its nodes on the scores of that regression instead.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from drumlin import DrumlinClassifier


def draw(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, 1000))
    X[:, :50] += 1.0 * y[:, None] - 0.5
    return X, y


X, y = draw(72, 0)
X_test, y_test = draw(1000, 1)
model = DrumlinClassifier().fit(X, y)
svc = make_pipeline(StandardScaler(), SVC()).fit(X, y)

scores = model.decision_function(X_test)
fig, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
bins = np.linspace(scores.min(), scores.max(), 40)
for label, color in enumerate(("#0072b2", "#d55e00")):
    ax.hist(scores[y_test == label], bins, color=color, alpha=0.6, label=f"class {label}")
ax.axvline(0.0, color="#222222", lw=1)
ax.set(xlabel="score of new rows", ylabel="rows")
errors = [1 - m.score(X_test, y_test) for m in (model, svc)]
ax.set_title(f"nodes: {model.n_nodes_}; wrong: {errors[0]:.1%}, SVC {errors[1]:.1%}", loc="left")
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
