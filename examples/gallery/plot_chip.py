"""
A model on a chip
=================

``export.to_c`` writes a network as C99 without a library call but ``math.h``, in double, float or
16-bit integers. The head of the file says what it needs; here is how many bytes of tables a model
takes for every size it can be truncated to, against what it still gets right.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from drumlin import DrumlinClassifier, export

X, y = load_breast_cancer(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
model = DrumlinClassifier().fit(X, y)
sizes = range(1, model.n_nodes_ + 1)
smaller = [model.truncate(n) for n in sizes]

fig, ax = plt.subplots(figsize=(6.2, 3.6), layout="constrained")
ax.plot([m.n_bytes_ for m in smaller], [m.score(X_test, y_test) for m in smaller], "o-")
for n, m in zip(sizes, smaller):
    ax.annotate(f"{n}", (m.n_bytes_, m.score(X_test, y_test)), (4, -12), textcoords="offset points")
ax.set(xlabel="bytes of numbers (8 each, in double)", ylabel="accuracy on new tumors")
ax.spines[["top", "right"]].set_visible(False)

# %%
# The beginning of the source for the smallest of them:

print("\n".join(export.to_c(smaller[0], number="float").source.splitlines()[:16]))
