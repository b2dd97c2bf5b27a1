"""
What would have to change?
==========================

``counterfactual`` looks for the nearest input that gets the wanted class, changing as few inputs as
possible, within the range of what was seen. Here a sample of one moon asks how to become one of the
other: once with both inputs free, once with only the second, which cannot be: it
says so.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier
from drumlin.plotting import BoundaryDisplay

X, y = make_moons(300, noise=0.2, random_state=0)
model = DrumlinClassifier().fit(X, y)
start = X[X[:, 0].argmin()]

display = BoundaryDisplay.from_estimator(model, X, y, draw_nodes=False)
for vary, color in (([0, 1], "#009e73"), ([1], "#cc79a7")):
    told = model.counterfactual(start, 1, vary=vary)
    print(vary, told.found, told.x, f"distance {told.distance:.2f}")
    if told.found:
        step = {"arrowstyle": "-|>", "color": color, "lw": 2.5}
        display.ax_.annotate("", told.x, start, arrowprops=step)
display.ax_.plot(*start, "o", ms=10, mfc="white", mec="#222222", mew=2)
plt.show()
