"""Models to export, rows to ask them about, and what Python answers."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin import DrumlinClassifier, DrumlinRegressor, export
from drumlin.basis import Powers
from drumlin.export.computation import (
    MEMBER,
    NUMBER,
    SOFTMAX,
    TEXT,
    VALUE,
    Coding,
    Column,
    Computation,
    Feature,
    Mapping,
    NodeTable,
    Outcome,
    Weights,
)
from drumlin.novelty import Novelty
from drumlin.tables import Schema, make_table_model, prepare
from tests.io.models import MODELS, fit, mixed_table, table_pipeline

MAIN = '#include "model.h"\nint main(void) { return model_selftest(); }\n'
LARGEST = np.finfo(np.float64).max
DECKS = ["A", "B", None, "Z", "a", '\'; DROP TABLE "rows" -- */ </script>']
EXTREME = np.array([0.0, -0.0, 1e-300, -5e-324, 1.0, -1e3, 1e15, -1e200, 1e308, np.inf, -np.inf])


def numbers(n_columns, n_rows, seed=0, center=None):
    """Ordinary, wide and extreme rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) * 10.0 ** rng.uniform(-2, 2, (n_rows, 1))
    wild = rng.uniform(size=X.shape) < np.where(rng.uniform(size=(n_rows, 1)) < 0.1, 0.5, 0.0)
    X[wild] = rng.choice(EXTREME, wild.sum())
    return X if center is None else X + center


def table_rows(n_rows, seed=0):
    """Rows of the mixed table with gaps, extremes and unknown categories."""
    rng = np.random.default_rng(seed)
    X = numbers(3, n_rows, seed)
    gaps = rng.uniform(size=n_rows) < 0.2
    return pd.DataFrame(
        {
            "age": np.where(gaps, np.nan, 40.0 + X[:, 0]),
            "fare": X[:, 1],
            "sex": rng.choice(["male", "female", "other"], n_rows).astype(object),
            "deck": rng.choice(np.array(DECKS, dtype=object), n_rows),
            "class": X[:, 2],
            "alone": rng.integers(0, 2, n_rows).astype(float),
            "town": np.array([f"town {i}" for i in rng.integers(0, 33, n_rows)], dtype=object),
            "size": rng.choice(np.array(["small", "large", "huge", None], dtype=object), n_rows),
        }
    )


def _passengers():
    """A table with texts that are looked up, and classes."""
    table, y = mixed_table(200)
    table["deck"] = table["deck"].where(
        table["deck"] != "B", '\'; DROP TABLE "rows" -- */ </script>'
    )
    places = np.arange(200) % 20 + 10 * (y == "yes")  # many, and they tell something
    table["town"] = np.array([f"town {i}" for i in places], dtype=object)
    table["size"] = np.where(table["deck"] == "A", "large", "small").astype(object)
    return table, y


def _command_line():
    """A pipeline as ``drumlin fit`` makes it."""
    model = make_table_model(DrumlinClassifier(max_nodes=5), kinds={"size": ["small", "large"]})
    return model.fit(*_passengers())


def _one_hot():
    """A pipeline as ``drumlin fit`` made it before there was an encoder."""
    table, y = mixed_table(200)
    schema = Schema.understand(table)
    model = Pipeline([("prepare", prepare(schema)), ("network", DrumlinClassifier(max_nodes=5))])
    return model.fit(schema.inputs(table), y)


def _constant_column():
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.normal(size=80), np.full(80, 7.0), rng.normal(size=80)])
    return DrumlinRegressor(max_nodes=4).fit(X, np.sin(X[:, 0]) + X[:, 2])


POWERS = np.array([0.0, 0.4, 1.0, 1.6, 2.0])
GENTLE = np.array([0.4, 0.4, 1.0, 1.6, 1.6])
"""Powers of which none is a logarithm."""


def bend(model, X, power, matrix=None):
    """Give a copy of a fitted model powers that are standardised on X, and perhaps a matrix."""
    inputs = model.network_.inputs
    powers = Powers.fit(power, inputs.scaler.transform(X), np.ones(len(X)))
    view = replace(inputs, powers=powers).followed_by(matrix)
    made = deepcopy(model)
    made.network_ = replace(model.network_, inputs=view)
    made._distance_quantiles = Novelty.of(made.network_, X, np.ones(len(X))).quantiles
    return made


def skewed(n_rows=200):
    """Inputs with long tails to the right and to the left, of which all matter."""
    T = np.random.default_rng(8).normal(size=(n_rows, 5))
    return np.column_stack([np.exp(T[:, :2]), T[:, 2], -np.exp(T[:, 3:])]), T


def _bent(power, *, mixed=False):
    X, T = skewed()
    y = T[:, 0] * T[:, 1] + T[:, 2] > T[:, 3] * T[:, 4]
    model = DrumlinClassifier(max_nodes=6).fit(X, np.where(y, "above", "below"))
    if mixed:
        target = np.sin(T[:, :3]).sum(axis=1) + T[:, 3] * T[:, 4]
        model = DrumlinRegressor(max_nodes=6).fit(X, target)
    # A network has as many mapped inputs after a rotation as it had before.
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0]
    made = bend(model, X, power, rotation if mixed else None)
    return made, lambda n, seed=0: numbers(5, n, seed, X.mean(axis=0))


