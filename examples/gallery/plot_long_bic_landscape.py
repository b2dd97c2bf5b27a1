"""
The landscape of an information criterion
=========================================

``SparseKernelLogisticRegression`` chooses kernels, their width and the penalty by one number, the
BIC of a penalised likelihood. Here width and penalty are fixed on a grid, and only the kernels are
chosen: too narrow and too weak (lower left) pays for many parameters, too broad (right) does not
fit. The cross is what the estimator chooses from its own coarser grid of widths and penalties; a
weaker penalty than that grid holds would have a lower BIC here.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from drumlin import SparseKernelLogisticRegression

X, y = make_moons(100, noise=0.2, random_state=0)
widths = np.geomspace(0.3, 3.0, 7)
alphas = np.geomspace(1e-5, 1e-1, 5)
bic = np.array(
    [
        [SparseKernelLogisticRegression(width=w, alpha=a).fit(X, y).bic_ for w in widths]
        for a in alphas
    ]
)
chosen = SparseKernelLogisticRegression().fit(X, y)
print(f"chosen: BIC {chosen.bic_:.1f}; lowest of the grid: {bic.min():.1f}")

fig, ax = plt.subplots(figsize=(6, 4.2), layout="constrained")
surface = ax.contourf(widths, alphas, bic, levels=20, cmap="viridis_r")
fig.colorbar(surface, ax=ax, label="BIC (lower is better)")
ax.plot(chosen.width_, np.mean(chosen.alpha_), "x", color="#d55e00", ms=11, mew=3)
ax.set(xscale="log", yscale="log", xlabel="width of the kernels", ylabel="penalty")
ax.set_xticks([0.3, 0.5, 1, 2, 3], ["0.3", "0.5", "1", "2", "3"])
ax.minorticks_off()
ax.set_title(f"{chosen.n_nodes_} kernels of {len(X)} samples", loc="left")
