"""Rare classes on real tables, beside rivals with their defaults.

``python -m benchmarks.accuracy.imbalanced [--before SRC] [-o docs/imbalanced.md]`` runs five
stratified folds of every table of ``load_imbalanced``. Rivals that are not installed are left out,
and the page says so (``pip install drumlin[rivals]``, best into an environment of their own).
``--before`` names the ``src`` folder of an earlier commit, whose classifier is fitted too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from drumlin import DrumlinClassifier
from drumlin.datasets import load_imbalanced
from drumlin.datasets.sources import IMBALANCED
from drumlin.evaluation.measures import log_loss

Fold = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Inputs and classes of training rows, of test rows."""

N_FOLDS = 5
OURS, BEFORE = "drumlin", "drumlin before"
MEASURES = ("log-loss", "average precision", "error, %")


def catboost() -> Any:
    """CatBoost with its defaults."""
    from catboost import CatBoostClassifier

    quiet = {"verbose": False, "allow_writing_files": False, "thread_count": 1}
    return CatBoostClassifier(random_seed=0, **quiet)


def lightgbm() -> Any:
    """LightGBM with its defaults."""
    from lightgbm import LGBMClassifier

    return LGBMClassifier(random_state=0, verbose=-1, n_jobs=1)


RIVALS: dict[str, Callable[[], Any]] = {
    "HistGB": lambda: HistGradientBoostingClassifier(random_state=0),
    "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "CatBoost": catboost,
    "LightGBM": lightgbm,
}
NEEDED = {"CatBoost": "catboost", "LightGBM": "lightgbm"}
"""Packages that rivals need."""

_EARLIER = """
import sys
import numpy as np
from drumlin import DrumlinClassifier
folds = np.load(sys.argv[1])
for i in range(len(folds.files) // 3):
    model = DrumlinClassifier().fit(folds[f"X{i}"], folds[f"y{i}"])
    np.save(f"{sys.argv[1]}.{i}.npy", model.predict_proba(folds[f"new{i}"]))
"""


def folds_of(name: str, seed: int = 0) -> Iterator[Fold]:
    """Folds of a table, each category a column of its own."""
    data = load_imbalanced(name)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = make_column_transformer((encoder, data.categorical_features), remainder="passthrough")
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(data.X, data.y):
        X = np.asarray(columns.fit_transform(data.X.iloc[train]), dtype=float)
        X_new = np.asarray(columns.transform(data.X.iloc[test]), dtype=float)
        yield X, data.y[train], X_new, data.y[test]


def scored(P: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Log-loss, average precision and error in percent."""
    error = 100.0 * float(np.mean(P.argmax(axis=1) != y))
    return log_loss(P, np.arange(2), y), average_precision_score(y, P[:, 1]), error


def earlier(source: Path, folds: list[Fold]) -> list[np.ndarray]:
    """Probabilities of the classifier of another source tree, from a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "folds.npz"
        arrays = {}
        for i, (X, y, X_new, _) in enumerate(folds):
            arrays |= {f"X{i}": X, f"y{i}": y, f"new{i}": X_new}
        np.savez(path, **arrays)
        command = [sys.executable, "-W", "ignore", "-c", _EARLIER, str(path)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(source)})
        return [np.load(f"{path}.{i}.npy") for i in range(len(folds))]


