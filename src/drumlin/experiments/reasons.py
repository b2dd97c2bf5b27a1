"""Why a printed number is not reached: what was found out about each, in a line."""

from __future__ import annotations

from drumlin.experiments.printed import Row

_ON_TEST_ROWS = "no single width reaches it; with the width of each split chosen on its test rows"
_SEED = "not reachable by an honest choice; with the seed of the swarm chosen on test rows"
_WIDTHS = "the widths are not printed; ours are chosen on training rows"

WHY: dict[tuple[str, str, str], str] = {
    ("hong2008", "breast", "error"): f"{_ON_TEST_ROWS} 25.5",
    ("hong2008", "heart", "error"): f"{_ON_TEST_ROWS} 16.0",
    (
        "hong2008",
        "thyroid",
        "error",
    ): "the data folder has none of the original splits, and the width is not printed",
    ("hong2008", "any", "size"): _WIDTHS,
    ("hong2014", "breast", "error"): "27.1 with the best single width on test rows",
    ("hong2014", "heart", "error"): "17.4 with the best single width on test rows",
    ("hong2014", "flare", "error"): "mutual information cannot tell a classifier from its "
    "inverse; signed, our default, 33.4",
    ("hong2014", "thyroid", "error"): "140 rows do not carry 100 nodes at an honest width; 4.8 "
    "with a width of .7 given",
    ("hong2014", "any", "size"): _WIDTHS,
    ("chen2010", "breast", "error"): f"{_SEED} 23.4",
    ("chen2010", "diabetes", "error"): f"{_SEED} 21.7",
    ("chen2010", "thyroid", "error"): f"{_SEED} 6.7, or 4.5 with the first node by squared error",
    ("chen2010", "any", "size"): "the box of variances is not printed",
    ("ando2004", "any", "size"): "start and grid of the search are not printed; four to six "
    "kernels, by the seed, have a BIC of 143 to 146",
    ("svm-tuned", "synth", "size"): "C and gamma are not printed; ours by cross-validation",
    ("svm-tuned", "titanic", "error"): "14 distinct inputs, so that C and gamma hardly matter and "
    "splits share nearly all they have: 20 realisations tell less than their number",
    ("rvm", "synth", "size"): "another width: that of fastrvm",
    ("tree", "any", "error"): "scikit-learn's tree is not pruned",
}
"""By method, set ("any": all others) and part of the row."""


def why(row: Row, part: str) -> str:
    """Reason for a row's error or size; "" where none is known.

    Parameters
    ----------
    row : Row
    part : {"error", "size"}
    """
    keys = [(row.rerun or "", dataset, part) for dataset in (row.dataset, "any")]
    return next((WHY[key] for key in keys if key in WHY), "")
