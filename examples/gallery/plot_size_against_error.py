"""
How large should a network be?
==============================

``truncate`` makes a fitted network smaller without any data: the node whose removal raises the loss
least goes first, and the other weights follow. The curve shows what every node is worth; the
flagship stops where the next one would not pay its price.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier

X, y = make_moons(400, noise=0.25, random_state=0)
X_test, y_test = make_moons(10_000, noise=0.25, random_state=1)

model = DrumlinClassifier().fit(X, y)
sizes = range(1, model.n_nodes_ + 1)
errors = [1.0 - model.truncate(n).score(X_test, y_test) for n in sizes]

fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.plot(sizes, errors, "o-", color="#0072b2", label="truncated, no data used")
ax.axhline(1.0 - model.score(X_test, y_test), color="#d55e00", ls="--", label="the whole network")
ax.set(xlabel="nodes kept", ylabel="error on 10000 new samples", ylim=(0, None))
ax.set_xticks(list(sizes))
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