def commit_of(source: Path) -> str:
    """Short name of the commit that a source tree is at."""
    command = ["git", "-C", str(source), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def measured(name: str, rivals: list[str], before: Path | None) -> dict[str, np.ndarray]:
    """Mean figures of every model; ours with nodes and told log-loss behind them."""
    folds = list(folds_of(name))
    found: dict[str, list[tuple[float, ...]]] = {OURS: []}
    for X, y, X_new, y_new in folds:
        model = DrumlinClassifier().fit(X, y)
        figures = scored(model.predict_proba(X_new), y_new)
        found[OURS].append((*figures, model.n_nodes_, model.loo_log_loss_))
        for rival in rivals:
            P = RIVALS[rival]().fit(X, y).predict_proba(X_new)
            found.setdefault(rival, []).append(scored(P, y_new))
    if before is not None:
        old = earlier(before, folds)
        found[BEFORE] = [scored(P, fold[3]) for P, fold in zip(old, folds, strict=True)]
    means = {model: np.mean(figures, axis=0) for model, figures in found.items()}
    print(name, {model: np.round(mean, 4).tolist() for model, mean in means.items()}, flush=True)
    return means


HEAD = """# Rare classes on real tables

    DRUMLIN_DATA=... python -m benchmarks.accuracy.imbalanced{options}

writes this page: {folds} stratified folds (seed 0) of {tables} tables of the KEEL repository,
defaults of all models, each category a column of its own. *told* is `loo_log_loss_` of the
training folds.{note}

## Log-loss

"""


def loss_table(found: dict[str, dict[str, np.ndarray]]) -> str:
    """One line for every data set."""
    models = list(next(iter(found.values())))
    text = f"| table | % positive | nodes | told / test | {' | '.join(models)} |\n"
    text += "|---" * (4 + len(models)) + "|\n"
    for name, means in found.items():
        loss, _, _, nodes, told = means[OURS]
        cells = [name, f"{100 * load_imbalanced(name).y.mean():.1f}", f"{nodes:.1f}"]
        cells += [f"{told / loss:.2f}", *(f"{means[model][0]:.4f}" for model in models)]
        text += f"| {' | '.join(cells)} |\n"
    return text


def summary(found: dict[str, dict[str, np.ndarray]]) -> str:
    """Means over all tables, and on how many of them we are ahead."""
    ours = np.array([means[OURS] for means in found.values()])
    text = "\n## Means over the tables\n\nAhead: tables where drumlin is strictly better.\n\n"
    text += "| model | " + " | ".join(f"{m} | ahead" for m in MEASURES) + " |\n"
    text += "|---" * (1 + 2 * len(MEASURES)) + "|\n"
    for model in next(iter(found.values())):
        theirs = np.array([means[model] for means in found.values()])
        cells = [model]
        for i, digits in enumerate((4, 3, 2)):
            gain = (theirs - ours[:, : theirs.shape[1]])[:, i] * (-1.0 if i == 1 else 1.0)
            ahead = "" if model == OURS else f"{np.sum(gain > 0)} of {len(gain)}"
            cells += [f"{theirs[:, i].mean():.{digits}f}", ahead]
        text += f"| {' | '.join(cells)} |\n"
    ratios = ours[:, 4] / ours[:, 0]
    geometric = float(np.exp(np.log(ratios).mean()))
    return text + (
        f"\nTold / test log-loss: {geometric:.2f} in the geometric mean, "
        f"{ratios.min():.2f} to {ratios.max():.2f}.\n"
    )


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="src folder of an earlier commit")
    parser.add_argument("--tables", nargs="+", default=list(IMBALANCED), choices=list(IMBALANCED))
    parser.add_argument("--rivals", nargs="+", default=list(RIVALS), choices=list(RIVALS))
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/imbalanced.md"))
    args = parser.parse_args()
    missing = [rival for rival, package in NEEDED.items() if find_spec(package) is None]
    rivals = [rival for rival in args.rivals if rival not in missing]
    found = {name: measured(name, rivals, args.before) for name in args.tables}
    left_out = [rival for rival in RIVALS if rival not in rivals]
    notes = [f" Not installed or not asked for: {', '.join(left_out)}."] if left_out else []
    if args.before:
        notes.append(
            f" *{BEFORE}* is the classifier of commit {commit_of(args.before)} (`--before`)."
        )
    options = f" --rivals {' '.join(args.rivals)}" if args.rivals != list(RIVALS) else ""
    options += " --before SRC" if args.before else ""
    text = HEAD.format(options=options, folds=N_FOLDS, tables=len(found), note="".join(notes))
    args.output.write_text(text + loss_table(found) + summary(found))


if __name__ == "__main__":
    main()
