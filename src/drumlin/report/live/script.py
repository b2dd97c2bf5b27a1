"""One script for a page: the exported model, what it is to show, and the code that shows it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from drumlin.evaluation import Decision, Judged
from drumlin.export import NotExportable, describe, to_javascript
from drumlin.export.text import javascript_literal
from drumlin.report.figures import hardest_row
from drumlin.report.inputs import Input
from drumlin.report.judged import judged_costs
from drumlin.report.live.controls import MOST_OPEN, Control, controls_of, rows_of
from drumlin.report.live.intervals import intervals_of
from drumlin.report.live.sizes import STEPS, sizes_of
from drumlin.report.parts import shown

FILES = (
    "words.js",
    "charts.js",
    "intervals.js",
    "answer.js",
    "sizes.js",
    "threshold.js",
    "plane.js",
    "start.js",
)
"""Parts of the script, in order."""

CONFIDENCES = (0.8, 0.9, 0.95)
"""Of prediction sets and intervals."""


@dataclass(frozen=True)
class Live:
    """The part of a page that answers, as the template wants it.

    Parameters
    ----------
    script : str
        The only script of the page.
    controls : list of Control
    n_open : int
        Controls that are in sight.
    n_fixed : int
        Inputs that cannot be moved.
    rows : list of str
        What the rows to start from are called.
    about : dict
        What the script shows.
    """

    script: str
    controls: list[Control]
    n_open: int
    n_fixed: int
    rows: list[str]
    about: dict[str, Any]

    @property
    def digest(self) -> str:
        """Hash by which the page's policy knows its script."""
        digest = hashlib.sha256(self.script.encode("utf-8")).digest()
        return "sha256-" + base64.b64encode(digest).decode("ascii")


def live_part(judged: Judged, inputs: Sequence[Input]) -> Live:
    """Make the part of a page that answers.

    Parameters
    ----------
    judged : Judged
    inputs : sequence of Input
        The most relevant first.
    """
    whole = judged.fitted.whole
    try:
        computation = describe(whole)
    except NotExportable as error:
        raise NotExportable(
            "The 'interactive' parameter must be False for this model, which cannot run in a "
            f"page: {error}"
        ) from error
    controls = controls_of(judged, computation, inputs)
    rows = rows_of(judged, computation, hardest_row(judged)[0])
    sizes = sizes_of(judged)
    about = _about(judged) | {
        "sizes": sizes.table,
        "measure": sizes.measure,
        "rows": [{"values": row["values"], "truth": row["truth"]} for row in rows],
        "controls": [_of_control(control) for control in controls],
    }
    model = to_javascript(whole, smaller=sizes.models[:-1])
    return Live(
        "\n".join([model, f"const about = {javascript_literal(about)};", *map(_source, FILES)]),
        controls,
        MOST_OPEN,
        len(computation.columns) - len(controls),
        [row["label"] for row in rows],
        about
        | {
            "is_novel": computation.novelty is not None,
            "plane": _plane(controls),
            "loo_note": shown(sizes.note),
        },
    )


def _about(judged: Judged) -> dict[str, Any]:
    fitted = judged.fitted
    costs = judged_costs(judged) if judged.is_classifier else []
    probable = replace(judged, decision=Decision())  # as sizes are judged
    return {
        "classes": [shown(label) for label in judged.classes] if judged.is_classifier else [],
        "outputs": [shown(name) for name in fitted.outputs],
        "costs": costs,
        "step": round(STEPS * costs[0] / sum(costs)) if len(costs) == 2 else 0,
        "steps": STEPS,
        "data": judged.data_name,
        "nRows": len(judged.X),
        "baseline": {k: v for k, v in probable.baseline.items() if v == v},
        "limits": _set_limits(fitted.model) if judged.is_classifier else {},
        "intervals": {} if judged.is_classifier else intervals_of(fitted, CONFIDENCES),
    }


def _set_limits(model: Any) -> dict[str, float | None]:
    """Thresholds of prediction sets by confidence; None where every class is in the set."""
    calibration = getattr(model, "_calibration", None)
    if calibration is None:
        return {}
    limits = {str(level): calibration.threshold(level) for level in CONFIDENCES}
    return {level: limit if limit < float("inf") else None for level, limit in limits.items()}


def _plane(controls: Sequence[Control]) -> list[int]:
    """Controls of numbers: only these span a plane."""
    return [i for i, control in enumerate(controls) if not control.choices]


def _of_control(control: Control) -> dict[str, Any]:
    about: dict[str, Any] = {"column": control.column, "name": control.name}
    if control.choices:
        return about | {"choices": [value for value, _ in control.choices]}
    return about | {"low": control.low, "high": control.high, "step": control.step}


def _source(name: str) -> str:
    return resources.files("drumlin.report.live").joinpath(name).read_text(encoding="utf-8")
