"""How to train: what may be asked for, and whether it can be."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from sklearn.utils import get_tags

from drumlin._errors import ParameterError
from drumlin.estimators.families import build, build_preset, check_method, check_preset, weighted
from drumlin.evaluation.costs import check_precision, refuse_weighted
from drumlin.evaluation.methods import BALANCED
from drumlin.tables import REGRESSION, Several, Target


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
    log_target : bool, default=False
        Whether the logarithm of the target is learned, as suits prices; answers, intervals and
        errors are in its own units. All targets must be above zero.
    keep_interrupted : bool, default=False
        Whether Ctrl-C ends the fit with the best network so far, even where it is set to end the
        process; the notes then say so.
    memory : int, str or None, default=None
        Bytes, such as "2GB", that the process may take: files are read piece by piece, and how
        many rows are read, drawn and kept at once follows from it; what columns are is learned
        from at most 100 000 rows. Several files are always read so, with "2GB".
    scheduler : str or None, default=None
        Address of a Dask scheduler, whose workers read the files and fit the network.
    class_weight : "balanced", dict or None, default=None
        Weights of the classes; see the estimators. Probabilities are then those of rows with
        these weights.
    costs : dict or None, default=None
        Of a wrong answer for a row of a class, by class (1 where it is not named): predictions are
        those of least expected cost. They are noted in the model file.
    precision : float or None, default=None
        Where given, the recall at this precision is told of the rows that judge the model.

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
    log_target: bool = False
    keep_interrupted: bool = False
    memory: int | str | None = None
    scheduler: str | None = None
    class_weight: Any = None
    costs: dict[str, float] | None = None
    precision: float | None = None


def estimator_of(wanted: Options, target: Target | Several) -> Any:
    """Return the unfitted estimator that was asked for."""
    task = target.task
    limits: dict[str, Any] = {"seed": wanted.seed, "max_nodes": wanted.max_nodes}
    if wanted.preset is None:
        estimator = build(wanted.method, task, **limits)
    else:
        estimator = build_preset(wanted.preset, task, **limits)
    if len(target.names) > 1 and not get_tags(estimator).target_tags.multi_output:
        raise ParameterError(
            "The 'method' parameter must be one that predicts several targets together. "
            f"Got {wanted.method!r}."
        )
    return weighted(estimator, wanted.class_weight)


def check_options(wanted: Options, test: Any) -> None:
    """Refuse what cannot be, before a table is read."""
    for name, rule, good in (
        ("method", "a text", isinstance(wanted.method, str)),
        ("preset", "a text or None", isinstance(wanted.preset, str | None)),
        ("seed", "a whole number from 0 to 4294967295", _is_seed(wanted.seed)),
        ("holdout", "a number or None", isinstance(wanted.holdout, Real | None)),
        ("keep", "a collection of texts", isinstance(wanted.keep, Collection)),
        ("ignore", "a collection of texts", isinstance(wanted.ignore, Collection)),
        ("kinds", "a dict or None", isinstance(wanted.kinds, dict | None)),
        ("costs", "a dict or None", isinstance(wanted.costs, dict | None)),
        ("log_target", "True or False", isinstance(wanted.log_target, bool)),
        ("class_weight", "'balanced', a dict or None", _is_class_weight(wanted.class_weight)),
    ):
        if not good:
            got = getattr(wanted, name)
            raise ParameterError(f"The {name!r} parameter must be {rule}. Got {got!r}.")
    check_precision(wanted.precision)
    if wanted.precision is not None and wanted.holdout is None and test is None:
        raise ParameterError(
            "The 'precision' parameter must be None where no rows judge the model: give 'holdout' "
            f"or 'test', too. Got {wanted.precision!r}."
        )
    check_method(wanted.method)
    if wanted.preset is not None:
        check_preset(wanted.preset)
        if wanted.method != Options.method:
            raise ParameterError(
                "The 'preset' parameter must be None where the 'method' parameter is given, not "
                f"both. Got {wanted.preset!r} and {wanted.method!r}."
            )
    refuse_weighted(wanted.costs, wanted.class_weight)
    if wanted.log_target and wanted.task not in (None, REGRESSION):
        raise ParameterError(
            "The 'log_target' parameter must be False where classes are predicted. "
            f"Got True with the task {wanted.task!r}."
        )
    if wanted.holdout is not None and test is not None:
        raise ParameterError(
            "The 'holdout' parameter must be None where the 'test' parameter is given, not both. "
            f"Got {wanted.holdout}."
        )


def _is_class_weight(value: Any) -> bool:
    return value == BALANCED if isinstance(value, str) else isinstance(value, dict | None)


def _is_seed(seed: Any) -> bool:
    return isinstance(seed, Integral) and 0 <= int(seed) < 2**32
