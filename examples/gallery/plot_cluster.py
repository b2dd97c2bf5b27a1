"""
A cluster
=========

Rows that are on the workers of a Dask cluster stay there: ``fit`` takes a Dask array as it takes a
NumPy array, and answers are lazy, block by block. Here the cluster is four workers within this
process; with ``Client("tcp://...")`` the same lines run on many machines. Any number of workers
gives the same model, bit for bit, and so does ``fit`` with all rows in memory (up to 100 000 rows;
for more, see :doc:`/cluster`).
"""

import dask
import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from distributed import Client, LocalCluster, get_worker

from drumlin import DrumlinClassifier
from drumlin.datasets import make_spirals

BLOCKS, ROWS = 6, 400
cluster = LocalCluster(n_workers=4, threads_per_worker=1, processes=False, dashboard_address=None)
client = Client(cluster)

# %%
# Every block is made by the worker that will keep it; nobody ever holds the whole table.

made = [dask.delayed(make_spirals, nout=2)(ROWS, noise=0.07, random_state=k) for k in range(BLOCKS)]
X = da.concatenate([da.from_delayed(block, (ROWS, 2), float) for block, _ in made])
y = da.concatenate([da.from_delayed(block, (ROWS,), int) for _, block in made])
model = DrumlinClassifier().fit(X, y)

# %%
# A map of the answers is computed in 64 tiles. Behind the answers every tile writes down which
# worker has made it.

TILES, PIXELS = 8, 40
side = np.linspace(-1.15, 1.15, TILES * PIXELS)
parts = side.reshape(TILES, PIXELS)


def tile(i, j):
    u, v = np.meshgrid(parts[j], parts[i])
    return np.column_stack([u.ravel(), v.ravel()])


order = [(i, j) for i in range(TILES) for j in range(TILES)]
made = [da.from_delayed(dask.delayed(tile)(*ij), (PIXELS**2, 2), float) for ij in order]
workers = sorted(client.scheduler_info(n_workers=-1)["workers"])


def signed(P):
    who = workers.index(get_worker().address)
    return np.column_stack([P[:, 1], np.full(len(P), who)])


answers = model.predict_proba(da.concatenate(made))
answers = answers.map_blocks(signed, dtype=float, meta=np.empty((0, 2))).compute()
in_memory = DrumlinClassifier().fit(X.compute(), y.compute()).predict_proba(tile(3, 4))[:, 1]
difference = np.abs(answers[order.index((3, 4)) * PIXELS**2 :][: PIXELS**2, 0] - in_memory).max()


def unrolled(values):
    return values.reshape(TILES, TILES, PIXELS, PIXELS).swapaxes(1, 2).reshape(len(side), -1)


p, who = unrolled(answers[:, 0]), unrolled(answers[:, 1])
client.close()
cluster.close()

# %%
# Each colour is a worker; light and dark are the two classes. Tiles of different workers fit
# without a seam.

colors = np.array([[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167]]) / 255.0
light = 0.25 + 0.7 * p[..., None]

fig, ax = plt.subplots(figsize=(6.0, 6.2), layout="constrained")
ax.imshow(
    light + (1.0 - light) * colors[who.astype(int)], origin="lower", extent=(side[0], side[-1]) * 2
)
ax.contour(side, side, p, [0.5], colors="#222222", linewidths=1.2)
ax.set_title(f"{BLOCKS * ROWS} rows in {BLOCKS} blocks, {model.n_nodes_} nodes", loc="left")
ax.set_xlabel(f"largest difference to a fit in memory: {difference:g}")
