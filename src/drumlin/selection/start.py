"""The start of the flagship: which metric, which width, which samples, how many.

Forward paths of least squares are cheap; refining nodes is not. So every metric and width is tried
by a forward path, judged by exact leave-one-out squared error with a price per node, and only the
winner is refined. Nothing is drawn at random: rows and candidates are systematic samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.selection.gram import GramPath, gram_path

WIDTHS = (8.0, 4.0, 2.0, 1.0, 0.5)
"""Widths in units of the median distance over sqrt(2): each is the fourth power of the last."""

SHRINKAGE = (0.5, 0.05)
"""Whitened metrics: how far the within-class covariance is shrunk towards a sphere."""

MOST_WHITENED = 0.25
"""Inputs per sample above which nothing is whitened: a covariance has then seen too many labels."""

HANDICAP = 0.1
"""Advantage in log error that a whitened metric must show: it has seen the labels."""

ALPHA = 0.1
"""Penalty of orthogonal columns in the paths."""

CAP = 0.6
"""Most nodes in units of the square root of the number of samples."""

SCAN_ROWS, FINAL_ROWS = 2000, 5000
"""Samples used to compare metrics and widths, and for the final path."""

CANDIDATES = 300
"""Least number of candidate centers (and at least four per node of the cap)."""


MEDIAN_PAIRS = 60_000
"""Pairs of samples that are enough for a median distance."""


@dataclass(frozen=True)
class StartProblem:
    """A table to be explained.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Mapped inputs.
    targets : ndarray of shape (n_samples, n_outputs)
        Codes of the classes, or the regression target.
    labels : ndarray of shape (n_samples,)
        Class indices; zeros in regression.
    weight : ndarray of shape (n_samples,)
    n_classes : int
        1 in regression.
    """

    Z: FloatArray
    targets: FloatArray
    labels: IntArray
    weight: FloatArray
    n_classes: int

    @property
    def total(self) -> float:
        """Total weight: the number of samples."""
        return float(self.weight.sum())

    @property
    def inputs_per_sample(self) -> float:
        """How wide the table is."""
        return self.Z.shape[1] / self.total

    @property
    def contrasts(self) -> float:
        """Square root of the number of class contrasts: more outputs share the price of a node."""
        return float(np.sqrt(max(self.n_classes - 1, 1)))

    @property
    def variance(self) -> float:
        """Squared error of the best constant."""
        centered = self.targets - self.weight @ self.targets / self.total
        return float(self.weight @ (centered**2).sum(axis=1) / self.total)

    def seen_as(self, Z: FloatArray) -> StartProblem:
        """Return the same samples with other inputs."""
        return replace(self, Z=Z)

    def take(self, rows: IntArray) -> StartProblem:
        """Return some of the samples."""
        return StartProblem(
            self.Z[rows], self.targets[rows], self.labels[rows], self.weight[rows], self.n_classes
        )


@dataclass(frozen=True)
class Metric:
    """A matrix that maps inputs to the space in which nodes start round, and its handicap."""

    matrix: FloatArray | None
    shrinkage: float = 1.0

    def handicap(self, n_features: int, total: float) -> float:
        """Return the log error by which this metric must be better than the plain one."""
        if self.matrix is None:
            return 0.0
        return HANDICAP + (1.0 - self.shrinkage) * n_features / total

    def __call__(self, Z: FloatArray) -> FloatArray:
        """Mapped inputs."""
        return Z if self.matrix is None else Z @ self.matrix


@dataclass(frozen=True)
class Start:
    """Round nodes on training samples, and how good they are.

    Parameters
    ----------
    metric : Metric
    centers : ndarray of shape (n_nodes, n_features)
        In the metric's space.
    width : float
    rows : ndarray of shape (n_nodes,)
        Samples the nodes stand on.
    spare : ndarray of shape (n_spare,)
        Samples of further nodes, worth their price but beyond the limit.
    squared_errors : ndarray
        Leave-one-out squared error of every prefix of the path, no node first.
    loo_predictions : ndarray of shape (n_used, n_outputs)
        Of the samples the path was found on.
    used : ndarray of shape (n_used,)
        Those samples.
    variance : float
        Squared error of the best constant.
    """

    metric: Metric
    centers: FloatArray
    width: float
    rows: IntArray
    spare: IntArray
    squared_errors: FloatArray
    loo_predictions: FloatArray
    used: IntArray
    variance: float

    @property
    def squared_error(self) -> float:
        """Leave-one-out squared error of the start."""
        return float(self.squared_errors[len(self.centers)])


def find_start(
    problem: StartProblem, most_nodes: Callable[[Metric], int | None] = lambda metric: None
) -> Start | None:
    r"""Find the metric, width and prefix of a forward path with the lowest criterion.

    .. math:: \log \mathrm{LOO} + m \, \frac{\log N}{N \sqrt{K-1}} + \mathrm{handicap}

    Parameters
    ----------
    problem : StartProblem
    most_nodes : callable
        Limit on the size for a metric (a metric that is stored leaves less room), or None.

    Returns
    -------
    Start or None
        None where inputs do not vary. No node at all where the gain over a constant is not above
        that of the best of L noise columns.
    """
    used = systematic_sample(problem.Z, problem.labels, FINAL_ROWS)
    final = problem.take(used)
    scanned = systematic_sample(final.Z, final.labels, SCAN_ROWS)
    scan = final.take(scanned)
    cap, final_cap = node_caps(problem)
    tried = sorted(_scan(scan, final, cap, most_nodes), key=lambda trial: trial.criterion)
    if not tried:
        return None
    if len(scan.Z) == len(problem.Z) and final_cap <= cap:
        best = tried[0]
    else:
        again = [_retry(trial, final, final_cap, problem, most_nodes) for trial in tried[:2]]
        best = min(again, key=lambda trial: trial.criterion)
    return _finish(best, problem, used if best.problem is final else used[scanned])


@dataclass(frozen=True)
class _Trial:
    """A path in one metric with one width."""

    criterion: float
    metric: Metric
    width: float
    step: int
    problem: StartProblem
    candidates: IntArray
    path: GramPath
    limit: int


def node_caps(problem: StartProblem) -> tuple[int, int]:
    """Most nodes of the scan and of the final path."""
    n, k = problem.total, problem.n_classes
    cap = int(np.ceil(CAP * np.sqrt(n)))
    if k <= 2:
        return cap, cap
    return max(cap, 3 * k), max(cap, int(min(k * max(8.0, 0.27 * np.sqrt(n)), n / 3.0)))


def systematic_sample(Z: FloatArray, labels: IntArray, size: int) -> IntArray:
    """Every (n/size)-th sample in order of class, then along the first principal direction.

    Proportional in the classes, needs no seed, and does not depend on the order of the rows.
    """
    n = len(Z)
    if n <= size:
        return np.arange(n)
    centered = Z - Z.mean(axis=0)
    direction = np.linalg.eigh(centered.T @ centered)[1][:, -1]
    direction *= np.sign(direction[np.abs(direction).argmax()])
    order = np.lexsort((centered @ direction, labels))
    return np.sort(order[((np.arange(size) + 0.5) * n / size).astype(np.int64)])


def whitener(problem: StartProblem, shrinkage: float) -> FloatArray | None:
    """Inverse square root of the shrunk within-class covariance; None where it is singular."""
    residual = problem.Z.copy()
    for k in range(problem.n_classes):
        own = problem.labels == k
        residual[own] -= np.average(residual[own], axis=0, weights=problem.weight[own])
    covariance = (residual * problem.weight[:, None]).T @ residual / problem.total
    n_features = len(covariance)
    sphere = np.trace(covariance) / n_features
    shrunk = (1.0 - shrinkage) * covariance + shrinkage * sphere * np.eye(n_features)
    values, vectors = np.linalg.eigh(shrunk)
    if not sphere > 0.0 or values[0] <= 1e-12 * values[-1]:
        return None
    return np.asarray((vectors / np.sqrt(values)) @ vectors.T)


def _scan(
    scan: StartProblem,
    final: StartProblem,
    cap: int,
    most_nodes: Callable[[Metric], int | None],
) -> Iterator[_Trial]:
    """Paths of the plain metric at all widths, of whitened ones near its best width."""
    candidates = systematic_sample(scan.Z, scan.labels, max(CANDIDATES, 4 * cap))
    price = np.log(scan.total) / (scan.total * scan.contrasts)
    steps: tuple[int, ...] = tuple(range(len(WIDTHS)))
    plain: list[_Trial] = []
    for metric in _metrics(final):
        caps = cap, _limited(cap, most_nodes(metric))
        for trial in _paths(scan, candidates, metric, steps, caps, price):
            yield trial
            if metric.matrix is None:
                plain.append(trial)
        if plain and metric.matrix is None:
            best = min(plain, key=lambda trial: trial.criterion).step
            steps = tuple(step for step in steps if abs(step - best) <= 1)


def _metrics(problem: StartProblem) -> Iterator[Metric]:
    yield Metric(None)
    if problem.n_classes < 2 or problem.inputs_per_sample > MOST_WHITENED:
        return
    for shrinkage in SHRINKAGE:
        matrix = whitener(problem, shrinkage)
        if matrix is not None:
            yield Metric(matrix, shrinkage)


def _limited(cap: int, limit: int | None) -> int:
    return cap if limit is None else min(cap, limit)


def _paths(
    problem: StartProblem,
    candidates: IntArray,
    metric: Metric,
    steps: tuple[int, ...],
    caps: tuple[int, int],
    price: float,
) -> Iterator[_Trial]:
    """Paths in one metric for some widths, from one exponential."""
    Y = metric(problem.Z)
    d2 = squared_distances(Y, Y[candidates])
    differ = d2 > 1e-12
    if caps[1] < 1 or not differ.any():
        return
    base = float(np.sqrt(_median_distance(d2, differ, problem.weight, candidates) / 2.0))
    Phi = np.exp(d2 / (-2.0 * (WIDTHS[0] * base) ** 2))
    for step in range(max(steps) + 1):
        if step:
            Phi = (Phi * Phi) ** 2
        if step in steps:
            yield _judge(Phi, problem, candidates, metric, (WIDTHS[step] * base, step), caps, price)


def _median_distance(
    d2: FloatArray, differ: BoolArray, weight: FloatArray, candidates: IntArray
) -> float:
    """Weighted median of squared distances that are not zero, from an even sample of the rows."""
    rows = slice(None, None, 1 + d2.size // MEDIAN_PAIRS)
    if not differ[rows].any():
        rows = slice(None)
    pairs = weight[rows, None] * weight[candidates]
    return weighted_median(d2[rows][differ[rows]], pairs[differ[rows]])


def _judge(
    Phi: FloatArray,
    problem: StartProblem,
    candidates: IntArray,
    metric: Metric,
    width: tuple[float, int],
    caps: tuple[int, int],
    price: float,
) -> _Trial:
    """Find the path and judge its best prefix within the limit."""
    cap, limit = caps
    path = gram_path(Phi, problem.targets, problem.weight, cap, ALPHA)
    criterion, best = _best_prefix(path, price, limit)
    value = criterion[best] + metric.handicap(problem.Z.shape[1], problem.total)
    return _Trial(float(value), metric, *width, problem, candidates, path, limit)


def _best_prefix(path: GramPath, price: float, limit: int | None = None) -> tuple[FloatArray, int]:
    """Criterion of every prefix, and the size of the best one with a node (if there is a node)."""
    criterion = _log(path.squared_errors) + price * np.arange(len(path.order) + 1)
    within = criterion[1 : None if limit is None else limit + 1]
    return criterion, 1 + int(within.argmin()) if len(within) else 0


def _retry(
    trial: _Trial,
    final: StartProblem,
    cap: int,
    problem: StartProblem,
    most_nodes: Callable[[Metric], int | None],
) -> _Trial:
    """The same metric and width on more rows, with more nodes, priced for all rows."""
    candidates = systematic_sample(final.Z, final.labels, max(CANDIDATES, 4 * cap))
    Y = trial.metric(final.Z)
    Phi = np.exp(squared_distances(Y, Y[candidates]) / (-2.0 * trial.width**2))
    caps = cap, _limited(cap, most_nodes(trial.metric))
    price = node_price(problem, final.total)
    return _judge(Phi, final, candidates, trial.metric, (trial.width, trial.step), caps, price)


def node_price(problem: StartProblem, used: float) -> float:
    """Price of a node in log error for all samples, when ``used`` of them were looked at.

    Leave-one-out on fewer rows overstates the price of a parameter by about 1/used - 1/N.
    """
    n = problem.total
    return float(np.log(n) / (n * problem.contrasts) + min(0.0, 1.0 / n - 1.0 / used))


def _finish(trial: _Trial, problem: StartProblem, used: IntArray) -> Start:
    """Choose the size for all samples, or none, and collect what the refinement needs."""
    path, part = trial.path, trial.problem
    price = node_price(problem, part.total)
    criterion, m = _best_prefix(path, price, trial.limit)
    # On noise the best of L columns gains about 2 log L in N log error.
    if problem.total * (criterion[0] - criterion[m]) < 2.0 * np.log(len(trial.candidates)):
        m = 0
    free = _best_prefix(path, price)[1] if m else 0
    chosen, spare = np.split(trial.candidates[path.order[: max(m, free)]], [m])
    return Start(
        metric=trial.metric,
        centers=trial.metric(part.Z)[chosen],
        width=trial.width,
        rows=used[chosen],
        spare=used[spare],
        squared_errors=path.squared_errors,
        loo_predictions=path.loo_predictions(part.targets, part.weight, m),
        used=used,
        variance=part.variance,
    )


def squared_distances(A: FloatArray, B: FloatArray) -> FloatArray:
    """Squared distances (n_a, n_b) by one product: inputs are clipped, so nothing cancels badly."""
    d2 = (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2.0 * (A @ B.T)
    return np.maximum(d2, 0.0, out=d2)


def weighted_median(values: FloatArray, weight: FloatArray) -> float:
    """Median in which every value counts with its weight."""
    if (weight == weight[0]).all():
        return float(np.median(values))
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(weight[order])
    half = 0.5 * cumulated[-1]
    low, high = np.searchsorted(cumulated, [half * (1 - 1e-12), half * (1 + 1e-12)])
    return float(0.5 * (values[order[low]] + values[order[min(high, len(order) - 1)]]))


def _log(errors: FloatArray) -> FloatArray:
    return np.log(np.maximum(errors, 1e-12))
