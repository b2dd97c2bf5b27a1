"""Why a network answers as it does, and what would change its answer.

The mathematics is in ``drumlin.trust``; here are the methods that every estimator has.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats.mstats import mquantiles
from sklearn.base import is_classifier
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from drumlin._typing import FloatArray, IntArray
from drumlin.network import Network
from drumlin.novelty import Novelty
from drumlin.trust import (
    Choice,
    Counterfactual,
    Explanation,
    Question,
    Region,
    SeenInputs,
    Wanted,
    counterfactual_of_choices,
    explain,
    partial_dependence,
)

UNSEEN = (
    "it was saved by an older version, taken from within a fit, or never fitted to samples: what "
    "its training inputs were like is not known."
)


class ExplainedNetwork:
    """Answers about answers."""

    network_: Network
    classes_: Any
    n_features_in_: int
    relevance_: Any
    _seen: SeenInputs
    _validated: Callable[[Any], FloatArray]

    if TYPE_CHECKING:

        @property
        def _novelty(self) -> Novelty: ...

    @property
    def feature_importances_(self) -> FloatArray:
        """Another name of ``relevance_``, the one that scikit-learn's tools look for."""
        return self.relevance_

    def explain(self, X: Any, background: Any = None) -> Explanation:
        """Say what every input, and then every node, adds to the scores.

        Inputs have exact Shapley values: the mean, over all orders in which inputs can turn from
        the background's value to the sample's, of what an input then changes. They sum to the
        score minus the mean score of the background. Networks whose inputs are mixed (a wide
        table, or a metric that was learned) or whose nodes are no Gaussians have them with up to
        ten inputs; with more, ``method`` says that they are Aumann-Shapley values instead, the
        integral of the gradient along the straight line, which have the same sum.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        background : array-like of shape (n_rows, n_features) or None, default=None
            Rows to compare with, such as 100 training samples; None means their mean.

        Returns
        -------
        Explanation
            With ``inputs`` (n_samples, n_features, n_outputs), ``base`` (n_outputs,), ``nodes``
            (n_samples, n_nodes_ + 1, n_outputs), ``scores`` and ``method``.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from drumlin import DrumlinClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> DrumlinClassifier(max_nodes=3).fit(X, y).explain(X[:2]).inputs.shape
        (2, 4, 3)
        """
        X = self._validated(X)
        rows = self._inputs_seen().mean[None] if background is None else self._validated(background)
        return explain(self.network_, X, rows)

    def partial_dependence(
        self, X, features, *, percentiles=(0.05, 0.95), grid_resolution=100
    ) -> Bunch:
        """Mean scores over rows, with one input or two moved over a grid.

        The numbers of ``sklearn.inspection.partial_dependence`` (``method="brute"``, of
        ``decision_function`` for classes), but in closed form where nodes are Gaussians of inputs
        that are not mixed: as fast for a thousand values as for one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows that the other inputs come from, such as training samples.
        features : int, str, or pair of these
            Inputs by number or name.
        percentiles : pair of float, default=(0.05, 0.95)
            Ends of the grid, as parts of the samples.
        grid_resolution : int, default=100
            Values of an input; where samples have fewer, these.

        Returns
        -------
        Bunch
            With ``average`` (n_outputs, n_values) or (n_outputs, n_values, n_values) and
            ``grid_values``, a list of one or two arrays.
        """
        X = self._validated(X)
        named = [features] if isinstance(features, (Integral, str)) else list(features)
        inputs = [self._column("features", one) for one in named]
        if len(set(inputs)) < len(inputs) or len(inputs) not in (1, 2):
            rule = "be one input or two different ones"
            raise ValueError(self._refused("features", rule, repr(features)))
        if not isinstance(grid_resolution, Integral) or grid_resolution < 2:
            got = repr(grid_resolution)
            raise ValueError(self._refused("grid_resolution", "be an int >= 2", got))
        low, high = self._pair("percentiles", percentiles)
        if low < 0.0 or high > 1.0:
            raise ValueError(self._refused("percentiles", "lie in [0, 1]", repr(percentiles)))
        grids = [_grid(X[:, i], (low, high), int(grid_resolution)) for i in inputs]
        values = np.stack([axis.ravel() for axis in np.meshgrid(*grids, indexing="ij")], axis=1)
        means = partial_dependence(self.network_, X, inputs, values)
        shape = (-1, *(len(grid) for grid in grids))
        return Bunch(grid_values=grids, average=means.T.reshape(shape))

    def counterfactual(
        self,
        x: Any,
        target: Any,
        *,
        vary: Any = None,
        max_changed: int | None = None,
        ranges: Any = None,
        choices: Any = None,
    ) -> Counterfactual:
        """Find the nearest input with another answer: what would have to be different.

        Fewest changed inputs first, then least distance (Euclidean, in standard deviations of the
        training inputs). Changed inputs stay within the range of the training samples, and the
        result is not farther from all nodes than these; inputs that were whole numbers in all
        training samples stay whole.

        Parameters
        ----------
        x : array-like of shape (n_features,) or (1, n_features)
        target : label, or pair of float
            The class wanted; for numbers, least and largest (None where there is no limit).
        vary : list of int or str, or None, default=None
            Inputs that may change, by number or name; None means all.
        max_changed : int or None, default=None
            Most inputs that may change.
        ranges : dict or None, default=None
            Narrower limits of inputs, a pair each, by number or name.
        choices : list of (list of int or str, array-like), or None, default=None
            Inputs that only change together, such as the columns of a category, and the rows
            (n_rows, n_inputs) of values that they may have: one change. They vary where all of
            them may.

        Returns
        -------
        Counterfactual
            With ``x``, ``changed`` (numbers of inputs), ``distance``, and ``found``; where nothing
            was found, ``reason`` says so.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from drumlin import DrumlinClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = DrumlinClassifier(max_nodes=3).fit(X, y)
        >>> other = model.counterfactual(X[0], target=1)
        >>> int(model.predict(other.x[None])[0])
        1
        """
        X = self._validated(np.asarray(x, dtype=object)[None] if np.ndim(x) == 1 else x)
        if len(X) != 1:
            raise ValueError(self._refused("x", "be one row", f"{len(X)} rows"))
        wanted, seen = self._wanted(target), self._inputs_seen()
        free = self._columns("vary", range(X.shape[1]) if vary is None else vary)
        low, high = self._limits(seen, ranges)
        together = self._choices(choices)
        bound = np.concatenate([one.inputs for one in together]) if together else free[:0]
        together = [one for one in together if np.isin(one.inputs, free).all()]
        free = np.setdiff1d(free, bound)
        most = len(free) + len(together) if max_changed is None else max_changed
        if not isinstance(most, Integral) or most < 1:
            raise ValueError(self._refused("max_changed", "be an int >= 1", repr(max_changed)))
        spread = np.where(seen.spread > 0.0, seen.spread, 1.0)
        whole, low[bound], high[bound] = seen.whole.copy(), -np.inf, np.inf
        whole[bound] = False  # rows of values say what these can be
        region = Region(low, high, spread, whole, self._novelty)
        question = Question(self.network_, wanted, region, X[0])
        return counterfactual_of_choices(question, free, together, int(most))

    # ------------------------------------------------------------------ what is asked
    def _wanted(self, target: Any) -> Wanted:
        n_outputs = len(self.network_.intercept)
        if is_classifier(self):
            index = np.flatnonzero(self.classes_ == target)
            if len(index) != 1:
                rule = f"be one of the classes {self.classes_.tolist()}"
                raise ValueError(self._refused("target", rule, repr(target)))
            return Wanted.of_class(int(index[0]), n_outputs)
        if n_outputs > 1:
            raise ValueError(
                f"{type(self).__name__}.counterfactual needs a model of one output. "
                f"Got {n_outputs}."
            )
        low, high = self._pair("target", target)
        return Wanted.of_range(low, high)

    def _pair(self, name: str, pair: Any) -> tuple[float, float]:
        """Two numbers in ascending order, None meaning no limit; not two of these."""
        rule = "be a pair of numbers, the lower first (None where there is no limit)"
        good = isinstance(pair, (tuple, list, np.ndarray)) and len(pair) == 2
        good = good and all(end is None or isinstance(end, Real) for end in pair)
        if good:
            low, high = (
                no if end is None else float(end)
                for end, no in zip(pair, (-np.inf, np.inf), strict=True)
            )
            if low < high and (np.isfinite(low) or np.isfinite(high)):
                return low, high
        raise ValueError(self._refused(name, rule, repr(pair)))

    def _columns(self, name: str, given: Any) -> IntArray:
        """Different inputs by number or name."""
        return np.array(sorted({self._column(name, one) for one in given}), dtype=np.int64)

    def _column(self, name: str, given: Any) -> int:
        names = list(getattr(self, "feature_names_in_", []))
        if isinstance(given, str) and given in names:
            return names.index(given)
        if isinstance(given, Integral) and 0 <= int(given) < self.n_features_in_:
            return int(given)
        rule = f"hold inputs, by numbers below {self.n_features_in_}"
        rule += f" or names of {[str(n) for n in names]}" if names else ""
        raise ValueError(self._refused(name, rule, repr(given)))

    def _choices(self, given: Any) -> list[Choice]:
        """Inputs that change together, none of them twice."""
        made: list[Choice] = []
        taken: set[int] = set()
        for inputs, values in given or ():
            places = np.array([self._column("choices", one) for one in inputs], dtype=np.int64)
            rows = np.asarray(values, dtype=np.float64)
            if rows.ndim != 2 or rows.shape[1] != len(places) or not np.isfinite(rows).all():
                rule = f"have rows of {len(places)} finite values for inputs {list(inputs)!r}"
                raise ValueError(self._refused("choices", rule, f"shape {rows.shape}"))
            if len(taken | set(places.tolist())) < len(taken) + len(places):
                raise ValueError(self._refused("choices", "name every input once", f"{given!r}"))
            taken |= set(places.tolist())
            made.append(Choice(places, rows))
        return made

    def _limits(self, seen: SeenInputs, ranges: Any) -> tuple[FloatArray, FloatArray]:
        """Least and largest input: the training range, or less."""
        low, high = seen.low.copy(), seen.high.copy()
        for key, pair in dict(ranges or {}).items():
            i, (least, largest) = self._column("ranges", key), self._pair("ranges", pair)
            low[i], high[i] = max(low[i], least), min(high[i], largest)
        if (low > high).any():
            i = int(np.flatnonzero(low > high)[0])
            rule = f"overlap with the training range [{seen.low[i]:g}, {seen.high[i]:g}]"
            raise ValueError(self._refused("ranges", rule, f"{ranges!r} (input {i})"))
        whole = seen.whole
        return np.where(whole, np.ceil(low), low), np.where(whole, np.floor(high), high)

    def _inputs_seen(self) -> SeenInputs:
        check_is_fitted(self)
        if "_seen" not in vars(self):
            raise AttributeError(f"This {type(self).__name__} cannot tell: {UNSEEN}")
        return self._seen

    def _refused(self, name: str, rule: str, got: str) -> str:
        return f"The {name!r} parameter of {type(self).__name__} must {rule}. Got {got}."


def _grid(column: FloatArray, ends: tuple[float, float], most: int) -> FloatArray:
    """Values of an input: those that samples have, or evenly spaced ones; scikit-learn's grid."""
    different = np.unique(column)
    if len(different) < most:
        return different
    low, high = mquantiles(column, prob=ends)
    return np.linspace(low, high, most)
