"""Bytes of model files of regressions, with and without what uncertainty needs.

python -m benchmarks.files            # the table of docs/model-files.md
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes, make_friedman1

import drumlin


def problems() -> Iterator[tuple[str, np.ndarray, np.ndarray, int | None]]:
    """Name, inputs, targets and most nodes."""
    for n_rows, n_inputs, max_nodes in ((500, 10, 5), (200, 10, None), (500, 30, 7), (500, 30, 13)):
        yield ("friedman1", *make_friedman1(n_rows, n_inputs, noise=1.0, random_state=0), max_nodes)
    yield ("friedman1", *make_friedman1(1500, 10, noise=1.0, random_state=0), 22)
    X, y = load_diabetes(return_X_y=True)
    yield "diabetes", X[::2], y[::2], None


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.drumlin"
        for name, X, y, max_nodes in problems():
            model = drumlin.DrumlinRegressor(max_nodes).fit(X, y)
            cells = [f"{model.n_nodes_} x {X.shape[1]} ({name})", str(len(X))]
            for uncertainty in (True, False):
                drumlin.save(model, path, uncertainty=uncertainty)
                cells.append(f"{path.stat().st_size / 1000:.1f} kB")
            print("|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
