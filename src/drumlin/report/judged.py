"""A model and the data it is judged on: answers computed once, and the numbers that follow."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.stats import binomtest, norm
from sklearn import metrics
from sklearn.base import is_classifier

from drumlin._typing import FloatArray
from drumlin.estimators.fitted import FittedNetwork
from drumlin.report.parts import Table, number, percent

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Rows of the threshold table."""

COVERAGES = (0.5, 0.8, 0.9, 0.95)
"""Intervals whose coverage is checked."""


@dataclass(frozen=True)
class Judged:
    """A fitted model, data, and whether the model has seen them.

    Parameters
    ----------
    fitted : FittedNetwork
    X : {DataFrame, ndarray} of shape (n_samples, n_features)
    codes : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Targets; classes by their index.
    seen : bool
        Whether these are the data of ``fit``.
    """

    fitted: FittedNetwork
    X: Any
    codes: Any
    seen: bool

    @property
    def is_classifier(self) -> bool:
        """Whether targets are classes."""
        return is_classifier(self.fitted.model)

    @property
    def classes(self) -> list[str]:
        """Class labels as text."""
        return [str(label) for label in self.fitted.model.classes_]

    @property
    def data_name(self) -> str:
        """What to call the data."""
        return "training data" if self.seen else "test data"

    @cached_property
    def probabilities(self) -> FloatArray:
        """Probabilities of shape (n_samples, n_classes)."""
        return np.asarray(self.fitted.whole.predict_proba(self.X))

    @cached_property
    def answers(self) -> Any:
        """Predicted classes by their index, or predicted numbers."""
        answers = np.asarray(self.fitted.whole.predict(self.X))
        return self.fitted.codes(answers, len(answers)) if self.is_classifier else answers

    @cached_property
    def measures(self) -> dict[str, float]:
        """Error measures on the data, by name."""
        return _of_classes(self) if self.is_classifier else _of_numbers(self)

    @cached_property
    def loo(self) -> dict[str, float]:
        """Leave-one-out measures of the training data that the model knows, by name."""
        model = self.fitted.model
        known = {}
        score, error = getattr(model, "loo_score_", None), getattr(model, "loo_error_", None)
        if self.is_classifier:
            if error is None and score is not None:
                error = 1.0 - score
            known = {"error": error, "log-loss": getattr(model, "loo_log_loss_", None)}
        else:
            known = {"R²": score, "root mean squared error": error}
        return {name: float(value) for name, value in known.items() if value is not None}

    def measure_table(self) -> Table:
        """Measures on the data beside those by leave-one-out."""
        data = f"{self.data_name} ({len(self.X)} rows)"
        names = list(dict.fromkeys([*self.measures, *self.loo]))
        rows = [
            (
                _sentence(name),
                _shown(name, self.measures.get(name)),
                _shown(name, self.loo.get(name)),
            )
            for name in names
        ]
        notes = []
        if self.seen:
            notes.append(
                "The model was fitted to these data: their figures flatter it, and only those by "
                "leave-one-out say something about new data."
            )
        if self.is_classifier:
            wrong = int((self.answers != self.codes).sum())
            low, high = binomtest(wrong, len(self.codes)).proportion_ci(method="wilson")
            notes.append(f"95 % interval of the error: {percent(low)} to {percent(high)}.")
        return Table(
            "Measures", ("measure", data, "leave-one-out (training)"), rows, " ".join(notes)
        )

    def confusion_table(self) -> Table:
        """Counts, one row per true class, shaded by their share of the row."""
        counts = metrics.confusion_matrix(
            self.codes, self.answers, labels=np.arange(len(self.classes))
        )
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        rows = [
            (label, *[str(count) for count in row], percent(shares[k, k]) if row.sum() else "—")
            for k, (label, row) in enumerate(zip(self.classes, counts, strict=True))
        ]
        columns = ("true class", *[f"predicted {label}" for label in self.classes], "found")
        shades = [[*row, 0.0] for row in shares.tolist()]
        return Table("Confusion table", columns, rows, "Rows are true classes.", shades=shades)

    def threshold_table(self, costs: tuple[float, float]) -> Table:
        """What happens where the second class is announced from a probability on.

        Parameters
        ----------
        costs : (float, float)
            Of a false alarm, and of a miss.
        """
        alarm, miss = costs
        thresholds = np.array(sorted({*THRESHOLDS, alarm / (alarm + miss)}))
        said = self.probabilities[:, 1] >= thresholds[:, None]
        true = self.codes == 1
        hits = (said & true).sum(axis=1)
        alarms, misses = (said & ~true).sum(axis=1), (~said & true).sum(axis=1)
        cost = (alarm * alarms + miss * misses) / len(true)
        rows = [
            (
                f"{thresholds[i]:.3g}",
                percent(hits[i] / said[i].sum()) if said[i].any() else "—",
                percent(hits[i] / true.sum()) if true.any() else "—",
                str(alarms[i]),
                str(misses[i]),
                number(cost[i]),
            )
            for i in range(len(thresholds))
        ]
        best = int(cost.argmin())
        label = self.classes[1]
        columns = ("threshold", "precision", "recall", "false alarms", "misses", "cost per row")
        note = (
            f"“{label}” is announced where its probability is at least the threshold. A false "
            f"alarm costs {number(alarm)}, a miss {number(miss)}; honest probabilities cost least "
            f"at {alarm / (alarm + miss):.3g}. Least cost on these data: threshold "
            f"{thresholds[best]:.3g} (set off)."
        )
        return Table(f"Thresholds of “{label}”", columns, rows, note, marked=best)

    def coverage_table(self) -> Table | None:
        """How often intervals of the predictions held the target, where the model has them."""
        model = self.fitted.model
        if "return_std" not in inspect.signature(model.predict).parameters:
            return None
        mean, std = model.predict(self.fitted.model_rows(self.X), return_std=True)
        distance = np.abs(self.codes - mean) / std
        rows = [
            (percent(share), percent(float((distance <= norm.ppf(0.5 + share / 2)).mean())))
            for share in COVERAGES
        ]
        columns = ("interval", "targets inside")
        note = "Intervals are predictions ± standard deviations, of normal errors."
        return Table("Coverage of prediction intervals", columns, rows, note)


def _of_classes(judged: Judged) -> dict[str, float]:
    codes, probabilities = judged.codes, judged.probabilities
    labels = np.arange(len(judged.classes))
    present = np.unique(codes)
    measures = {
        "error": float((judged.answers != codes).mean()),
        "balanced error": 1.0
        - float(metrics.recall_score(codes, judged.answers, labels=present, average="macro")),
        "log-loss": float(metrics.log_loss(codes, probabilities, labels=labels)),
    }
    if len(labels) == 2:
        measures["Brier score"] = float(((probabilities[:, 1] - codes) ** 2).mean())
        if len(present) == 2:
            measures["area under ROC curve"] = float(
                metrics.roc_auc_score(codes, probabilities[:, 1])
            )
    return measures


def _of_numbers(judged: Judged) -> dict[str, float]:
    targets, answers = judged.codes, judged.answers
    return {
        "R²": float(metrics.r2_score(targets, answers)) if len(targets) > 1 else float("nan"),
        "root mean squared error": float(metrics.root_mean_squared_error(targets, answers)),
        "mean absolute error": float(metrics.mean_absolute_error(targets, answers)),
        "largest absolute error": float(np.abs(targets - answers).max()),
    }


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "—"
    return percent(value) if name in ("error", "balanced error") else number(value)


def _sentence(name: str) -> str:
    return name[0].upper() + name[1:]
