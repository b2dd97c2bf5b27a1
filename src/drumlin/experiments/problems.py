"""The problems: training and test rows of every realisation of every set.

A method is told the training rows and the :class:`Shape` of a problem, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sklearn.utils import Bunch

from drumlin.datasets import (
    load_benchmark,
    load_pima,
    load_ripley,
    load_vowel,
    make_double_moon,
    make_waveform,
)
from drumlin.evaluation.methods import Shape

NINE = (
    "heart", "breast", "thyroid", "titanic", "banana", "diabetes", "waveform", "flare", "german",
)  # fmt: skip
"""The benchmark sets of hong2014."""


@dataclass(frozen=True)
class Problem:
    """Training and test rows of one split; ``original`` says that the split is a published one."""

    name: str
    split: int
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    original: bool = True

    @property
    def key(self) -> str:
        """What names the split in a cache."""
        return f"split {self.split}, {len(self.X)} / {len(self.X_test)} rows"

    @property
    def shape(self) -> Shape:
        """Name, inputs and classes, from the training rows."""
        return Shape(self.name, self.X.shape[1], len(np.unique(self.y)))


@dataclass(frozen=True)
class ProblemSet:
    """All realisations of a set.

    Parameters
    ----------
    name : str
    load : callable
        From the number of a realisation to a Bunch with ``X``, ``y``, ``train``, ``test``.
    n_realisations : int or None
        How many there are; None without limit.
    """

    name: str
    load: Callable[[int], Bunch]
    n_realisations: int | None = None

    def problem(self, realisation: int) -> Problem:
        """One realisation."""
        data = self.load(realisation)
        problem = divided(self.name, realisation, data.X, data.y, data.train, data.test)
        return replace(problem, original=data.get("original", True))

    def numbers(self, wanted: range) -> list[int]:
        """Those of the wanted realisations that exist."""
        return [k for k in wanted if self.n_realisations is None or k <= self.n_realisations]


def divided(
    name: str, split: int, X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray
) -> Problem:
    """Training and test rows by their numbers."""
    return Problem(name, split, X[train], y[train], X[test], y[test])


def drawn(name: str, make: Callable[..., tuple], n_train: int, n_test: int) -> ProblemSet:
    """Set whose realisations are draws of a generator, seeded by their numbers.

    Parameters
    ----------
    name : str
    make : callable
        From ``n_samples`` and ``random_state`` to X and y, in random order.
    n_train, n_test : int
    """
    return ProblemSet(name, partial(_draw, make, n_train, n_test))


def _draw(make: Callable[..., tuple], n_train: int, n_test: int, realisation: int) -> Bunch:
    X, y = make(n_train + n_test, random_state=realisation)
    rows = np.arange(n_train + n_test)
    return Bunch(X=X, y=y, train=rows[:n_train], test=rows[n_train:], original=False)


def _only_split(load: Callable[[], Bunch], realisation: int) -> Bunch:
    return load()


def _benchmark(name: str) -> ProblemSet:
    return ProblemSet(name, partial(load_benchmark, name))


def _single(name: str, load: Callable[[], Bunch]) -> ProblemSet:
    return ProblemSet(name, partial(_only_split, load), 1)


SETS: dict[str, ProblemSet] = {
    problems.name: problems
    for problems in (
        *map(_benchmark, NINE),
        *map(_benchmark, ("image", "ringnorm", "splice", "twonorm")),
        _single("synth", load_ripley),
        _single("pima", load_pima),
        _single("vowel", load_vowel),
        drawn("double-moon-5", partial(make_double_moon, d=-5.0), 1000, 2000),
        drawn("double-moon-6", partial(make_double_moon, d=-6.0), 1000, 2000),
        drawn("breiman-waveform", make_waveform, 300, 500),
    )
}
"""Every set that can be asked for."""

DRAWN = ("double-moon-5", "double-moon-6", "breiman-waveform")
"""Sets that need no data."""

USUAL = (*NINE, "synth", "pima", "vowel", *DRAWN)
"""The sets of the papers."""
