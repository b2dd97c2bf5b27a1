"""Curves of what a threshold would do, and bars of what inputs matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from drumlin.evaluation import Judged
from drumlin.plotting._style import BLUE, GRAY, axes_or_new, class_colors, plain, styled
from drumlin.report.inputs import Input
from drumlin.report.parts import Figure, percent
from drumlin.report.svg import svg

MOST_CURVES = 6
"""Of more classes the most frequent have a curve."""

MOST_BARS = 15
"""Inputs with a bar."""


def curve_figures(judged: Judged) -> list[Figure]:
    """Return ROC and precision-recall curves; none where a class does not occur."""
    counts = np.bincount(judged.codes, minlength=len(judged.classes))
    if not counts.all():
        return []
    if len(counts) == 2:
        shown = [1]
    else:
        shown = sorted(np.argsort(-counts, kind="stable")[:MOST_CURVES].tolist())
    of = "" if len(counts) == 2 else ", one class against the others"
    left_out = "" if len(shown) in (1, len(counts)) else " (the most frequent classes)"
    return [
        _curves(judged, shown, _roc, "roc", f"ROC curve{of}{left_out}"),
        _curves(judged, shown, _precision, "precision", f"Precision and recall{of}{left_out}"),
    ]


def _curves(
    judged: Judged, shown: Sequence[int], draw: Callable[..., str], name: str, caption: str
) -> Figure:
    colors = class_colors(len(judged.classes))
    areas = []
    with styled():
        ax = axes_or_new(None, (4.8, 4.2))
        for k in shown:
            true, probability = judged.codes == k, judged.probabilities[:, k]
            color = BLUE if len(shown) == 1 else colors[k]
            areas.append(f"{draw(ax, true, probability, color)} for “{judged.classes[k]}”")
            ax.get_lines()[-1].set_label(plain(judged.classes[k], 20))
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        if len(shown) > 1:
            ax.legend(loc="lower right" if name == "roc" else "lower left", title="class")
    caption = f"{caption}: {', '.join(areas)}"
    return Figure(svg(ax.figure, name, caption), caption)


def _roc(ax: Any, true: Any, probability: Any, color: str) -> str:
    alarms, found, _ = roc_curve(true, probability)
    ax.axline((0.0, 0.0), slope=1.0, color=GRAY, lw=0.8, ls="dashed", zorder=0)
    ax.plot(alarms, found, color=color)
    ax.set(xlabel="false alarms among the others", ylabel="found (recall)")
    return f"area {roc_auc_score(true, probability):.3f}"


def _precision(ax: Any, true: Any, probability: Any, color: str) -> str:
    precision, found, _ = precision_recall_curve(true, probability, drop_intermediate=True)
    ax.axhline(true.mean(), color=GRAY, lw=0.8, ls="dashed", zorder=0)
    ax.plot(found, precision, color=color, drawstyle="steps-post")
    ax.set(xlabel="found (recall)", ylabel="right among those announced (precision)")
    return (
        f"average precision {average_precision_score(true, probability):.3f} "
        f"(baseline {true.mean():.3f})"
    )


def relevance_figures(inputs: Sequence[Input]) -> list[Figure]:
    """Return bars of how much every column matters."""
    shown = [entry for entry in inputs[:MOST_BARS] if entry.relevance > 0.0]
    if len(shown) < 2:
        return []
    with styled():
        ax = axes_or_new(None, (6.0, 1.3 + 0.32 * len(shown)))
        rows, shares = np.arange(len(shown)), [100.0 * entry.relevance for entry in shown]
        ax.barh(rows, shares, color=BLUE, height=0.7)
        for row, share in zip(rows, shares, strict=True):
            offset = {"xytext": (4, 0), "textcoords": "offset points", "va": "center"}
            ax.annotate(percent(share / 100.0), (share, row), fontsize=9, **offset)
        ax.set_yticks(rows, [plain(entry.name, 24) for entry in shown])
        ax.invert_yaxis()
        ax.margins(x=0.14)
        ax.set_xlim(left=0.0)
        ax.tick_params(left=False)
        ax.spines["left"].set_visible(False)
        ax.set_xlabel("share of the slopes of the scores, in %")
    rest = len(inputs) - len(shown)
    caption = "How much every input matters: mean slope of the scores times its spread"
    caption += f"; {rest} more inputs matter less" if rest else ""
    return [Figure(svg(ax.figure, "relevance", caption), caption)]
