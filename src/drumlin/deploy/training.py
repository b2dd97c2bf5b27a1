"""From a table to a model in use."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from drumlin._errors import ParameterError
from drumlin._optional import pandas as pd
from drumlin._signals import remembered_interrupt
from drumlin._text import shown_name
from drumlin.deploy.deployed import Deployed
from drumlin.deploy.large import files_of, fitting, source
from drumlin.estimators.families import build, build_preset, check_method, check_preset
from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation import Judged
from drumlin.evaluation.judged import loo_measures
from drumlin.evaluation.measures import best_constant
from drumlin.tables import Labelled, Schema, make_table_model, read_labelled
from drumlin.tables.errors import warn_of
from drumlin.tables.reading import fingerprint


@dataclass(frozen=True)
class Options:
    """How to train.

    Parameters
    ----------
    method : str, default="drumlin"
        A key of ``drumlin.estimators.families.FAMILIES``.
    preset : str or None, default=None
        A paper whose settings take the place of a method; see ``drumlin.presets``.
    task : {"classification", "regression"} or None, default=None
        None decides by the values of the target.
    holdout : float or None, default=None
        Fraction of the rows to judge the model on.
    seed : int, default=0
        Of the hold-out and of random methods.
    max_nodes : int or None, default=None
        Most nodes.
    keep : collection of str, default=()
        Columns to be used though they look like ids or texts.
    ignore : collection of str, default=()
        Columns to be left out.
    kinds : dict or None, default=None
        What columns are; see ``drumlin.TableEncoder``.
    keep_interrupted : bool, default=False
        Whether Ctrl-C ends the fit with the best network so far, even where it is set to end the
        process; the notes then say so.
    memory : int, str or None, default=None
        Bytes, such as "2GB", that a fit to files may take: they are read piece by piece, and what
        columns are is learned from 100 000 rows. Several files are always read so.
    scheduler : str or None, default=None
        Address of a Dask scheduler, whose workers read the files and fit the network.

    See Also
    --------
    train

    Examples
    --------
    >>> from drumlin.deploy import Options
    >>> Options(holdout=0.2, max_nodes=5).method
    'drumlin'
    """

    method: str = "drumlin"
    preset: str | None = None
    task: str | None = None
    holdout: float | None = None
    seed: int = 0
    max_nodes: int | None = None
    keep: Collection[str] = ()
    ignore: Collection[str] = ()
    kinds: dict[str, Any] | None = None
    keep_interrupted: bool = False
    memory: int | str | None = None
    scheduler: str | None = None


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
    target: str,
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
    target : str
        The column to predict.
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
    _check(wanted, test)
    files, n_rows = files_of(table, target, wanted), 0
    if files is None:
        assert not isinstance(table, list)
        rows, judged_on = _split(read_labelled(table, target, task=wanted.task), wanted)
    else:
        (rows, n_rows), judged_on = files.sample(wanted.task, wanted.seed), None
    if rows.n_dropped:
        warn_of([f"{rows.n_dropped} rows without a value of {target!r} are left out."])
    estimator = _estimator(wanted, rows.target.task)
    if callback is not None:
        estimator.set_callbacks(callback)
    warn_of(rows.surprises.of_training().notes())
    model = make_table_model(
        estimator,
        keep=tuple(wanted.keep),
        ignore=tuple(wanted.ignore),
        kinds=wanted.kinds,
        statistics=files is None,  # of a sample they would know the targets of its rows
    )
    fit = partial(model.fit, rows.frame, rows.y)
    how = _fit(fit if files is None else fitting(files, rows, model, wanted), wanted)
    schema = model.encoder_.schema_
    if test is not None:
        judged_on = read_labelled(test, target, known=rows.target, schema=schema)
    deployed = Deployed(FittedNetwork.of(model), schema, rows.target, {})
    judged = None if judged_on is None else deployed.judge(judged_on, which="test ")
    notes = {
        **_noted(wanted, rows, schema),
        **(_source(table) if files is None else source(files, n_rows)),
        **how,
        "loo": loo_measures(estimator),
        "baseline": _baseline(deployed.fitted, rows),
        "test": None if judged is None else {"n_rows": len(judged.X), **judged.measures},
    }
    return Trained(replace(deployed, notes=notes), rows, judged)


def _baseline(fitted: FittedNetwork, rows: Labelled) -> dict[str, float]:
    """Measures of the best constant on the rows of the fit, by name."""
    classes = getattr(fitted.model, "classes_", None)
    n_classes = None if classes is None else len(classes)
    return best_constant(fitted.codes(rows.y, len(rows)), n_classes)


def _estimator(wanted: Options, task: str) -> Any:
    """Return the unfitted estimator that was asked for."""
    if wanted.preset is None:
        return build(wanted.method, task, seed=wanted.seed, max_nodes=wanted.max_nodes)
    return build_preset(wanted.preset, task, seed=wanted.seed, max_nodes=wanted.max_nodes)


def _check(wanted: Options, test: Any) -> None:
    """Refuse what cannot be, before a table is read."""
    for name, rule, good in (
        ("method", "a text", isinstance(wanted.method, str)),
        ("preset", "a text or None", isinstance(wanted.preset, str | None)),
        ("seed", "a whole number from 0 to 4294967295", _is_seed(wanted.seed)),
        ("holdout", "a number or None", isinstance(wanted.holdout, Real | None)),
        ("keep", "a collection of texts", isinstance(wanted.keep, Collection)),
        ("ignore", "a collection of texts", isinstance(wanted.ignore, Collection)),
        ("kinds", "a dict or None", isinstance(wanted.kinds, dict | None)),
    ):
        if not good:
            got = getattr(wanted, name)
            raise ParameterError(f"The {name!r} parameter must be {rule}. Got {got!r}.")
    check_method(wanted.method)
    if wanted.preset is not None:
        check_preset(wanted.preset)
        if wanted.method != Options.method:
            raise ParameterError(
                "The 'preset' parameter must be None where the 'method' parameter is given, not "
                f"both. Got {wanted.preset!r} and {wanted.method!r}."
            )
    if wanted.holdout is not None and test is not None:
        raise ParameterError(
            "The 'holdout' parameter must be None where the 'test' parameter is given, not both. "
            f"Got {wanted.holdout}."
        )


def _is_seed(seed: Any) -> bool:
    return isinstance(seed, Integral) and 0 <= int(seed) < 2**32


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
        "target": asdict(rows.target),
        "columns": schema.as_notes(),
        "n_dropped": rows.n_dropped,
        "n_train": len(rows),
        "holdout": wanted.holdout,
        "seed": wanted.seed,
    }


def _source(table: Any) -> dict[str, str | None]:
    """Notes on the file, if it is one."""
    if isinstance(table, pd.DataFrame):
        return {"file": None, "sha256": None}
    return {"file": shown_name(table), "sha256": fingerprint(table)}