def _bent_constant():
    """An input that never varies, before or behind its power, is off whatever its power is."""
    X, T = skewed()
    X[:, 1] = 7.0
    model = DrumlinRegressor(max_nodes=4).fit(X, np.sin(T[:, 0]) + T[:, 2])
    made = bend(model, X, np.array([0.01, 0.4, 1.99, 1.0, 1.0]))
    return made, lambda n, seed=0: numbers(5, n, seed, X.mean(axis=0))


def _bent_table():
    """A pipeline as ``drumlin fit`` makes it, with powers of all numbers and of nothing else."""
    model = _command_line()
    kinds = [feature.kind for feature in export.describe(model).features]
    power = np.ones(len(kinds))
    power[[i for i, kind in enumerate(kinds) if kind == VALUE]] = 1.6, 0.0, 0.4, 2.0
    inner = np.asarray(model[:-1].transform(_passengers()[0]), dtype=np.float64)
    model.steps[-1] = (model.steps[-1][0], bend(model[-1], inner, power))
    return model


@cache
def model_named(name):
    """A fitted model and a function that makes rows for it."""
    if name == "command line":
        return _command_line(), table_rows
    if name == "bent":
        return _bent(POWERS)
    if name == "gently bent":
        return _bent(GENTLE)
    if name == "bent and mixed":
        return _bent(POWERS, mixed=True)
    if name == "bent constant":
        return _bent_constant()
    if name == "bent table":
        return _bent_table(), table_rows
    if name == "one-hot":
        return _one_hot(), table_rows
    if name == "table":
        return table_pipeline().fit(*mixed_table()), table_rows
    if name == "constant column":
        return _constant_column(), lambda n, seed=0: numbers(3, n, seed)
    if name == "scaled twice":
        rng = np.random.default_rng(5)
        X = rng.normal(1e3, 5.0, size=(90, 2))
        model = make_pipeline(StandardScaler(), DrumlinRegressor(max_nodes=4))
        return model.fit(X, np.sin(X[:, 0])), lambda n, seed=0: numbers(2, n, seed, 1e3)
    model, X = fit(MODELS[name])
    return model, lambda n, seed=0: numbers(X.shape[1], n, seed, X.mean(axis=0))


BENT = ["bent", "bent and mixed", "bent constant", "bent table"]
NAMES = [*MODELS, "command line", "one-hot", "table", "constant column", "scaled twice", *BENT]


def finite(rows):
    """Rows as Python's models take them: infinities are the largest numbers."""
    if isinstance(rows, pd.DataFrame):
        kept = rows.copy()
        for name in kept.columns[kept.dtypes == np.float64]:
            kept[name] = kept[name].clip(-LARGEST, LARGEST)
        return kept
    return np.clip(rows, -LARGEST, LARGEST)


def expected(model, rows):
    """Scores (n, K), labels, probabilities and novelty as Python has them."""
    rows = finite(rows)
    last = model[-1] if isinstance(model, Pipeline) else model
    with np.errstate(all="ignore"):
        inner = model[:-1].transform(rows) if isinstance(model, Pipeline) else rows
        answers = {"scores": last.network_(np.asarray(inner, dtype=np.float64))}
        if hasattr(last, "classes_"):
            answers["label"] = model.predict(rows)
            answers["probabilities"] = model.predict_proba(rows)
        if export.describe(model).novelty is not None:
            answers["novelty"] = last.novelty(np.asarray(inner))
    return answers


def sizes(model, scores, rows):
    """Size of what was added up to a score: errors are relative to this.

    In a normalised network exponents are differences of squared distances, whose rounding counts.
    """
    network = (model[-1] if isinstance(model, Pipeline) else model).network_
    rows = finite(rows)
    with np.errstate(all="ignore"):
        inner = model[:-1].transform(rows) if isinstance(model, Pipeline) else rows
        inner = np.asarray(inner, dtype=np.float64)
        parts = np.abs(network.contributions(inner)).sum(axis=1)
        if network.shares is not None:
            r2 = network.nodes.squared_distances(network.mapped(inner)).min(axis=0)
            parts *= np.clip(r2, 1.0, 1e12)[:, None]
    return np.maximum(np.abs(scores), parts)


def as_lists(rows):
    return rows.to_numpy(dtype=object).tolist() if isinstance(rows, pd.DataFrame) else rows.tolist()


def hostile(names, categories, labels):
    """Two columns, one node; the category and the number both matter."""
    number, text = names
    return Computation(
        "Hostile",
        (Column(number, NUMBER), Column(text, TEXT)),
        (Coding(1, tuple(categories), tuple(range(len(categories))), -1, -1),),
        (Feature(VALUE, 0, 0.5), *(Feature(MEMBER, 1, None, 0, k) for k in range(len(categories)))),
        Mapping((), None, None),
        NodeTable(
            np.zeros((1, 1 + len(categories))), 1.0 + np.arange(1 + len(categories))[None, :]
        ),
        Weights(np.ones((1, 1)), np.array([-0.5])),
        Outcome(SOFTMAX, 1.0, tuple(labels)),
        None,
    )
