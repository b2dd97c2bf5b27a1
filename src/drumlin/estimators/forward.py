"""Forward selection with every part exposed: hong2008, hong2014 and PRESS regression."""

from __future__ import annotations

from typing import Any

from drumlin.estimators.class_outputs import CLASS_WEIGHT, ClassOutputs
from drumlin.estimators.docstrings import described_like
from drumlin.estimators.number_outputs import UncertainNumbers
from drumlin.estimators.pooled import BaseForwardRBF
from drumlin.estimators.selected import CRITERION_OF_NUMBERS


@described_like()
class ForwardRBFClassifier(ClassOutputs, BaseForwardRBF):
    """Radial-basis-function classifier grown by leave-one-out forward selection.

    Starting from nothing, the candidate node that most lowers a leave-one-out criterion joins the
    network, until the criterion stops falling. Leave-one-out predictions are exact and cost no
    refit [1]_, [2]_. More than two classes share one set of nodes.

    Parameters
    ----------
    width : "auto", float or list of float, default="auto"
        Width of the nodes in standardised units (raw units with ``standardize=False``). Of several
        widths the best is kept, see ``width_by``. "auto"
        tries nine, from 8 to 1/2 times the median distance between samples over sqrt(2).
    width_by : {"squared_error", "criterion"}, default="squared_error"
        What judges widths: the leave-one-out squared error of their networks, or their criterion
        as in [2]_ (then the squared error). A criterion that was minimised over all candidates
        flatters narrow widths.
    criterion : {"misclassification", "mutual_information", "squared_error"} or Criterion, \
            default="misclassification"
        What a node must lower: the leave-one-out error rate [1]_, minus the (signed)
        leave-one-out mutual information [2]_, or the leave-one-out squared error.
    first : {"squared_error", "criterion"}, default="squared_error"
        What chooses the first node. One node gives nearly all samples the same label, so that
        counts of errors hardly tell candidates apart; [1]_ prints the criterion all the same.
    regularizer : {"fixed", "evidence", "stage_evidence"} or LocalRegularizer, default="fixed"
        Penalties of the orthogonal columns: all equal to ``alpha``, found by evidence at the end
        [1]_, or by evidence at every stage [2]_.
    alpha : float, default=1e-3
        Penalty, or where the evidence starts. Ignored where ``regularizer`` is an object.
    candidates : int, array-like of shape (n_candidates, n_features) or None, default=None
        How many training samples serve as candidate centers, or the centers themselves in the
        units of X. None takes all samples up to 2000 and a seeded 1000 of them above. Equal
        samples count as one.
    min_nodes : int, default=1
        Never stop below this size. Of several widths only those that reach it compete; where none
        does, because candidates run out, there is a warning.
    patience : int, default=5
        Stop after this many nodes without a lower criterion; the best prefix is kept. 1 is the
        papers' literal rule.
    ties : {"squared_error", "first"}, default="squared_error"
        Among candidates of equal criterion take the one with the least leave-one-out squared
        error, or the first.
    memory_budget : float, default=1e9
        Bytes that candidate columns may take. Above it they are recomputed at every stage: slower,
        same result.
    random_state : int, RandomState instance or None, default=0
        Used only to sample candidates (and pairs for "auto" widths) above 1000 samples.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_nodes_, centers_, widths_, coef_, intercept_
    support_ : ndarray of shape (n_nodes_,)
        Training rows the nodes stand on (rows of ``candidates`` where centers were given).
    temperature_, relevance_, n_bytes_
    loo_error_, loo_score_, loo_log_loss_ : float
        Leave-one-out error, accuracy and log-loss. The nodes were chosen to make the first small,
        so it flatters a little.
    path_ : dict of ndarray
        One entry per stage, those after the best included: ``node``, ``cost``,
        ``loo_squared_error``, ``loo_score``, ``alpha``; with "stage_evidence" also ``epsilon``,
        ``h`` and ``log_evidence`` [2]_.
    width_ : float
        Width of the nodes in standardised units.
    width_path_ : dict of ndarray
        One entry per width: ``width``, ``loo_squared_error``, ``cost``, ``n_nodes``.
    network_

    See Also
    --------
    ForwardRBFRegressor : The same for numbers.

    Notes
    -----
    Leave-one-out leaves out a *row with its whole weight*. With integer weights the fitted weights
    for given nodes are those of repeated rows, but the leave-one-out criterion is not: on repeated
    rows it leaves out one copy and keeps the others. Weights are counts: penalties and evidence
    compare themselves with their sum, so weights that sum to 1 are regularised strongly.

    References
    ----------
    .. [1] X. Hong, S. Chen, C. J. Harris, "A fast linear-in-the-parameters classifier construction
       algorithm using orthogonal forward selection to minimize leave-one-out misclassification
       rate", Int. J. Systems Science 39(2), 2008.
    .. [2] X. Hong, S. Chen, A. Qatawneh et al., "A radial basis function network classifier to
       maximise leave-one-out mutual information", Applied Soft Computing 23, 2014.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import ForwardRBFClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ForwardRBFClassifier().fit(X, y)
    >>> model.n_nodes_ < 20
    True
    >>> model.score(X, y) > 0.95
    True
    """

    _parameter_constraints: dict = BaseForwardRBF._parameter_constraints | CLASS_WEIGHT

    def __init__(
        self,
        width: Any = "auto",
        *,
        width_by: str = "squared_error",
        criterion: Any = "misclassification",
        first: Any = "squared_error",
        regularizer: Any = "fixed",
        alpha: Any = 1e-3,
        radial: Any = "gaussian",
        candidates: Any = None,
        min_nodes: int = 1,
        max_nodes: int | None = None,
        patience: int = 5,
        ties: str = "squared_error",
        fit_intercept: bool = True,
        standardize: bool = True,
        class_weight: Any = None,
        memory_budget: float = 1e9,
        n_jobs: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.width = width
        self.width_by = width_by
        self.criterion = criterion
        self.first = first
        self.regularizer = regularizer
        self.alpha = alpha
        self.radial = radial
        self.candidates = candidates
        self.min_nodes = min_nodes
        self.max_nodes = max_nodes
        self.patience = patience
        self.ties = ties
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.class_weight = class_weight
        self.memory_budget = memory_budget
        self.n_jobs = n_jobs
        self.random_state = random_state


@described_like(ForwardRBFClassifier)
class ForwardRBFRegressor(UncertainNumbers, BaseForwardRBF):
    """Radial-basis-function regression grown by leave-one-out squared error (PRESS).

    Several outputs share one set of nodes.

    Parameters
    ----------
    criterion : {"squared_error"} or Criterion, default="squared_error"
        Criteria of class labels do not apply.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_nodes_, centers_, widths_, support_, width_, width_path_
    relevance_, n_bytes_, network_
    coef_ : ndarray of shape (n_nodes_,) or (n_outputs, n_nodes_)
    intercept_ : float or ndarray of shape (n_outputs,)
    loo_error_, loo_score_ : float
        Leave-one-out root mean squared error, and R2.
    path_ : dict of ndarray
        Errors are in units of the targets' variance.

    See Also
    --------
    ForwardRBFClassifier : The same for classes.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin import ForwardRBFRegressor
    >>> X = np.linspace(-3, 3, 100)[:, None]
    >>> model = ForwardRBFRegressor().fit(X, np.sin(X[:, 0]))
    >>> round(model.score(X, np.sin(X[:, 0])), 3)
    1.0
    """

    _parameter_constraints: dict = BaseForwardRBF._parameter_constraints | CRITERION_OF_NUMBERS

    def __init__(
        self,
        width: Any = "auto",
        *,
        width_by: str = "squared_error",
        criterion: Any = "squared_error",
        first: Any = "squared_error",
        regularizer: Any = "fixed",
        alpha: Any = 1e-3,
        radial: Any = "gaussian",
        candidates: Any = None,
        min_nodes: int = 1,
        max_nodes: int | None = None,
        patience: int = 5,
        ties: str = "squared_error",
        fit_intercept: bool = True,
        standardize: bool = True,
        memory_budget: float = 1e9,
        n_jobs: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.width = width
        self.width_by = width_by
        self.criterion = criterion
        self.first = first
        self.regularizer = regularizer
        self.alpha = alpha
        self.radial = radial
        self.candidates = candidates
        self.min_nodes = min_nodes
        self.max_nodes = max_nodes
        self.patience = patience
        self.ties = ties
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.memory_budget = memory_budget
        self.n_jobs = n_jobs
        self.random_state = random_state
