"""Classes compared with one of them: the contrasts that a multinomial logistic regression fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray, IntArray


@dataclass(frozen=True)
class Contrasts:
    """Which class the others are compared with.

    Two classes have one contrast, the log-odds of the second, whatever the reference.

    Parameters
    ----------
    n_classes : int
    reference : int
        Index of a class, from the end where it is negative.
    """

    n_classes: int
    reference: int

    @property
    def order(self) -> IntArray:
        """Classes by index (n_classes,), the reference first."""
        classes = np.arange(self.n_classes)
        if self.n_classes == 2:
            return classes
        reference = self.reference % self.n_classes
        return np.concatenate([[reference], np.delete(classes, reference)])

    def reordered(self, labels: IntArray) -> IntArray:
        """Labels (n_samples,) by their place in that order."""
        return np.argsort(self.order)[labels]

    def of_all(self, contrasts: FloatArray) -> FloatArray:
        """Scores or weights (n, n_outputs) of all classes from those (n, n_contrasts) of most."""
        if self.n_classes == 2:
            return contrasts
        everything = np.zeros((len(contrasts), self.n_classes))
        everything[:, self.order[1:]] = contrasts
        return everything
