r"""Downhill by a few rows at a time: noise shakes off what a network has learned by heart.

Steps of Adam: the gradient of a batch is a noisy one. With running means :math:`m_t` of the
gradients and :math:`s_t` of their squares, both without their bias towards zero, every variable
moves by

.. math:: -\eta_t \, m_t / \sqrt{s_t},

where :math:`\eta_t` rises at first and then falls to zero as a cosine does. Variables that all
batches want to move the same way do so; those that follow the noise of single rows do not get far.

References
----------
D. P. Kingma, J. Ba, Adam: a method for stochastic optimization, ICLR 2015.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from drumlin._typing import FloatArray
from drumlin.losses import Loss
from drumlin.refinement.objective import loss_of_part
from drumlin.refinement.schedule import Stir, StirRule
from drumlin.refinement.state import Refined
from drumlin.sample import Rows, Sample

_TINY = float(np.finfo(float).tiny)


def stirred(state: Refined, rows: Rows, loss: Loss, rule: StirRule, stir: Stir) -> Refined:
    """Move a network by the gradients of small batches.

    Parameters
    ----------
    state : Refined
    rows : Rows
        All of them are drawn: few enough for one machine.
    loss : Loss
    rule : StirRule
    stir : Stir
    """
    batches = batches_of(rows.draw(rows.n_rows), rule.rows)
    variables, penalties, v = state.variables, state.precision(), state.vector
    adam = _Adam(len(v), rule.memory)
    for step, batch in enumerate(_in_turn(batches, stir.n_steps), 1):
        _, slopes = loss_of_part(batch, variables.nodes(v), loss)
        gradient = len(batches) * variables.gradient(slopes) + penalties * v
        v = v - rule.length(stir, step) * adam.direction(gradient)
    return replace(state, vector=v)


def batches_of(sample: Sample, n_rows: int) -> list[Sample]:
    """Cut rows, in the order of their content, into batches of at least so many.

    That order is as good as a random one, and the same wherever the rows have stood.
    """
    if np.any(sample.hashes[1:] < sample.hashes[:-1]):
        sample = sample.take(np.argsort(sample.hashes, kind="stable"))
    n_batches = max(1, sample.n_rows // n_rows)
    cuts = [sample.n_rows * i // n_batches for i in range(n_batches + 1)]
    return [sample.take(slice(*pair)) for pair in pairwise(cuts)]


def _in_turn(batches: list[Sample], n_steps: int) -> Iterator[Sample]:
    """Yield so many batches: all of them, in another order every time."""
    rng, order = np.random.default_rng(0), np.empty(0, dtype=np.int64)
    for step in range(n_steps):
        if step % len(batches) == 0:
            order = rng.permutation(len(batches))
        yield batches[order[step % len(batches)]]


class _Adam:
    """Running means of gradients and of their squares.

    Parameters
    ----------
    size : int
        Number of variables.
    memory : tuple of float
        Part of each mean that stays at every step.
    """

    def __init__(self, size: int, memory: tuple[float, float]):
        self._memory, self._step = memory, 0
        self._mean, self._square = np.zeros(size), np.zeros(size)

    def direction(self, gradient: FloatArray) -> FloatArray:
        """Take a gradient in; return the mean over the root of the mean square."""
        self._step += 1
        for mean, new, stays in zip(
            (self._mean, self._square), (gradient, gradient**2), self._memory, strict=True
        ):
            mean *= stays
            mean += (1.0 - stays) * new
        first, second = (1.0 - stays**self._step for stays in self._memory)
        return (self._mean / first) / np.sqrt(np.maximum(self._square / second, _TINY))
