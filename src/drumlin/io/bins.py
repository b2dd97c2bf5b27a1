"""Numbers in bins (``KBinsDiscretizer``) in files: edges that ascend, and their plain form."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

from drumlin.io.budget import MOST_FEATURES
from drumlin.io.errors import require

State = dict[str, Any]

_BINS = ("n_features_in_", "bin_edges_", "n_bins_")


def edges_as_list(state: State) -> State:
    """Tell an array of arrays as a list of them."""
    edges = state.get("bin_edges_")
    return state if edges is None else state | {"bin_edges_": list(edges)}


def edges_of_list(state: State) -> State:
    """Return what ``edges_as_list`` was given."""
    if "bin_edges_" not in state:
        return state
    edges = state["bin_edges_"]
    require(isinstance(edges, list), "the edges of a KBinsDiscretizer must be a list of arrays.")
    whole = np.empty(len(edges), dtype=object)
    for i, known in enumerate(edges):
        whole[i] = known
    return state | {"bin_edges_": whole}


def check_bins(step: KBinsDiscretizer) -> None:
    """Demand edges that ascend, for every feature as many as it has bins."""
    learned = vars(step)
    if "bin_edges_" not in learned:
        return
    n_features, edges, counts = (learned.get(name) for name in _BINS)
    for values in (edges, counts):
        good = isinstance(values, np.ndarray) and values.shape == (n_features,)
        require(good, f"KBinsDiscretizer must have edges and bins of {n_features} features.")
    good = counts.dtype.kind == "i" and all(
        isinstance(known, np.ndarray)
        and known.dtype == np.float64
        and known.shape == (int(n) + 1,)
        and not np.isnan(known).any()
        and (np.diff(known) >= 0.0).all()
        for known, n in zip(edges, counts, strict=True)
    )
    require(good, "the edges of a KBinsDiscretizer must ascend, one more than there are bins.")
    require(int(counts.sum()) <= MOST_FEATURES, "a KBinsDiscretizer has too many bins.")
    inner = learned.get("_encoder")
    if inner is not None:
        known = vars(inner).get("categories_", []) if type(inner) is OneHotEncoder else []
        good = [len(part) for part in known] == counts.tolist()
        require(good, "KBinsDiscretizer._encoder must be a OneHotEncoder of its bins.")
