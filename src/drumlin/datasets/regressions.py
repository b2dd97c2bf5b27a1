"""Regressions with the splits that Bayesian neural networks are judged by."""

from __future__ import annotations

from sklearn.utils import Bunch

from drumlin.datasets.describing import bunch
from drumlin.datasets.reading import Folder, check_count, check_name, read
from drumlin.datasets.sources import REGRESSIONS


def load_uci(name: str, split: int = 1, *, data_home: Folder = None) -> Bunch:
    """Load one of the UCI regressions with one of its twenty published splits.

    The splits are those of Hernandez-Lobato and Adams (2015): nine tenths of the rows for
    training, one for testing. The files do not name their inputs.

    Parameters
    ----------
    name : {"energy", "kin8nm", "naval", "wine-red"}
        The table; "uci/energy" is understood too.
    split : int, default=1
        Number of the split, from 1.
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    Bunch
        ``X`` of shape (n_samples, n_features), ``y`` of shape (n_samples,), the row indices
        ``train`` and ``test``, ``split``, ``n_splits``, ``name`` and ``DESCR``.

    See Also
    --------
    load_table

    Examples
    --------
    >>> from drumlin.datasets import load_uci
    >>> energy = load_uci("energy", split=3)  # doctest: +SKIP
    >>> energy.X[energy.train].shape  # doctest: +SKIP
    (691, 8)
    """
    name = check_name(name.removeprefix("uci/"), REGRESSIONS)
    split = check_count("split", split)
    source = REGRESSIONS[name]
    data = read(source, data_home)
    n_splits = len(data["train"])
    if split > n_splits:
        raise ValueError(
            f"The 'split' parameter must be at most {n_splits}, the published splits of "
            f"{name!r}. Got {split!r}."
        )
    rows = {part: data[part][split - 1] for part in ("train", "test")}
    chosen = data | rows | {"split": split, "n_splits": n_splits}
    return bunch(name, source, chosen, f"published split {split} of {n_splits}")
