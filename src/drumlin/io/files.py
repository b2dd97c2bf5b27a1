"""Save and load models: a zip of JSON and plain arrays; no pickle, no code."""

from __future__ import annotations

import json
import os
from typing import Any, Protocol, TypeVar, overload

from numpy.typing import NDArray
from sklearn.compose import TransformedTargetRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from drumlin._text import brief
from drumlin._warnings import warn
from drumlin.estimators import DrumlinRegressor
from drumlin.io.archive import ARRAYS, MANIFEST, MODEL, read_members, write_archive
from drumlin.io.arrays import unpack_arrays
from drumlin.io.budget import Budget
from drumlin.io.decoding import Decoder
from drumlin.io.encoding import Encoder
from drumlin.io.errors import ModelFileError, blaming, naming, require
from drumlin.io.facts import facts_of, versions
from drumlin.io.registry import PREPROCESSING, TARGETS, is_ours
from drumlin.io.trial import last_step, try_model
from drumlin.io.writing import atomic_path

M = TypeVar("M")

FORMAT = "drumlin model"
VERSION = 2
"""Version of the format that is written and the newest that is understood."""

MIN_READER = 2
"""Oldest version whose readers understand what is written. Raised where they would be misled."""


UNCERTAINTY: dict[type, frozenset[str]] = {
    DrumlinRegressor: frozenset({"uncertainty", "calibration"})
}
"""What ``save(..., uncertainty=False)`` leaves out: intervals need standard deviations."""


def save(
    model: Any,
    path: str | os.PathLike[str],
    *,
    notes: dict[str, Any] | None = None,
    uncertainty: bool = True,
) -> None:
    """Save a fitted model to a file that holds data only.

    The file is written beside its place, read back and tried, and only then moved there: what was
    at ``path`` stays until a file that loads can replace it, and leaves it its mode. A pipe or a
    device is written into.

    Parameters
    ----------
    model : estimator
        A fitted estimator of drumlin, or a fitted scikit-learn ``Pipeline`` that ends in one and
        prepares tables by ``TableEncoder`` or by scikit-learn's steps in
        ``drumlin.io.registry.PREPROCESSING``. Callbacks, ``n_jobs`` and a pipeline's ``memory`` are
        not part of the model and are not saved.
    path : str or path-like
        The file, customarily ``*.drumlin``.
    notes : dict or None, default=None
        Facts about the training (JSON values) that ``describe`` shall return.
    uncertainty : bool, default=True
        Whether a ``DrumlinRegressor`` keeps what ``predict(return_std=True)`` and
        ``predict_interval`` need, most of its file. Without it these calls are refused; all other
        answers are the same.

    Raises
    ------
    TypeError
        Where the model, or something in it, is of a type that files cannot hold.
    sklearn.exceptions.NotFittedError
        Where the model is not fitted.
    ValueError
        Where the model is too large, or contradicts itself.

    See Also
    --------
    load : The way back.
    drumlin.io.describe : What a file holds, without loading the model.

    Examples
    --------
    >>> import tempfile, drumlin
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = drumlin.DrumlinClassifier(max_nodes=3).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drumlin.save(model, f"{folder}/iris.drumlin")
    ...     again = drumlin.load(f"{folder}/iris.drumlin")
    >>> bool((again.predict_proba(X) == model.predict_proba(X)).all())
    True
    """
    _check_model(model)
    encoder = Encoder(None if uncertainty else UNCERTAINTY)
    tree = encoder.encode(model, type(model).__name__)
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "min_reader": MIN_READER,
        "versions": versions(),
        "facts": Encoder().encode(facts_of(model), "facts"),
        "notes": Encoder().encode(notes or {}, "notes"),
    }
    text = _to_json({"model": tree, "arrays": encoder.index})
    with atomic_path(path) as place:
        with open(place, "wb") as file:
            write_archive(file, _to_json(manifest), text, encoder.blobs)
        try:
            _load(place)
            _described(place)
        except ModelFileError as error:
            raise ValueError(f"This {type(model).__name__} cannot be saved: {error}") from error


