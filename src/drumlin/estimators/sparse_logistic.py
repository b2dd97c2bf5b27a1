"""Sparse kernel logistic regression chosen by BIC: the adaptive learning machine of ando2004."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from drumlin._kernels.blas import one_blas_thread
from drumlin._typing import FloatArray, IntArray
from drumlin._warnings import warn
from drumlin.basis import Gaussian, Nodes
from drumlin.criteria.bic import MODEL_PRIORS
from drumlin.estimators.checks import model_prior, part, positive_numbers, row_numbers
from drumlin.estimators.class_outputs import CLASS_WEIGHT, ClassOutputs
from drumlin.estimators.docstrings import described_like
from drumlin.estimators.fitting import BaseNetwork
from drumlin.estimators.progress import Progress, Searches, warn_interrupted
from drumlin.estimators.surface import LOO
from drumlin.estimators.training import Training, candidate_rows
from drumlin.estimators.truncation import TruncatedNetwork
from drumlin.linear.contrasts import Contrasts
from drumlin.linear.logistic import LogisticFits, LogisticProblem
from drumlin.network import Network
from drumlin.search import SUBSET_SEARCHES, Search
from drumlin.selection.subset import SubsetPlan, SubsetRun, SubsetSelection, select_subset
from drumlin.selection.subset_fit import SubsetFit
from drumlin.selection.subset_grid import automatic_alphas, automatic_widths

ALL_UP_TO, SAMPLED = 1000, 500
"""Every sample is a candidate up to this many; above, so many of them are."""

LOO_ROWS = 5000
"""Most samples that are left out for the leave-one-out figures."""

MOST_NODES = 100
"""Largest subset where ``max_nodes`` is None: it bounds time and memory."""


@described_like()
class SparseKernelLogisticRegression(ClassOutputs, TruncatedNetwork, BaseNetwork):
    r"""Logistic regression on a few kernels at training samples, all chosen by BIC.

    Two or more classes with conditional probabilities. The log-odds of every class against the
    first are sums of Gaussian kernels at a subset S of the samples,

    .. math:: h_k(x) = b_k + \sum_{j \in S} \gamma_{kj} \exp(-\|x - x_j\|^2 / 2\sigma^2),

    fitted by maximum likelihood with the penalty :math:`n\lambda_k \gamma_k'K\gamma_k / 2`. The
    subset, the width and the penalties minimise one number, the Bayesian information criterion of
    the penalised likelihood [1]_, with a prior that charges for the number of subsets searched; no
    validation data are needed.

    Parameters
    ----------
    width : "auto", float or list of float, default="auto"
        Widths :math:`\sigma` to try, in standardised units (raw units with ``standardize=False``).
        "auto" takes 8, 4, 2, 1 and 1/2 times the median distance between samples over sqrt(2), but
        none (save the widest) below twice the median distance of nearest neighbours: narrower
        kernels see one sample each, and the search finds subsets that please BIC by chance.
    alpha : "auto", float or list of float, default="auto"
        Penalties :math:`\lambda` to try. "auto" takes 1/n, 0.1/n and 0.01/n: log-odds with prior
        standard deviations from 1 to 10.
    search : {"greedy", "genetic"} or Search, default="greedy"
        How subsets are looked for: adding, dropping and swapping, or the genetic algorithm of [1]_.
    grid : {"adaptive", "full"}, default="adaptive"
        "adaptive" begins at every width with the weakest penalty, and searches again from the
        subset found as long as other penalties, one per class contrast (one for all with more
        than five classes), suit it better; between "auto" widths it then tries two more near the
        best, from the best subset. "full" searches at every pair of width and penalty, as [1]_
        does, and with three classes and more for every width once more with penalties per contrast.
    model_prior : {"kinds", "sizes", "equal"} or array-like of shape (n_sizes,), default="kinds"
        Prior probability of a subset of m kernels, whose logarithm times -2 is a part of BIC.
        "equal" is that of [1]_: then the best of very many subsets wins by chance, the more so the
        narrower the kernels. "sizes" makes all sizes m equally probable (extended BIC): too hard
        on kernels that overlap. "kinds" counts only as many candidates as are different functions.
        Or the logarithms for m = 0, 1, ...; larger subsets are then impossible.
    reference : "bic" or int, default="bic"
        The class, by its index in ``classes_``, that the others are compared with; [1]_ takes the
        last, -1. With three classes and more the penalties, hence BIC, depend on it. "bic" begins
        with the most frequent class, then takes the one that gives the subset found the least BIC
        and searches on from there.
    candidates : int or None, default=None
        How many training samples serve as candidate centers. None takes all samples up to 1000
        and a seeded 500 of them above, so that time and memory grow linearly with the number of
        samples. Equal samples count as one.
    max_nodes : int or None, default=None
        Largest subset; None means 100.
    standardize : bool, default=True
        Whether to give every input mean 0 and variance 1 first. Constant inputs are ignored.
        Inputs that share a unit may be better without.
    time_limit : float or None, default=None
        Seconds after which the best model so far is taken (a running generation is finished).
        Results then depend on the speed of the machine.
    random_state : int, RandomState instance or None, default=0
        Used by the genetic search, and above 1000 samples to draw candidates and pairs for "auto"
        widths.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
    n_nodes_ : int
        Number of kernels; 0 where BIC prefers constant probabilities.
    centers_, widths_ : ndarray of shape (n_nodes_, n_features_in_)
        Kernels in the units of X. An infinite width means the input is ignored.
    coef_ : ndarray of shape (n_outputs, n_nodes_)
        Weights; one output for two classes, one per class for more (zeros for the reference).
    intercept_
    support_ : ndarray of shape (n_nodes_,)
        Training rows the kernels stand on.
    loo_error_, loo_score_, loo_log_loss_ : float
        Leave-one-out error (accuracy) and log-loss, by one Newton step per sample with the kernels
        as they are.
    relevance_
    bic_ : float
        The criterion of the model; ``bic(X, y, support)`` is that of any other subset.
    width_ : float
        Width of the kernels in standardised units.
    alpha_ : ndarray of shape (n_classes - 1,)
        Penalty of every contrast with the reference class.
    reference_ : int
        Index of that class.
    search_path_, path_ : dict of ndarray
        ``bic`` and ``n_nodes`` of the best subset after every generation (step) of the search that
        found the model: figure 2 of [1]_.
    grid_path_ : dict of ndarray
        One entry per search: ``width``, ``alpha`` (the geometric mean over contrasts), ``bic``,
        ``n_nodes``, ``n_evaluations``.
    network_

    See Also
    --------
    DrumlinClassifier : Refines centers and widths too; nothing to tune.

    Notes
    -----
    Integer sample weights equal repeated rows; weights that sum to less than the number of samples
    are relative.

    References
    ----------
    .. [1] T. Ando, S. Imoto, S. Konishi, "Adaptive learning machines for nonlinear classification
       and Bayesian information criteria", Bulletin of Informatics and Cybernetics 36, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import SparseKernelLogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SparseKernelLogisticRegression().fit(X, y)
    >>> model.n_nodes_ < 8
    True
    >>> model.score(X, y) > 0.95
    True
    """

    _parameter_constraints: dict = {
        "width": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither"), "array-like"],
        "alpha": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither"), "array-like"],
        "search": [StrOptions(set(SUBSET_SEARCHES)), Search],
        "grid": [StrOptions({"adaptive", "full"})],
        "model_prior": [StrOptions(set(MODEL_PRIORS)), "array-like"],
        "reference": [Interval(Integral, None, None, closed="neither"), StrOptions({"bic"})],
        "candidates": [Interval(Integral, 1, None, closed="left"), None],
        "max_nodes": [Interval(Integral, 1, None, closed="left"), None],
        "standardize": ["boolean"],
        **CLASS_WEIGHT,
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "random_state": ["random_state"],
    }

    _scores_are_log_odds = True
    _merges_rows = _counts_weights = True

    def __init__(
        self,
        width: Any = "auto",
        *,
        alpha: Any = "auto",
        search: Any = "greedy",
        grid: Any = "adaptive",
        model_prior: Any = "kinds",
        reference: Any = "bic",
        candidates: Any = None,
        max_nodes: int | None = None,
        standardize: bool = True,
        class_weight: Any = None,
        time_limit: float | None = None,
        random_state: Any = 0,
    ) -> None:
        self.width = width
        self.alpha = alpha
        self.search = search
        self.grid = grid
        self.model_prior = model_prior
        self.reference = reference
        self.candidates = candidates
        self.max_nodes = max_nodes
        self.standardize = standardize
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.random_state = random_state

    # ------------------------------------------------------------------ fitting
    def _fit_training(self, training: Training, told: dict) -> None:
        """Search for the model of least BIC and set what was learned."""
        rng = check_random_state(self.random_state)
        plan = self._plan(training, rng)
        progress = Progress.of_fit(self, told, plan.n_runs)
        selection = self._select(training, plan, rng, progress)
        fit = SubsetFit.of(selection.best)
        attributes = self._attributes(training, plan, selection, fit)
        for name, value in attributes.items():
            setattr(self, name, value)
        self._remember_training(training)
        progress.end(attributes)
        self._warn(selection, fit.fits)

    def _plan(self, training: Training, rng: np.random.RandomState) -> SubsetPlan:
        rows = candidate_rows(self, training, rng, all_up_to=ALL_UP_TO, sampled=SAMPLED)
        Z = training.standardized()
        if isinstance(self.width, str):
            widths = automatic_widths(Z, training.weight, rows, rng)
        else:
            widths = positive_numbers(self, "width")
        given = not isinstance(self.alpha, str)
        alphas = positive_numbers(self, "alpha") if given else automatic_alphas(training.weight)
        return SubsetPlan(
            Z=Z,
            rows=rows,
            widths=widths,
            alphas=alphas,
            full=self.grid == "full",
            max_nodes=MOST_NODES if self.max_nodes is None else int(self.max_nodes),
            between=isinstance(self.width, str) and self.grid == "adaptive",
            time_limit=self.time_limit,
            prior=model_prior(self),
            per_contrast=self.grid == "full" and self._n_classes > 2,
            any_reference=isinstance(self.reference, str) and self._n_classes > 2,
        )

    def _problem(self, training: Training, reference: int) -> LogisticProblem:
        """Targets with the reference class as the first."""
        plain = LogisticProblem(training.labels, training.weight, self._n_classes)
        return plain.compared_with(reference)

    def _first_reference(self, training: Training) -> int:
        """Index of the class that the others are compared with at first."""
        n_classes = self._n_classes
        if n_classes == 2:
            return 0
        if isinstance(self.reference, str):
            return int(np.argmax(np.bincount(training.labels, training.weight)))
        if not -n_classes <= self.reference < n_classes:
            raise ValueError(
                f"The 'reference' parameter of {type(self).__name__} must be \"bic\" or the index "
                f"of one of the {n_classes} classes. Got {self.reference!r}."
            )
        return int(self.reference % n_classes)

    def _select(self, training, plan, rng, progress: Progress) -> SubsetSelection:
        """Search, telling the callbacks of every search and every generation."""

        def attributes(run: SubsetRun) -> dict:
            return self._attributes(training, plan, SubsetSelection([run]), SubsetFit.of(run))

        told = Searches(progress, attributes)
        return select_subset(
            self._problem(training, self._first_reference(training)),
            plan,
            part(self.search, SUBSET_SEARCHES),
            rng,
            on_iteration=told.on_iteration,
            on_run=told.on_run,
        )

    def _warn(self, selection: SubsetSelection, fits: LogisticFits) -> None:
        name, messages = type(self).__name__, []
        if selection.interrupted:
            warn_interrupted(self, f"the best model so far ({self.n_nodes_} nodes)")
        if selection.out_of_time:
            messages.append(
                f"{name}.fit reached 'time_limit' ({self.time_limit:g} s) in search "
                f"{len(selection.runs)}; the best model so far ({self.n_nodes_} nodes) is kept. A "
                "smaller grid or fewer 'candidates' take less time."
            )
        if fits.jittered[0]:
            messages.append(
                f"The Hessian of {name} was singular to rounding and its diagonal was raised; a "
                "larger 'alpha' helps."
            )
        if not fits.converged[0]:
            messages.append(
                f"The weights of {name} did not converge (are the classes separable?); a larger "
                "'alpha' helps."
            )
        for message in messages:
            warn(message, ConvergenceWarning)

    # ------------------------------------------------------------------ what was learned
    def _attributes(
        self, training: Training, plan: SubsetPlan, selection: SubsetSelection, fit: SubsetFit
    ) -> dict:
        """Everything ``fit`` learns, by name."""
        best = selection.best
        drawn = training.drawn(self._n_classes, LOO_ROWS)
        some = training.take(drawn)
        scores = fit.loo_scores(drawn, some.left_out)
        rows = plan.rows[best.members]
        centers = training.X[rows]
        widths = best.width * training.scaler.scale * np.ones_like(centers)
        nodes = Nodes(centers, widths, Gaussian())
        return {
            **self._loo_figures(some, scores),
            "_calibration": self._calibrated(some, scores),
            "bic_": fit.bic,
            "width_": best.width,
            "alpha_": best.cost.alphas,
            "reference_": best.cost.problem.reference,
            "search_path_": best.path,
            "grid_path_": selection.grid,
            "_elimination": fit.elimination,
            **self._network_attributes(nodes, training.rows[rows], fit.weights),
        }

    @property
    def path_(self) -> dict[str, Any]:
        """The course of the search, under the name that all networks with a path have."""
        check_is_fitted(self)
        return self.search_path_

    def _network_attributes(self, nodes: Nodes, support: IntArray, weights: FloatArray) -> dict:
        """Attributes that describe the network with weights of all outputs, the intercept last."""
        coef, intercept = weights[:-1], weights[-1]
        return {
            "network_": Network(nodes, coef, intercept),
            "n_nodes_": len(nodes),
            "centers_": nodes.centers,
            "widths_": nodes.widths,
            "support_": support,
        }

    # ------------------------------------------------------------------ the fitted model
    def bic(self, X: Any, y: Any, support: Any, sample_weight: Any = None) -> float:
        """Criterion of any subset, with the width and the penalties that ``fit`` found.

        Parameters
        ----------
        X, y, sample_weight : array-like
            Training data, as given to ``fit``.
        support : array-like of int of shape (n_nodes,)
            Rows of X that the kernels stand on.

        Returns
        -------
        float
            Comparable with ``bic_``; infinite where the prior excludes the size.
        """
        check_is_fitted(self)
        support = row_numbers(self, support, len(X))
        fresh = clone(self)
        training, _ = fresh._prepare(X, y, sample_weight)
        with one_blas_thread():
            plan = fresh._plan(training, check_random_state(self.random_state))
            Z = training.scaler.transform(np.asarray(X, dtype=np.float64)[support])
            return plan.bic_at(
                fresh._problem(training, self.reference_), Z, self.width_, self.alpha_
            )

    def _truncated(self, n_nodes: int):
        """Return the kernels that matter most; ``bic_`` and leave-one-out figures become NaN."""
        smaller = self._copy_for_fewer_nodes()
        kept, rest, _ = self._elimination.reduced(n_nodes)
        weights = Contrasts(self._n_classes, self.reference_).of_all(rest.weights)
        nodes = self.network_.nodes.take(kept)
        attributes = self._network_attributes(nodes, self.support_[kept], weights)
        unknown = dict.fromkeys(("bic_", *LOO), float("nan"))
        attributes |= {**unknown, "_elimination": rest}
        for name, value in attributes.items():
            setattr(smaller, name, value)
        return smaller
