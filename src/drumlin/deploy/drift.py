"""How new rows differ from those that a model was fitted to, and whether that matters.

A model file knows where training rows were (novelty), how often values were missing, which texts
there were, the middle and spread of its inputs, and its leave-one-out error. Every finding has the
number that was found, the one that training promises, and the probability of such a difference
between rows of the same kind; it counts as drift where it is both unlikely and large.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import betabinom, ksone, kstest, norm, t

from drumlin._optional import pandas as pd
from drumlin.deploy.deployed import Deployed
from drumlin.evaluation import Judged
from drumlin.evaluation.judged import loo_measures
from drumlin.novelty import NOVELTY_ROWS
from drumlin.tables import Labelled, TableWarning, is_missing, read_labelled
from drumlin.tables.transformed import can_be_learned

UNLIKELY = 0.001
"""Probability below which a difference is not left to chance; shared by all findings of a check."""

LEAST_NOVELTY, LEAST_GAPS, LEAST_UNKNOWN, LEAST_SHIFT = 0.1, 0.05, 0.01, 0.05
"""Smaller differences do not matter: of distributions, shares of rows, relevance times spreads."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Parameters
    ----------
    what : {"novelty", "gaps", "unknown texts", "unknown classes", "shift", "error"}
    column : str or None
        None where it is about whole rows.
    found, expected : float
        In new rows, and what training promises.
    probability : float
        Of a difference as large by chance.
    size : float
        What must not be small for it to be drift.
    """

    what: str
    column: str | None
    found: float
    expected: float
    probability: float
    size: float

    def is_drift(self, n_findings: int) -> bool:
        """Whether it is unlikely, among so many, and large."""
        return self.probability * n_findings < UNLIKELY and self.size >= _LEAST[self.what]


_LEAST = {
    "novelty": LEAST_NOVELTY,
    "gaps": LEAST_GAPS,
    "unknown texts": LEAST_UNKNOWN,
    "unknown classes": LEAST_UNKNOWN,
    "shift": LEAST_SHIFT,
    "error": 0.0,
}


@dataclass(frozen=True)
class Drift:
    """What a check has found.

    Parameters
    ----------
    n_rows : int
    findings : tuple of Finding

    See Also
    --------
    check

    Examples
    --------
    >>> from drumlin.deploy import Drift
    >>> Drift(100, ()).has_drifted
    False
    """

    n_rows: int
    findings: tuple[Finding, ...]

    @property
    def drifted(self) -> tuple[Finding, ...]:
        """Findings that count as drift."""
        return tuple(f for f in self.findings if f.is_drift(len(self.findings)))

    @property
    def has_drifted(self) -> bool:
        """Whether there is any."""
        return bool(self.drifted)


def check(deployed: Deployed, frame: pd.DataFrame) -> Drift:
    """Compare new rows with those of the fit.

    Parameters
    ----------
    deployed : Deployed
    frame : DataFrame
        With the columns of the model; with the target, errors are compared, too.

    Returns
    -------
    Drift

    See Also
    --------
    train
    Drift

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin.deploy import check, train
    >>> frame = load_iris(as_frame=True).frame
    >>> model = train(frame, "target").deployed
    >>> check(model, frame).has_drifted
    False
    >>> moved = frame.assign(**{"petal length (cm)": frame["petal length (cm)"] + 3.0})
    >>> check(model, moved).has_drifted
    True
    """
    inputs, surprises = deployed.read(frame)
    rows = deployed.rows(inputs)
    findings = [
        *_novelty(deployed, rows),
        *_gaps(deployed, inputs),
        *_unknown(surprises.unknown, len(frame)),
        *_shifts(deployed, np.asarray(rows, dtype=np.float64)),
        *_errors(deployed, frame),
    ]
    return Drift(len(frame), tuple(findings))


def _novelty(deployed: Deployed, rows: Any) -> list[Finding]:
    """Novelty of rows like those of training is spread evenly over [0, 1]."""
    model = deployed.fitted.model
    if not hasattr(model, "novelty") or not model.n_nodes_:
        return []
    values = model.novelty(rows)
    test = kstest(values, "uniform", alternative="less")  # only farther rows are drift
    n, n_known = len(values), _n_known(deployed, len(values))
    chance = ksone.sf(test.statistic, max(1, round(n * n_known / (n + n_known))))
    size = max(0.0, float(values.mean()) - 0.5)
    return [Finding("novelty", None, float(values.mean()), 0.5, float(chance), size)]


def _n_known(deployed: Deployed, n_rows: int) -> int:
    """Rows behind what a file knows of training, which is itself no more than a sample.

    Where nobody knows: as many as the new ones.
    """
    return int(min(deployed.note("n_train") or n_rows, NOVELTY_ROWS))


def _gaps(deployed: Deployed, inputs: pd.DataFrame) -> list[Finding]:
    n_train, found = deployed.note("n_sampled") or deployed.note("n_train"), []
    for column in deployed.schema.used:
        gone = inputs[column.name].isna().to_numpy()
        if column.n_missing and not n_train:
            continue  # nobody knows how many rows there were
        expected = column.n_missing / n_train if n_train else 0.0
        share = float(gone.mean())
        if gone.any() or column.n_missing:
            probability = _two_shares(int(gone.sum()), len(gone), column.n_missing, n_train or 1)
            size = abs(share - expected)
            found.append(Finding("gaps", column.name, share, expected, probability, size))
    return found


def _two_shares(k: int, n: int, k_train: float, n_train: float) -> float:
    """Probability of two shares that differ so much, by the normal approximation."""
    pooled = (k + k_train) / (n + n_train)
    spread = np.sqrt(pooled * (1.0 - pooled) * (1.0 / n + 1.0 / n_train))
    if spread == 0.0:
        return 1.0
    return float(2.0 * norm.sf(abs(k / n - k_train / n_train) / spread))


def _unknown(unknown: dict[str, Any], n_rows: int) -> list[Finding]:
    """Shares of rows with a new text; "" is a gap, which is told as such."""
    shares = {name: (counts.total() - counts[""]) / n_rows for name, counts in unknown.items()}
    return [_never_seen("unknown texts", name, share) for name, share in shares.items() if share]


def _never_seen(what: str, column: str, share: float) -> Finding:
    return Finding(what, column, share, 0.0, 0.0, share)


def _shifts(deployed: Deployed, Z: Any) -> list[Finding]:
    """Moves of the columns' means in training's spreads, times their relevance; per column."""
    fitted, n_known = deployed.fitted, _n_known(deployed, len(Z))
    units = _units(fitted.model)
    if units is None or fitted.relevance_by_column is None:
        return []
    mean, spread = units
    apart = Z.mean(axis=0) - mean
    moved = np.divide(apart, spread, out=np.zeros_like(apart), where=spread > 0.0)
    relevance = np.asarray(fitted.model.relevance_)
    error = np.sqrt(1.0 / len(Z) + 1.0 / n_known)  # of the difference of two means, in spreads
    found = []
    for name, places in fitted.inputs_by_column().items():
        most = places[np.abs(moved[places]).argmax()]
        size = float((np.abs(moved[places]) * relevance[places]).sum())
        chance = float(2.0 * t.sf(abs(moved[most]) / error, max(1, n_known - 1)))
        found.append(Finding("shift", name, float(moved[most]), 0.0, chance, size))
    return found


def _units(model: Any) -> tuple[Any, Any] | None:
    """Means and spreads of training rows; older files have those by class weight alone."""
    seen, inputs = getattr(model, "_seen", None), model.network_.inputs
    if seen is not None:
        return seen.mean, seen.spread
    if inputs is None or inputs.powers is not None:  # these begin with medians and quartiles
        return None
    return inputs.scaler.shift, inputs.scaler.scale


def _errors(deployed: Deployed, frame: pd.DataFrame) -> list[Finding]:
    target = deployed.target
    loo = loo_measures(deployed.fitted)
    if target is None or not set(target.names) <= set(frame.columns):
        return []
    if np.any([is_missing(frame[name]) for name in target.names], axis=0).all():
        return []  # nothing to compare with
    rows = read_labelled(frame, target.names, known=target, schema=deployed.schema)
    unknown = _share_of_unknown(deployed, rows)
    found = [_never_seen("unknown classes", target.name, unknown)] if unknown else []
    if unknown == 1.0 or not loo:
        return found
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)  # the other findings tell it
        judged = deployed.with_costs(None).judge(rows)  # as leave-one-out has it
    compare = _wrong if judged.is_classifier else _far
    made = compare(judged, loo, _n_known(deployed, len(rows)))
    return found if made is None else [*found, made]


def _share_of_unknown(deployed: Deployed, rows: Labelled) -> float:
    """Share of rows of classes that training has not seen."""
    classes = getattr(deployed.fitted.model, "classes_", None)
    return 0.0 if classes is None else float(np.mean(~np.isin(rows.y, classes)))


def _wrong(judged: Judged, loo: dict[str, float], n_known: int) -> Finding | None:
    """More wrong answers than so many of new rows follow those of training's (Jeffreys' prior)."""
    if "error" not in loo:
        return None
    wrong, n = int((judged.answers != judged.codes).sum()), len(judged.codes)
    before = loo["error"] * n_known
    chance = betabinom.sf(wrong - 1, n, before + 0.5, n_known - before + 0.5)
    size = wrong / n - loo["error"]
    return Finding("error", None, wrong / n, loo["error"], max(0.0, float(chance)), size)


def _far(judged: Judged, loo: dict[str, float], n_known: int) -> Finding | None:
    """Greater errors of rows whose target can be learned, such as those above 0 of logarithms."""
    fitted = judged.fitted
    name = f"root mean squared error{fitted.learned_suffix}"
    answers, targets = np.asarray(judged.answers), np.asarray(judged.codes)
    known = can_be_learned(fitted.target, answers) & can_be_learned(fitted.target, targets)
    if name not in loo:
        return None
    if known.any():  # else it is told that no target is one
        answers, targets = answers[known], targets[known]
    errors = fitted.learned(answers) - fitted.learned(targets)
    squared = errors.reshape(len(errors), -1) ** 2
    by_target = np.sqrt(squared.mean(axis=0))
    found = float(by_target.mean())
    # To first order, what every row adds to the squared mean of the targets' errors.
    slopes = np.divide(found, by_target, out=np.ones_like(by_target), where=by_target > 0.0)
    added = (squared * slopes).mean(axis=1)
    excess = found**2 - loo[name] ** 2
    either = np.sqrt(1.0 / len(added) + 1.0 / n_known)  # training's errors spread as these do
    error = added.std(ddof=1) * either if len(added) > 1 else np.inf
    chance = float(norm.sf(excess / error)) if error > 0.0 else float(excess <= 0.0)
    return Finding("error", None, found, loo[name], chance, found - loo[name])
