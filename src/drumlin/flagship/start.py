"""The start of the flagship: which metric, which width, which samples, how many.

Forward paths of least squares are cheap; refining nodes is not. So every metric and width is tried
by a forward path, judged by exact leave-one-out squared error with a price per node, and only the
winner is refined. Nothing is drawn at random: rows are drawn by their content, candidates spread
evenly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.basis import Gaussian
from drumlin.flagship.metric import Metric, metrics
from drumlin.flagship.recipe import StartRule
from drumlin.linear.gram import GramPath, gram_path
from drumlin.refinement import Variables
from drumlin.sample import Sample, weighted_median

DIFFERENT = 1e-12
"""Squared distances above this are between samples that differ."""

LEAST_ERROR = 1e-12
"""Squared errors below this are not told apart."""

Limit = Callable[[Metric], int | None]
"""Most nodes in a metric (one that is stored leaves less room), or None."""


@dataclass(frozen=True)
class Start:
    """Round nodes on training samples, and how good they are.

    Parameters
    ----------
    metric : Metric
    width : float or ndarray of shape (n_features,)
        Of all nodes, or along every input.
    n_nodes : int
        Nodes of the best prefix of the path that is within the limit.
    centers : ndarray of shape (n_nodes + n_spare, n_features)
        In the metric's space; last those of spare nodes, worth their price but beyond the limit.
    support : ndarray of shape (n_nodes + n_spare,)
        Rows given to ``fit`` that the nodes stand on.
    squared_errors : ndarray
        Leave-one-out squared error of every prefix of the path, no node first.
    sample : Sample
        The rows that the path was found on.
    loo_predictions : ndarray of shape (n_rows, n_outputs)
        Of those rows.
    """

    metric: Metric
    width: float | FloatArray
    n_nodes: int
    centers: FloatArray
    support: IntArray
    squared_errors: FloatArray
    sample: Sample
    loo_predictions: FloatArray

    @property
    def n_spare(self) -> int:
        """Number of spare nodes."""
        return len(self.centers) - self.n_nodes

    def variables(self, *, spare: bool = False) -> Variables:
        """Return the nodes (with the spare ones) as a starting point of the refinement."""
        centers = self.centers if spare else self.centers[: self.n_nodes]
        support = self.support[: len(centers)]
        return Variables(centers, self.width, self.sample.codes.shape[1], support)

    @property
    def squared_error(self) -> float:
        """Leave-one-out squared error of the start."""
        return float(self.squared_errors[self.n_nodes])

    @property
    def variance(self) -> float:
        """Squared error of the best constant."""
        return variance(self.sample)


def contrasts(sample: Sample) -> int:
    """Number of class contrasts: more outputs share the price of a node."""
    return max(sample.n_classes - 1, 1)


def variance(sample: Sample) -> float:
    """Squared error of the best constant."""
    centered = sample.codes - sample.weight @ sample.codes / sample.total
    return float(sample.weight @ (centered**2).sum(axis=1) / sample.total)


def find_start(sample: Sample, rule: StartRule, limit: Limit = lambda metric: None) -> Start | None:
    r"""Find the metric, width and prefix of a forward path with the lowest criterion.

    .. math:: \log \mathrm{LOO} + m \, \frac{\log N}{N \sqrt{K-1}} + \mathrm{handicap}

    Parameters
    ----------
    sample : Sample
        Rows of the table, at most ``rule.final_rows`` of them; the size is what they justify.
    rule : StartRule
    limit : callable

    Returns
    -------
    Start or None
        None where inputs do not vary. No node at all where the gain over a constant is not above
        that of the best of L noise columns.
    """
    scan = sample.draw(rule.scan_rows)
    cap, final_cap = node_caps(sample.effective, sample.n_rows, sample.n_targets, rule)
    tried = sorted(_scan(scan, sample, cap, rule, limit), key=_criterion_of)
    if not tried:
        return None
    best = tried[0]
    if scan.total < sample.total or final_cap > cap:
        price, candidates = node_price(sample), _candidates(sample, final_cap, rule)
        bases = [replace(t.basis, sample=sample, candidates=candidates) for t in tried[:2]]
        caps = [_caps(final_cap, limit(basis.metric)) for basis in bases]
        again = [
            _judged(basis, basis.activations(), both, price, rule.alpha)
            for basis, both in zip(bases, caps, strict=True)
        ]
        best = min(again, key=_criterion_of)
    n_nodes = _n_nodes(best)
    return _start_of(best, n_nodes if _is_signal(best, n_nodes) else 0)


def find_start_in(metric: Metric, sample: Sample, rule: StartRule, limit: Limit) -> Start | None:
    """Find the width and prefix of a forward path in one metric, whether or not that is a signal.

    Parameters
    ----------
    metric : Metric
    sample : Sample
    rule : StartRule
    limit : callable

    Returns
    -------
    Start or None
        None where inputs do not vary, or no node is allowed.
    """
    scan = sample.draw(rule.scan_rows)
    cap = node_caps(scan.effective, scan.n_rows, scan.n_targets, rule)[0]
    tried = list(_scan_metric(metric, scan, cap, rule, limit, range(len(rule.widths))))
    best = min(tried, key=_criterion_of, default=None)
    return None if best is None else _start_of(best, _n_nodes(best))


@dataclass(frozen=True)
class _Basis:
    """Round nodes that may be chosen: at some rows of a sample, in one metric, of one width."""

    sample: Sample
    candidates: IntArray
    metric: Metric
    width: float
    step: int  # of the width in the ladder

    def activations(self) -> FloatArray:
        """Activations (n_rows, n_candidates)."""
        Y = self.metric(self.sample.X)
        return Gaussian().activate_(squared_distances(Y, Y[self.candidates]) / self.width**2)


@dataclass(frozen=True)
class _Trial:
    """A path over the nodes of a basis, and what its best prefix is worth."""

    basis: _Basis
    path: GramPath
    limit: int
    criterion: float


def node_caps(total: float, n_rows: int, n_targets: int, rule: StartRule) -> tuple[int, int]:
    """Most nodes of the scan and of the final path, of so many samples in rows that differ."""
    total = min(total, rule.copies * n_rows)
    cap = int(np.ceil(rule.cap * np.sqrt(total)))
    if n_targets <= 2:
        return cap, cap
    least, growth = rule.nodes_per_class
    most = min(n_targets * max(least, growth * np.sqrt(total)), total / 3.0)
    return max(cap, 3 * n_targets), max(cap, int(most))


def node_price(sample: Sample, n_samples: float | None = None) -> float:
    """Price of a node in log error, of the effective number of samples or of another."""
    n = sample.effective if n_samples is None else n_samples
    return float(np.log(n) / (n * np.sqrt(contrasts(sample))))


def spread_rows(Z: FloatArray, labels: IntArray, size: int) -> IntArray:
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


def _candidates(sample: Sample, cap: int, rule: StartRule) -> IntArray:
    size = max(rule.candidates, rule.candidates_per_node * cap)
    return spread_rows(sample.X, sample.labels, size)


def _scan(
    scan: Sample, sample: Sample, cap: int, rule: StartRule, limit: Limit
) -> Iterator[_Trial]:
    """Paths of the plain metric at all widths, of whitened ones near its best width."""
    steps: Sequence[int] = range(len(rule.widths))
    for metric in metrics(sample, rule):
        trials = list(_scan_metric(metric, scan, cap, rule, limit, steps))
        yield from trials
        if trials and metric.matrix is None:
            best = min(trials, key=_criterion_of).basis.step
            steps = tuple(step for step in steps if abs(step - best) <= 1)


def _scan_metric(
    metric: Metric, scan: Sample, cap: int, rule: StartRule, limit: Limit, steps: Sequence[int]
) -> Iterator[_Trial]:
    """Paths of one metric at some widths."""
    caps = _caps(cap, limit(metric))
    if not caps[1]:
        return
    for basis, Phi in _ladder(scan, _candidates(scan, cap, rule), metric, steps, rule):
        yield _judged(basis, Phi, caps, node_price(scan), rule.alpha)


def _caps(cap: int, limit: int | None) -> tuple[int, int]:
    """Most nodes of a path, and of the prefix that is taken."""
    return cap, cap if limit is None else min(cap, limit)


def _ladder(
    sample: Sample, candidates: IntArray, metric: Metric, steps: Sequence[int], rule: StartRule
) -> Iterator[tuple[_Basis, FloatArray]]:
    """Bases of one metric for some widths, and their activations, from one exponential."""
    Y = metric(sample.X)
    d2 = squared_distances(Y, Y[candidates])
    differ = d2 > DIFFERENT
    if not differ.any():
        return
    step_rows = slice(None, None, 1 + d2.size // rule.median_pairs)
    unit = float(np.sqrt(_median(d2, differ, sample.weight, candidates, step_rows) / 2.0))
    radial, widths = Gaussian(), unit * np.array(rule.widths)
    Phi = radial.activate_(d2 / widths[0] ** 2)
    for step in range(max(steps) + 1):
        if step and not radial.narrow_(Phi, widths[step - 1] / widths[step]):
            Phi = radial.activate_(d2 / widths[step] ** 2)
        if step in steps:
            yield _Basis(sample, candidates, metric, float(widths[step]), step), Phi


def _median(
    d2: FloatArray, differ: BoolArray, weight: FloatArray, candidates: IntArray, rows: slice
) -> float:
    """Weighted median of squared distances that are not zero, from an even sample of the rows."""
    if not differ[rows].any():
        rows = slice(None)
    pairs = weight[rows, None] * weight[candidates]
    return weighted_median(d2[rows][differ[rows]], pairs[differ[rows]])


def _judged(
    basis: _Basis, Phi: FloatArray, caps: tuple[int, int], price: float, alpha: float
) -> _Trial:
    """Find the path and what its best prefix is worth."""
    path = gram_path(Phi, basis.sample.codes, basis.sample.weight, caps[0], alpha)
    criterion = _criterion(path, price)[: caps[1] + 1]
    handicap = basis.metric.handicap(basis.sample)
    return _Trial(basis, path, caps[1], float(criterion[_best(criterion)] + handicap))


def _criterion(path: GramPath, price: float) -> FloatArray:
    """Log error of every prefix, plus the price of its nodes."""
    log_errors = np.log(np.maximum(path.squared_errors, LEAST_ERROR))
    return np.asarray(log_errors + price * np.arange(len(path.order) + 1))


def _best(criterion: FloatArray) -> int:
    """Best number of nodes; none only where there is none."""
    return 1 + int(criterion[1:].argmin()) if len(criterion) > 1 else 0


def _criterion_of(trial: _Trial) -> float:
    return trial.criterion


def _n_nodes(trial: _Trial) -> int:
    """Nodes of the best prefix within the limit."""
    criterion = _criterion(trial.path, node_price(trial.basis.sample))
    return _best(criterion[: trial.limit + 1])


def _is_signal(trial: _Trial, n_nodes: int) -> bool:
    """Whether so many nodes gain more than the best of L noise columns: 2 log L in N log error."""
    sample = trial.basis.sample
    least = 2.0 * float(np.log(len(trial.basis.candidates)))
    return not sample.total * _gain(trial.path, n_nodes, sample) < least


def _start_of(trial: _Trial, m: int) -> Start:
    """Collect what the refinement of m nodes needs, and of the spare ones if there are any."""
    basis, path, sample = trial.basis, trial.path, trial.basis.sample
    worth = _best(_criterion(path, node_price(sample)))
    chosen = basis.candidates[path.order[: max(m, worth) if m else 0]]
    metric, width = basis.metric.unfolded(basis.width)
    return Start(
        metric=metric,
        width=width,
        n_nodes=m,
        centers=metric(sample.X)[chosen],
        support=sample.index[chosen],
        squared_errors=path.squared_errors,
        sample=sample,
        loo_predictions=path.loo_predictions(sample.codes, sample.weight, sample.left_out, m),
    )


def _gain(path: GramPath, m: int, sample: Sample) -> float:
    """Fall of the log error with m nodes, paid for by rows: here a rare class counts in full."""
    criterion = _criterion(path, node_price(sample, sample.total))
    return float(criterion[0] - criterion[m])


def squared_distances(A: FloatArray, B: FloatArray) -> FloatArray:
    """Squared distances (n_a, n_b) by one product: inputs are clipped, so nothing cancels badly."""
    d2 = (A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2.0 * (A @ B.T)
    return np.maximum(d2, 0.0, out=d2)
