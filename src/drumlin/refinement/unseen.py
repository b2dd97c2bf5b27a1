"""What a network does on rows that it has not seen, and who is told of the networks taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from drumlin._typing import FloatArray
from drumlin.criteria.paired import is_clear
from drumlin.laplace import network_scores
from drumlin.losses import Loss
from drumlin.refinement.state import Refined
from drumlin.sample import Sample


@dataclass(frozen=True)
class Unseen:
    """A network and what it does on rows kept apart from it, or left out of it one by one.

    Parameters
    ----------
    state : Refined
    sample : Sample
        Rows that it has not seen.
    scores : ndarray of shape (n_rows, n_outputs)
        Its scores of them.
    losses : ndarray of shape (n_rows,)
    """

    state: Refined
    sample: Sample
    scores: FloatArray
    losses: FloatArray

    @classmethod
    def by(cls, loss: Loss, state: Refined, sample: Sample, scores: FloatArray) -> Unseen:
        """Judge a network by a loss: one and the same for all that are compared."""
        return cls(state, sample, scores, loss.values(sample.targets, scores))

    @classmethod
    def apart(cls, loss: Loss, state: Refined, sample: Sample) -> Unseen:
        """Judge a network by rows kept apart from it."""
        return cls.by(loss, state, sample, network_scores(state, sample.X))

    @property
    def loss(self) -> float:
        """Mean loss."""
        return float(np.average(self.losses, weights=self.sample.weight))

    def is_clearly_better(self, other: Unseen, margin: float) -> bool:
        """Whether its losses are lower by more than so many standard errors."""
        gain = other.losses - self.losses
        return is_clear(gain, self.sample.weight, self.sample.unit, margin)


class Stopped(Exception):
    """The audience wants no more."""


class Judging:
    """The best network so far, and an audience that may stop the search for better ones.

    Parameters
    ----------
    on_round : callable
        Called with every network that is taken; a true answer stops.

    Attributes
    ----------
    judged : Unseen
        The last network taken, and what it does on rows that it has not seen.
    state : Refined
        The network taken last: the best so far.
    """

    judged: Unseen
    state: Refined

    def __init__(self, on_round: Callable[[Refined], bool] = lambda state: False):
        self.on_round = on_round

    def take(self, judged: Unseen) -> None:
        """Take a network."""
        self.judged, self.state = judged, judged.state

    def tell(self, judged: Unseen) -> None:
        """Take a network and tell the audience."""
        self.take(judged)
        if self.on_round(judged.state):
            raise Stopped

    def best_after(self, steps: Callable[[], None]) -> Refined:
        """Run steps that take networks; an interrupt or the audience may end them early.

        Parameters
        ----------
        steps : callable
        """
        try:
            steps()
        except KeyboardInterrupt:
            return replace(self.state, interrupted=True)
        except Stopped:
            pass
        return self.state
