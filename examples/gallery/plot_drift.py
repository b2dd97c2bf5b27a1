"""
Following a truth that drifts
=============================

A stream of samples whose sine slowly shifts. Recursive least squares without forgetting averages
over all phases it has ever seen; with ``forgetting=0.98`` old samples fade, and the network keeps
up. ``partial_fit`` never looks back, and keeps no sample.
"""

import matplotlib.pyplot as plt
import numpy as np

from drumlin import RBFNetworkRegressor

rng = np.random.default_rng(0)
centers = np.linspace(0.0, 2.0 * np.pi, 12)[:, None]
forgets = RBFNetworkRegressor(12, centers=centers, width=0.6, forgetting=0.98)
remembers = RBFNetworkRegressor(12, centers=centers, width=0.6)

errors = {"remembers all": [], "forgets 2 % a step": []}
for step in range(120):
    x = rng.uniform(0.0, 2.0 * np.pi, size=(10, 1))
    y = np.sin(x[:, 0] + 0.03 * step) + 0.1 * rng.normal(size=10)
    for (name, told), model in zip(errors.items(), (remembers, forgets)):
        if step:
            told.append(np.mean((model.predict(x) - y) ** 2))  # before it learns them
        model.partial_fit(x, y)

fig, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for (name, told), color in zip(errors.items(), ("#d55e00", "#0072b2")):
    smooth = np.convolve(told, np.ones(10) / 10.0, mode="valid")
    ax.plot(10 * np.arange(len(smooth)), smooth, color=color, label=name)
ax.axhline(0.01, color="#6b6b6b", ls=":", label="the noise")
ax.set(xlabel="samples seen", ylabel="squared error of the next samples", ylim=(0, None))
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
