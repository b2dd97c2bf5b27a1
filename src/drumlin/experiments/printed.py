"""Every row of every table of the papers, rivals included, and their other printed figures.

Rows that quote other authors are here too: beside some of them stands a method that is rerun.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from drumlin.experiments.published import PUBLISHED, Figure

REALISATIONS = 100
"""Of every benchmark set, in all three forward-selection papers."""


class Row(NamedTuple):
    """One row of a printed table.

    Parameters
    ----------
    source, where, dataset : str
        Paper, table, and set by its name in ``drumlin reproduce``.
    algorithm : str
        Name in print.
    figure : Figure
    rerun : str or None
        The method of ours that stands beside it; None where the row was not rerun.
    n_printed : int
        Realisations of the printed mean.
    """

    source: str
    where: str
    dataset: str
    algorithm: str
    figure: Figure
    rerun: str | None = None
    n_printed: int = REALISATIONS


class Count(NamedTuple):
    """A printed number of evaluations (chen2010) with what it is computed from."""

    dataset: str
    algorithm: str
    printed: float
    nodes: float


QUOTED = ("RBF", "AdaBoost with RBF", "AdaBoost_Reg", "LP_Reg-AdaBoost", "QP_Reg-AdaBoost")
"""Rows that hong2008, hong2014 and chen2010 quote from Rätsch, Onoda, Müller (2001)."""

_RAETSCH: dict[str, tuple[float, str]] = {
    "breast": (5, "27.6 4.7, 30.4 4.7, 26.5 4.5, 26.8 6.1, 25.9 4.6"),
    "diabetes": (15, "24.3 1.9, 26.5 2.3, 23.8 1.8, 24.1 1.9, 25.4 2.2"),
    "german": (8, "24.7 2.4, 27.5 2.5, 24.3 2.1, 24.8 2.2, 25.3 2.1"),
    "heart": (4, "17.6 3.3, 20.3 3.4, 16.5 3.5, 17.5 3.5, 17.2 3.4"),
    "flare": (4, "34.4 2.0, 35.7 1.8, 34.2 2.2, 34.7 2.0, 36.2 1.8"),
    "titanic": (4, "23.3 1.3, 22.6 1.2, 22.6 1.2, 24.0 4.4, 22.7 1.1"),
    "banana": (18, "10.8 0.6, 12.3 0.7, 10.9 0.4, 10.7 0.4, 10.9 0.5"),
    "waveform": (10, "10.7 1.1, 10.8 0.6, 9.8 0.8, 10.5 1.0, 10.1 0.5"),
    "thyroid": (8, "4.5 2.1, 4.4 2.2, 4.6 2.2, 4.6 2.2, 4.4 2.2"),
}
"""Size, and error with its standard deviation in the order of QUOTED. (hong2014 prints size 10 for
the first row of thyroid, chen2010 and the source 8.)"""

_CHEN: dict[str, tuple[float, str]] = {
    "breast": (5, "27.64 4.71, 30.36 4.73, 26.51 4.47, 26.79 6.08, 25.91 4.61"),
    "diabetes": (15, "24.29 1.88, 26.47 2.29, 23.79 1.80, 24.11 1.90, 25.39 2.20"),
    "thyroid": (8, "4.52 2.12, 4.40 2.18, 4.55 2.19, 4.59 2.22, 4.35 2.18"),
}
"""The same rows as chen2010 prints them, with a digit more."""

_CHEN_OTHERS: dict[str, dict[str, Figure]] = {
    "breast": {
        "SVM with RBF kernel": Figure(26.04, None, 4.74),
        "kernel Fisher discriminant": Figure(24.77, 200, 4.63),
        "ROLS-LOO": Figure(25.74, 6.0, 5.0, 2.0),
    },
    "diabetes": {
        "SVM with RBF kernel": Figure(23.53, None, 1.73),
        "kernel Fisher discriminant": Figure(23.21, 468, 1.63),
        "ROLS-LOO": Figure(23.0, 6.0, 1.7, 1.0),
    },
    "thyroid": {
        "SVM with RBF kernel": Figure(4.8, None, 2.19),
        "kernel Fisher discriminant": Figure(4.2, 140, 2.07),
        "ROLS-LOO": Figure(4.8, 4.6, 2.2, 1.0),
    },
}

_SAME = {"SVM with RBF kernel": "svm-tuned", "ROLS-LOO": "hong2008"}
"""Rivals in print that are rerun, with the method that does it."""

_ANDO: dict[str, tuple[str, dict[str, Figure]]] = {
    "breiman-waveform": (
        "table 1",
        {
            "support vector machines": Figure(15.8),
            "linear discrimination": Figure(19.1),
            "quadratic discrimination": Figure(20.5),
            "classification tree": Figure(28.9),
            "flexible discriminant analysis (MARS)": Figure(19.1),
        },
    ),
    "synth": (
        "table 1, fig. 1",
        {
            "support vector machines": Figure(9.4, 96),
            "linear discrimination": Figure(10.8),
            "quadratic discrimination": Figure(10.9),
            "classification tree": Figure(10.1),
            "flexible discriminant analysis (MARS)": Figure(9.6),
        },
    ),
    "vowel": (
        "table 2",
        {
            "linear discrimination": Figure(56.0),
            "quadratic discrimination": Figure(67.0),
            "classification tree": Figure(56.0),
            "flexible discriminant analysis (BRUTO)": Figure(44.0),
            "flexible discriminant analysis (MARS)": Figure(42.0),
            "single layer perceptron": Figure(67.0),
        },
    ),
    "pima": (
        "table 3",
        {
            "linear discrimination": Figure(24.7),
            "quadratic discrimination": Figure(22.8),
            "logistic discrimination": Figure(19.9),
            "classification tree": Figure(24.4),
            "flexible discriminant analysis (MARS)": Figure(22.6),
            "projection pursuit regression": Figure(22.6),
            "multilayer perceptron network": Figure(22.6),
        },
    ),
}

_SAME_OF_ANDO = {
    "support vector machines": "svm-tuned",
    "linear discrimination": "lda",
    "quadratic discrimination": "qda",
    "classification tree": "tree",
    "logistic discrimination": "logistic",
}

RUNNING_SECONDS = {
    "breast": 7.88, "diabetes": 32.8, "german": 86.3, "heart": 6.75, "flare": 63.99,
    "titanic": 6.78, "banana": 130.52, "waveform": 227.72, "thyroid": 51.85,
}  # fmt: skip
"""hong2014, table 11: training and evaluation of all realisations (Matlab, Core 2 at 2.13 GHz)."""

EVALUATIONS = (
    Count("breast", "ROLS-LOO", 1400, 6.0),
    Count("breast", "PSO OFR-LOO", 760, 2.8),
    Count("diabetes", "ROLS-LOO", 3276, 6.0),
    Count("diabetes", "PSO OFR-LOO", 900, 3.5),
    Count("thyroid", "ROLS-LOO", 784, 4.6),
    Count("thyroid", "PSO OFR-LOO", 1800, 3.5),
)
"""chen2010, tables I-III, column "complexity"."""

MOON_WIDTHS = {"double-moon-5": 2.6, "double-moon-6": 2.4}
"""haykin5, section 5.8: the common width of (5.49)."""


def rows() -> list[Row]:
    """Every row of every table, in the order of the papers."""
    return [*_hong2008(), *_hong2014(), *_chen2010(), *_ando2004(), *_haykin5()]


def _quoted(
    source: str, where: str, dataset: str, printed: Mapping[str, tuple[float, str]]
) -> Iterable[Row]:
    size, text = printed[dataset]
    for algorithm, cell in zip(QUOTED, text.split(","), strict=True):
        error, sd = map(float, cell.split())
        yield Row(source, where, dataset, algorithm, Figure(error, size, sd))


def _benchmark(source: str, tables: Mapping[str, str]) -> Iterable[Row]:
    """Rows of hong2008 and hong2014: quoted ones, the SVM, the proposed method."""
    for dataset, where in tables.items():
        yield from _quoted(source, where, dataset, _RAETSCH)
        svm = PUBLISHED["raetsch2001"][dataset]
        yield Row(source, where, dataset, "SVM with RBF kernel", svm, "svm-tuned")
        yield Row(source, where, dataset, "proposed", PUBLISHED[source][dataset], source)


def _hong2008() -> Iterable[Row]:
    tables = {"breast": "table 1", "diabetes": "table 2", "heart": "table 3"}
    yield from _benchmark("hong2008", tables)


def _hong2014() -> Iterable[Row]:
    where, known = "section 6.1, fig. 1", PUBLISHED["hong2014"]["synth"]
    yield Row("hong2014", where, "synth", "RVM", Figure(9.3, 4), "rvm", 1)
    yield Row("hong2014", where, "synth", "SVM", Figure(10.6, 38), "svm-tuned", 1)
    yield Row("hong2014", where, "synth", "proposed", known, "hong2014", 1)
    sets = [name for name in PUBLISHED["hong2014"] if name != "synth"]
    tables = {name: f"table {number}" for number, name in enumerate(sets, start=2)}
    yield from _benchmark("hong2014", tables)


def _chen2010() -> Iterable[Row]:
    for dataset, number in (("breast", "I"), ("diabetes", "II"), ("thyroid", "III")):
        where = f"table {number}"
        yield from _quoted("chen2010", where, dataset, _CHEN)
        for algorithm, figure in _CHEN_OTHERS[dataset].items():
            yield Row("chen2010", where, dataset, algorithm, figure, _SAME.get(algorithm))
        known = PUBLISHED["chen2010"][dataset]
        yield Row("chen2010", where, dataset, "PSO OFR-LOO", known, "chen2010")


def _ando2004() -> Iterable[Row]:
    for dataset, (where, others) in _ANDO.items():
        n = 10 if dataset == "breiman-waveform" else 1
        known = PUBLISHED["ando2004"][dataset]
        yield Row("ando2004", where, dataset, "adaptive learning machines", known, "ando2004", n)
        for algorithm, figure in others.items():
            same = _SAME_OF_ANDO.get(algorithm)
            yield Row("ando2004", where, dataset, algorithm, figure, same, n)


def _haykin5() -> Iterable[Row]:
    for dataset, where in (("double-moon-5", "fig. 5.5"), ("double-moon-6", "fig. 5.6")):
        known = PUBLISHED["haykin5"][dataset]
        yield Row("haykin5", where, dataset, "K-means, RLS", known, "haykin5", 1)
    mlp = Figure(0.15)
    yield Row("haykin5", "section 5.8", "double-moon-5", "multilayer perceptron", mlp, "mlp", 1)
