"""
A regression that knows what it does not know
=============================================

``predict(X, return_std=True)`` holds the noise of the targets and how uncertain weights, centers
and widths are. Where there are no samples the band opens; ``predict_interval`` is calibrated by
leave-one-out instead.
"""

import matplotlib.pyplot as plt
import numpy as np

from drumlin import DrumlinRegressor

rng = np.random.default_rng(1)
x = np.concatenate([rng.uniform(-4.0, -1.0, 40), rng.uniform(1.5, 4.0, 40)])
y = np.sin(1.5 * x) + 0.15 * rng.normal(size=x.size)
model = DrumlinRegressor().fit(x[:, None], y)

grid = np.linspace(-5.5, 5.5, 400)
mean, std = model.predict(grid[:, None], return_std=True)

fig, ax = plt.subplots(figsize=(6.6, 3.8), layout="constrained")
ax.fill_between(grid, mean - 2 * std, mean + 2 * std, color="#56b4e9", alpha=0.35, lw=0)
ax.plot(grid, mean, color="#0072b2", label=f"{model.n_nodes_} nodes, and two standard deviations")
ax.plot(grid, np.sin(1.5 * grid), color="#222222", ls=":", label="the truth")
ax.scatter(x, y, s=12, color="#d55e00", zorder=3)
ax.set(xlabel="x", ylabel="y", ylim=(-3, 3))
ax.legend(frameon=False, loc="upper right")
ax.spines[["top", "right"]].set_visible(False)
