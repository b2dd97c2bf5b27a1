"""From blocks of a table as they were given to pieces that a fit can use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate, pairwise

import numpy as np

from drumlin._typing import FloatArray
from drumlin.estimators.blocks import Block, Facts, Moments
from drumlin.sample import Sample
from drumlin.sample.codes import encode_classes, units_of_moments
from drumlin.sample.copies import Extremes, merged, weight_units

PIECE_ROWS, PIECE_NUMBERS = (4096, 65_536), 1 << 21
"""Rows of a piece, least and most, and numbers that it should not exceed."""


@dataclass(frozen=True)
class BlockPlan:
    """How every block is prepared.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,) or None
        Those of positive weight; None where targets are numbers.
    units : tuple of ndarray of shape (n_outputs,)
        Shift and scale of the targets.
    extremes : Extremes
        Of the weights.
    factors : tuple of (ndarray, ndarray) or None
        All classes and the weight of one sample of each; None where that is 1.
    unit_weight : float
        What sample weights are divided by: relative ones become counts.
    offsets : dict of int
        Number of the first row of every block in the whole table.
    sizes : dict of int
        Rows of every block when they were counted.
    as_given : bool
        Whether equal rows stay several, in their order.
    """

    classes: np.ndarray | None
    units: tuple[FloatArray, FloatArray]
    extremes: Extremes
    factors: tuple[np.ndarray, FloatArray] | None
    unit_weight: float
    offsets: dict[int, int]
    sizes: dict[int, int]
    as_given: bool = False

    @property
    def n_classes(self) -> int:
        """1 where targets are numbers."""
        return 1 if self.classes is None else len(self.classes)

    def __call__(self, block: Block) -> list[Sample]:
        """Return the pieces of a block: equal rows as one and sorted, or as given."""
        self._check_block(block)
        weight = self.extremes(block.weight) / self.unit_weight
        if self.factors is not None:
            present = np.flatnonzero(weight > 0.0)  # what is ignored may be of any class
            weight[present] *= self._factors(block.y[present])
        rows = np.flatnonzero(weight > 0.0)
        if not len(rows):
            return []
        X, y, weight = block.X[rows], block.y[rows], weight[rows]
        if not self.as_given:
            X, y, weight, rows = merged(X, y, weight, rows)
        sample = self._sample(np.ascontiguousarray(X), y, weight)
        return _pieces(replace(sample, index=rows + self.offsets[block.number]))

    def _sample(self, X: FloatArray, y: np.ndarray, weight: FloatArray) -> Sample:
        if self.classes is None:
            y, (shift, scale) = y.reshape(len(y), -1), self.units
            labels = np.zeros(len(y), dtype=np.int64)
            return Sample.of(X, (y - shift) / scale, labels, weight, 1, content=y)
        self._check_classes(y)
        labels, n = np.searchsorted(self.classes, y).astype(np.int64), len(self.classes)
        sample = Sample.of(X, encode_classes(labels, n), labels, weight, n)
        if self.factors is None:
            return sample
        return replace(sample, class_weights=tuple(self._factors(self.classes).tolist()))

    def _check_block(self, block: Block) -> None:
        """Refuse a block that is not the one that was counted: sources may change."""
        if block.problem:
            raise ValueError(block.problem)
        if len(block.X) != self.sizes[block.number]:
            raise ValueError(
                "All batches or partitions must hold the same rows whenever they are read: number "
                f"{block.number} (from 0) had {self.sizes[block.number]} rows. "
                f"Got {len(block.X)} later."
            )

    def _check_classes(self, y: np.ndarray) -> None:
        """Refuse classes that were not there when classes were counted."""
        assert self.classes is not None
        new = np.setdiff1d(y, self.classes)
        if len(new):
            raise ValueError(
                "All batches or partitions must hold the same rows whenever they are read: the "
                f"classes were {self.classes.tolist()}. Got {new.tolist()} too, later."
            )

    def _factors(self, y: np.ndarray) -> FloatArray:
        assert self.factors is not None
        classes, factors = self.factors
        return factors[np.searchsorted(classes, y)]


def _pieces(sample: Sample) -> list[Sample]:
    size = int(np.clip(PIECE_NUMBERS // sample.n_features, *PIECE_ROWS))
    n_pieces = -(-sample.n_rows // size)
    cuts = [sample.n_rows * i // n_pieces for i in range(n_pieces + 1)]
    return [sample.take(slice(*cut)) for cut in pairwise(cuts)]


def row_offsets(facts: dict[int, Facts]) -> dict[int, int]:
    """Number of the first row of every block."""
    numbers = sorted(facts)
    sizes = [facts[i].n_rows for i in numbers]
    return dict(zip(numbers, accumulate(sizes, initial=0), strict=False))


def by_class(facts: dict[int, Facts]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes of all blocks, sorted; rows and weight of each."""
    known = [facts[i] for i in sorted(facts) if len(facts[i].labels)]
    if not known:
        return np.empty(0), np.empty(0, dtype=np.int64), np.empty(0)
    labels = np.concatenate([f.labels for f in known])
    classes, which = np.unique(labels, return_inverse=True)
    rows, weight = (
        np.concatenate([getattr(f, name) for f in known]) for name in ("rows", "weight")
    )
    counts = np.bincount(which, rows, len(classes)).astype(np.int64)
    return classes, counts, np.bincount(which, weight, len(classes))


def units_of(facts: dict[int, Facts]) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of every output, see ``output_units``."""
    known = [facts[i] for i in sorted(facts) if facts[i].moments is not None]
    moments = reduce(Moments.joined, [f.moments for f in known if f.moments is not None])
    first = known[0].first
    assert first is not None
    return units_of_moments(moments.mean, moments.spread, moments.largest, first)


def class_plan(
    facts: dict[int, Facts],
    extremes: Extremes,
    classes: np.ndarray,
    factors: tuple[np.ndarray, FloatArray] | None,
    *,
    as_given: bool = False,
) -> BlockPlan:
    """Return the plan for targets that are classes; factors as ``class_weight`` gives them."""
    known, rows, weight = by_class(facts)
    kept, weight = np.isin(known, classes), np.ldexp(weight, extremes.power)
    given = np.ones(len(known)) if factors is None else factors[1]
    unit, unit_copy = weight_units(rows[kept].sum(), weight[kept], given[kept])
    if as_given:
        unit = unit_copy = 1.0
    n_codes = 1 if len(classes) == 2 else len(classes)
    return BlockPlan(
        classes=classes,
        units=(np.zeros(n_codes), np.ones(n_codes)),
        extremes=extremes,
        factors=None if factors is None else (known, given / unit_copy),
        unit_weight=unit,
        offsets=row_offsets(facts),
        sizes={number: own.n_rows for number, own in facts.items()},
        as_given=as_given,
    )


def number_plan(
    facts: dict[int, Facts], extremes: Extremes, *, as_given: bool = False
) -> BlockPlan:
    """Return the plan for targets that are numbers."""
    _, rows, weight = by_class(facts)
    weight = np.ldexp(weight, extremes.power)
    unit, _ = weight_units(rows.sum(), weight, np.ones(len(weight)))
    return BlockPlan(
        classes=None,
        units=units_of(facts),
        extremes=extremes,
        factors=None,
        unit_weight=1.0 if as_given else unit,
        offsets=row_offsets(facts),
        sizes={number: own.n_rows for number, own in facts.items()},
        as_given=as_given,
    )
