"""From a table to a model in use."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.compose import TransformedTargetRegressor

from drumlin._optional import pandas as pd
from drumlin._signals import remembered_interrupt
from drumlin._text import counted, shown_name
from drumlin.deploy.deployed import Deployed
from drumlin.deploy.large import Files, files_of, fitting, source
from drumlin.deploy.options import Options, check_options, estimator_of
from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation import Decision, Judged
from drumlin.evaluation.judged import loo_measures
from drumlin.evaluation.measures import best_constant
from drumlin.evaluation.numbers import measures_of_constant
from drumlin.sample.audience import told_to
from drumlin.tables import REGRESSION, Labelled, Schema, TableError, make_table_model, read_labelled
from drumlin.tables.errors import NotNumbers, left_out, warn_of
from drumlin.tables.reading import fingerprint


@dataclass(frozen=True)
class Trained:
    """A fitted model and how good it is.

    Parameters
    ----------
    deployed : Deployed
    train : Labelled
        The rows of the fit.
    judged : Judged or None
        On the hold-out or test rows, where there are any.

    See Also
    --------
    train

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin.deploy import train
    >>> trained = train(load_iris(as_frame=True).frame, "target", max_nodes=3)
    >>> trained.loo["error"] < trained.baseline["error"], trained.judged
    (True, None)
    """

    deployed: Deployed
    train: Labelled
    judged: Judged | None

    @property
    def fitted(self) -> FittedNetwork:
        """The model."""
        return self.deployed.fitted

    @property
    def notes(self) -> dict[str, Any]:
        """What the model file says of the training."""
        return self.deployed.notes

    @property
    def loo(self) -> dict[str, float]:
        """Leave-one-out measures, by name."""
        return self.notes["loo"]

    @property
    def baseline(self) -> dict[str, float]:
        """Measures of the best constant on the rows of the fit, by name."""
        return self.notes["baseline"]

    @property
    def interrupted(self) -> bool:
        """Whether this is only the best that there was at Ctrl-C."""
        return bool(self.notes["interrupted"])


def train(
    table: str | Path | pd.DataFrame | list[str] | list[Path],
    target: str | Sequence[str],
    *,
    test: str | Path | pd.DataFrame | None = None,
    callback: Any = None,
    **options: Any,
) -> Trained:
    """Understand a table, fit a model to it and judge it.

    Parameters
    ----------
    table : path-like, DataFrame or list of path-like
        CSV, TSV or Parquet; "-" reads CSV from standard input. Several files are one table, which
        is read piece by piece.
    target : str or sequence of str
        The column to predict, or several columns of numbers, which one network predicts.
    test : path-like or DataFrame, default=None
        Another table to judge the model on.
    callback : object, default=None
        A callback of scikit-learn that is told how far the fit is.
    **options
        See ``Options``.

    Returns
    -------
    Trained

    Raises
    ------
    ParameterError
        Where an option has a value that it cannot have.
    TableError
        Where the table cannot be used.

    Warns
    -----
    TableWarning
        Of rows that are left out, and of what can be misread.

    See Also
    --------
    check : Does a table still look like the one of training?
    drumlin.make_table_model

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_iris
    >>> from drumlin.deploy import Deployed, train
    >>> frame = load_iris(as_frame=True).frame
    >>> trained = train(frame, "target", holdout=0.2)
    >>> trained.judged.measures["error"] < 0.15
    True
    >>> with tempfile.NamedTemporaryFile(suffix=".drumlin") as file:
    ...     trained.deployed.save(file.name)
    ...     model = Deployed.load(file.name)
    >>> list(model.predict(frame[:3]).columns)[:2]
    ['prediction', 'probability_0']
    """
    wanted = Options(**options)
    check_options(wanted, test)
    files = files_of(table, target, wanted)
    audience = callback if files is not None and hasattr(callback, "on_rows") else None
    with told_to(audience):
        rows, judged_on, n_rows = _given(table, target, wanted, files)
        decision = _decision(rows, wanted, files)
    model = _unfitted(rows, wanted, callback, statistics=files is None)
    fit = partial(model.fit, rows.frame, rows.y)
    with told_to(audience):
        how = _fit(fit if files is None else fitting(files, rows, model, wanted), wanted)
    fitted = FittedNetwork.of(model).named_outputs(rows.target)
    deployed = Deployed(fitted, model.encoder_.schema_, rows.target, {}).with_costs(decision.costs)
    if test is not None:
        judged_on = read_labelled(test, target, known=rows.target, schema=deployed.schema)
    judged = None
    if judged_on is not None:
        judged = deployed.judge(judged_on, which="test ", precision=decision.precision)
    notes = {
        **deployed.notes,
        **_noted(wanted, rows, deployed.schema),
        **(_source(table) if files is None else source(files, n_rows, len(rows))),
        **how,
        "loo": loo_measures(deployed.fitted),
        "baseline": _baseline(deployed.fitted, rows, decision),
        "test": None if judged is None else {"n_rows": len(judged.X), **judged.measures},
    }
    return Trained(replace(deployed, notes=notes), rows, judged)


def _given(
    table: Any, target: Any, wanted: Options, files: Files | None
) -> tuple[Labelled, Labelled | None, int]:
    """Rows to learn from, those held out, and how many rows of files the former stand for."""
    if files is not None:
        rows, n_rows = files.sample(wanted.task, wanted.seed)
        return rows, None, n_rows
    return *_split(_read(table, target, wanted), wanted), 0


def _decision(rows: Labelled, wanted: Options, files: Files | None) -> Decision:
    """How answers are chosen; costs are of all classes, not only of those in a sample."""
    classes = rows.classes
    if files is not None and classes is not None and wanted.costs is not None:
        classes = files.classes(rows.target)
    return Decision.of(classes, wanted.costs, wanted.precision)


def _unfitted(rows: Labelled, wanted: Options, callback: Any, *, statistics: bool) -> Any:
    """Return the model to be fitted; tell of odd rows.

    ``statistics`` are those of the targets by category: a sample of files must not have them, for
    they would know the targets of its rows.
    """
    if rows.n_dropped:
        names = " or ".join(map(repr, rows.target.names))
        warn_of([f"{left_out(rows.n_dropped, f' without a value of {names}')}."])
    estimator = estimator_of(wanted, rows.target)
    if callback is not None:
        estimator.set_callbacks(callback)
    if wanted.log_target:
        estimator = _of_logarithm(estimator, rows)
    warn_of(rows.surprises.of_training().notes())
    return make_table_model(
        estimator,
        keep=tuple(wanted.keep),
        ignore=tuple(wanted.ignore),
        kinds=wanted.kinds,
        statistics=statistics,
    )


def _baseline(fitted: FittedNetwork, rows: Labelled, decision: Decision) -> dict[str, float]:
    """Measures of the best constant on the rows of the fit, by name; also as they are learned."""
    classes, codes = getattr(fitted.model, "classes_", None), fitted.codes(rows.y, len(rows))
    if classes is None:
        return measures_of_constant(fitted, codes)
    return best_constant(codes, len(classes), decision)


def _read(table: Any, target: Any, wanted: Options) -> Labelled:
    """Rows with a target; a logarithm that is asked for makes it a number."""
    if not wanted.log_target:
        return read_labelled(table, target, task=wanted.task)
    try:
        return read_labelled(table, target, task=REGRESSION)
    except NotNumbers as error:
        raise TableError(f"The 'log_target' parameter needs numbers: {error}") from error


def _of_logarithm(estimator: Any, rows: Labelled) -> TransformedTargetRegressor:
    """Let a regressor learn the logarithm of targets, which must have one."""
    for name, values in zip(rows.target.names, rows.y.reshape(len(rows), -1).T, strict=True):
        if n_low := int((values <= 0.0).sum()):
            raise TableError(
                f"The 'log_target' parameter needs a target above zero. Got {values.min():g} in "
                f"{name!r} ({counted(n_low, 'row')} of {len(rows)} at or below)."
            )
    return TransformedTargetRegressor(estimator, func=np.log, inverse_func=np.exp)


def _split(data: Labelled, wanted: Options) -> tuple[Labelled, Labelled | None]:
    """Training rows, and those held out."""
    if wanted.holdout is None:
        return data, None
    return data.split(wanted.holdout, wanted.seed)


def _fit(fit: Callable[[], Any], wanted: Options) -> dict[str, Any]:
    """Fit the model; return notes on how that went."""
    survived = remembered_interrupt() if wanted.keep_interrupted else nullcontext()
    started = time.perf_counter()
    with survived as interrupt:
        fit()
    seconds = round(time.perf_counter() - started, 3)
    interrupted = interrupt is not None and interrupt.is_set()
    return {"seconds": seconds, "interrupted": True if interrupted else None}


def _noted(wanted: Options, rows: Labelled, schema: Schema) -> dict[str, Any]:
    """Notes on what was asked for and understood."""
    return {
        "method": wanted.method if wanted.preset is None else wanted.preset,
        "target": rows.target.as_notes(),
        "columns": schema.as_notes(),
        "n_dropped": rows.n_dropped,
        "n_train": len(rows),
        "holdout": wanted.holdout,
        "seed": wanted.seed,
        "log_target": True if wanted.log_target else None,
    }


def _source(table: Any) -> dict[str, str | None]:
    """Notes on the file, if it is one."""
    if isinstance(table, pd.DataFrame):
        return {"file": None, "sha256": None}
    return {"file": shown_name(table), "sha256": fingerprint(table)}
