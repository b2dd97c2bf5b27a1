"""Whether probabilities mean what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.calibration import CalibrationDisplay as SklearnCalibrationDisplay
from sklearn.calibration import calibration_curve

from drumlin.estimators.fitted import FittedNetwork
from drumlin.plotting._display import Display
from drumlin.plotting._style import BLUE, GRAY, LIGHT, plain


class CalibrationDisplay(Display):
    """Reliability curve, with a histogram of the probabilities above it.

    For two classes of the probability of the second one; for more, of the probability of whichever
    class was predicted (or of one class against the others).

    Parameters
    ----------
    curve : sklearn.calibration.CalibrationDisplay
    what : str
        What the probabilities are of.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure

    See Also
    --------
    drumlin.evaluation.judge

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.plotting import CalibrationDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = DrumlinClassifier().fit(X[::2], y[::2])
    >>> display = CalibrationDisplay.from_estimator(model, X[1::2], y[1::2])
    >>> display.what
    'class 1'
    """

    _size = (4.8, 4.6)

    def __init__(self, curve, what):
        self.curve = curve
        self.what = what

    @classmethod
    def from_estimator(cls, estimator, X, y, *, n_bins=10, class_of_interest=None, ax=None):
        """Compare a fitted classifier's probabilities with what happened.

        Parameters
        ----------
        estimator : estimator
            A fitted classifier of this package, or a pipeline that ends with one.
        X : {array-like, DataFrame} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Not the data of ``fit``: there every model looks better than it is.
        n_bins : int, default=10
            Bins, each with the same number of samples.
        class_of_interest : label, default=None
            The class whose probability is judged.
        ax : matplotlib Axes, default=None
            A new figure if None.

        Returns
        -------
        CalibrationDisplay
        """
        fitted = FittedNetwork.of(estimator)
        if not is_classifier(fitted.model):
            raise TypeError(
                f"Calibration is of classifiers. Got {type(fitted.model).__name__}, a regressor."
            )
        probabilities = fitted.whole.predict_proba(X)
        codes = fitted.codes(y, len(probabilities))
        labels = fitted.model.classes_.tolist()
        if class_of_interest is None and len(labels) == 2:
            class_of_interest = labels[1]
        if class_of_interest is None:
            right = probabilities.argmax(axis=1) == codes
            return cls._of(right, probabilities.max(axis=1), "the predicted class", n_bins, ax)
        if class_of_interest not in labels:
            raise ValueError(
                f"The 'class_of_interest' parameter must be one of {labels}. "
                f"Got {class_of_interest!r}."
            )
        k = labels.index(class_of_interest)
        what = f"class {plain(class_of_interest, 20)}"
        return cls._of(codes == k, probabilities[:, k], what, n_bins, ax)

    @classmethod
    def _of(cls, happened, probability, what, n_bins, ax):
        # A sum of rounded shares may exceed 1 in the last digit.
        probability = np.clip(probability, 0.0, 1.0)
        observed, predicted = calibration_curve(
            happened, probability, pos_label=True, n_bins=n_bins, strategy="quantile"
        )
        return cls(SklearnCalibrationDisplay(observed, predicted, probability), what).plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        self.curve.plot(ax=ax, name="model", color=BLUE)
        reference = ax.get_lines()[0]
        reference.set(color=GRAY, linewidth=1.0, label="perfectly calibrated")
        ax.legend(loc="lower right")
        ax.set(
            xlim=(-0.02, 1.02),
            ylim=(-0.02, 1.02),
            xlabel=f"predicted probability of {self.what}",
            ylabel="how often it was true",
        )
        above = ax.inset_axes((0.0, 1.02, 1.0, 0.14), sharex=ax)
        above.hist(self.curve.y_prob, bins=np.linspace(0.0, 1.0, 26), color=LIGHT)
        above.set_axis_off()
