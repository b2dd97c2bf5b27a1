"""What every model can and cannot do, from its documentation and its signatures.

A cell is "yes", "no" or a few words; a model's own name for the thing stands in backquotes. Only
what the package itself does counts, not what others add to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from drumlin.experiments.formats import markdown_rows

YES, NO = "yes", "no"

COLUMNS = (
    "drumlin", "SVC, tuned", "fastrvm", "CatBoost", "LightGBM", "HistGB", "EBM", "xRFM", "RealMLP",
)  # fmt: skip
"""Models in the order of the cells."""

ABILITIES: dict[str, tuple[str, ...]] = {
    "probabilities of its own": (YES, "calibrated", YES, YES, YES, YES, YES, YES, YES),
    "the same model every time by default": (
        YES, YES, YES, "fixed seed", "fixed seed", "small tables", "fixed seed", NO, NO,
    ),
    "regression": (YES, YES, YES, YES, YES, YES, YES, YES, YES),
    "sample weights": (YES, YES, NO, YES, YES, YES, YES, NO, NO),
    "gaps in the inputs": ("`make_table_model`", NO, NO, YES, YES, YES, YES, NO, NO),
    "columns of text": ("`make_table_model`", NO, NO, YES, YES, YES, YES, YES, YES),
    "monotone constraints": (NO, NO, NO, YES, YES, YES, YES, NO, NO),
    "other losses (quantiles, counts, ranks)": (
        "Huber", NO, NO, YES, YES, "quantiles, counts", "counts", NO, "quantiles",
    ),
    "a GPU": (NO, NO, NO, YES, YES, NO, NO, YES, YES),
    "tables larger than memory": (YES, NO, NO, NO, YES, NO, NO, NO, NO),
    "left-out error without a refit": (YES, NO, NO, NO, NO, NO, NO, NO, NO),
    "sets and intervals with coverage": (YES, NO, "deviations", NO, NO, NO, NO, NO, NO),
    "novelty of a row": (YES, NO, NO, NO, NO, NO, NO, NO, NO),
    "attributions of a row": (
        "exact", NO, NO, "exact (trees)", "exact (trees)", NO, "exact (additive)", NO, NO,
    ),
    "counterfactuals": (YES, NO, NO, NO, NO, NO, NO, NO, NO),
    "a smaller model after the fit": (
        "`truncate`", NO, NO, "fewer trees", "fewer trees", "staged", NO, NO, NO,
    ),
    "files without pickle": (YES, NO, NO, YES, YES, NO, "one way", NO, NO),
    "code without Python": (
        "C, SQL, JavaScript, ONNX", NO, NO, "C++, ONNX, PMML", "C++", NO, NO, NO, NO,
    ),
}  # fmt: skip

NOTE = """From documentation and signatures of the versions above, read once and by us: tell us what
is wrong. Only what a package does by itself counts (scikit-learn's models can be written
as ONNX by skl2onnx, trees explained by shap, any classifier be given sets by mapie).

In short: for gaps, texts, monotone constraints, other losses, millions of rows of
irregular tables or a GPU take CatBoost or LightGBM; for curves that a committee can read,
one input at a time, EBM; where rows are few and the surface is smooth, where a model must
be small, be explained, know what it does not know, or leave Python, take drumlin."""


def abilities(models: Sequence[str]) -> str:
    """Return the table of the models that are on the page, and what it means."""
    shown = [COLUMNS.index(model) for model in models]
    rows = [[what, *(cells[i] for i in shown)] for what, cells in ABILITIES.items()]
    return markdown_rows(["", *models], rows) + "\n\n" + NOTE
