"""Tunable nodes: every center and width searched for, one node at a time (chen2010)."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from drumlin._typing import FloatArray
from drumlin.basis import LADDER, RADIALS, Radial, reference_width
from drumlin.estimators.checks import part
from drumlin.estimators.class_outputs import CLASS_WEIGHT, ClassOutputs
from drumlin.estimators.docstrings import described_like
from drumlin.estimators.number_outputs import UncertainNumbers
from drumlin.estimators.plans import Grown, SearchPlan
from drumlin.estimators.selected import CRITERION_OF_NUMBERS, BaseSelectedNetwork
from drumlin.estimators.training import Training
from drumlin.search import BOX_SEARCHES, BoxSearch
from drumlin.selection import NodeSpace

SQUARABLE = (1e-150, 1e150)
"""Widths whose squares, and one over them, are numbers."""


class BaseTunableRBF(BaseSelectedNetwork):
    """Networks whose nodes are searched for in a box of centers and widths."""

    _parameter_constraints: dict = {
        **BaseSelectedNetwork._parameter_constraints,
        "search": [StrOptions(set(BOX_SEARCHES)), BoxSearch],
        "width_range": [StrOptions({"auto"}), "array-like"],
        "width_scale": [StrOptions({"log", "variance"})],
        "isotropic": ["boolean"],
        "start": [StrOptions({"samples", "box"})],
        "radial": [StrOptions(set(RADIALS)), Radial],
        "penalize_size": ["boolean"],
    }

    def _plan(self, training: Training) -> SearchPlan:
        rng = check_random_state(self.random_state)
        Z = training.standardized()
        search = part(self.search, BOX_SEARCHES)
        search.check()
        space = NodeSpace(
            Z.min(axis=0),
            Z.max(axis=0),
            self._widths(Z, training.weight, rng),
            self.width_scale == "log",
            self.isotropic,
            part(self.radial, RADIALS),
        )
        return SearchPlan(
            training=training,
            space=space,
            search=search,
            rng=rng,
            start_at_samples=self.start == "samples",
            n_threads=effective_n_jobs(self.n_jobs),
            fit_intercept=self.fit_intercept,
            penalize_size=self.penalize_size,
        )

    def _widths(
        self, Z: FloatArray, weight: FloatArray, rng: np.random.RandomState
    ) -> tuple[float, float]:
        """Least and largest width; "auto" spans those of a ``ForwardRBFClassifier``."""
        if isinstance(self.width_range, str):
            base = reference_width(Z, weight, rng)
            return base * LADDER[-1], base * LADDER[0]
        try:
            widths = np.asarray(self.width_range, dtype=np.float64)
        except (TypeError, ValueError):
            widths = np.empty(0)
        least, largest = SQUARABLE
        if widths.shape != (2,) or not least <= widths[0] <= widths[1] <= largest:
            raise ValueError(
                f"The 'width_range' parameter of {type(self).__name__} must be 'auto' or two "
                f"positive numbers (from {least:g} to {largest:g}), the smaller one first. "
                f"Got {self.width_range!r}."
            )
        return float(widths[0]), float(widths[1])

    def _run_attributes(self, best: Grown, finished: list[Grown]) -> dict:
        """Return the course of the search for every node."""
        searches = [proposal.search for proposal in best.selection.proposals]
        return {"search_path_": [np.array(search.costs) for search in searches if search]}


@described_like()
class TunableRBFClassifier(ClassOutputs, BaseTunableRBF):
    """Radial-basis-function classifier whose nodes are searched for one at a time.

    Every node has a center of its own, anywhere among the data, and a width of its own (or one for
    every input). They are found by a particle swarm (or another search) that minimises a
    leave-one-out criterion of the network grown by the node [1]_. Leave-one-out predictions are
    exact and cost no refit. More than two classes share one set of nodes.

    Parameters
    ----------
    search : {"swarm", "polished_swarm", "differential_evolution", "boosting"} or BoxSearch, \
            default="polished_swarm"
        What looks for a node: a particle swarm [1]_, one whose best point is polished by
        gradient descent where the criterion is the squared error, SciPy's differential evolution,
        or the repeated weighted boosting search that the swarm replaced. An object of
        ``drumlin.search`` has its own size and number of iterations.
    criterion : {"misclassification", "mutual_information", "squared_error"} or Criterion, \
            default="squared_error"
        What a node must lower. The paper's is "misclassification"; the squared error has no
        plateaus, and finds better nodes.
    first : {"squared_error", "criterion"}, default="squared_error"
        What chooses the first node. One node gives nearly all samples the same label, so that
        counts of errors hardly tell candidates apart; [1]_ prints the criterion all the same.
    width_range : "auto" or tuple of two floats, default="auto"
        Least and largest width in standardised units (raw units with ``standardize=False``).
        "auto" is from 1/2 to 8 times the median distance between samples over sqrt(2).
    width_scale : {"log", "variance"}, default="log"
        Whether the search moves in logarithms of widths, or in their squares as in [1]_.
    isotropic : bool, default=True
        Whether a node has the same width for all inputs, in standardised units; the paper's have
        one for each, which pays on few inputs and many samples only.
    start : {"samples", "box"}, default="samples"
        Where the search begins: at random training samples, or anywhere in the smallest box that
        holds them.
    regularizer : {"fixed", "evidence", "stage_evidence"} or LocalRegularizer, default="fixed"
        Penalties of the orthogonal columns.
    alpha : float, default=0.1
        Penalty, or where the evidence starts. Ignored where ``regularizer`` is an object.
    min_nodes : int, default=1
        Never stop below this size.
    patience : int, default=3
        Stop after this many nodes without a lower criterion; the best prefix is kept. 1 is the
        paper's literal rule.
    penalize_size : bool, default=True
        Whether the size is chosen by the leave-one-out squared error times exp(2 p / n) after p
        tuned parameters (Akaike's correction), rather than by the criterion itself as in [1]_.
        Leave-one-out sees the price of weights but not that of centers and widths, which were
        tuned on all samples: uncorrected, networks of many inputs grow far too large. The number
        of observations n is the sum of the sample weights times the number of outputs.
    random_state : int, RandomState instance or None, default=0
        Seed of the search.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_nodes_, centers_, widths_, coef_, intercept_
    temperature_, relevance_, n_bytes_
    loo_error_, loo_score_, loo_log_loss_ : float
        Leave-one-out error, accuracy and log-loss. The nodes were chosen to make them good, so they
        flatter.
    path_ : dict of ndarray
        One entry per stage, those after the best included: ``cost``, ``loo_squared_error``,
        ``loo_score``, ``alpha``; with "stage_evidence" also ``epsilon``, ``h``, ``log_evidence``.
    search_path_ : list of ndarray
        For every stage, the best cost after each iteration of the search.
    network_

    See Also
    --------
    TunableRBFRegressor : The same for numbers.
    ForwardRBFClassifier : Nodes that stand on training samples.

    References
    ----------
    .. [1] S. Chen, X. Hong, C. J. Harris, "Radial basis function classifier construction using
       particle swarm optimisation aided orthogonal forward regression", IJCNN 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import TunableRBFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TunableRBFClassifier().fit(X, y)
    >>> model.n_nodes_ < 20
    True
    >>> model.score(X, y) > 0.95
    True
    """

    _parameter_constraints: dict = BaseTunableRBF._parameter_constraints | CLASS_WEIGHT

    def __init__(
        self,
        search: Any = "polished_swarm",
        *,
        criterion: Any = "squared_error",
        first: Any = "squared_error",
        width_range: Any = "auto",
        width_scale: str = "log",
        isotropic: bool = True,
        start: str = "samples",
        regularizer: Any = "fixed",
        alpha: Any = 0.1,
        radial: Any = "gaussian",
        min_nodes: int = 1,
        max_nodes: int | None = None,
        patience: int = 3,
        penalize_size: bool = True,
        fit_intercept: bool = True,
        standardize: bool = True,
        class_weight: Any = None,
        n_jobs: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.search = search
        self.criterion = criterion
        self.first = first
        self.width_range = width_range
        self.width_scale = width_scale
        self.isotropic = isotropic
        self.start = start
        self.regularizer = regularizer
        self.alpha = alpha
        self.radial = radial
        self.min_nodes = min_nodes
        self.max_nodes = max_nodes
        self.patience = patience
        self.penalize_size = penalize_size
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state


@described_like(TunableRBFClassifier)
class TunableRBFRegressor(UncertainNumbers, BaseTunableRBF):
    """Radial-basis-function regression whose nodes are searched for one at a time.

    Several outputs share one set of nodes.

    Parameters
    ----------
    criterion : {"squared_error"} or Criterion, default="squared_error"
        Criteria of class labels do not apply.
    alpha : float, default=1e-3
        Penalty, or where the evidence starts. Ignored where ``regularizer`` is an object.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_nodes_, centers_, widths_, search_path_, network_
    relevance_, n_bytes_
    coef_ : ndarray of shape (n_nodes_,) or (n_outputs, n_nodes_)
    intercept_ : float or ndarray of shape (n_outputs,)
    loo_error_, loo_score_ : float
        Leave-one-out root mean squared error, and R2.
    path_ : dict of ndarray
        Errors are in units of the targets' variance.

    See Also
    --------
    TunableRBFClassifier : The same for classes.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin import TunableRBFRegressor
    >>> X = np.linspace(-3, 3, 100)[:, None]
    >>> model = TunableRBFRegressor().fit(X, np.sin(X[:, 0]))
    >>> round(model.score(X, np.sin(X[:, 0])), 2)
    1.0
    """

    _parameter_constraints: dict = BaseTunableRBF._parameter_constraints | CRITERION_OF_NUMBERS

    def __init__(
        self,
        search: Any = "polished_swarm",
        *,
        criterion: Any = "squared_error",
        first: Any = "squared_error",
        width_range: Any = "auto",
        width_scale: str = "log",
        isotropic: bool = True,
        start: str = "samples",
        regularizer: Any = "fixed",
        alpha: Any = 1e-3,
        radial: Any = "gaussian",
        min_nodes: int = 1,
        max_nodes: int | None = None,
        patience: int = 3,
        penalize_size: bool = True,
        fit_intercept: bool = True,
        standardize: bool = True,
        n_jobs: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.search = search
        self.criterion = criterion
        self.first = first
        self.width_range = width_range
        self.width_scale = width_scale
        self.isotropic = isotropic
        self.start = start
        self.regularizer = regularizer
        self.alpha = alpha
        self.radial = radial
        self.min_nodes = min_nodes
        self.max_nodes = max_nodes
        self.patience = patience
        self.penalize_size = penalize_size
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.random_state = random_state
