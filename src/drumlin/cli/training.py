"""What ``drumlin fit`` does, without a word about how it is shown."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from drumlin import io
from drumlin._signals import remembered_interrupt
from drumlin.cli.console import UsageError, tell
from drumlin.cli.data import Labelled, fingerprint, read_labelled, split, tell_surprises
from drumlin.cli.methods import build, check_method
from drumlin.cli.models import distances
from drumlin.cli.output import shown_name
from drumlin.cli.progress import FitBar
from drumlin.estimators.fitted import FittedNetwork
from drumlin.report.judged import Judged
from drumlin.tables import CLASSIFICATION, Schema, prepare, read_inputs


@dataclass(frozen=True)
class Request:
    """What is asked for; see the options of ``drumlin fit``."""

    data: str
    target: str
    method: str = "drumlin"
    task: str | None = None
    test: str | None = None
    holdout: float | None = None
    seed: int = 0
    max_nodes: int | None = None
    keep: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keep_interrupted: bool = False


@dataclass(frozen=True)
class Trained:
    """A fitted model and all that is worth saying about it.

    Parameters
    ----------
    fitted : FittedNetwork
    schema : Schema
    train : Labelled
    judged : Judged or None
        On the hold-out or test rows, where there are any.
    notes : dict
        For the model file.
    """

    fitted: FittedNetwork
    schema: Schema
    train: Labelled
    judged: Judged | None
    notes: dict[str, Any]

    @property
    def loo(self) -> dict[str, float]:
        """Leave-one-out measures, by name."""
        return self.notes["loo"]

    @property
    def interrupted(self) -> bool:
        """Whether this is only the best that there was at Ctrl-C."""
        return bool(self.notes["interrupted"])


def train(request: Request) -> Trained:
    """Read, understand, fit and judge."""
    data, test = _rows(request)
    estimator = build(
        request.method, data.target.task, seed=request.seed, max_nodes=request.max_nodes
    )
    schema, X, surprises = data.inputs(keep=request.keep, ignore=request.ignore)
    tell_surprises(surprises)
    if request.test is not None:
        test = read_labelled(request.test, request.target, known=data.target, schema=schema)
    model = Pipeline([("prepare", prepare(schema)), ("network", estimator)])
    started = time.perf_counter()
    survived = remembered_interrupt() if request.keep_interrupted else nullcontext()
    with FitBar(f"fitting {len(data)} rows") as bar, survived as interrupt:
        estimator.set_callbacks(bar)
        model.fit(X, data.y)
    seconds = time.perf_counter() - started
    fitted = FittedNetwork.of(model)
    judged = None if test is None else _judge(fitted, schema, test)
    on_training = Judged(fitted, X, fitted.codes(data.y, len(data)), seen=True)
    notes = {
        "method": request.method,
        "target": asdict(data.target),
        "columns": schema.as_notes(),
        "file": shown_name(request.data),
        "sha256": fingerprint(request.data),
        "n_dropped": data.n_dropped,
        "n_train": len(data),
        "holdout": request.holdout,
        "seed": request.seed,
        "seconds": round(seconds, 3),
        "loo": on_training.loo,
        "test": None if judged is None else {"n_rows": len(judged.X), **judged.measures},
        "farthest": _farthest(fitted, X),
        "interrupted": True if interrupt is not None and interrupt.is_set() else None,
    }
    return Trained(fitted, schema, data, judged, notes)


def save(trained: Trained, path: Path) -> None:
    """Write the model file, at once or not at all."""
    io.save(trained.fitted.whole, path, notes=trained.notes)


def _rows(request: Request) -> tuple[Labelled, Labelled | None]:
    """Training rows, and those held out."""
    check_method(request.method)
    if request.test is not None and request.holdout is not None:
        raise UsageError("Give '--test' or '--holdout', not both.")
    data = read_labelled(request.data, request.target, task=request.task)
    if data.n_dropped:
        tell(f"Note: {data.n_dropped} rows without a value of {request.target!r} are left out.")
    if request.holdout is not None:
        return split(data, request.holdout, request.seed)
    return data, None


def _judge(fitted: FittedNetwork, schema: Schema, test: Labelled) -> Judged:
    test = known_classes(fitted, test)
    X, surprises = read_inputs(fitted.whole, schema, test.frame)
    tell_surprises(test.surprises + surprises, "test ")
    return Judged(fitted, X, fitted.codes(test.y, len(test)), seen=False)


def known_classes(fitted: FittedNetwork, data: Labelled) -> Labelled:
    """Leave out rows of classes that the model does not know, and say so."""
    if data.target.task != CLASSIFICATION:
        return data
    classes = fitted.model.classes_
    known = np.isin(data.y, classes)
    if known.all():
        return data
    new = sorted(set(data.y[~known].tolist()))
    if not known.any():
        raise ValueError(
            f"The target {data.target.name!r} must hold classes of the model, {classes.tolist()}. "
            f"Got {new[:8]}."
        )
    tell(f"Note: {(~known).sum()} rows of classes that training has not seen are left out: {new}.")
    return data.take(np.flatnonzero(known))


def _farthest(fitted: FittedNetwork, X: Any) -> float | None:
    """Greatest distance of a training row; models with ``novelty`` know more themselves."""
    if hasattr(fitted.model, "novelty") or not fitted.model.n_nodes_:
        return None
    return float(distances(fitted.model, fitted.inputs(X)).max())
