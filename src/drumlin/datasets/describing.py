"""What every loader returns: arrays or a frame, and a text that says what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from drumlin.datasets.sources import Source


def bunch(name: str, source: Source, data: dict[str, Any], split: str) -> Bunch:
    """Convert the arrays of a file, rename its labels and describe it."""
    renamed = {"columns": "feature_names", "classes": "target_names"}
    fields = {renamed.get(key, key): value for key, value in data.items()}
    fields["X"] = np.asarray(data["X"], dtype=np.float64)
    fields["y"] = np.asarray(data["y"], dtype=np.int64 if source.n_classes else np.float64)
    for part in {"train", "test"} & data.keys():
        fields[part] = np.asarray(data[part], dtype=np.intp)
    return Bunch(name=name, DESCR=describe(name, source, fields, split), **fields)


def describe(name: str, source: Source, fields: dict[str, Any], split: str) -> str:
    """Say origin, size, split, licence and file of what a loader returns."""
    n, n_features = fields["X"].shape
    n_classes = np.unique(fields["y"]).size
    target = f"{n_classes} classes" if source.n_classes else "the target is a number"
    sizes = f" ({fields['train'].size} / {fields['test'].size})" if "train" in fields else ""
    return (
        f"{name}: {source.origin}.\n"
        f"{n} rows, {n_features} features, {target}.\n"
        f"Split into training and test rows: {split}{sizes}.\n"
        f"Licence: {source.licence}.\n"
        f"Read from {source.file}."
    )