class Model(Protocol):
    """What every model that is loaded has; what it has besides depends on its class."""

    n_features_in_: int
    n_nodes_: int

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict rows."""

    def __getattr__(self, name: str) -> Any:
        """Return what else the model has."""


@overload
def load(path: str | os.PathLike[str], kind: None = None) -> Model: ...


@overload
def load(path: str | os.PathLike[str], kind: type[M]) -> M: ...


def load(path: str | os.PathLike[str], kind: Any = None) -> Any:
    """Load a model that ``save`` has written.

    Nothing in the file is executed or trusted: types come from an allow-list, memory and time are
    bounded in proportion to the size of the file (50 MB and 20 times the file; 2 s and 1 s per MB),
    all arrays must fit each other, and the model must predict before it is returned.

    Parameters
    ----------
    path : str or path-like
    kind : class or None, default=None
        What is expected, such as ``DrumlinClassifier``: another model is refused, and type checkers
        know what they have.

    Returns
    -------
    estimator
        It answers as the saved one did, to the last bit.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    drumlin.io.ModelFileError
        Where its content is not a model that this version can load.
    TypeError
        Where it is not of the kind that is expected.

    See Also
    --------
    save

    Examples
    --------
    >>> import tempfile, drumlin
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = drumlin.DrumlinRegressor().fit(X, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drumlin.save(model, f"{folder}/line.drumlin")
    ...     drumlin.load(f"{folder}/line.drumlin").predict(X).shape
    (6,)
    """
    with naming(path):
        model = _load(path)
    if kind is not None and not isinstance(model, kind):
        raise TypeError(
            f"The 'kind' parameter must be the class of the model in {path}, "
            f"{type(model).__name__}. Got {getattr(kind, '__name__', kind)}."
        )
    return model


def describe(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a model file says of itself, without building the model.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    dict
        n_bytes, version, min_reader, versions (of drumlin, scikit-learn and numpy), facts (see
        ``drumlin.io.facts.facts_of``) and notes. Text is as the file has it: escape it for display.

    Raises
    ------
    OSError, drumlin.io.ModelFileError
        As ``load``.

    See Also
    --------
    drumlin.load

    Examples
    --------
    >>> import tempfile, drumlin
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = drumlin.DrumlinRegressor().fit(X, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     drumlin.save(model, f"{folder}/line.drumlin")
    ...     drumlin.io.describe(f"{folder}/line.drumlin")["version"]
    2
    """
    with naming(path):
        return _described(path)


def _check_model(model: Any) -> None:
    """Refuse foreign and unfitted objects by name."""
    last = _network_of(model)
    if not is_ours(last):
        cls = type(last)
        best = " Save its 'best_estimator_'." if hasattr(model, "best_estimator_") else ""
        raise TypeError(
            "The 'model' parameter of save must be a fitted estimator of drumlin, or a Pipeline "
            f"that ends in one. Got {cls.__module__}.{cls.__qualname__}.{best}"
        )
    check_is_fitted(last)


def _network_of(model: Any) -> Any:
    """Return what ``last_step`` does, of models that may not be fitted."""
    last = model.steps[-1][1] if isinstance(model, Pipeline) else model
    if isinstance(last, TransformedTargetRegressor):
        check_is_fitted(last)
        return _network_of(last.regressor_)
    return last


def _load(path: str | os.PathLike[str]) -> Any:
    budget = Budget(os.stat(path).st_size)
    manifest_text, text, content = read_members(path, [MANIFEST, MODEL, ARRAYS])
    saved_by = _checked_manifest(_from_json(manifest_text, MANIFEST, budget))["versions"]
    tree = _from_json(text, MODEL, budget)
    del manifest_text, text
    for name in ("model", "arrays"):
        require(name in tree, f"{MODEL} lacks {name!r}.")
    arrays = unpack_arrays(tree.pop("arrays"), content)
    del content
    with blaming("it cannot be understood"):
        model = Decoder(arrays, budget).decode(tree.pop("model"))
    require(is_ours(last_step(model)), "it holds no estimator of drumlin.")
    try_model(model)
    _warn_of_versions(model, saved_by)
    return model


def _described(path: str | os.PathLike[str]) -> dict[str, Any]:
    n_bytes = os.stat(path).st_size
    (text,) = read_members(path, [MANIFEST])
    budget = Budget(n_bytes)
    manifest = _checked_manifest(_from_json(text, MANIFEST, budget))
    decoder = Decoder([], budget, plain=True)
    with blaming("its facts or notes are not plain data"):
        plain = {name: decoder.decode(manifest[name]) for name in ("facts", "notes")}
    require(all(type(value) is dict for value in plain.values()), "its facts are no dict.")
    kept = {name: manifest[name] for name in ("version", "min_reader", "versions")}
    return {"n_bytes": n_bytes, **kept, **plain}


def _checked_manifest(manifest: dict[str, Any]) -> dict[str, Any]:
    require(manifest.get("format") == FORMAT, f"{MANIFEST} does not say {FORMAT!r}.")
    for name in ("version", "min_reader"):
        number = manifest.get(name)
        require(type(number) is int and number >= 1, f"{MANIFEST} has no {name!r} of 1 or more.")
    saved_by = manifest.get("versions", {})
    require(
        isinstance(saved_by, dict)
        and {"drumlin", "scikit-learn"} <= saved_by.keys()
        and all(isinstance(text, str) for text in saved_by.values()),
        f"{MANIFEST} does not say which versions wrote it.",
    )
    needed, writer = brief(str(manifest["min_reader"]), 20), brief(saved_by["drumlin"], 20)
    require(
        manifest["min_reader"] <= VERSION,
        f"it needs a reader of format {needed}; this one reads up to {VERSION}. "
        f"It was saved by drumlin {writer!r}; update drumlin.",
    )
    require({"facts", "notes"} <= manifest.keys(), f"{MANIFEST} lacks facts or notes.")
    return manifest


def _warn_of_versions(model: Any, saved_by: dict[str, str]) -> None:
    """Warn where scikit-learn's own attributes may have changed their meaning."""
    then, now = saved_by["scikit-learn"], versions()["scikit-learn"]
    foreign = isinstance(model, (*PREPROCESSING, *TARGETS))
    # Minor versions change the attributes of preprocessing steps; ours do not depend on them.
    n_parts = 2 if foreign else 1
    if then.split(".")[:n_parts] != now.split(".")[:n_parts]:
        warn(
            f"The model was saved with scikit-learn {brief(then, 20)}, this is {now}: "
            "preprocessing may differ. Compare some predictions, or fit and save it again.",
            UserWarning,
        )


def _to_json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def _from_json(text: bytes, name: str, budget: Budget) -> dict[str, Any]:
    budget.spend_json(text, name)
    try:
        value = json.loads(
            text.decode("ascii"), parse_constant=_no_constant, object_pairs_hook=_unique
        )
    except ModelFileError:
        raise
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{name} is not valid JSON ({error}).") from error
    require(isinstance(value, dict), f"{name} is no JSON object.")
    return dict(value)


def _no_constant(text: str) -> Any:
    raise ModelFileError(f"{text} is not valid JSON.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    require(len(result) == len(pairs), "a JSON object has a key twice.")
    return result
