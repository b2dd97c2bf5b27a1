"""Tables of numbers and categories: rare classes, mixed columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn.utils import Bunch

from drumlin.datasets.describing import describe
from drumlin.datasets.reading import Folder, check_name, located
from drumlin.datasets.sources import IMBALANCED, MIXED, Source

_TARGET = "class"


def load_imbalanced(name: str, *, data_home: Folder = None) -> Bunch:
    """Load a table of two classes, the positive one rare.

    Parameters
    ----------
    name : str
        The table, such as "ecoli4"; an unknown name is answered with all of them.
        "imbalanced/ecoli4" is understood too.
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    Bunch
        ``X``, a data frame of shape (n_samples, n_features) whose columns of text have the type
        "category"; ``y`` with 1 for the rare class and 0 for the other; ``feature_names``;
        ``categorical_features``, the names of the columns of text; ``target_names``; ``name``
        and ``DESCR``. There is no official split: stratified folds are usual.

    See Also
    --------
    load_mixed
    load_benchmark

    Examples
    --------
    >>> from drumlin.datasets import load_imbalanced
    >>> abalone = load_imbalanced("abalone9-18")  # doctest: +SKIP
    >>> abalone.categorical_features, int(abalone.y.sum())  # doctest: +SKIP
    (['v1'], 42)
    """
    return _load(check_name(name.removeprefix("imbalanced/"), IMBALANCED), IMBALANCED, data_home)


def load_mixed(name: str, *, data_home: Folder = None) -> Bunch:
    """Load a table of numbers and categories.

    Parameters
    ----------
    name : {"chess", "contraceptive", "crx", "german", "saheart", "tic-tac-toe"}
        The table; "mixed/german" is understood too. (The "german" of ``load_benchmark`` has
        numbers in place of its categories. The inputs of "contraceptive" are numbers, some of
        them codes; those of "crx" have lost their decimal points at the source.)
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    Bunch
        As of :func:`load_imbalanced`; ``y`` counts the classes in ``target_names`` from 0.

    See Also
    --------
    load_imbalanced
    drumlin.make_table_model

    Examples
    --------
    >>> from drumlin.datasets import load_mixed
    >>> load_mixed("german").X.shape  # doctest: +SKIP
    (1000, 20)
    """
    return _load(check_name(name.removeprefix("mixed/"), MIXED), MIXED, data_home)


def _load(name: str, sources: dict[str, Source], data_home: Folder) -> Bunch:
    source = sources[name]
    fields = _columns(located(source, data_home))
    return Bunch(name=name, DESCR=describe(name, source, fields, "none"), **fields)


def _columns(path: Path) -> dict[str, Any]:
    """Inputs, codes of the classes, and the names of both."""
    from drumlin._optional import pandas as pd

    # "NA" and the like are categories here: no entry is missing.
    frame = pd.read_csv(path, keep_default_na=False)
    if frame.columns[-1] != _TARGET:
        raise ValueError(
            f"The last column of a data file must be {_TARGET!r}. "
            f"Got {str(path)!r} with {list(frame.columns)}."
        )
    y, X = frame.pop(_TARGET), frame
    texts = X.select_dtypes(exclude="number").columns.tolist()
    classes = y.astype(str).astype("category")
    return {
        "X": X.astype(dict.fromkeys(texts, "category")),
        "y": classes.cat.codes.to_numpy("int64"),
        "feature_names": X.columns.tolist(),
        "categorical_features": texts,
        "target_names": classes.cat.categories.tolist(),
    }
